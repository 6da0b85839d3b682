export interface CompareSearch {
  readonly a?: string
  readonly b?: string
}

const idOf = (value: unknown): string | undefined => {
  const id = Number(value)
  return Number.isInteger(id) && id > 0 ? String(id) : undefined
}

/** Reads the address: the ids of two campaigns. */
export const parseCompareSearch = (search: Readonly<Record<string, unknown>>): CompareSearch => {
  const a = idOf(search["a"])
  const b = idOf(search["b"])
  return { ...(a === undefined ? {} : { a }), ...(b === undefined ? {} : { b }) }
}
