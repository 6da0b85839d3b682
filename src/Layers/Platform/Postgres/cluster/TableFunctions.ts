import { callArguments } from "./SqlText.ts"

/**
 * A function of the schema that reads tables. A cluster cannot plan a call of one inside a larger statement, so the
 * call is replaced by the function's query.
 */
export interface TableFunction {
  readonly name: string
  readonly parameters: ReadonlyArray<string>
  /** An expression in brackets, or a query in brackets if the function returns rows. */
  readonly body: string
  readonly returnsRows: boolean
}

/** The stable functions of the schema, as the migrations made them. */
export const schemaFunctions = `
  select p.proname, array_to_string(p.proargnames[1:p.pronargs], ','), l.lanname, p.proretset::text,
    coalesce(pg_get_function_sqlbody(p.oid), p.prosrc)
  from pg_proc p join pg_language l on l.oid = p.prolang
  where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and p.provolatile = 's'
    and l.lanname in ('sql', 'plpgsql')
    and not exists (select from pg_depend d
      where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  order by p.proname`

const readsTables = /\bfrom\b/i

/**
 * Returns the query of a `plpgsql` body that declares some values and returns one query. The values replace their
 * names.
 */
const queryOfBlock = (source: string): string | undefined => {
  const start = /\bbegin\b/i.exec(source)
  if (start === null) return undefined
  const [query = "", end = "", ...more] = source.slice(start.index + start[0].length).split(";")
  if (
    !/^\s*return query\b/i.test(query) ||
    end.trim().toLowerCase() !== "end" ||
    more.some((rest) => rest.trim() !== "")
  ) {
    return undefined
  }
  const declarations = source
    .slice(0, start.index)
    .trim()
    .replace(/^declare\b/i, "")
    .split(";")
  return declarations.reduceRight((text, declaration) => {
    const [left = "", value] = declaration.split(":=")
    const [name = ""] = left.trim().split(" ")
    return value === undefined ? text : text.replaceAll(new RegExp(`(?<![\\w.])${name}\\b`, "g"), () => value.trim())
  }, query.trim().slice("return query ".length))
}

const bodyOf = (language: string, source: string): string | undefined => {
  if (language === "plpgsql") {
    const query = queryOfBlock(source)
    return query === undefined ? undefined : `(${query})`
  }
  const returned = /^\s*return\s+(.*)$/is.exec(source)?.[1]
  return `(${returned ?? source})`
}

/** Returns the functions that read tables, from the rows of `schemaFunctions`. */
export const tableFunctionsOf = (rows: ReadonlyArray<ReadonlyArray<string | null>>): ReadonlyArray<TableFunction> =>
  rows.flatMap(([name, parameters, language, returnsRows, source]) => {
    const body = bodyOf(language ?? "", (source ?? "").trim())
    return name === undefined || name === null || body === undefined || !readsTables.test(body)
      ? []
      : [{ name, parameters: (parameters ?? "").split(","), body, returnsRows: returnsRows === "true" }]
  })

/** Returns the body with the arguments of a call in place of `function.parameter`. */
const withArguments = ({ body, name, parameters }: TableFunction, values: ReadonlyArray<string>): string =>
  parameters.reduce(
    (text, parameter, position) =>
      text.replaceAll(new RegExp(`\\b${name}\\.${parameter}\\b`, "g"), () => values[position] ?? "null"),
    body
  )

/** Words that may follow a call that has no alias. */
const noAlias =
  /^\s*(?:where|join|left|right|inner|cross|full|natural|on|using|group|order|limit|union|having|offset|for)\b/i

const needsAlias = (rest: string): boolean => noAlias.test(rest) || !/^\s*(?:as\s+)?[a-z_]/i.test(rest)

const inlineCalls = (text: string, called: TableFunction): string => {
  const call = new RegExp(`(?<![\\w.])${called.name}\\(`)
  let result = ""
  let rest = text
  for (let match = call.exec(rest); match !== null; match = call.exec(rest)) {
    const { end, values } = callArguments(rest, match.index + match[0].length - 1)
    result += rest.slice(0, match.index) + withArguments(called, values)
    rest = rest.slice(end)
    if (called.returnsRows && needsAlias(rest)) result += ` ${called.name}`
  }
  return result + rest
}

/** Replaces calls of functions that read tables by the functions' queries. */
export const withTableFunctions = (text: string, functions: ReadonlyArray<TableFunction>): string =>
  functions.reduce(inlineCalls, text)
