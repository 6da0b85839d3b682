import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { notFound } from "../../Errors.ts"
import { Conversations, type SearchChannel, snippetOf } from "../../Services/Conversations/Conversations.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import type { Timestamp } from "../../Services/Core/Timestamp.ts"
import type { AgentChannel, AgentRole } from "../../Services/Events/AgentConversation.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import { Embeddings } from "../../Services/Models/Embeddings.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { makeTimeline } from "./LeadConversation.ts"
import { byMeaning } from "./MessageEmbeddings.ts"
import { type MessageScope, messageTables, type ScoredMessage, type Source, within } from "./MessageSources.ts"

/**
 * The most matches of each kind of message that are scored, newest first, and the number of newest messages that are
 * compared letter by letter.
 */
const maximumMatches = 2000
const maximumRecent = 200
/**
 * If this many of the newest messages contain a word, it is frequent in general. Then only the newest messages are
 * searched.
 */
const commonAmongRecent = 20
const maximumCommonMatches = 500
const newestOfCommon = 20_000
const shortlist = 50

/**
 * The score is the share of the query's words that a message contains, in any inflection. A message that only resembles
 * the query, for example with a typing mistake, scores less.
 */
const statement = (source: Source) => {
  const { at, id, table, text } = messageTables[source]
  return `
  with query as materialized (
    select words, (select string_agg('(' || word::text || ')', ' | ') from unnest(words) word)::tsquery as any_word
    from (select text_query_words($2) as words) split
  ), newest as materialized (
    select ${id} as id, ${at} as at, stems, ${text} as text from ${table}
    where ${within(source)} order by ${at} desc limit ${maximumRecent}
  ), kind as materialized (
    select count(*) >= ${commonAmongRecent} as is_common from newest, query where newest.stems @@ query.any_word
  ), matching as (
    (select m.id, m.at, m.stems from (
      select ${id} as id, ${at} as at, stems from ${table}
      where ${within(source)} and (select is_common from kind) order by ${at} desc limit ${newestOfCommon}
    ) m, query
    where m.stems @@ query.any_word limit ${maximumCommonMatches})
    union all
    (select ${id}, ${at}, stems from ${table}, query
    where ${within(source)} and stems @@ query.any_word and not (select is_common from kind)
    order by ${at} desc limit ${maximumMatches})
  ), recent as (
    select id, at, word_similarity(fold($2), left(fold(text), 2000)) as likeness from newest
  ), scored as (
    select m.id, m.at,
      (select count(*) from unnest(query.words) word where m.stems @@ word)::float8 / cardinality(query.words) as score
    from matching m, query
    union all
    select id, at, likeness * 0.9 from recent where likeness >= 0.5
  )
  select id, max(score)::float8 as score from scored group by id, at order by max(score) desc, at desc limit ${shortlist}`
}

const statements = { email: statement("email"), chatapp: statement("chatapp"), agent: statement("agent") }

const sourcesOf = (channel: SearchChannel | undefined): ReadonlyArray<Source> =>
  channel === undefined ? ["email", "chatapp"] : [channel.startsWith("email") ? "email" : "chatapp"]

const directionOf = (channel: SearchChannel | undefined): string | undefined => channel?.split("_")[1]

interface MessageRow {
  readonly channel: "email" | "chatapp"
  readonly id: number
  readonly leadId: LeadId
  readonly direction: "outbound" | "inbound"
  readonly at: Timestamp
  readonly subject: string | null
  readonly text: string
}

interface AgentRow {
  readonly id: number
  readonly role: AgentRole
  readonly channel: AgentChannel
  readonly at: Timestamp
  readonly text: string
}

const rounded = (score: number): number => Math.round(Math.min(1, Math.max(0, score)) * 1000) / 1000

const keyOf = ({ id, source }: Pick<ScoredMessage, "id" | "source">): string => `${source}:${id}`

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const embeddings = yield* Embeddings

  const byWords = Effect.fnUntraced(function* (source: Source, query: string, { direction, leadId }: MessageScope) {
    const { accountId } = yield* Caller
    const rows = yield* sql
      .unsafe<{ readonly id: number; readonly score: number }>(statements[source], [
        accountId,
        query,
        leadId ?? null,
        direction ?? null
      ])
      .pipe(fromSql())
    return rows.map((row): ScoredMessage => ({ ...row, source }))
  })

  /** Returns the matches of both searches, best first. A message that both find keeps the better score. */
  const find = Effect.fnUntraced(function* (
    sources: ReadonlyArray<Source>,
    query: string,
    options: MessageScope & { readonly minimumScore: number | undefined }
  ) {
    const words = yield* Effect.forEach(sources, (source) => byWords(source, query, options))
    const meanings = yield* byMeaning(sql, embeddings, sources, query, { ...options, limit: shortlist })
    const best = new Map<string, ScoredMessage>()
    for (const match of [...words.flat(), ...meanings.scoredMessages]) {
      const previous = best.get(keyOf(match))
      if (previous === undefined || previous.score < match.score) best.set(keyOf(match), match)
    }
    const ranked = [...best.values()]
      .filter(({ score }) => score > 0 && rounded(score) >= (options.minimumScore ?? 0))
      .sort((a, b) => b.score - a.score)
    return { ranked, mode: meanings.mode }
  })

  const idsOf = (messages: ReadonlyArray<ScoredMessage>, source: Source) =>
    messages.filter((one) => one.source === source).map(({ id }) => id)

  return Conversations.of({
    ...(yield* makeTimeline),

    search: Effect.fn("Conversations.search")(function* ({ channel, leadId, limit, minimumScore, query }) {
      const { accountId } = yield* Caller
      if (leadId !== undefined) {
        const leadRows = yield* sql`
          select from lead where account_id = ${accountId} and lead_id = ${leadId}`.pipe(fromSql())
        if (leadRows.length === 0) return yield* notFound("lead", "lead_id", leadId)
      }
      const direction = directionOf(channel)
      const { mode, ranked } = yield* find(sourcesOf(channel), query, { leadId, direction, minimumScore })
      const rows = yield* sql<MessageRow>`
        select * from (
          select 'email' as channel, email_message_id as id, lead_id as "leadId", direction,
            coalesce(occurred_at, created_at) as at, subject, left(coalesce(reply_text, body_text), 20000) as text
          from email_message
          where account_id = ${accountId} and email_message_id = any (${idsOf(ranked, "email")}::bigint[])
          union all
          select 'chatapp', chatapp_message_id, lead_id, direction, coalesce(occurred_at, created_at), null,
            left(coalesce(reply_text, body), 20000)
          from chatapp_message
          where account_id = ${accountId} and chatapp_message_id = any (${idsOf(ranked, "chatapp")}::bigint[])
        ) found`.pipe(fromSql())
      const byKey = new Map(rows.map((row) => [`${row.channel}:${row.id}`, row]))
      const results = ranked.flatMap((match) => {
        const row = byKey.get(keyOf(match))
        return row === undefined ? [] : [{ row, score: rounded(match.score) }]
      })
      return {
        mode,
        results: results
          .sort((a, b) => b.score - a.score || b.row.at.localeCompare(a.row.at))
          .slice(0, limit)
          .map(({ row, score }) => ({
            lead_id: row.leadId,
            channel: row.channel,
            direction: row.direction,
            message_id: row.id,
            at: row.at,
            subject: row.subject,
            snippet: snippetOf(row.text, query),
            score
          }))
      }
    }),

    searchAgent: Effect.fn("Conversations.searchAgent")(function* (query, limit) {
      const { accountId } = yield* Caller
      const { mode, ranked } = yield* find(["agent"], query, { minimumScore: undefined })
      const rows = yield* sql<AgentRow>`
        select agent_message_id as id, role, channel, created_at as at, left(body, 20000) as text from agent_message
        where account_id = ${accountId} and agent_message_id = any (${idsOf(ranked, "agent")}::bigint[])`.pipe(
        fromSql()
      )
      const byId = new Map(rows.map((row) => [row.id, row]))
      const results = ranked.flatMap(({ id, score }) => {
        const row = byId.get(id)
        return row === undefined ? [] : [{ row, score: rounded(score) }]
      })
      return {
        mode,
        results: results
          .sort((a, b) => b.score - a.score || b.row.id - a.row.id)
          .slice(0, limit)
          .map(({ row, score }) => ({
            agent_message_id: row.id,
            role: row.role,
            channel: row.channel,
            at: row.at,
            snippet: snippetOf(row.text, query),
            score
          }))
      }
    })
  })
})

export const ConversationsPostgres = Layer.effect(Conversations, make)
