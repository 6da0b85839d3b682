import { type Edit, type Token, tokensOf, withEdits } from "./SqlText.ts"

/**
 * The comment that begins a statement over all accounts that `UnitOfWork.acrossAccounts` marks. While a node of the
 * cluster is down, the statement covers the accounts of the other nodes.
 */
export const reachableNodesOnly = "/* reachable nodes only */"

export const isReachableNodesOnly = (text: string): boolean => text.trimStart().startsWith(reachableNodesOnly)

/** Words that may follow a table without an alias. */
const noAlias = new Set(
  "where join left right inner cross full natural on using group order limit set returning union for having offset fetch".split(
    " "
  )
)
/** Words that end the list of tables after `from`. */
const endsTables = new Set("where group order limit set union having offset select values returning".split(" "))
/** Words before an `update` that changes no table: `for update`, `no key update`, `do update`. */
const beforeOtherUpdate = new Set(["for", "key", "do"])

/** A query, or a part of one in brackets. */
interface Level {
  isInTables: boolean
  /** The table that is changed, until the condition on its rows is added. */
  target: string | undefined
  isConditionOpen: boolean
}

const newLevel = (): Level => ({ isInTables: false, target: undefined, isConditionOpen: false })

/** Reads a statement once from left to right, and collects the edits that limit it to some accounts. */
class AccountLimiter {
  readonly edits: Array<Edit> = []
  private readonly levels: Array<Level> = [newLevel()]
  private readonly ctes: ReadonlySet<string | undefined>

  constructor(
    text: string,
    private readonly tokens: ReadonlyArray<Token>,
    private readonly tables: ReadonlySet<string>,
    private readonly parameter: number
  ) {
    const heads = text.matchAll(/\b(\w+)\s*(?:\([\w\s,]*\)\s*)?as\s+(?:(?:not\s+)?materialized\s+)?\(/gi)
    this.ctes = new Set([...heads].map(([, name]) => name))
  }

  read(position: number, token: Token): void {
    const level = this.levels.at(-1)
    if (level === undefined) return
    const { word } = token
    const previous = this.tokens[position - 1]?.word ?? ""
    if (endsTables.has(word)) level.isInTables = false
    if (word === "(") this.levels.push(newLevel())
    else if (word === ")") {
      this.endChange(level, token.start)
      this.levels.pop()
    } else if ((word === "update" && !beforeOtherUpdate.has(previous)) || (word === "from" && previous === "delete")) {
      const table = this.tokens[position + 1]?.word
      if (this.isDistributed(table)) level.target = this.aliasAfter(position + 1) ?? table
    } else this.readTables(level, position, token, previous)
  }

  /** Ends the outermost change at the end of the text. */
  finish(end: number): void {
    const [outermost] = this.levels
    if (outermost !== undefined) this.endChange(outermost, end)
  }

  private readTables(level: Level, position: number, { end, start, word }: Token, previous: string): void {
    if (word === "from" || (word === "using" && level.target !== undefined)) {
      level.isInTables = previous !== "distinct"
      if (level.isInTables) this.limitTable(position + 1)
    } else if (word === "join" || (word === "," && level.isInTables)) this.limitTable(position + 1)
    else if (word === "where" && level.target !== undefined) {
      this.insert(end, ` ${this.condition(level.target)} and (`)
      level.target = undefined
      level.isConditionOpen = true
    } else if (word === "returning") this.endChange(level, start)
  }

  private isDistributed(table: string | undefined): table is string {
    return table !== undefined && this.tables.has(table) && !this.ctes.has(table)
  }

  private condition(alias: string): string {
    return `${alias}.account_id = any ($${this.parameter}::bigint[])`
  }

  private insert(position: number, replacement: string): void {
    this.edits.push({ start: position, end: position, replacement })
  }

  private aliasAfter(position: number): string | undefined {
    const next = this.tokens[position + 1]?.word === "as" ? position + 2 : position + 1
    const word = this.tokens[next]?.word
    return word !== undefined && /^[a-z_]\w*$/.test(word) && !noAlias.has(word) ? word : undefined
  }

  private limitTable(position: number): void {
    const token = this.tokens[position]
    const following = this.tokens[position + 1]?.word
    if (token === undefined || !this.isDistributed(token.word) || following === "." || following === "(") return
    const query = `(select * from ${token.word} where ${this.condition(token.word)})`
    const replacement = this.aliasAfter(position) === undefined ? `${query} ${token.word}` : query
    this.edits.push({ start: token.start, end: token.end, replacement })
  }

  private endChange(level: Level, position: number): void {
    if (level.isConditionOpen) this.insert(position, ")")
    else if (level.target !== undefined) this.insert(position, ` where ${this.condition(level.target)} `)
    level.isConditionOpen = false
    level.target = undefined
  }
}

/**
 * Limits a statement to the accounts in the list at `parameter`. For each of `tables`, which are distributed by
 * account, it reads or changes only rows of these accounts. So a cluster uses only their nodes.
 */
export const limitedToAccounts = (text: string, tables: ReadonlySet<string>, parameter: number): string => {
  const tokens = tokensOf(text)
  const limiter = new AccountLimiter(text, tokens, tables, parameter)
  for (const [position, token] of tokens.entries()) limiter.read(position, token)
  limiter.finish(text.length)
  return withEdits(text, limiter.edits)
}
