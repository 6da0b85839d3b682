import { callArguments, type Edit, type Token, tokensOf, withEdits } from "./SqlText.ts"
import { type TableFunction, withTableFunctions } from "./TableFunctions.ts"

/** Values that a session adds to a statement: the time and the name of the test clock. */
type AddedValue = "instant" | "clock"

/**
 * A statement in a form that Citus accepts. Nodes know neither the settings of a session nor functions that read
 * tables. So the time and the clock become parameters, and such functions are replaced by their queries.
 */
export interface ClusterStatement {
  readonly text: string
  /** The values to append to the statement's own, in this order. */
  readonly addedValues: ReadonlyArray<AddedValue>
  /** The account, if the statement names exactly one. */
  readonly account?: number | undefined
}

/** True if the server plans the statement. It may also be a `union` that begins with a query in brackets. */
export const isPlanned = (text: string): boolean =>
  /^\s*(?:\/\*.*?\*\/\s*)?\(?(?:with|select|insert|update|delete)\b/i.test(text)

/** Returns the accounts that a statement names, by the alias of the table or of the query in brackets. */
const namedAccounts = (text: string): Map<string, string> => {
  const accounts = new Map<string, string>()
  for (const pattern of [
    /\b(\w+)\.account_id = (\$\d+|\(\$\d+::bigint\[\]\)\[1\])/g,
    // With a single table, columns may be written without its alias.
    /\bfrom \w+ (\w+) where account_id = (\$\d+)/g
  ]) {
    for (const [, alias = "", value = ""] of text.matchAll(pattern)) {
      if (!accounts.has(alias)) accounts.set(alias, value)
    }
  }
  for (const [, value = "", alias = ""] of text.matchAll(
    /\(select \* from \w+ where account_id = (\$\d+)(?!\d)[^()]*\) (\w+)/g
  )) {
    if (!accounts.has(alias)) accounts.set(alias, value)
  }
  return accounts
}

/** True if the alias is that of rows that the statement makes itself: a CTE, a query in brackets or a list. */
const isDerived = (text: string, alias: string): boolean =>
  new RegExp(`\\b${alias} as (?:materialized )?\\(|\\)\\s+(?:with ordinality )?(?:as )?${alias}\\b`).test(text) ||
  [...text.matchAll(new RegExp(`\\b(?:from|join) (\\w+) ${alias}\\b`, "g"))].some(([, name]) =>
    new RegExp(`\\b${name} as (?:materialized )?\\(`).test(text)
  )

/**
 * Adds the account as a condition for every table that is joined by the account to a table whose account is named. If
 * the statement names only `onlyAccount`, tables joined to derived rows get the condition too. Citus sends a statement
 * to one node only if every table has it.
 */
const withAccountsNamed = (text: string, onlyAccount: string | undefined): string => {
  const accounts = namedAccounts(text)
  const accountOf = (alias: string): string | undefined =>
    accounts.get(alias) ?? (onlyAccount !== undefined && isDerived(text, alias) ? onlyAccount : undefined)
  const result = text
    .replaceAll(
      /\b(\w+)\.account_id = (\w+)\.account_id\b(?! and \1\.account_id = [$(])/g,
      (join, alias: string, other: string) => {
        const account = accountOf(other)
        return account === undefined ? join : `${join} and ${alias}.account_id = ${account}`
      }
    )
    .replaceAll(/(?<![\w.])account_id = (\w+)\.account_id\b(?! and account_id = [$(])/g, (join, other: string) => {
      const account = accountOf(other)
      return account === undefined ? join : `${join} and account_id = ${account}`
    })
  // A table that has just got the condition may pass it on to another one, so this repeats.
  return result === text ? text : withAccountsNamed(result, onlyAccount)
}

/** The text by which a statement names accounts, and the ids. */
interface NamedAccounts {
  readonly text: string
  readonly accounts: ReadonlyArray<unknown>
}

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [value])

/**
 * Returns the accounts of `unnest(list, ...) alias (account_id, ...)`, and of `(select value, ...) alias (account_id,
 * ...)`.
 */
const accountsInLists = (text: string, values: ReadonlyArray<unknown>): ReadonlyArray<NamedAccounts> =>
  [...text.matchAll(/\bunnest\(|\(select (?=\$\d)/g)].flatMap(({ 0: start, index }) => {
    const open = start.startsWith("unnest") ? index + start.length - 1 : index
    const { end, values: items } = callArguments(text, open)
    const columns =
      /^\s*(?:with ordinality )?(?:as )?\w+ \(([\w,\s]+)\)/.exec(text.slice(end))?.[1]?.split(/,\s*/) ?? []
    const parameter = /\$(\d+)::bigint(\[\])?$/.exec(items[columns.indexOf("account_id")] ?? "")
    if (parameter === null) return []
    const [, number, list] = parameter
    return [
      {
        text: list === undefined ? `$${number}` : `($${number}::bigint[])[1]`,
        accounts: listOf(values[Number(number) - 1])
      }
    ]
  })

/** Returns the text by which a statement names its account, if it names exactly one. */
const onlyAccountOf = (text: string, values: ReadonlyArray<unknown>): string | undefined => {
  if (/account_id = any|account_id in \(/.test(text)) return undefined
  const compared = [...text.matchAll(/\baccount_id = (\$(\d+)|\(\$(\d+)::bigint\[\]\)\[1\])/g)].map(
    ([, account = "", single, ofList]): NamedAccounts => ({
      text: account,
      accounts: listOf(values[Number(single ?? ofList) - 1])
    })
  )
  const named = [...compared, ...accountsInLists(text, values)]
  return new Set(named.flatMap(({ accounts }) => accounts.map(String))).size === 1 ? named[0]?.text : undefined
}

/**
 * Removes row locks from statements about several accounts, because Citus locks rows on one node only. Later statements
 * check each row again.
 */
const withoutLocks = (text: string): string =>
  /\baccount_id = (?:any ?\()?\$\d/.test(text)
    ? text
    : text.replaceAll(/ for (?:no key )?update(?: of \w+(?:, \w+)*)? skip locked/g, "")

/** Adds a column to selects without one, because a node returns no rows that have no columns. */
const withColumns = (text: string): string => text.replaceAll(/\bselect\s+from\b/gi, "select 1 from")

/**
 * Citus does not precompute operators on times, since they depend on the session's time zone. The gateway's sessions
 * always use UTC.
 */
const timeArithmetic = /(\$\d+::timestamptz|\b(?:\w+\.)?\w+_at) ([+-]) (make_interval\([^()]*\)|interval '[^']*')/g
const withShifts = (text: string): string =>
  text.replaceAll(
    timeArithmetic,
    (_, time, sign, interval) => `shifted(${time}, ${sign === "-" ? "-" : ""}${interval})`
  )

/** A `case` whose `end` has not been read yet. Its subject is empty if each `when` has a condition. */
interface OpenCase {
  readonly token: Token
  readonly depth: number
  subject: string | undefined
}

const isQuoted = (text: string, { start }: Token): boolean => text[start] === '"'

/**
 * Rewrites `case x when 1 then` to `case when x = 1 then`, because Citus sends the first form wrongly to the node of a
 * write.
 */
const withSearchedCases = (text: string): string => {
  if (!/\bcase\b/i.test(text) || !/\b(?:insert|update|delete)\b/i.test(text)) return text
  const edits: Array<Edit> = []
  const cases: Array<OpenCase> = []
  let depth = 0
  const readWhen = (open: OpenCase, { end, start }: Token): void => {
    if (open.subject === undefined) {
      const subject = text.slice(open.token.end, start).trim()
      open.subject = /\bcase\b/i.test(subject) ? "" : subject
      if (open.subject !== "") edits.push({ start: open.token.end, end: start, replacement: " " })
    }
    if (open.subject !== "") edits.push({ start: end, end, replacement: ` (${open.subject}) = (` })
  }
  for (const token of tokensOf(text)) {
    if (isQuoted(text, token)) continue
    if (token.word === "(") depth++
    else if (token.word === ")") depth--
    else if (token.word === "case") cases.push({ token, depth, subject: undefined })
    const open = cases.at(-1)
    if (open?.depth !== depth) continue
    if (token.word === "end") cases.pop()
    else if (token.word === "when") readWhen(open, token)
    else if (token.word === "then" && open.subject !== undefined && open.subject !== "") {
      edits.push({ start: token.start, end: token.start, replacement: ") " })
    }
  }
  return withEdits(text, edits)
}

/** Replaces a list of one account by that account, whose node is known. */
const withSingleAccounts = (text: string, values: ReadonlyArray<unknown>): string =>
  text.replaceAll(/account_id = any ?\(\$(\d+)(?:::bigint\[\])?\)/g, (condition, parameter) => {
    const accounts = values[Number(parameter) - 1]
    return Array.isArray(accounts) && new Set(accounts).size === 1
      ? `account_id = ($${parameter}::bigint[])[1]`
      : condition
  })

/** Returns the number of the account that a statement names as `$1`, or as the first of a list. */
const accountNumber = (name: string | undefined, values: ReadonlyArray<unknown>): number | undefined => {
  if (name === undefined) return undefined
  const value = values[Number(/\d+/.exec(name)?.[0]) - 1]
  const account = Number(Array.isArray(value) ? value[0] : value)
  return Number.isSafeInteger(account) ? account : undefined
}

const addedParameters = [
  ["instant()", "timestamptz", "instant"],
  ["test_clock()", "text", "clock"]
] as const

const maximumCachedTexts = 4_000

/** Rewrites statements for a cluster whose schema has these functions. Each text is rewritten once. */
export class StatementRewriter {
  private readonly rewritten = new Map<string, ClusterStatement>()

  constructor(private readonly functions: ReadonlyArray<TableFunction>) {}

  rewrite(statement: string, values: ReadonlyArray<unknown>): ClusterStatement {
    if (!isPlanned(statement)) return { text: statement, addedValues: [] }
    const text = withSingleAccounts(statement, values)
    const onlyAccount = onlyAccountOf(text, values)
    const account = accountNumber(onlyAccount, values)
    const key = `${onlyAccount ?? ""} ${text}`
    const cached = this.rewritten.get(key)
    if (cached !== undefined) return { ...cached, account }
    const result = this.rewriteText(text, onlyAccount, values.length)
    if (this.rewritten.size < maximumCachedTexts) this.rewritten.set(key, result)
    return { ...result, account }
  }

  private rewriteText(statement: string, onlyAccount: string | undefined, valueCount: number): ClusterStatement {
    const inlined = withColumns(withTableFunctions(statement, this.functions))
    let text = withAccountsNamed(withoutLocks(withSearchedCases(inlined)), onlyAccount)
    const addedValues: Array<AddedValue> = []
    for (const [call, type, value] of addedParameters) {
      if (!text.includes(call)) continue
      addedValues.push(value)
      text = text.replaceAll(call, `$${valueCount + addedValues.length}::${type}`)
    }
    return { text: withShifts(text), addedValues }
  }
}
