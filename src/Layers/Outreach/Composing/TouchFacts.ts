import { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import { Effect } from "effect"
import { ChatApp } from "../../../Services/ChatApp/ChatApp.ts"
import { isLineOfMode } from "../../../Services/ChatApp/ChatAppRules.ts"
import type { TouchFacts } from "../../../Services/Outreach/TouchFacts.ts"
import type { TouchId } from "../../../Services/Outreach/TouchLedger.ts"
import type { Touch } from "../../../Services/Outreach/TouchTasks.ts"
import { makeGroupedReads } from "../../Platform/Postgres/grouped/GroupedReads.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"

/** Past messages that the writer gets. */
const pastMessages = 12
const pastCharacters = 4_000
/** Touches that one statement reads. */
const mostTouches = 16
/** Answers that the writer gets. */
const maximumAnswers = 30

const timestamp = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`

/** The lead's latest messages on all channels, and those that no touch has answered yet. */
const recentMessages = (sql: SqlClient): Fragment => sql`
  messages as (
    (select 'email' as channel, email_message_id as id, touch_id, direction, created_at,
      coalesce(occurred_at, created_at) as at, coalesce(reply_text, body_text) as body, classification, is_auto_reply
    from email_message where account_id = asked.account_id and lead_id = asked.lead_id
      and status in ('sent', 'unknown', 'received')
    order by coalesce(occurred_at, created_at) desc limit ${pastMessages})
    union all
    (select 'chatapp', chatapp_message_id, touch_id, direction, created_at, coalesce(occurred_at, created_at),
      coalesce(reply_text, body), classification, false
    from chatapp_message where account_id = asked.account_id and lead_id = asked.lead_id
      and status in ('sent', 'delivered', 'read', 'unknown', 'received')
    order by chatapp_message_id desc limit ${pastMessages})
    union all
    (select 'voice', voice_call_request_id, touch_id, 'outbound', created_at, coalesce(begun_at, created_at),
      coalesce(summary, goal), null, false
    from voice_call where account_id = asked.account_id and lead_id = asked.lead_id and status = 'completed'
    order by voice_call_request_id desc limit 3)
    union all
    -- What the person said in a call is a reply like any other.
    (select 'voice', voice_call_request_id, null, 'inbound', coalesce(finished_at, created_at),
      coalesce(finished_at, created_at), said.body, classification, false
    from voice_call, lateral (
      select string_agg(line ->> 'text', E'\n' order by place) as body
      from jsonb_array_elements(transcript) with ordinality spoken (line, place) where line ->> 'role' = 'person'
    ) said
    where account_id = asked.account_id and lead_id = asked.lead_id and status = 'completed' and said.body is not null
    order by voice_call_request_id desc limit 3)
  ), told as (
    -- Which touch answered which message is written down: one that arrives while another message leaves waits on.
    select unnest(t.answers) as subject from touch t
    where t.account_id = asked.account_id and t.lead_id = asked.lead_id and t.status in ('done', 'unknown')
  ), by_hand as (
    -- Whoever writes by hand has seen what came before.
    select max(created_at) as at from messages where direction = 'outbound' and touch_id is null
  ), unanswered as (
    select channel || ':' || id as subject, messages.* from messages
    where direction = 'inbound' and not is_auto_reply and classification is not null
      and created_at >= coalesce((select at from by_hand), '-infinity')
      and channel || ':' || id not in (select subject from told)
  ), reply as (
    select * from unanswered order by at desc limit 1
  ), thread as (
    select subject, message_id, thread_references from email_message
    where account_id = asked.account_id and lead_id = asked.lead_id and status in ('sent', 'received') and not is_auto_reply
    order by coalesce(occurred_at, created_at) desc limit 1
  )`

/** The owner's answer that the lead waits for, a cancelled meeting, and answers that may be reused. */
const waitingAnswers = (sql: SqlClient): Fragment => sql`
  waiting_answer as (
    select * from (
      select d.answer_id, q.question_text, a.answer_text, d.created_at
      from lead_answer_delivery d
        join lead_answer a on a.account_id = d.account_id and a.answer_id = d.answer_id
        join open_question q on q.account_id = d.account_id and q.open_question_id = d.open_question_id
      where d.account_id = asked.account_id and d.lead_id = asked.lead_id and d.status = 'queued'
        and (a.valid_until is null or a.valid_until > instant())
      union all
      -- Answered while the owner held the lead, and not told by hand since: what was promised is kept.
      select a.answer_id, q.question_text, a.answer_text, a.created_at
      from open_question_lead w
        join open_question q on q.account_id = w.account_id and q.open_question_id = w.open_question_id
        join lead_answer a on a.account_id = w.account_id and a.open_question_id = w.open_question_id
      where w.account_id = asked.account_id and w.lead_id = asked.lead_id and q.status = 'answered'
        and a.superseded_by is null and (a.valid_until is null or a.valid_until > instant())
        and a.created_at > instant() - interval '90 days'
        and a.created_at >= coalesce((select at from by_hand), '-infinity')
        and not exists (select from lead_answer_delivery d where d.account_id = w.account_id
          and d.open_question_id = w.open_question_id and d.lead_id = w.lead_id)
    ) waiting
    order by created_at limit 1
  ), cancelled_meeting as (
    select meeting_id, starts_at, cancel_reason from meeting m
    where m.account_id = asked.account_id and m.lead_id = asked.lead_id and m.status = 'cancelled'
      and m.cancelled_at >= coalesce((select at from by_hand), '-infinity')
      and 'meeting:' || m.meeting_id not in (select subject from told)
      and not exists (select from meeting o where o.account_id = m.account_id and o.lead_id = m.lead_id
        and o.status in ('scheduled', 'confirmed') and o.starts_at > instant())
    order by m.cancelled_at desc limit 1
  ), reusable_answers as (
    select answer_id, question_text, answer_text,
      row_number() over (order by similarity(fold(question_text),
        fold((select classification ->> 'question' from reply))) desc nulls last, answer_id desc) as place
    from lead_answer
    where account_id = asked.account_id and is_reusable and superseded_by is null
      and (valid_until is null or valid_until > instant())
    order by place limit ${maximumAnswers}
  )`

/** The lead, its account, and the channels on which it may be contacted. */
const leadColumns = (sql: SqlClient): Fragment => sql`
  t.touch_number, t.notice is not distinct from 'holding_line' as is_holding_line,
    l.pipeline_state = 'pending_review' as is_in_review, l.status, l.name, l.email, l.phone, l.company, l.job_title, l.industry, l.cnae, l.city, l.state, l.country,
    l.website, l.background, l.goal, l.instructions, l.first_message_instructions, l.next_touch_instructions,
    l.owner_context, l.language, l.time_zone, l.preferred_channel, l.campaign_id,
    (select r.name from lead r where r.account_id = l.account_id and r.lead_id = l.referred_by_lead_id) as referred_by,
    case when l.referred_by_lead_id is not null then 'referred'
      when exists (select from lead_capture p where p.account_id = l.account_id and p.lead_id = l.lead_id) then 'captured'
      when l.lead_import_id is not null then 'imported'
      when exists (select from acquired_company c where c.account_id = l.account_id and c.lead_id = l.lead_id
        and c.source = 'cnpj') then 'company_register'
      when exists (select from acquired_company c where c.account_id = l.account_id and c.lead_id = l.lead_id)
        then 'company_directory'
      when l.origin = 'acquired' then 'crm' else 'added' end as origin,
    (select json_build_object('page', p.page, 'said', p.said, 'utm_campaign', p.utm_campaign,
      'captured_at', ${sql.literal(timestamp("p.captured_at"))},
      'is_unanswered', p.captured_at > coalesce(l.last_outbound_at, '-infinity'))
      from lead_capture p where p.account_id = l.account_id and p.lead_id = l.lead_id
      order by p.lead_capture_id desc limit 1) as capture,
    l.last_outbound_at is not null as is_contacted,
    l.email is not null and l.email_failed_at is null
      and not exists (select from blacklist_match(l.account_id, l.email, null))
      and not exists (select from email_suppression s where s.account_id = l.account_id and s.email = l.email)
      as can_email,
    l.phone is not null and not exists (select from blacklist_match(l.account_id, null, l.phone)) as can_phone,
    l.chatapp_failed_at is not null as is_chat_failed,
    (select c.provider_line_id from chatapp_line c where c.account_id = l.account_id and c.status = 'live')
      as live_line_id,
    exists (select from messages where channel = 'chatapp' and direction = 'inbound'
      and at > instant() - interval '24 hours') as is_chat_window_open,
    a.plan, a.name as account_name, a.mail_display_name, a.language_key as account_language, a.time_zone as account_time_zone, a.handle`

/** The columns with the conversation so far, and with the messages that the touch must answer. */
const conversationColumns = (sql: SqlClient): Fragment => sql`
  (select json_build_object('channel', channel, 'at', ${sql.literal(timestamp("at"))},
      'text', left(body, ${pastCharacters}), 'classification', classification) from reply) as reply,
    array(select subject from unanswered) as unanswered,
    array(select subject from unanswered
      where fold(classification ->> 'question') is distinct from (select fold(question_text) from waiting_answer))
      as unanswered_besides,
    (select subject from thread) as thread_subject, (select message_id from thread) as thread_message_id,
    (select thread_references from thread) as thread_references,
    (select json_build_object('answer_id', answer_id, 'question', question_text,
      'answer', answer_text) from waiting_answer) as answer,
    (select json_build_object('meeting_id', meeting_id, 'starts_at', ${sql.literal(timestamp("starts_at"))}, 'reason', cancel_reason)
      from cancelled_meeting) as cancelled_meeting,
    (select json_build_object('kind', t.notice, 'starts_at', ${sql.literal(timestamp("m.starts_at"))},
      'ends_at', ${sql.literal(timestamp("m.ends_at"))},
      'is_in_calendar', m.booked_through in ('scheduler', 'calendar') or exists (select from calendar_mirror c
        join connection o on o.account_id = c.account_id and o.service in ('calendar', 'calendar_microsoft') and o.state = 'connected'
        where c.account_id = m.account_id and c.can_write),
      'join_url', m.meeting_url, 'is_moved', exists (select from touch e where e.account_id = asked.account_id
        and e.meeting_id = t.meeting_id and e.notice = 'meeting_booked' and e.status = 'done'
        and e.meeting_starts_at <> m.starts_at)) from meeting m
      where m.account_id = t.account_id and m.meeting_id = t.meeting_id) as notice,
    coalesce((select json_agg(json_build_object('answerId', answer_id, 'question', question_text,
      'answer', answer_text) order by place)
      from reusable_answers), '[]') as reusable_answers,
    coalesce((select json_agg(json_build_object('direction', direction, 'channel', channel,
      'at', ${sql.literal(timestamp("at"))}, 'text', left(body, ${pastCharacters}),
      'isAutomatic', is_auto_reply or coalesce(classification ->> 'class', '') in ('auto_reply', 'out_of_office', 'bounce'))
      order by at)
      from (select * from messages order by at desc limit ${pastMessages}) latest), '[]') as conversation,
    exists (select from model_outage where clock = coalesce(test_clock(), '')) as is_model_out,
    ${sql.literal(timestamp("instant()"))} as now`

/**
 * Reads everything that a touch needs. Requests that arrive at about the same time share one statement. None if the
 * touch is no longer open.
 */
export const makeTouchFacts = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { mode } = yield* ChatApp
  const read = (touches: ReadonlyArray<Touch>) =>
    sql<Omit<TouchFacts, "is_line_live"> & { readonly live_line_id: string | null; readonly asked_touch_id: TouchId }>`
      select facts.*, asked.touch_id as asked_touch_id
      from unnest(${touches.map(({ accountId }) => accountId)}::bigint[],
        ${touches.map(({ leadId }) => leadId)}::bigint[], ${touches.map(({ touchId }) => touchId)}::bigint[])
        as asked (account_id, lead_id, touch_id)
      cross join lateral (
      with ${recentMessages(sql)}, ${waitingAnswers(sql)}
      select ${leadColumns(sql)}, ${conversationColumns(sql)}
      from touch t
        join lead l on l.account_id = t.account_id and l.lead_id = t.lead_id
        join account a on a.account_id = t.account_id
      where t.account_id = asked.account_id and t.touch_id = asked.touch_id and t.status = 'writing'
      ) facts`.pipe(
      Effect.map((rows) => {
        const factsByTouch = new Map(
          rows.map(({ asked_touch_id, live_line_id, ...facts }) => [
            asked_touch_id,
            { ...facts, is_line_live: live_line_id !== null && isLineOfMode(mode, live_line_id) } satisfies TouchFacts
          ])
        )
        return touches.map(({ touchId }) => factsByTouch.get(touchId))
      }),
      fromSql()
    )

  return yield* makeGroupedReads({ name: "touch_facts", mostKeys: mostTouches, read })
})
