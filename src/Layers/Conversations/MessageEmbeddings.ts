import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Schema } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import type { SearchMode } from "../../Services/Conversations/Conversations.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import * as Task from "../../Services/Jobs/Task.ts"
import { Embeddings } from "../../Services/Models/Embeddings.ts"
import { soonAfterWrites } from "../Platform/Jobs/AfterWrites.ts"
import { recurring } from "../Platform/Jobs/Recurring.ts"
import { handle } from "../Platform/Jobs/TaskHandler.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { type MessageScope, messageTables, type ScoredMessage, type Source, within } from "./MessageSources.ts"

/** The most vectors of each kind of message that are compared, newest first. */
const maximumVectors = 5000
/** The similarity that unrelated texts have. */
const unrelated = 0.3

const vectorBytes = (vector: Float32Array): Buffer => {
  const bytes = Buffer.alloc(vector.length * 4)
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4)
  return bytes
}

const product = (one: Float32Array, bytes: Buffer): number => {
  if (bytes.length !== one.length * 4) return 0
  let sum = 0
  for (let index = 0; index < one.length; index++) sum += (one[index] ?? 0) * bytes.readFloatLE(index * 4)
  return Math.min(1, sum)
}

const statement = (source: Source) => {
  const { id, table } = messageTables[source]
  return `
  select ${id} as id, vector from message_embedding
  where account_id = $1 and model = $2 and ${id} in (select ${id} from ${table} where ${within(source)})
  order by ${id} desc limit ${maximumVectors}`
}

const statements = { email: statement("email"), chatapp: statement("chatapp"), agent: statement("agent") }

const nothing: { readonly scoredMessages: ReadonlyArray<ScoredMessage>; readonly mode: SearchMode } = {
  scoredMessages: [],
  mode: "text"
}

/**
 * The messages nearest in meaning to the query. Without an embedding service the result is empty, with mode `text`.
 */
export const byMeaning = Effect.fnUntraced(function* (
  sql: SqlClient,
  embeddings: Embeddings["Type"],
  sources: ReadonlyArray<Source>,
  query: string,
  { direction, leadId, limit }: MessageScope & { readonly limit: number }
) {
  const { model } = embeddings
  if (model === undefined) return nothing
  const { accountId } = yield* Caller
  // If the service is unavailable, the search by words still works.
  const queryVector = yield* Effect.option(embeddings.embed([query]))
  const vector = queryVector._tag === "Some" ? queryVector.value[0] : undefined
  if (vector === undefined) return nothing
  const matches = yield* Effect.forEach(sources, (source) =>
    sql
      .unsafe<{ readonly id: number; readonly vector: Buffer }>(statements[source], [
        accountId,
        model,
        leadId ?? null,
        direction ?? null
      ])
      .pipe(
        fromSql(),
        Effect.map((rows) =>
          rows.map((row): ScoredMessage => ({ source, id: row.id, score: product(vector, row.vector) }))
        )
      )
  )
  return {
    mode: "hybrid" as const,
    scoredMessages: matches
      .flat()
      .filter(({ score }) => score > unrelated)
      .sort((a, b) => b.score - a.score)
      .slice(0, limit)
  }
})

const embedMessages = Task.make("embed_messages", {
  payload: Schema.Struct({}),
  maxAttempts: 3,
  timeout: "10 minutes",
  pool: "long"
})

const batch = 32
const longestText = 8000

interface Unembedded {
  readonly accountId: AccountId
  readonly id: number
  readonly text: string
}

const sources = ["email", "chatapp", "agent"] as const

/** The next messages that are not embedded yet. */
const unembedded = Effect.fnUntraced(function* (source: Source, model: string, most: number) {
  const sql = yield* SqlClient
  const { id, table, text } = messageTables[source]
  // Messages of the last minute wait: a transaction with a lower id may commit later than one with a higher id.
  return yield* sql
    .unsafe<Unembedded>(
      `select account_id as "accountId", ${id} as id, left(${text}, ${longestText}) as text from ${table}
      where ${id} > coalesce((select last_id from embedding_progress where source = $1 and model = $2), 0)
        and created_at < instant() - interval '1 minute'
      order by ${id} limit $3`,
      [source, model, most]
    )
    .pipe(fromSql())
})

/** Embeds up to `batch` messages. Returns how many. */
const embedBatch = Effect.fnUntraced(function* (source: Source) {
  const sql = yield* SqlClient
  const { embed, model } = yield* Embeddings
  if (model === undefined) return 0
  const { id, table } = messageTables[source]
  const messages = yield* unembedded(source, model, batch)
  const last = messages.at(-1)
  if (last === undefined) return 0
  const vectors = yield* embed(messages.map((message) => (message.text.trim() === "" ? "-" : message.text)))
  for (const [index, message] of messages.entries()) {
    const vector = vectors[index]
    if (vector === undefined) continue
    // The message may have been deleted since.
    yield* sql
      .unsafe(
        `insert into message_embedding (account_id, model, ${id}, vector)
        select account_id, $2, ${id}, $4 from ${table} where account_id = $1 and ${id} = $3 on conflict do nothing`,
        [message.accountId, model, message.id, vectorBytes(vector)]
      )
      .pipe(fromSql())
  }
  yield* sql`
    insert into embedding_progress (source, model, last_id) values (${source}, ${model}, ${last.id})
    on conflict (source, model) do update set last_id = greatest(embedding_progress.last_id, excluded.last_id)`.pipe(
    fromSql()
  )
  return messages.length
})

/** Embeds all messages since the last run. */
export const embedNewMessages = Effect.forEach(
  sources,
  (source) => Effect.repeat(embedBatch(source), { while: (count) => count === batch }),
  { discard: true }
).pipe(Effect.withSpan("Conversations.embedNewMessages"))

export const conversationTasks = [handle(embedMessages, () => embedNewMessages)]
export const conversationRecurring = [recurring("embed_messages", "*/15 * * * *", embedMessages, {})]

/** Runs within a minute or two after a write. */
export const embeddingLoop = Effect.flatMap(Embeddings, ({ model }) =>
  model === undefined
    ? Effect.void
    : soonAfterWrites(
        { name: "embed_messages", task: embedMessages, payload: {} },
        Effect.map(
          Effect.forEach(sources, (source) => unembedded(source, model, 1)),
          (messages) => ({ found: messages.some(({ length }) => length > 0) })
        )
      )
)
