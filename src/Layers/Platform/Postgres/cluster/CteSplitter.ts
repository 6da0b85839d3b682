import { closingBracket, withoutLineComments, withParameters } from "./SqlText.ts"

/**
 * Part of a statement with several CTEs. A cluster runs each step on the account's node alone, all in one transaction.
 * If one CTE inserts what it selects from another, Citus does not know the node of the new rows. It would send them to
 * all nodes, so none could be down. Rows that are values of the next step go where that step goes.
 */
export interface Step {
  /** The name by which later steps refer to its rows. The last step, whose rows are the result, has none. */
  readonly name: string | undefined
  /** The names of its columns, if the CTE declares them. */
  readonly columns: ReadonlyArray<string> | undefined
  readonly text: string
  /** The names of earlier steps whose rows it reads. */
  readonly reads: ReadonlyArray<string>
}

interface Cte extends Omit<Step, "text" | "reads"> {
  /** `as (` or `as materialized (`. */
  readonly opening: string
  readonly body: string
}

const withClause = /^\s*(?:\/\*[^*]*\*\/\s*)?with\s+(?!recursive\b)/i

/** Returns the CTEs of a statement. The part after them is the last element. */
const ctesOf = (text: string): ReadonlyArray<Cte> | undefined => {
  const start = withClause.exec(text)
  if (start === null) return undefined
  const head = /\s*(\w+)\s*(?:\(([\w\s,]+)\)\s*)?(as\s*(?:(?:not\s+)?materialized\s*)?\()/iy
  const ctes: Array<Cte> = []
  let position = start[0].length
  for (;;) {
    head.lastIndex = position
    const match = head.exec(text)
    if (match === null) return undefined
    const [, name, columns, opening = ""] = match
    const close = closingBracket(text, head.lastIndex - 1)
    if (close === undefined) return undefined
    const body = text.slice(head.lastIndex, close)
    ctes.push({ name, columns: columns?.split(",").map((column) => column.trim()), opening, body })
    const comma = /\s*,/y
    comma.lastIndex = close + 1
    if (!comma.test(text)) {
      ctes.push({ name: undefined, columns: undefined, opening: "", body: text.slice(close + 1) })
      return ctes
    }
    position = comma.lastIndex
  }
}

const isChange = (body: string): boolean => /^\s*(?:insert|update|delete)\b/i.test(body)
const isInsertOfRows = (body: string): boolean => /^\s*insert\s+into\s+\w+\s*(?:\([^()]*\)\s*)?select\b/i.test(body)

/** Functions whose result differs from call to call. */
const volatileCall = /\b(?:nextval|random|gen_random_\w+|clock_timestamp)\(/i

/** Matches a `from` with more than one table. */
const severalSources = /\bfrom\s+\w+(?:\s+(?:as\s+)?\w+)?\s*,/i

const refersTo = (body: string, name: string): boolean => new RegExp(`\\b${name}\\b`).test(body)

/** Puts further CTEs in front of the body's own. */
const withCtes = (ctes: string, body: string): string => {
  if (ctes === "") return body
  const start = /^\s*with\s+(?!recursive\b)/i.exec(body)
  return start === null ? `with ${ctes} ${body}` : `with ${ctes}, ${body.slice(start[0].length)}`
}

/** Returns the names of CTEs before `position` to which the body refers. */
const namesIn = (ctes: ReadonlyArray<Cte>, body: string, position: number): ReadonlyArray<string> =>
  ctes.slice(0, position).flatMap(({ name }) => (name !== undefined && refersTo(body, name) ? [name] : []))

/** Returns the names of CTEs that are not separate steps. Each of them becomes part of the steps that read it. */
const embeddedCtes = (ctes: ReadonlyArray<Cte>): ReadonlySet<string> => {
  const embedded = new Set<string>()
  // CTEs that have the same result whenever they run.
  const repeatable = new Set<string>()
  const readsStepsAlone = (body: string, position: number): boolean =>
    !volatileCall.test(body) &&
    !severalSources.test(body) &&
    [...body.matchAll(/\b(?:from|join)\s+(\w+|\()/gi)].every(([, source = ""]) =>
      namesIn(ctes, source, position).some((name) => !embedded.has(name) || repeatable.has(name))
    )
  for (const [position, { body, name }] of ctes.entries()) {
    if (name === undefined || isChange(body)) continue
    if (readsStepsAlone(body, position)) repeatable.add(name)
    const readers = ctes.flatMap((other, place) => (place > position && refersTo(other.body, name) ? [place] : []))
    const [reader = position] = readers
    // A CTE with a single reader may run as part of it if nothing changes in between.
    const isReadOnce =
      readers.length <= 1 &&
      !isInsertOfRows(ctes[reader]?.body ?? "") &&
      !ctes.slice(position, reader).some((between) => isChange(between.body))
    if (repeatable.has(name) || isReadOnce) embedded.add(name)
  }
  return embedded
}

interface StepParts {
  /** The CTEs that the step contains. Each comes after those that it reads. */
  readonly contained: Map<string, string>
  readonly reads: Set<string>
}

const makeSteps = (ctes: ReadonlyArray<Cte>, embedded: ReadonlySet<string>): ReadonlyArray<Step> => {
  const collect = (body: string, before: number, parts: StepParts): StepParts => {
    const { contained, reads } = parts
    for (const name of namesIn(ctes, body, before)) {
      const position = ctes.findIndex((cte) => cte.name === name)
      const cte = ctes[position]
      if (cte === undefined || !embedded.has(name)) reads.add(name)
      else if (!contained.has(name)) {
        collect(cte.body, position, parts)
        const columns = cte.columns === undefined ? "" : ` (${cte.columns.join(", ")})`
        contained.set(name, `${name}${columns} ${cte.opening}${cte.body})`)
      }
    }
    return parts
  }
  return ctes.flatMap(({ body, columns, name }, position): ReadonlyArray<Step> => {
    if (name !== undefined && embedded.has(name)) return []
    const { contained, reads } = collect(body, position, { contained: new Map(), reads: new Set() })
    return [{ name, columns, text: withCtes([...contained.values()].join(", "), body), reads: [...reads] }]
  })
}

const splitStatement = (text: string): ReadonlyArray<Step> | undefined => {
  const ctes = ctesOf(withoutLineComments(text))
  const needsSteps = ctes?.some(
    ({ body }, position) => isInsertOfRows(body) && namesIn(ctes, body, position).length > 0
  )
  return ctes === undefined || needsSteps !== true ? undefined : makeSteps(ctes, embeddedCtes(ctes))
}

const cachedSteps = new Map<string, ReadonlyArray<Step> | undefined>()
const maximumCachedTexts = 2_000

/** Returns the steps of a statement; undefined if it can run unchanged. */
export const stepsOf = (text: string): ReadonlyArray<Step> | undefined => {
  if (cachedSteps.has(text)) return cachedSteps.get(text)
  const steps = splitStatement(text)
  if (cachedSteps.size < maximumCachedTexts) cachedSteps.set(text, steps)
  return steps
}

/** The rows of an earlier step, with each value in the server's text format. */
export interface StepRows {
  readonly columns: ReadonlyArray<{ readonly name: string; readonly type: string }>
  readonly rows: ReadonlyArray<ReadonlyArray<string | null>>
}

interface StepStatement {
  readonly text: string
  readonly values: ReadonlyArray<unknown>
}

/**
 * Returns the step as a separate statement. Its parameters are numbered from one and have the types of the whole
 * statement. The rows of other steps are included as values.
 */
export const stepStatement = (
  { reads, text }: Step,
  values: ReadonlyArray<unknown>,
  types: ReadonlyArray<string>,
  rowsOfSteps: ReadonlyMap<string, StepRows>
): StepStatement => {
  const stepValues: Array<unknown> = []
  const numbers = new Map<string, number>()
  const renumbered = withParameters(text, (number) => {
    const stepNumber = numbers.get(number) ?? stepValues.push(values[Number(number) - 1])
    numbers.set(number, stepNumber)
    return `$${stepNumber}::${types[Number(number) - 1]}`
  })
  const ctes = reads.map((name) => {
    const { columns = [], rows = [] } = rowsOfSteps.get(name) ?? {}
    const number = stepValues.push(JSON.stringify(rows))
    const cells = columns.map((column, index) => `(cells->>${index})::${column.type} as "${column.name}"`).join(", ")
    return `${name} as (select ${cells === "" ? "1" : cells} from jsonb_array_elements($${number}::jsonb) as step_row (cells))`
  })
  return { text: withCtes(ctes.join(", "), renumbered), values: stepValues }
}
