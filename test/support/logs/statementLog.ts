import { appendFileSync, mkdirSync } from "node:fs"
import * as path from "node:path"
import pg from "pg"
import { prepareValue } from "pg/lib/utils.js"

/**
 * Writes each statement of the run once, with some of its values, to the folder `STATEMENT_LOG` as a line of JSON. `npm
 * run test:citus` asks a cluster how it would run them.
 */
const folder = process.env["STATEMENT_LOG"]

const valueText = (value: unknown): string | null => {
  const prepared = prepareValue(value)
  return Buffer.isBuffer(prepared) ? `\\x${prepared.toString("hex")}` : prepared
}

/** If the first values contained nulls, later ones are written too, because the plan may depend on them. */
const nullCounts = new Map<string, number>()

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
    if (typeof text !== "string" || nulls >= (nullCounts.get(text) ?? Number.POSITIVE_INFINITY)) return
    nullCounts.set(text, nulls)
    appendFileSync(file, `${JSON.stringify({ text, values: list.map(valueText) })}\n`)
  }
  Reflect.set(pg.Client.prototype, "query", function query(this: unknown, ...args: ReadonlyArray<unknown>): unknown {
    note(args)
    if (typeof original !== "function") return undefined
    const answer: unknown = Reflect.apply(original, this, args)
    return answer
  })
}
