import { SqlClient } from "@effect/sql/SqlClient"
import { Array, Effect, Layer, Option, Schema, Struct } from "effect"
import { notFound } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { now, type Timestamp, toMillis } from "../../Services/Core/Timestamp.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import { findingsOf, inOrder, keyOf } from "../../Services/Learnings/Findings.ts"
import { contentOf, summaryOf } from "../../Services/Learnings/FindingText.ts"
import type { LearningId } from "../../Services/Learnings/Ids.ts"
import { learningAdvice } from "../../Services/Learnings/LearningAdvice.ts"
import { Learning, Learnings, learningDays, refreshLearnings } from "../../Services/Learnings/Learnings.ts"
import { Embeddings } from "../../Services/Models/Embeddings.ts"
import { languageOf } from "../../Services/Text/Language.ts"
import {
  hybridScore,
  preparePassage,
  prepareQuery,
  scoreOfCosine,
  scorePassage,
  weightByLength
} from "../../Services/Text/PassageScore.ts"
import { recurring } from "../Platform/Jobs/Recurring.ts"
import { handle } from "../Platform/Jobs/TaskHandler.ts"
import { selectedColumns } from "../Platform/Postgres/ColumnChanges.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { cosineOfBytes, vectorBytes } from "../Platform/Postgres/Vectors.ts"
import { resultsOf } from "./Results.ts"

const maximumFound = 10
/** Lower scores only share a common word with the query. */
const minimumScore = 0.25
const embeddingBatch = 32

/** A stored learning, with the facts from which its advice follows. */
interface LearningRow extends Omit<Learning, "advice"> {
  readonly key: string
  readonly languageKey: string
}

interface SearchRow extends LearningRow {
  readonly vector: Buffer | null
}

const learningOf = ({ key, languageKey, ...learning }: LearningRow): Learning => ({
  ...learning,
  advice: learningAdvice(key, languageOf(languageKey))
})

const StoredLearning = Schema.Struct(Struct.omit(Learning.fields, "advice"))

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const embeddings = yield* Embeddings

  const columns = sql.literal(selectedColumns(StoredLearning, undefined, { Content: "content", Summary: "summary" }))
  const source = sql`learning_key as key,
    (select language_key from account a where a.account_id = prospecting_learning.account_id) as "languageKey"`
  const isVisible = (accountId: AccountId) => sql`account_id = ${accountId} and is_current and dismissed_at is null`

  return Learnings.of({
    list: Effect.gen(function* () {
      const { accountId } = yield* Caller
      const rows = yield* sql<LearningRow>`
        select ${columns}, ${source} from prospecting_learning where ${isVisible(accountId)} order by place, learning_id`
      const looks = yield* sql<{ readonly at: Timestamp }>`
        select looked_at as at from learning_look where account_id = ${accountId}`
      return { learnings: rows.map(learningOf), asOf: looks[0]?.at ?? null }
    }).pipe(fromSql(), Effect.withSpan("Learnings.list")),

    search: Effect.fn("Learnings.search")(function* (query) {
      const { accountId } = yield* Caller
      const { model } = embeddings
      const rows = yield* sql<SearchRow>`
        select ${columns}, ${source}, case when vector_model = ${model ?? null} then vector end as vector
        from prospecting_learning where ${isVisible(accountId)} order by place, learning_id`.pipe(fromSql())
      const queryVector =
        model === undefined || rows.every(({ vector }) => vector === null)
          ? undefined
          : Option.getOrUndefined(yield* Effect.option(embeddings.embed([query])))?.[0]
      const words = prepareQuery(query, weightByLength)
      const learnings = rows
        .map(({ vector, ...learning }) => {
          const passage = preparePassage({ title: learning.Content, text: "", aliases: topicWords[learning.kind] })
          const byWords = scorePassage(words, passage)
          const byMeaning =
            queryVector === undefined || vector === null ? 0 : scoreOfCosine(cosineOfBytes(queryVector, vector))
          return { ...learningOf(learning), score: Math.round(hybridScore(byWords, byMeaning) * 1000) / 1000 }
        })
        .filter(({ score }) => score >= minimumScore)
        .toSorted((a, b) => b.score - a.score)
        .slice(0, maximumFound)
      return { learnings, mode: queryVector === undefined ? "text" : "hybrid" }
    }),

    dismiss: Effect.fn("Learnings.dismiss")(function* (id, reason) {
      const { accountId } = yield* Caller
      const rows = yield* sql<{ readonly dismissed_at: Timestamp }>`
        update prospecting_learning set dismissed_at = coalesce(dismissed_at, ${yield* now}), dismiss_reason = ${reason}
        where account_id = ${accountId} and learning_id = ${id} returning dismissed_at`.pipe(fromSql())
      const [row] = rows
      return row === undefined
        ? yield* notFound("learning", "learning_id", id)
        : { learning_id: id, dismissed_at: row.dismissed_at, reason }
    })
  })
})

/** Words by which people search for a kind of learning, in the three languages. */
const topicWords: { readonly [K in Learning["kind"]]: ReadonlyArray<string> } = {
  reply_day: ["melhor dia da semana para enviar", "best day of the week to send", "mejor día de la semana para enviar"],
  reply_hour: ["melhor horário para enviar", "best time hour to send", "mejor horario hora para enviar"],
  message_type: ["tipo de mensagem", "kind type of message", "tipo de mensaje"],
  opening: ["abertura da mensagem", "opening of the message", "apertura del mensaje"],
  region: ["região estado", "region state", "región estado"],
  sector: ["setor CNAE segmento", "sector industry", "sector industria rubro"],
  refusal_reason: ["motivo de recusa objeção", "reason for refusal objection", "motivo de rechazo objeción"]
}

export const LearningsPostgres = Layer.effect(Learnings, make)

/** Evaluates the results of an account's last 90 days, and stores the learnings that they prove now. */
export const refreshAccount = (accountId: AccountId) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const unit = yield* UnitOfWork
    const at = yield* now
    const to = toMillis(at)
    const accounts = yield* sql<{ readonly languageKey: string }>`
      select language_key as "languageKey" from account where account_id = ${accountId}`.pipe(fromSql())
    const [account] = accounts
    if (account === undefined) return
    const language = languageOf(account.languageKey)
    const results = yield* unit.read(resultsOf(sql, accountId, to - learningDays * 86_400_000, to))
    const findings = inOrder(findingsOf(results.groups, results.refusals))
    yield* unit.write(
      Effect.gen(function* () {
        yield* sql`
          insert into learning_look (account_id, looked_at) values (${accountId}, ${at})
          on conflict (account_id) do update set looked_at = excluded.looked_at`
        const keys = findings.map(keyOf)
        yield* sql`
          update prospecting_learning set is_current = false
          where account_id = ${accountId} and is_current and learning_key <> all (${keys}::text[])`
        for (const [place, finding] of findings.entries()) {
          const kind = finding._tag === "Refusals" ? "refusal_reason" : finding.kind
          yield* sql`
            insert into prospecting_learning as l (account_id, learning_key, kind, content, summary, place, made_at)
            values (${accountId}, ${keyOf(finding)}, ${kind}, ${contentOf(finding, language)},
              ${JSON.stringify(summaryOf(finding, language))}::jsonb, ${place}, ${at})
            on conflict (account_id, learning_key) do update set content = excluded.content, summary = excluded.summary,
              place = excluded.place, made_at = excluded.made_at, is_current = true,
              vector = case when l.content = excluded.content then l.vector end`
        }
      }).pipe(fromSql())
    )
    yield* embedContents(accountId)
  }).pipe(Effect.withSpan("Learnings.refresh"))

/** If the embedding service is unavailable, the search by words still works, and the next night tries again. */
const embedContents = (accountId: AccountId) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { embed, model } = yield* Embeddings
    if (model === undefined) return
    const rows = yield* sql<{ readonly id: LearningId; readonly content: string }>`
      select learning_id as id, content from prospecting_learning where account_id = ${accountId} and is_current
        and dismissed_at is null and (vector is null or vector_model <> ${model})`.pipe(fromSql())
    for (const part of Array.chunksOf(rows, embeddingBatch)) {
      const vectors = yield* embed(part.map(({ content }) => content))
      for (const [index, { content, id }] of part.entries()) {
        const vector = vectors[index]
        if (vector === undefined) continue
        yield* sql`
          update prospecting_learning set vector = ${vectorBytes(vector)}, vector_model = ${model}
          where account_id = ${accountId} and learning_id = ${id} and content = ${content}`.pipe(fromSql())
      }
    }
  }).pipe(Effect.catchTag("Transient", () => Effect.void))

/** Queues a task for each account with messages to evaluate. */
const refreshAll = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const tasks = yield* TaskQueue
  const accounts = yield* unit
    .acrossAccounts(sql<{ readonly accountId: AccountId }>`
    select p.account_id as "accountId" from prospecting_config p
    where uses_test_clock(p.account_id) and exists (select from touch t where t.account_id = p.account_id)`)
    .pipe(fromSql())
  yield* unit.write(
    tasks.enqueueMany(
      refreshLearnings,
      accounts.map(({ accountId }) => ({ payload: { accountId }, jobKey: `refresh_learnings:${accountId}` }))
    )
  )
})

const refresh = Effect.fnUntraced(function* (accountId: AccountId | undefined) {
  if (accountId === undefined) yield* refreshAll
  else yield* refreshAccount(accountId)
})

export const learningTasks = [handle(refreshLearnings, ({ accountId }) => refresh(accountId))]
export const learningRecurring = [recurring("refresh_learnings", "25 4 * * *", refreshLearnings, {})]
