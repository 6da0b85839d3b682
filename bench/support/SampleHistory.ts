import { Effect } from "effect"
import type pg from "pg"
import type { SampleAccount } from "./SampleLeads.ts"

/** Imports (and files and jobs) of an account of any size. */
export const imports = 50

/**
 * The other data of an account with that many leads. Histories, messages, calls, meetings, events, their deliveries and
 * notifications grow with the leads. Imports, blacklist entries, the conversation with the agent, and what waits for a
 * person are as many in a small account as in a large one. `$1` is the account.
 */
const statements: ReadonlyArray<string> = [
  `insert into background_job (account_id, kind, status, progress, created_at, started_at, finished_at)
    select $1, 'lead_import', 'finished', 100, at, at, at
    from generate_series(1, ${imports}) i, lateral (select timestamptz '2025-01-01' + make_interval(mins => i)) t (at)`,
  `insert into customer_file (account_id, file_name, media_type, size_bytes, sha256, download_key, completed_at)
    select $1, 'leads-' || i || '.csv', 'text/csv', 70000, sha256(convert_to(i::text, 'UTF8')), $1 || '.' || i, instant()
    from generate_series(1, ${imports}) i`,
  `with job as (select job_id, row_number() over (order by created_at) as place from background_job where account_id = $1),
    file as (select customer_file_id, file_name, row_number() over (order by customer_file_id) as place
      from customer_file where account_id = $1),
    own as (select count(*) as leads from lead where account_id = $1)
    insert into lead_import (account_id, job_id, customer_file_id, source_name, lead_status, row_count, rows_processed,
      created_count)
    select $1, job_id, customer_file_id, file_name, 'Cold', leads / ${imports}, leads / ${imports}, leads / ${imports}
    from own, job join file using (place)`,
  `insert into lead_import_row (account_id, lead_import_id, row_number, outcome, lead_id)
    select $1, i.lead_import_id, l.place / ${imports} + 1, 'created', l.lead_id
    from (select lead_id, row_number() over (order by lead_id) - 1 as place from lead where account_id = $1) l
    join (select lead_import_id, row_number() over (order by lead_import_id) - 1 as place
      from lead_import where account_id = $1) i on i.place = l.place % ${imports}`,
  `insert into lead_lifecycle_event (account_id, lead_id, event_type, actor, to_state, data, created_at)
    select $1, lead_id, 'registered', 'platform', 'in_pipeline', '{"status": "Cold"}', created_at from lead
    where account_id = $1`,
  `insert into lead_lifecycle_event (account_id, lead_id, event_type, actor, from_state, to_state, created_at)
    select $1, lead_id, 'taken_over', 'owner', 'in_pipeline', pipeline_state, created_at + interval '3 days' from lead
    where account_id = $1 and pipeline_state <> 'in_pipeline'`,
  `insert into chatapp_message (account_id, lead_id, direction, kind, status, phone, body, created_at, occurred_at)
    select $1, l.lead_id, case when n = 2 then 'inbound' else 'outbound' end, 'text',
      case when n = 2 then 'received' else 'read' end, coalesce(l.phone, '+5511900000000'),
      'Bom dia! Segue o orçamento do produto linha' || l.lead_id % 5000 || ' para a sua equipe.',
      l.created_at + make_interval(hours => n), l.created_at + make_interval(hours => n)
    from lead l cross join generate_series(1, 2) n where l.account_id = $1 and l.lead_id % 10 = 0`,
  `insert into voice_call (account_id, lead_id, kind, phone, goal, status, was_picked_up, goal_achieved, summary,
      transcript, duration_seconds, created_at, dialed_at, finished_at)
    select $1, lead_id, 'goal_driven', coalesce(phone, '+5511900000000'), 'Book a visit', 'completed', true, true,
      'A visit next week.', '[{"role":"agent","text":"Hello","at_seconds":0}]', 90, created_at, created_at, created_at
    from lead where account_id = $1 and lead_id % 200 = 0`,
  // One per day, each booked a week before, so that few are in the future.
  `insert into meeting (account_id, lead_id, title, starts_at, ends_at, booked_through, reminded_at, created_at)
    select $1, lead_id, 'Visit', at, at + interval '30 minutes', 'conversation', instant(),
      least(at - interval '7 days', instant())
    from (select lead_id, row_number() over (order by lead_id) as place from lead
      where account_id = $1 and lead_id % 200 = 100) l,
      lateral (select date_trunc('day', instant()) + make_interval(days => 10 - l.place::int)) t (at)`,
  `insert into agent_message (account_id, role, body, created_at)
    select $1, case when i % 2 = 0 then 'agent' else 'owner' end,
      'How do we answer questions about the product linha' || i % 500 || ' and its price?',
      timestamptz '2025-01-01' + make_interval(mins => i)
    from generate_series(1, 2000) i`,
  `insert into notification (account_id, kind, message, created_at, processed_at)
    select $1, 'lead_interested', 'A lead is interested.', timestamptz '2025-01-01' + make_interval(mins => i),
      case when i > 20 then instant() end
    from generate_series(1, $2::int / 100) i`,
  `insert into blacklist_entry (account_id, kind, value, reason)
    select $1, 'email', 'blocked' || i || '@competitor.example', 'Competitor' from generate_series(1, 500) i`,
  `insert into account_event (account_id, event_type, lead_id, data, occurred_at)
    select $1, 'lead_replied', lead_id, jsonb_build_object('lead_id', lead_id, 'lead_name', name), created_at
    from lead where account_id = $1 and lead_id % 2 = 0`,
  // Disabled, so that a million events are not delivered during the measurement.
  `insert into webhook_subscription (account_id, url, secret, is_active, disabled_at, disabled_reason)
    values ($1, 'https://receiver.example/hook', 'secret', false, instant(), 'owner')`,
  `insert into webhook_delivery (account_id, webhook_subscription_id, account_event_id, event_type, status,
      attempt_count, finished_at)
    select $1, s.webhook_subscription_id, e.account_event_id, e.event_type, 'delivered', 1, instant()
    from account_event e join webhook_subscription s using (account_id)
    where account_id = $1 and e.account_event_id % 5 = 0`,
  `insert into chatapp_line (account_id, status, uses_own_number, phone, provider_line_id)
    values ($1, 'live', false, '+5511900000001', 'line-' || $1)`,
  // A person reviews a few leads per day, also in a large account.
  `update lead set pipeline_state = 'in_pipeline', review_requested_at = null, review_reason = null
    where account_id = $1 and pipeline_state = 'pending_review' and lead_id not in (
      select lead_id from lead where account_id = $1 and pipeline_state = 'pending_review' order by lead_id limit 10)`,
  `update lead set paused_at = null, pause_reason = null
    where account_id = $1 and paused_at is not null and lead_id not in (
      select lead_id from lead where account_id = $1 and paused_at is not null order by lead_id limit 25)`,
  // Otherwise the gateway would ask the owner about them during the measurement.
  `update lead set check_ins_muted_at = instant() where account_id = $1 and pipeline_state = 'user_controlled'`
]

/** The statements whose rows reports read. */
const reported = /^(?:insert into (?:lead_lifecycle_event|meeting)|update lead) /

/** Gives the account its history, or only the part that reports read. */
export const seedHistory = (client: pg.Client, { accountId, leads }: SampleAccount, what: "all" | "reported" = "all") =>
  Effect.promise(async () => {
    await client.query("select set_config('session_replication_role', 'replica', false)")
    for (const statement of statements.filter((text) => what === "all" || reported.test(text))) {
      // Postgres refuses values for parameters that a statement does not use.
      const values = statement.includes("$2") ? [accountId, leads] : [accountId]
      await client.query(statement.replaceAll("$1", "$1::bigint"), values)
    }
    await client.query("reset session_replication_role")
    await client.query("vacuum analyze")
  })
