import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import type { CampaignId } from "../../Services/Campaigns/Ids.ts"
import type { Timestamp } from "../../Services/Core/Timestamp.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import type { OutreachChannel } from "../../Services/Outreach/Ids.ts"
import type { ReplyFacts } from "../../Services/Replies/ReplyFacts.ts"
import type { ReplyClass, ReplyReading } from "../../Services/Replies/ReplyReading.ts"
import { noteReply } from "../Leads/Sql/State.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

/** Identifies a reply. */
export interface ReplyKey {
  readonly accountId: AccountId
  readonly leadId: LeadId
  readonly channel: OutreachChannel
  readonly messageId: number
}

/** A stored reply of a lead, in writing or speech. */
export interface InboundRow extends ReplyFacts {
  /** Whether the lead certainly wrote it. On channels other than mail, the provider guarantees that. */
  readonly is_sender_proven: boolean
  /** Seconds since it arrived. */
  readonly waited_seconds: number
  /** True if the language model was unavailable at the last attempt. */
  readonly is_model_out: boolean
  readonly is_read: boolean
  readonly campaign_id: CampaignId | null
  readonly account_name: string
  /** Facts about the lead as short notes. */
  readonly lead_profile: string
  /** The last written message to the lead. */
  readonly earlier: string | null
  /** The reasons of the lead's objections in the last two months. */
  readonly earlier_objections: ReadonlyArray<string>
}

/** Longer replies are cut here, because their beginning matters most. The reader has further limits. */
const longestText = 100_000
const longestEarlier = 4_000

/** Makes the statements on incoming messages, for the tables of all channels. */
export const makeInboundReplies = Effect.map(SqlClient, (sql) => {
  const tables = {
    email: {
      table: sql.literal("email_message"),
      id: sql.literal("email_message_id"),
      isReply: sql`m.direction = 'inbound' and m.status = 'received'`,
      columns: sql`m.body_text as text, m.subject, m.from_address, m.to_address, m.is_auto_reply, m.is_sender_proven,
        coalesce(m.occurred_at, m.created_at) as received_at`
    },
    chatapp: {
      table: sql.literal("chatapp_message"),
      id: sql.literal("chatapp_message_id"),
      isReply: sql`m.direction = 'inbound'`,
      columns: sql`m.body as text, null as subject, null as from_address, null as to_address,
        false as is_auto_reply, true as is_sender_proven, coalesce(m.occurred_at, m.created_at) as received_at`
    },
    voice: {
      table: sql.literal("voice_call"),
      id: sql.literal("voice_call_request_id"),
      isReply: sql`jsonb_array_length(m.transcript) > 0`,
      columns: sql`(select string_agg(line ->> 'text', E'\n' order by place)
          from jsonb_array_elements(m.transcript) with ordinality spoken (line, place)
          where line ->> 'role' = 'person') as text,
        null as subject, null as from_address, null as to_address, false as is_auto_reply,
        true as is_sender_proven, coalesce(m.finished_at, m.created_at) as received_at`
    }
  } as const

  const isMessage = ({ accountId, channel, leadId, messageId }: ReplyKey) =>
    sql`m.account_id = ${accountId} and m.lead_id = ${leadId} and m.${tables[channel].id} = ${messageId}
      and ${tables[channel].isReply}`

  return {
    /** SQL for the number of answers to the lead on the reply's channel in the last 24 hours. Calls do not count. */
    recentAnswers: ({ accountId, channel, leadId }: ReplyKey) =>
      channel === "voice"
        ? sql`0`
        : sql`(
            select count(*) from ${tables[channel].table} m
            where m.account_id = ${accountId} and m.lead_id = ${leadId} and m.direction = 'outbound'
              and m.message_type = 'response' and m.status not in ('queued', 'failed', 'cancelled')
              and m.created_at > instant() - interval '1 day')`,

    /** The stored message, or none if it was deleted or no longer belongs to the lead. */
    read: (key: ReplyKey) => {
      const { columns, table } = tables[key.channel]
      return sql<InboundRow>`
        select left(coalesce(reply.text, ''), ${longestText}) as text, reply.subject, reply.from_address,
          reply.to_address, reply.is_auto_reply, reply.is_sender_proven, reply.received_at, reply.waited_seconds, reply.is_read,
          exists (select from model_outage where clock = coalesce(test_clock(), '')) as is_model_out,
          l.email as lead_email, l.phone as lead_phone, l.language as lead_language, l.time_zone, l.state, l.country,
          l.campaign_id, concat_ws(E'\n', l.name, l.job_title, l.company, l.industry, l.city, l.state, l.country,
            left(l.background, 1000)) as lead_profile, a.name as account_name, a.email as account_email, a.phone as account_phone, a.language_key as account_language,
          a.time_zone as account_time_zone,
          (select e.subject from email_message e
            where e.account_id = l.account_id and e.lead_id = l.lead_id and e.direction = 'outbound'
              and e.status in ('sent', 'unknown')
            order by coalesce(e.occurred_at, e.created_at) desc limit 1) as last_subject,
          (select left(said.body, ${longestEarlier}) from (
            select e.body_text as body, coalesce(e.occurred_at, e.created_at) as at from email_message e
            where e.account_id = l.account_id and e.lead_id = l.lead_id and e.direction = 'outbound'
              and e.status in ('sent', 'unknown')
            union all
            select c.body, coalesce(c.occurred_at, c.created_at) from chatapp_message c
            where c.account_id = l.account_id and c.lead_id = l.lead_id and c.direction = 'outbound'
              and c.status in ('sent', 'delivered', 'read', 'unknown')
          ) said order by said.at desc limit 1) as earlier,
          array(select e.classification ->> 'refusalReason' from email_message e
            where e.account_id = l.account_id and e.lead_id = l.lead_id and e.direction = 'inbound'
              and e.classification ->> 'class' = 'objection' and e.created_at > instant() - interval '60 days'
            union
            select c.classification ->> 'refusalReason' from chatapp_message c
            where c.account_id = l.account_id and c.lead_id = l.lead_id and c.direction = 'inbound'
              and c.classification ->> 'class' = 'objection' and c.created_at > instant() - interval '60 days')
            as earlier_objections
        from (
          select m.account_id, m.lead_id, m.classification is not null as is_read,
            extract(epoch from instant() - m.created_at)::float8 as waited_seconds, ${columns}
          from ${table} m where ${isMessage(key)}
        ) reply
          join lead l on l.account_id = reply.account_id and l.lead_id = reply.lead_id
          join account a on a.account_id = reply.account_id`.pipe(
        Effect.map((rows) => rows[0]),
        fromSql()
      )
    },

    /** Stores the class of the reply. Returns whether it was new. */
    noteReply: (key: ReplyKey, replyClass: ReplyClass, at: Timestamp) => noteReply(sql, key, replyClass, at),

    classify: (key: ReplyKey, reading: ReplyReading) => {
      const { id, table } = tables[key.channel]
      return sql`
        update ${table} m set classification = ${JSON.stringify(reading)}::jsonb
        where ${isMessage(key)} and m.classification is null returning m.${id}`.pipe(
        Effect.map((rows) => rows.length > 0),
        fromSql()
      )
    }
  }
})
