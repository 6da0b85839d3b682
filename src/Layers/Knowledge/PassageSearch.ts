import { SqlClient } from "@effect/sql/SqlClient"
import { Array, Effect } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import type { CampaignId } from "../../Services/Campaigns/Ids.ts"
import type { FoundPassage } from "../../Services/Knowledge/BusinessFiles.ts"
import type { BusinessFileId } from "../../Services/Knowledge/Ids.ts"
import { Embeddings } from "../../Services/Models/Embeddings.ts"
import {
  hybridScore,
  preparePassage,
  prepareQuery,
  scoreOfCosine,
  scorePassage,
  weightByLength
} from "../../Services/Text/PassageScore.ts"
import { inSharedTerms, otherTerms } from "../../Services/Text/SalesTerms.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { cosineOfBytes, vectorBytes } from "../Platform/Postgres/Vectors.ts"

/** The most passages that are scored: those with most of the question's words, and those nearest in meaning. */
const shortlist = 80
/**
 * The weight of related terms. "How much" finds a price list by its subject. The question's own words decide between
 * languages.
 */
const shareOfTerms = 0.8
/**
 * The highest score by words. Whether single words answer a question is checked in KnownAnswers. Only meaning scores a
 * passage as a whole.
 */
const maximumScoreByWords = 0.7
const maximumVectors = 10_000
const embeddingBatch = 32

interface PassageRow {
  readonly businessFileId: BusinessFileId
  readonly sequence: number
  readonly title: string
  readonly heading: string
  readonly body: string
}

interface VectorRow {
  readonly businessFileId: BusinessFileId
  readonly sequence: number
  readonly vector: Buffer
}

const keyOf = ({ businessFileId, sequence }: { readonly businessFileId: number; readonly sequence: number }): string =>
  `${businessFileId}:${sequence}`

/** Searches an account's passages by words, and by meaning if an embedding service is configured. */
export const makePassageSearch = Effect.gen(function* () {
  const sql = yield* SqlClient
  const embeddings = yield* Embeddings

  const ofScope = (accountId: AccountId, campaignId: CampaignId | null) => sql`p.account_id = ${accountId}
    and exists (select from business_file f where f.account_id = ${accountId} and f.business_file_id = p.business_file_id
      and f.status = 'finished' and (f.campaign_id is null or f.campaign_id = ${campaignId}))`

  const selected = sql.literal(`p.business_file_id as "businessFileId", p.sequence, p.heading, p.body,
    (select f.title from business_file f where f.account_id = p.account_id and f.business_file_id = p.business_file_id) as title`)

  const byMeaning = Effect.fnUntraced(function* (
    accountId: AccountId,
    campaignId: CampaignId | null,
    question: string
  ) {
    const { model } = embeddings
    if (model === undefined) return new Map<string, number>()
    const questionVector = yield* Effect.option(embeddings.embed([question]))
    const questionEmbedding = questionVector._tag === "Some" ? questionVector.value[0] : undefined
    if (questionEmbedding === undefined) return new Map<string, number>()
    const rows = yield* sql<VectorRow>`
      select p.business_file_id as "businessFileId", p.sequence, p.vector from business_passage_embedding p
      where ${ofScope(accountId, campaignId)} and p.model = ${model} limit ${maximumVectors}`.pipe(fromSql())
    const scored = rows.map((row) => [keyOf(row), scoreOfCosine(cosineOfBytes(questionEmbedding, row.vector))] as const)
    return new Map(scored.toSorted((a, b) => b[1] - a[1]).slice(0, shortlist))
  })

  return {
    find: Effect.fn("BusinessFiles.find")(function* (
      { accountId, campaignId }: { readonly accountId: AccountId; readonly campaignId: CampaignId | null },
      question: string,
      limit: number
    ) {
      const meanings = yield* byMeaning(accountId, campaignId, question)
      const near = [...meanings.keys()].map((key) => key.split(":").map(Number))
      const rows = yield* sql<PassageRow>`
        with query as materialized (
          select words, (select string_agg('(' || word::text || ')', ' | ') from unnest(words) word)::tsquery as any_word
          from (select text_query_words(${question}) || text_query_words(${otherTerms(question).join(" ")}) as words) split
        )
        (select ${selected} from business_passage p, query
        where ${ofScope(accountId, campaignId)} and p.stems @@ query.any_word
        order by (select count(*) from unnest(query.words) word where p.stems @@ word) desc, p.business_file_id, p.sequence
        limit ${shortlist})
        union
        select ${selected} from business_passage p
        where ${ofScope(accountId, campaignId)} and (p.business_file_id, p.sequence) in (
          select * from unnest(${near.map(([file]) => file ?? 0)}::bigint[], ${near.map(([, index]) => index ?? 0)}::int[]))`.pipe(
        fromSql()
      )
      const query = prepareQuery(question, weightByLength)
      const termScores = prepareQuery(inSharedTerms(question), weightByLength)
      return rows
        .map((row): FoundPassage => {
          const title = `${row.title}\n${row.heading}`
          const byWords = scorePassage(query, preparePassage({ title, text: row.body }))
          const terms = preparePassage({ title: inSharedTerms(title), text: inSharedTerms(row.body) })
          const byTerms = scorePassage(termScores, terms)
          const wordScore = Math.min(maximumScoreByWords, shareOfTerms * byTerms + (1 - shareOfTerms) * byWords)
          return { ...row, score: hybridScore(wordScore, meanings.get(keyOf(row)) ?? 0) }
        })
        .toSorted((a, b) => b.score - a.score || a.businessFileId - b.businessFileId || a.sequence - b.sequence)
        .slice(0, limit)
    }),

    /** Embeds a file's passages. If the service is unavailable, the search by words still works. */
    embedFile: (accountId: AccountId, id: number) =>
      Effect.gen(function* () {
        const { model } = embeddings
        if (model === undefined) return
        const rows = yield* sql<PassageRow>`
          select ${selected} from business_passage p where p.account_id = ${accountId} and p.business_file_id = ${id}
          order by p.sequence`.pipe(fromSql())
        for (const part of Array.chunksOf(rows, embeddingBatch)) {
          const vectors = yield* embeddings.embed(
            part.map(({ body, heading, title }) => `${title}\n${heading}\n${body}`)
          )
          for (const [index, { sequence }] of part.entries()) {
            const vector = vectors[index]
            if (vector === undefined) continue
            const bytes = vectorBytes(vector)
            yield* sql`
              insert into business_passage_embedding (account_id, business_file_id, sequence, model, vector)
              select account_id, business_file_id, sequence, ${model}, ${bytes} from business_passage
              where account_id = ${accountId} and business_file_id = ${id} and sequence = ${sequence}
              on conflict (account_id, business_file_id, sequence, model) do update set vector = excluded.vector`.pipe(
              fromSql()
            )
          }
        }
      }).pipe(Effect.catchTag("Transient", () => Effect.void))
  }
})
