import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { Caller } from "../../Services/Caller.ts"
import type { SearchMode } from "../../Services/Conversations.ts"
import type { Embeddings } from "../../Services/Embeddings.ts"
import { fromSql } from "./Sql.ts"

export type Source = "email" | "chatapp" | "agent"

export interface Found {
  readonly source: Source
  readonly id: number
  /** From 0 to 1. */
  readonly score: number
}

/** Vectors that are compared, of the newest messages. */
const maximumVectors = 5000
/** Texts that have nothing to do with each other are about this near. */
const unrelated = 0.3

/** A vector as it is stored. */
export const vectorBytes = (vector: Float32Array): Buffer => {
  const bytes = Buffer.alloc(vector.length * 4)
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4)
  return bytes
}

const product = (one: Float32Array, bytes: Buffer): number => {
  if (bytes.length !== one.length * 4) return 0
  let sum = 0
  for (const [index, value] of one.entries()) sum += value * bytes.readFloatLE(index * 4)
  return sum
}

const nothing: { readonly found: ReadonlyArray<Found>; readonly mode: SearchMode } = { found: [], mode: "text" }

/** The messages whose meaning is nearest to the query's; none, in mode `text`, where no service tells meanings. */
export const byMeaning = Effect.fnUntraced(function* (
  sql: SqlClient,
  embeddings: Embeddings["Type"],
  sources: ReadonlyArray<Source>,
  query: string,
  limit: number
) {
  const { model } = embeddings
  if (model === undefined) return nothing
  const { accountId } = yield* Caller
  // A service that is away for now takes nothing from the search by words.
  const asked = yield* Effect.option(embeddings.embed([query]))
  const vector = asked._tag === "Some" ? asked.value[0] : undefined
  if (vector === undefined) return nothing
  const rows = yield* sql<{ readonly source: Source; readonly id: number; readonly vector: Buffer }>`
    select source, message_id as id, vector from message_embedding
    where account_id = ${accountId} and model = ${model} and source = any (${[...sources]}::text[])
    order by message_id desc limit ${maximumVectors}`.pipe(fromSql())
  const found = rows
    .map(({ id, source, vector: stored }): Found => ({ source, id, score: product(vector, stored) }))
    .filter(({ score }) => score > unrelated)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
  return { found, mode: "hybrid" as const }
})
