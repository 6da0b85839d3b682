/**
 * What a statement over all accounts begins with that does for those within reach what it can, while a node of the cluster
 * is away: the others follow when it is back. Not for what has to see everybody, such as whom a mail is for.
 */
export const reachableNodesOnly = "/* reachable nodes only */"

export const isReachableNodesOnly = (text: string): boolean => text.trimStart().startsWith(reachableNodesOnly)

interface Sign {
  readonly word: string
  readonly at: number
  readonly end: number
}

/** The words and marks of a statement, without what it quotes and remarks. */
const signsOf = (text: string): ReadonlyArray<Sign> =>
  [...text.matchAll(/'(?:[^']|'')*'|--[^\n]*|\/\*.*?\*\/|"?\w+"?|[^\s\w]/gs)]
    .filter(([sign]) => !/^(?:'|--|\/\*)/.test(sign))
    .map(({ 0: sign, index }) => ({
      word: sign.replaceAll('"', "").toLowerCase(),
      at: index,
      end: index + sign.length
    }))

/** Words that may follow a table which has no other name. */
const noAlias = new Set(
  "where join left right inner cross full natural on using group order limit set returning union for having offset fetch".split(
    " "
  )
)
/** Words that end the list of tables which `from` begins. */
const endsTables = new Set("where group order limit set union having offset select values returning".split(" "))
/** Before `update` where it changes no table by itself. */
const noChange = new Set(["for", "key", "do"])

/** A query, or a part of one in brackets. */
interface Level {
  isAmongTables: boolean
  /** The table that is changed, until its rows are limited. */
  target: string | undefined
  isConditionOpen: boolean
}

/**
 * The statement for the accounts of the list at `place` of its values alone: what it reads and changes of `tables`, which are
 * spread by the account, are rows of theirs, so that a cluster asks nobody but their nodes.
 */
export const limitedToAccounts = (text: string, tables: ReadonlySet<string>, place: number): string => {
  const signs = signsOf(text)
  const parts = new Set(
    [...text.matchAll(/\b(\w+)\s*(?:\([\w\s,]*\)\s*)?as\s+(?:(?:not\s+)?materialized\s+)?\(/gi)].map(([, name]) => name)
  )
  const isSpread = (table: string | undefined): table is string =>
    table !== undefined && tables.has(table) && !parts.has(table)
  const within = (alias: string): string => `${alias}.account_id = any ($${place}::bigint[])`
  /** What stands instead of the text from `at` to `end`. */
  const changes: Array<{ readonly at: number; readonly end: number; readonly said: string }> = []
  const insert = (at: number, said: string) => changes.push({ at, end: at, said })

  const aliasAfter = (at: number): string | undefined => {
    const next = signs[at + 1]?.word === "as" ? signs[at + 2]?.word : signs[at + 1]?.word
    return next !== undefined && /^[a-z_]\w*$/.test(next) && !noAlias.has(next) ? next : undefined
  }
  const limitTable = (at: number): void => {
    const sign = signs[at]
    const following = signs[at + 1]?.word
    if (sign === undefined || !isSpread(sign.word) || following === "." || following === "(") return
    const said = `(select * from ${sign.word} where ${within(sign.word)})`
    changes.push({ at: sign.at, end: sign.end, said: aliasAfter(at) === undefined ? `${said} ${sign.word}` : said })
  }
  const levels: Array<Level> = [{ isAmongTables: false, target: undefined, isConditionOpen: false }]
  const endChange = (level: Level, at: number): void => {
    if (level.isConditionOpen) insert(at, ")")
    else if (level.target !== undefined) insert(at, ` where ${within(level.target)} `)
    level.isConditionOpen = false
    level.target = undefined
  }

  for (const [place, { at, end, word }] of signs.entries()) {
    const level = levels.at(-1)
    const before = signs[place - 1]?.word ?? ""
    if (level === undefined) return text
    if (endsTables.has(word)) level.isAmongTables = false
    const isTargetNext = (word === "update" && !noChange.has(before)) || (word === "from" && before === "delete")
    if (isTargetNext) {
      const table = signs[place + 1]?.word
      if (isSpread(table)) level.target = aliasAfter(place + 1) ?? table
    } else if (word === "(") levels.push({ isAmongTables: false, target: undefined, isConditionOpen: false })
    else if (word === ")") {
      endChange(level, at)
      levels.pop()
    } else if (word === "from" || (word === "using" && level.target !== undefined)) {
      level.isAmongTables = before !== "distinct"
      if (level.isAmongTables) limitTable(place + 1)
    } else if (word === "join" || (word === "," && level.isAmongTables)) limitTable(place + 1)
    else if (word === "where" && level.target !== undefined) {
      insert(end, ` ${within(level.target)} and (`)
      level.target = undefined
      level.isConditionOpen = true
    } else if (word === "returning") endChange(level, at)
  }
  const [outermost] = levels
  if (outermost !== undefined) endChange(outermost, text.length)

  let said = ""
  let from = 0
  for (const change of changes.toSorted((one, other) => one.at - other.at)) {
    said += text.slice(from, change.at) + change.said
    from = change.end
  }
  return said + text.slice(from)
}
