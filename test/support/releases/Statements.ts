import { readdirSync, readFileSync } from "node:fs"
import * as path from "node:path"
import { Schema } from "effect"
import pg from "pg"

/** A line of the folder `STATEMENT_LOG`; see `statementLog.ts`. */
const LoggedLine = Schema.parseJson(Schema.Struct({ text: Schema.String }))

/** Only these can be prepared. */
const isPrepared = (statement: string): boolean =>
  /^(?:with|select|insert|update|delete|merge|values)\b/i.test(statement)

/** The statement in one line, without comments. */
export const inOneLine = (text: string): string =>
  text
    .replaceAll(/--[^\n]*/g, "")
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/\s+/g, " ")
    .replace(/;\s*$/, "")
    .trim()

/** Statements that only differ in how often a list of parameters is repeated have the same shape. */
const shapeOf = (statement: string): string =>
  statement
    .replaceAll(/\$\d+/g, "$")
    .replaceAll(/\(\$(?:, ?\$)*\)(?:, ?\(\$(?:, ?\$)*\))*/g, "($)")
    .toLowerCase()

/** One statement of each shape, the shortest, in alphabetical order. */
export const distinctStatements = (texts: Iterable<string>): ReadonlyArray<string> => {
  const shortest = new Map<string, string>()
  for (const text of texts) {
    const statement = inOneLine(text)
    if (!isPrepared(statement)) continue
    const shape = shapeOf(statement)
    const earlier = shortest.get(shape)
    const isBetter =
      earlier === undefined ||
      statement.length < earlier.length ||
      (statement.length === earlier.length && statement < earlier)
    if (isBetter) shortest.set(shape, statement)
  }
  return [...shortest.values()].sort()
}

/** The statements that runs of the suite with `STATEMENT_LOG` wrote into the folder. */
export const loggedStatements = (folder: string): ReadonlyArray<string> =>
  distinctStatements(
    readdirSync(folder)
      .filter((name) => name.endsWith(".jsonl"))
      .flatMap((name) => readFileSync(path.join(folder, name), "utf8").split("\n"))
      .filter((line) => line !== "")
      .map((line) => Schema.decodeSync(LoggedLine)(line).text)
  )

export interface RefusedStatement {
  readonly statement: string
  readonly reason: string
}

/** The statements that the database does not understand, with its reasons. Prepares each, and runs none. */
export const refusedStatements = async (
  client: pg.Client,
  statements: ReadonlyArray<string>
): Promise<ReadonlyArray<RefusedStatement>> => {
  const refused: Array<RefusedStatement> = []
  for (const statement of statements) {
    try {
      await client.query(`prepare released as ${statement}`)
      await client.query("deallocate released")
    } catch (failure) {
      if (!(failure instanceof pg.DatabaseError)) throw failure
      refused.push({ statement, reason: failure.message })
    }
  }
  return refused
}
