/** How a migration's statement affects running gateways. */
export type MigrationLock =
  /** Nothing waits: the statement only creates new things, or only reads. */
  | "none"
  /** The statement waits for running transactions and then locks for an instant. */
  | "brief"
  /** Writes to the table wait until the statement is done, which takes as long as reading the table. */
  | "writes wait"
  /** Everything that uses the table waits until it is done, for as long as it reads or rewrites the table. */
  | "all wait"

export interface PlannedStatement {
  /** Its first line. */
  readonly title: string
  readonly lock: MigrationLock
  /** The table that is locked, if there is one. */
  readonly table: string | undefined
}

const opaque = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$([A-Za-z_]\w*|)\$[\s\S]*?\$\1\$|;/g

/** The statements of a script. Texts, comments and bodies of functions may have semicolons too. */
export const statementsIn = (script: string): ReadonlyArray<string> => {
  const statements: Array<string> = []
  let from = 0
  for (const { 0: part, index } of script.matchAll(opaque)) {
    if (part !== ";") continue
    const text = script.slice(from, index)
    // A body between `begin atomic` and `end` belongs to its statement.
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
  /** Also matches. */
  readonly and?: RegExp
  readonly lock: MigrationLock
}

/** The parts of `alter table`, in the order in which they are tried. All others are brief. */
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

/** `created`: tables that the same plan makes. They are empty and unknown to gateways that run. */
const judge = (statement: string, created: Set<string>): Omit<PlannedStatement, "title"> => {
  const text = statement.toLowerCase().replace(/\s+/g, " ")
  const newTable = /^create (?:unlogged |temp(?:orary)? )?table (?:if not exists )?([\w."]+)/.exec(text)?.[1]
  if (newTable !== undefined) {
    created.add(nameOf(newTable))
    // A foreign key takes a brief lock of the table that it refers to.
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

/** The effects that the steps would have on a database in use, in order. */
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

/** Lines for a terminal. Statements for which gateways wait come with their table. */
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
