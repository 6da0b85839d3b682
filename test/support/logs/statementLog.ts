import { appendFileSync, mkdirSync } from "node:fs"
import * as path from "node:path"
import pg from "pg"
import { prepareValue } from "pg/lib/utils.js"

/**
 * Writes each statement of the run once, with values that it was run with, into the folder that `STATEMENT_LOG` names:
 * a line of JSON for each. `npm run test:citus` asks a cluster how it would run them.
 */
const folder = process.env["STATEMENT_LOG"]

const written = (value: unknown): string | null => {
  const prepared = prepareValue(value)
  return Buffer.isBuffer(prepared) ? `\\x${prepared.toString("hex")}` : prepared
}

/** Later values are written too while the first had nulls: a null tells little of a statement's way. */
const seen = new Map<string, number>()

if (folder !== undefined) {
  mkdirSync(folder, { recursive: true })
  const file = path.join(folder, `${process.pid}.jsonl`)
  const original: unknown = Reflect.get(pg.Client.prototype, "query")
  const note = ([first, second]: ReadonlyArray<unknown>): void => {
    const isConfig = typeof first === "object" && first !== null && "text" in first
    const text = isConfig ? first.text : first
    const values = isConfig && "values" in first ? first.values : second
    const list: ReadonlyArray<unknown> = Array.isArray(values) ? values : []
    const nulls = list.filter((value) => value === null || value === undefined).length
    if (typeof text !== "string" || nulls >= (seen.get(text) ?? Number.POSITIVE_INFINITY)) return
    seen.set(text, nulls)
    appendFileSync(file, `${JSON.stringify({ text, values: list.map(written) })}\n`)
  }
  Reflect.set(pg.Client.prototype, "query", function query(this: unknown, ...args: ReadonlyArray<unknown>): unknown {
    note(args)
    if (typeof original !== "function") return undefined
    const answer: unknown = Reflect.apply(original, this, args)
    return answer
  })
}
