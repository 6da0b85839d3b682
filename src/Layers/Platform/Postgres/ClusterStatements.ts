/**
 * How statements are said to a cluster (Citus), where an account's rows lie on one of several nodes. What a session is
 * told, such as a moved clock, its nodes do not know, and functions that read tables cannot be planned there: the time and
 * the clock become parameters, and these functions stand as what they read.
 */
export interface ClusterStatement {
  readonly text: string
  /** What is given after the statement's own values, in this order. */
  readonly given: ReadonlyArray<"instant" | "clock">
  /** The one account that it names, if it does. */
  readonly account?: number | undefined
}

/** Whether the planner has to do with it; also a `union` that begins with a query in brackets. */
export const isPlanned = (text: string): boolean =>
  /^\s*(?:\/\*.*?\*\/\s*)?\(?(?:with|select|insert|update|delete)\b/i.test(text)

/** Where the bracket that opens at `open` closes, and the places of the commas between its arguments. */
const argumentsAt = (text: string, open: number) => {
  const parts: Array<string> = []
  let depth = 0
  let from = open + 1
  for (let at = open; at < text.length; at++) {
    const sign = text[at]
    if (sign === "'") at = text.indexOf("'", at + 1)
    if (sign === "(") depth++
    if (sign === ")") depth--
    if ((sign === "," && depth === 1) || depth === 0) {
      parts.push(text.slice(from, at).trim())
      from = at + 1
    }
    if (depth === 0 || at < 0) return { parts, end: at + 1 }
  }
  return { parts, end: text.length }
}

/** Each call of `name` in the text, as what `body` makes of its arguments. */
const inlined = (text: string, name: string, body: (...args: ReadonlyArray<string>) => string): string => {
  let made = ""
  let rest = text
  for (let at = rest.indexOf(`${name}(`); at >= 0; at = rest.indexOf(`${name}(`)) {
    const { end, parts } = argumentsAt(rest, at + name.length)
    made += rest.slice(0, at) + body(...parts)
    rest = rest.slice(end)
  }
  return made + rest
}

const onClock = (account = "null"): string =>
  // By another name, since what is asked for may be called account_id and no more.
  `exists (select 1 from (select account_id as clocked, clock from account) clock_of
    where clock_of.clocked = ${account} and clock_of.clock is not distinct from test_clock())`

/**
 * The function of the same name in the migration of the blacklist, whose rule of what goes first is kept. Functions say it
 * so too: inside of one a cluster plans no other that reads tables.
 */
export const blacklistMatch = (account = "null", email = "null", phone = "null"): string =>
  `(select found.blacklist_entry_id from (
    select case e.kind when 'email' then 1 when 'domain' then 2 when 'phone' then case e.match when 'whole' then 3 else 4 end end
      as precedence, e.blacklist_entry_id
    from blacklist_entry e where e.account_id = ${account} and (
      (e.kind = 'email' and e.value = lower(${email}))
      or (e.kind = 'domain' and e.value = substring(lower(${email}) from '@([^@]*)$'))
      or (e.kind = 'phone' and e.match = 'whole' and e.value = phone_key(${phone}))
      or (e.match = 'ending' and e.value = any (array(
        select right(phone_key(${phone}), digits) from generate_series(8, 14) digits))))
  ) found order by found.precedence limit 1) as blacklisting`

/** The function of the same name in the migration of leads. */
const leadsMatching = (account = "null", wanted = "null"): string =>
  `(select l.lead_id, l.status, l.campaign_id, l.linkedin_url, l.created_at, l.last_message_at from lead l
    where search_grams(l.account_id, l.search_text) @@ search_query(${account}, fold(${wanted}))
      and l.account_id = ${account} and l.search_text like containing(fold(${wanted}))) matching`

const functionsThatRead: ReadonlyArray<readonly [name: string, body: (...args: ReadonlyArray<string>) => string]> = [
  ["uses_test_clock", onClock],
  ["blacklist_match", blacklistMatch],
  ["leads_matching", leadsMatching]
]

/** The accounts of aliases that a statement names itself, and of those of tables and parts that it names none other for. */
const namedValues = (text: string): Map<string, string> => {
  const values = new Map<string, string>()
  for (const rule of [
    /\b(\w+)\.account_id = (\$\d+|\(\$\d+::bigint\[\]\)\[1\])/g,
    // One table alone, or a part of one, needs no alias before its columns.
    /\bfrom \w+ (\w+) where account_id = (\$\d+)/g
  ]) {
    for (const [, alias = "", value = ""] of text.matchAll(rule)) if (!values.has(alias)) values.set(alias, value)
  }
  for (const [, value = "", alias = ""] of text.matchAll(
    /\(select \* from \w+ where account_id = (\$\d+)(?!\d)[^()]*\) (\w+)/g
  )) {
    if (!values.has(alias)) values.set(alias, value)
  }
  return values
}

/** Whether the alias stands for rows that the statement makes itself: a part (`with part as`), a query in brackets, a list. */
const isMade = (text: string, alias: string): boolean =>
  new RegExp(`\\b${alias} as (?:materialized )?\\(|\\)\\s+(?:with ordinality )?(?:as )?${alias}\\b`).test(text) ||
  [...text.matchAll(new RegExp(`\\b(?:from|join) (\\w+) ${alias}\\b`, "g"))].some(([, name]) =>
    new RegExp(`\\b${name} as (?:materialized )?\\(`).test(text)
  )

/**
 * A statement goes to the one node of its account where each table of it names the account. A table that is joined by the
 * account to one of which the statement says the number is said the number too; so is one that is joined to rows that a
 * statement makes itself, where it names `only` one account.
 */
const withAccountNamed = (text: string, only: string | undefined): string => {
  const values = namedValues(text)
  const valueOf = (alias: string): string | undefined =>
    values.get(alias) ?? (only !== undefined && isMade(text, alias) ? only : undefined)
  const named = text
    .replaceAll(
      /\b(\w+)\.account_id = (\w+)\.account_id\b(?! and \1\.account_id = [$(])/g,
      (joined, one: string, other: string) => {
        const value = valueOf(other)
        return value === undefined ? joined : `${joined} and ${one}.account_id = ${value}`
      }
    )
    .replaceAll(/(?<![\w.])account_id = (\w+)\.account_id\b(?! and account_id = [$(])/g, (joined, other: string) => {
      const value = valueOf(other)
      return value === undefined ? joined : `${joined} and account_id = ${value}`
    })
  // Who was named by another may name a third.
  return named === text ? text : withAccountNamed(named, only)
}

/** An account that a statement names, or a list of them, as it says one. */
interface Given {
  readonly said: string
  readonly accounts: ReadonlyArray<unknown>
}

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [value])

/** The accounts of `unnest(list, ...) alias (account_id, ...)`, and of `(select value, ...) alias (account_id, ...)`. */
const givenInLists = (text: string, values: ReadonlyArray<unknown>): ReadonlyArray<Given> =>
  [...text.matchAll(/\bunnest\(|\(select (?=\$\d)/g)].flatMap(({ 0: start, index }) => {
    const open = start.startsWith("unnest") ? index + start.length - 1 : index
    const { end, parts } = argumentsAt(text, open)
    const columns =
      /^\s*(?:with ordinality )?(?:as )?\w+ \(([\w,\s]+)\)/.exec(text.slice(end))?.[1]?.split(/,\s*/) ?? []
    const place = /\$(\d+)::bigint(\[\])?$/.exec(parts[columns.indexOf("account_id")] ?? "")
    if (place === null) return []
    const [, number, list] = place
    return [
      {
        said: list === undefined ? `$${number}` : `($${number}::bigint[])[1]`,
        accounts: listOf(values[Number(number) - 1])
      }
    ]
  })

/** The account of a statement that names one alone, as it says it first. */
const onlyAccount = (text: string, values: ReadonlyArray<unknown>): string | undefined => {
  if (/account_id = any|account_id in \(/.test(text)) return undefined
  const named = [...text.matchAll(/\baccount_id = (\$(\d+)|\(\$(\d+)::bigint\[\]\)\[1\])/g)].map(
    ([, said = "", one, ofList]): Given => ({ said, accounts: listOf(values[Number(one ?? ofList) - 1]) })
  )
  const given = [...named, ...givenInLists(text, values)]
  return new Set(given.flatMap(({ accounts }) => accounts.map(String))).size === 1 ? given[0]?.said : undefined
}

/**
 * What is due of all accounts is chosen without locks, which are to be had on one node alone: statements that take it judge
 * each row once more.
 */
const withoutLocks = (text: string): string =>
  /\baccount_id = (?:any ?\()?\$\d/.test(text)
    ? text
    : text.replaceAll(/ for (?:no key )?update(?: of \w+(?:, \w+)*)? skip locked/g, "")

/** What one node hands another has columns: rows without any are lost on the way. */
const withColumns = (text: string): string => text.replaceAll(/\bselect from\b/g, "select 1 from")

/** Operators on times are no constants to a cluster, since they depend on the session's zone, which is always UTC. */
const shifts = /(\$\d+::timestamptz|\b(?:\w+\.)?\w+_at) ([+-]) (make_interval\([^()]*\)|interval '[^']*')/g
const withShifts = (text: string): string =>
  text.replaceAll(shifts, (_, time, sign, by) => `shifted(${time}, ${sign === "-" ? "-" : ""}${by})`)

const made = new Map<string, ClusterStatement>()
const mostKept = 4_000

/** A list of one account is that account, whose node is known. */
const ofOneAccount = (text: string, values: ReadonlyArray<unknown>): string =>
  text.replaceAll(/account_id = any ?\(\$(\d+)(?:::bigint\[\])?\)/g, (all, place) => {
    const accounts = values[Number(place) - 1]
    return Array.isArray(accounts) && new Set(accounts).size === 1 ? `account_id = ($${place}::bigint[])[1]` : all
  })

/** The account that is said as `$1`, or as the first of a list. */
const accountSaid = (said: string | undefined, values: ReadonlyArray<unknown>): number | undefined => {
  if (said === undefined) return undefined
  const value = values[Number(/\d+/.exec(said)?.[0]) - 1]
  const account = Number(Array.isArray(value) ? value[0] : value)
  return Number.isSafeInteger(account) ? account : undefined
}

/** The statement as a cluster is asked it. */
export const clusterStatement = (asked: string, values: ReadonlyArray<unknown>): ClusterStatement => {
  if (!isPlanned(asked)) return { text: asked, given: [] }
  const text = ofOneAccount(asked, values)
  const only = onlyAccount(text, values)
  const key = `${only ?? ""} ${text}`
  const known = made.get(key)
  const account = accountSaid(only, values)
  if (known !== undefined) return { ...known, account }
  const read = functionsThatRead.reduce((before, [name, body]) => inlined(before, name, body), withColumns(text))
  let said = withAccountNamed(withoutLocks(read), only)
  const given: Array<"instant" | "clock"> = []
  for (const [name, type, what] of [
    ["instant()", "timestamptz", "instant"],
    ["test_clock()", "text", "clock"]
  ] as const) {
    if (!said.includes(name)) continue
    given.push(what)
    said = said.replaceAll(name, `$${values.length + given.length}::${type}`)
  }
  const statement = { text: withShifts(said), given }
  if (made.size < mostKept) made.set(key, statement)
  return { ...statement, account }
}
