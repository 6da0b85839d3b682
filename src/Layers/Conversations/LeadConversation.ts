import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { notFound } from "../../Errors.ts"
import type { ConversationItem, Conversations, LeadChatAppMessage } from "../../Services/Conversations/Conversations.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

type Timeline = Pick<typeof Conversations.Service, "timeline" | "chatAppMessages">

const timestamp = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`

/** Messages to and from the lead `l`, without their texts. */
const contacts = `
  select 'email' as channel, email_message_id as id, direction, coalesce(occurred_at, created_at) as at
  from email_message where account_id = l.account_id and lead_id = l.lead_id and status <> 'cancelled'
  union all
  select 'chatapp', chatapp_message_id, direction, coalesce(occurred_at, created_at)
  from chatapp_message where account_id = l.account_id and lead_id = l.lead_id and status <> 'cancelled'
  union all
  select 'voice', voice_call_request_id, 'outbound', coalesce(dialed_at, created_at)
  from voice_call where account_id = l.account_id and lead_id = l.lead_id and status <> 'cancelled'`

const columns = (order: string, withTranscripts: boolean) => `
select (select count(*) from (${contacts}) every_one) as total,
  coalesce((
    select json_agg(json_build_object('channel', c.channel, 'direction', c.direction, 'id', c.id,
      'at', ${timestamp("c.at")}, 'status', coalesce(e.status, m.status, v.status),
      'message_type', coalesce(e.message_type, m.message_type), 'subject', e.subject,
      'body', coalesce(e.body_text, m.body, v.summary), 'media_type', m.media_type, 'media_name', m.media_name,
      'was_picked_up', v.was_picked_up, 'goal_achieved', v.goal_achieved, 'duration_seconds', v.duration_seconds,
      'not_applied', coalesce(t.not_applied, '[]')
      ${withTranscripts ? ", 'transcript', v.transcript" : ""}) order by c.at ${order}, c.channel, c.id ${order})
    from (select * from (${contacts}) part order by at ${order}, channel, id ${order} limit $3 offset $4) c
      left join email_message e on c.channel = 'email' and e.account_id = l.account_id and e.email_message_id = c.id
      left join chatapp_message m on c.channel = 'chatapp' and m.account_id = l.account_id and m.chatapp_message_id = c.id
      left join voice_call v on c.channel = 'voice' and v.account_id = l.account_id and v.voice_call_request_id = c.id
      left join touch t on t.account_id = l.account_id and t.touch_id = coalesce(e.touch_id, m.touch_id)
  ), '[]') as items
from lead l where l.account_id = $1 and l.lead_id = $2`

const pageOf = (direction: "outbound" | "inbound") => `
  (select * from chatapp_message
    where account_id = l.account_id and lead_id = l.lead_id and direction = '${direction}'
    order by chatapp_message_id limit $3 offset $4)`

const totalOf = (direction: "outbound" | "inbound") => `
  (select count(*) from chatapp_message
    where account_id = l.account_id and lead_id = l.lead_id and direction = '${direction}')`

const chats = (withBody: boolean) => `
select ${totalOf("outbound")} as "outboundTotal", ${totalOf("inbound")} as "inboundTotal",
  coalesce((
    select json_agg(json_build_object('chatapp_message_id', m.chatapp_message_id, 'direction', m.direction,
      'kind', m.kind, 'message_type', m.message_type, 'status', m.status, 'failure_reason', m.failure_reason,
      'media_type', m.media_type, 'media_name', m.media_name, 'customer_file_id', m.customer_file_id,
      'created_at', ${timestamp("m.created_at")}, 'occurred_at', ${timestamp("m.occurred_at")}
      ${withBody ? ", 'body', m.body" : ""}) order by coalesce(m.occurred_at, m.created_at), m.chatapp_message_id)
    from (${pageOf("outbound")} union all ${pageOf("inbound")}) m
  ), '[]') as messages
from lead l where l.account_id = $1 and l.lead_id = $2`

interface ItemRow extends Omit<ConversationItem, "transcript"> {
  readonly transcript?: ReadonlyArray<unknown> | null
}

const itemOf = ({ transcript, ...item }: ItemRow): ConversationItem =>
  transcript === null || transcript === undefined ? item : { ...item, transcript }

/** Makes the lists of messages and calls between an account and one of its leads. */
export const makeTimeline: Effect.Effect<Timeline, never, SqlClient> = Effect.map(SqlClient, (sql) => ({
  timeline: Effect.fn("Conversations.timeline")(function* (
    leadId,
    { includeTranscripts, isOldestFirst, page, pageSize }
  ) {
    const { accountId } = yield* Caller
    const rows = yield* sql
      .unsafe<{ readonly items: ReadonlyArray<ItemRow>; readonly total: number }>(
        columns(isOldestFirst ? "asc" : "desc", includeTranscripts),
        [accountId, leadId, pageSize, page * pageSize]
      )
      .pipe(fromSql())
    const row = rows[0]
    if (row === undefined) return yield* notFound("lead", "lead_id", leadId)
    return { items: row.items.map(itemOf), total: row.total }
  }),

  chatAppMessages: Effect.fn("Conversations.chatAppMessages")(function* (leadId, { includeBodies, page, pageSize }) {
    const { accountId } = yield* Caller
    const rows = yield* sql
      .unsafe<{
        readonly messages: ReadonlyArray<LeadChatAppMessage>
        readonly outboundTotal: number
        readonly inboundTotal: number
      }>(chats(includeBodies), [accountId, leadId, pageSize, page * pageSize])
      .pipe(fromSql())
    return rows[0] ?? (yield* notFound("lead", "lead_id", leadId))
  })
}))
