/** How a migration's statement affects gateways that are running. */
export type MigrationLock =
  /** Nothing waits: the statement only creates new things, or only reads. */
  | "none"
  /** The statement waits for running transactions and then locks for an instant. */
  | "brief"
  /** Writes to the table wait until the statement is done. It reads the whole table. */
  | "writes wait"
  /** Everything that uses the table waits until the statement is done. It reads or rewrites the whole table. */
  | "all wait"

export interface PlannedStatement {
  /** Its first line. */
  readonly title: string
  readonly lock: MigrationLock
  /** The table that is locked, if there is one. */
  readonly table: string | undefined
}

const opaque = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$([A-Za-z_]\w*|)\$[\s\S]*?\$\1\$|;/g

/** Splits a script into statements. Semicolons in strings, comments and function bodies do not end a statement. */
export const statementsIn = (script: string): ReadonlyArray<string> => {
  const statements: Array<string> = []
  let from = 0
  for (const { 0: part, index } of script.matchAll(opaque)) {
    if (part !== ";") continue
    const text = script.slice(from, index)
    // Semicolons between `begin atomic` and `end` do not end the statement.
    if (/\bbegin atomic\b/i.test(text) && !/\bend\s*$/i.test(text)) continue
    statements.push(text)
    from = index + 1
  }
  statements.push(script.slice(from))
  return statements.map(withoutLeadingComments).filter((text) => text !== "")
}

const withoutLeadingComments = (text: string): string =>
  text.replace(/^(?:\s+|--[^\n]*\n?|\/\*[\s\S]*?\*\/)+/, "").trim()

const nameOf = (text: string): string => text.replaceAll('"', "").toLowerCase()

interface Rule {
  readonly pattern: RegExp
  /** A second pattern that must match too. */
  readonly and?: RegExp
  readonly lock: MigrationLock
}

/** Rules for the actions of `alter table`, in the order in which they are tried. Other actions are brief. */
const alterations: ReadonlyArray<Rule> = [
  { pattern: /\badd constraint\b/, and: /\bnot valid\b/, lock: "brief" },
  { pattern: /\bvalidate constraint\b/, lock: "none" },
  { pattern: /\badd (?:constraint|primary key|unique|foreign key|check|exclude)\b/, lock: "all wait" },
  { pattern: /\balter (?:column )?\S+ (?:set data )?type\b/, lock: "all wait" },
  { pattern: /\bset not null\b/, lock: "all wait" },
  { pattern: /\bset (?:logged|unlogged|tablespace|access method)\b/, lock: "all wait" },
  {
    pattern: /\badd (?:column )?\w/,
    and: /\b(?:generated (?:always|by default) as|references|random\(|clock_timestamp\(|gen_random_uuid\()/,
    lock: "all wait"
  }
]

const judgeAlteration = (text: string): MigrationLock =>
  alterations.find(({ and, pattern }) => pattern.test(text) && (and === undefined || and.test(text)))?.lock ?? "brief"

/** `created` are tables that the same plan creates. They are empty, and running gateways do not use them. */
const judge = (statement: string, created: Set<string>): Omit<PlannedStatement, "title"> => {
  const text = statement.toLowerCase().replace(/\s+/g, " ")
  const newTable = /^create (?:unlogged |temp(?:orary)? )?table (?:if not exists )?([\w."]+)/.exec(text)?.[1]
  if (newTable !== undefined) {
    created.add(nameOf(newTable))
    // A foreign key briefly locks the table that it references.
    return { lock: /\breferences\b/.test(text) ? "brief" : "none", table: undefined }
  }
  const locked = [
    [/^alter table (?:if exists )?(?:only )?([\w."]+)/.exec(text)?.[1], judgeAlteration(text)] as const,
    [
      /^create (?:unique )?index (?:if not exists )?(?:(?!concurrently)[\w."]+ )??on (?:only )?([\w."]+)/.exec(
        text
      )?.[1],
      "writes wait"
    ] as const,
    [/^(?:drop table|truncate)(?: table)?(?: if exists)? ([\w."]+)/.exec(text)?.[1], "brief"] as const,
    [/^(?:update|delete from|insert into|merge into) ([\w."]+)/.exec(text)?.[1], "writes wait"] as const,
    [/^(?:vacuum full|cluster|reindex(?: table)?) ([\w."]+)/.exec(text)?.[1], "all wait"] as const,
    [/^create (?:or replace )?trigger .*? on ([\w."]+)/.exec(text)?.[1], "brief"] as const
  ].flatMap(([name, lock]) => (name === undefined ? [] : [{ table: nameOf(name), lock }]))
  const [first] = locked
  if (first === undefined) return { lock: "none", table: undefined }
  return created.has(first.table) ? { lock: "none", table: first.table } : first
}

/** The effects of the steps on a database in use, in order. */
export const planOf = <Step extends { readonly name: string; readonly sql: string }>(
  steps: ReadonlyArray<Step>
): ReadonlyArray<{ readonly name: string; readonly statements: ReadonlyArray<PlannedStatement> }> => {
  const created = new Set<string>()
  return steps.map(({ name, sql }) => ({
    name,
    statements: statementsIn(sql).map((statement) => ({
      title: (statement.split("\n", 1)[0] ?? "").trim(),
      ...judge(statement, created)
    }))
  }))
}

const explained: { readonly [L in MigrationLock]: string } = {
  none: "nothing waits",
  brief: "an instant",
  "writes wait": "WRITES WAIT",
  "all wait": "ALL WAIT"
}

const countOf = (statements: ReadonlyArray<PlannedStatement>): string =>
  statements.length === 1 ? "1 statement" : `${statements.length} statements`

/** Lines for a terminal. Statements that make gateways wait are listed with their table. */
export const planLines = (plan: ReturnType<typeof planOf>): ReadonlyArray<string> => {
  if (plan.length === 0) return ["The database is at the newest version."]
  const long = plan.flatMap(({ statements }) =>
    statements.filter(({ lock }) => lock === "all wait" || lock === "writes wait")
  )
  return [
    ...plan.flatMap(({ name, statements }) => [
      `${name}: ${countOf(statements)}`,
      ...statements
        .filter(({ lock }) => lock !== "none")
        .map(({ lock, table, title }) => `  ${explained[lock].padEnd(11)}  ${table ?? ""}  ${title}`)
    ]),
    long.length === 0
      ? "Gateways keep answering: no statement locks a table for long."
      : `Locks a table for as long as the statement reads it: ${countOf(long)}. Plan a quiet hour if the table is large.`
  ]
}
