/**
 * A statement of several parts (`with part as (...), ...`) as steps of one transaction, each of which a cluster runs on the
 * account's node alone. Where a part inserts what it selects from another one, the cluster does not know beforehand on
 * which node that will be, and hands the other's rows to all of them: then none of them may be away, and each takes part
 * in the commit. As values of the next step the rows go where that step goes.
 */
export interface Step {
  /** What later steps call its rows by; the last one's are the statement's. */
  readonly name: string | undefined
  /** How its columns are called, where it says so before its body. */
  readonly columns: ReadonlyArray<string> | undefined
  readonly text: string
  /** Earlier steps whose rows it reads. */
  readonly reads: ReadonlyArray<string>
}

interface Part extends Omit<Step, "text" | "reads"> {
  /** `as (` or with a word on whether its rows are kept. */
  readonly opening: string
  readonly body: string
}

/** Where the bracket that opens at `open` closes; undefined where it does not. */
const closingOf = (text: string, open: number): number | undefined => {
  const signs = /'(?:[^']|'')*'|"[^"]*"|[()]/g
  signs.lastIndex = open
  let depth = 0
  for (let found = signs.exec(text); found !== null; found = signs.exec(text)) {
    if (found[0] === "(") depth++
    if (found[0] === ")" && --depth === 0) return found.index
  }
  return undefined
}

/** Remarks within would be taken for what they stand before. */
const withoutRemarks = (text: string): string =>
  text.replaceAll(/('(?:[^']|'')*')|--[^\n]*/g, (_, quoted: string | undefined) => quoted ?? "")

const partsOf = (text: string): ReadonlyArray<Part> | undefined => {
  const start = /^\s*(?:\/\*[^*]*\*\/\s*)?with\s+(?!recursive\b)/i.exec(text)
  if (start === null) return undefined
  const head = /\s*(\w+)\s*(?:\(([\w\s,]+)\)\s*)?(as\s*(?:(?:not\s+)?materialized\s*)?\()/iy
  const parts: Array<Part> = []
  let at = start[0].length
  for (;;) {
    head.lastIndex = at
    const found = head.exec(text)
    if (found === null) return undefined
    const [, name, columns, opening = ""] = found
    const close = closingOf(text, head.lastIndex - 1)
    if (close === undefined) return undefined
    const body = text.slice(head.lastIndex, close)
    parts.push({ name, columns: columns?.split(",").map((column) => column.trim()), opening, body })
    const comma = /\s*,/y
    comma.lastIndex = close + 1
    if (!comma.test(text)) {
      parts.push({ name: undefined, columns: undefined, opening: "", body: text.slice(close + 1) })
      return parts
    }
    at = comma.lastIndex
  }
}

const isChange = (body: string): boolean => /^\s*(?:insert|update|delete)\b/i.test(body)
const isInsertOfRows = (body: string): boolean => /^\s*insert\s+into\s+\w+\s*(?:\([^()]*\)\s*)?select\b/i.test(body)

/** Functions that answer something else each time. */
const changesByItself = /\b(?:nextval|random|gen_random_\w+|clock_timestamp)\(/i

/** More than one table after `from`. */
const severalSources = /\bfrom\s+\w+(?:\s+(?:as\s+)?\w+)?\s*,/i

const refersTo = (body: string, name: string): boolean => new RegExp(`\\b${name}\\b`).test(body)

const after = (prefix: string, body: string): string => {
  if (prefix === "") return body
  const own = /^\s*with\s+(?!recursive\b)/i.exec(body)
  return own === null ? `with ${prefix} ${body}` : `with ${prefix}, ${body.slice(own[0].length)}`
}

const made = new Map<string, ReadonlyArray<Step> | undefined>()
const mostKept = 2_000

const stepsFor = (text: string): ReadonlyArray<Step> | undefined => {
  const parts = partsOf(withoutRemarks(text))
  if (parts === undefined) return undefined
  const namesIn = (body: string, before: number): ReadonlyArray<string> =>
    parts.slice(0, before).flatMap(({ name }) => (name !== undefined && refersTo(body, name) ? [name] : []))
  const needsSteps = parts.some(({ body }, at) => isInsertOfRows(body) && namesIn(body, at).length > 0)
  if (!needsSteps) return undefined

  /** Parts that stand in what reads them; those of `again` answer the same whenever they are asked. */
  const isWithin = new Set<string>()
  const again = new Set<string>()
  const readsStepsAlone = (body: string, at: number): boolean =>
    !changesByItself.test(body) &&
    !severalSources.test(body) &&
    [...body.matchAll(/\b(?:from|join)\s+(\w+|\()/gi)].every(([, source = ""]) =>
      namesIn(source, at).some((name) => !isWithin.has(name) || again.has(name))
    )
  for (const [at, { body, name }] of parts.entries()) {
    if (name === undefined || isChange(body)) continue
    if (readsStepsAlone(body, at)) again.add(name)
    const readers = parts.flatMap((other, place) => (place > at && refersTo(other.body, name) ? [place] : []))
    const [reader = at] = readers
    // Else nobody else may read it, and nothing be changed before it is read.
    const isReadOnce =
      readers.length <= 1 &&
      !isInsertOfRows(parts[reader]?.body ?? "") &&
      !parts.slice(at, reader).some((between) => isChange(between.body))
    if (again.has(name) || isReadOnce) isWithin.add(name)
  }

  interface Gathered {
    /** The parts that stand in what reads them, each after those that it reads. */
    readonly within: Map<string, string>
    readonly steps: Set<string>
  }
  const gather = (body: string, before: number, { steps, within }: Gathered): Gathered => {
    for (const name of namesIn(body, before)) {
      const place = parts.findIndex((part) => part.name === name)
      const part = parts[place]
      if (part === undefined || !isWithin.has(name)) steps.add(name)
      else if (!within.has(name)) {
        gather(part.body, place, { within, steps })
        const columns = part.columns === undefined ? "" : ` (${part.columns.join(", ")})`
        within.set(name, `${name}${columns} ${part.opening}${part.body})`)
      }
    }
    return { within, steps }
  }
  return parts.flatMap(({ body, columns, name }, at): ReadonlyArray<Step> => {
    if (name !== undefined && isWithin.has(name)) return []
    const { steps, within } = gather(body, at, { within: new Map(), steps: new Set() })
    return [{ name, columns, text: after([...within.values()].join(", "), body), reads: [...steps] }]
  })
}

/** The steps of a statement; undefined where it can be run as it stands. */
export const stepsOf = (text: string): ReadonlyArray<Step> | undefined => {
  if (made.has(text)) return made.get(text)
  const steps = stepsFor(text)
  if (made.size < mostKept) made.set(text, steps)
  return steps
}

/** What an earlier step answered, each value as the server writes it. */
export interface StepRows {
  readonly columns: ReadonlyArray<{ readonly name: string; readonly type: string }>
  readonly rows: ReadonlyArray<ReadonlyArray<string | null>>
}

interface Asked {
  readonly text: string
  readonly values: ReadonlyArray<unknown>
}

/** The statement with its values' places (`$1`) said otherwise; what it quotes stays. */
export const withPlaces = (text: string, said: (number: string) => string): string =>
  text.replaceAll(/'(?:[^']|'')*'|\$(\d+)/g, (sign, number: string | undefined) =>
    number === undefined ? sign : said(number)
  )

/**
 * The step as a statement of its own: with its own numbers for the values it uses, of the types that they have in the
 * whole, and with the rows of other steps as values.
 */
export const askedStep = (
  { reads, text }: Step,
  values: ReadonlyArray<unknown>,
  types: ReadonlyArray<string>,
  found: ReadonlyMap<string, StepRows>
): Asked => {
  const used: Array<unknown> = []
  const places = new Map<string, number>()
  const own = withPlaces(text, (number) => {
    const place = places.get(number) ?? used.push(values[Number(number) - 1])
    places.set(number, place)
    return `$${place}::${types[Number(number) - 1]}`
  })
  const read = reads.map((name) => {
    const { columns = [], rows = [] } = found.get(name) ?? {}
    const place = used.push(JSON.stringify(rows))
    const cells = columns.map((column, at) => `(cells->>${at})::${column.type} as "${column.name}"`).join(", ")
    return `${name} as (select ${cells === "" ? "1" : cells} from jsonb_array_elements($${place}::jsonb) as given (cells))`
  })
  return { text: after(read.join(", "), own), values: used }
}
