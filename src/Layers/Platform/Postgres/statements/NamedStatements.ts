import type pg from "pg"
import { JoiningClient } from "./JoinedCommands.ts"

const maximumNames = 4000
const names = new Map<string, string>()

/**
 * The comment that begins a statement that must be planned each time. A session keeps the plan of a prepared statement,
 * so a plan that was made while a table was empty could read the whole table forever.
 */
export const noPreparedPlan = "/* no prepared plan */"

/**
 * Returns the same name for the same text in every session of this process; undefined once there are too many texts.
 */
export const nameOf = (text: string): string | undefined => {
  const known = names.get(text)
  if (known !== undefined) return known
  if (names.size >= maximumNames || text.startsWith(noPreparedPlan)) return undefined
  const name = `s${names.size}`
  names.set(text, name)
  return name
}

const unread: pg.CustomTypesConfig = { getTypeParser: () => (value: unknown) => value }

const hasNul = (value: unknown): boolean =>
  typeof value === "string" ? value.includes("\u0000") : Array.isArray(value) && value.some(hasNul)

const withoutNul = (value: unknown): unknown =>
  typeof value === "string"
    ? value.replaceAll("\u0000", "\ufffd")
    : Array.isArray(value)
      ? value.map(withoutNul)
      : value

/** Postgres cannot store U+0000 in a text, so the replacement character takes its place. */
const storable = (values: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
  values.some(hasNul) ? values.map(withoutNul) : values

/**
 * A client that names each parameterised statement after its text. The server then parses and plans it once per
 * session, which saves a third of the cost of a short statement.
 */
export class NamedStatementClient extends JoiningClient {
  override query(...args: ReadonlyArray<unknown>): never {
    const [text, values, callback] = args
    const name = typeof text === "string" && Array.isArray(values) && values.length > 0 ? nameOf(text) : undefined
    const sent = Array.isArray(values) ? storable(values) : values
    const forwarded = name === undefined ? [text, sent, ...args.slice(2)] : [{ name, text, values: sent }, callback]
    return Reflect.apply<this, Array<unknown>, never>(super.query, this, forwarded)
  }

  /** Sends the statement unchanged. */
  protected ask(statement: pg.QueryConfig): Promise<pg.QueryResult<object>> {
    return super.query(statement)
  }

  /** Sends the statement and returns values in the server's text format. */
  protected askUnread(statement: pg.QueryConfig): Promise<pg.QueryArrayResult<Array<string | null>>> {
    return super.query({ ...statement, rowMode: "array", types: unread })
  }
}
