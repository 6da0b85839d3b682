import { Effect } from "effect"
import type pg from "pg"
import { filled, type SampleAccount } from "./SampleLeads.ts"

/**
 * The history that reports count. Each lead has three e-mails and two messages on the messaging app, spread over the
 * last year. Every seventh and every fifth lead replied, and leads reached various statuses. `$1` is the account.
 */
const statements: ReadonlyArray<string> = [
  `insert into email_message (account_id, lead_id, direction, message_type, status, message_id, from_address, to_address,
      subject, body_text, created_at, occurred_at)
    select $1, l.lead_id, case when n = 3 and l.lead_id % 7 = 0 then 'inbound' else 'outbound' end,
      case when n = 3 and l.lead_id % 7 = 0 then null when n = 1 then 'first_contact' else 'follow_up' end,
      case when n = 3 and l.lead_id % 7 = 0 then 'received' else 'sent' end,
      '<r' || l.lead_id || '.' || n || '@mail.example>', 'vendas@mail.example', coalesce(l.email, 'x@mail.example'),
      'Proposta', 'Olá, segue a nossa proposta.', at, at
    from lead l cross join generate_series(1, 3) n,
      lateral (select instant() - make_interval(hours => 2 + (l.lead_id * 7919 % 8600)::int) + make_interval(hours => n)) t (at)
    where l.account_id = $1`,
  `insert into chatapp_message (account_id, lead_id, direction, kind, message_type, status, phone, body, created_at, occurred_at)
    select $1, l.lead_id, case when n = 2 and l.lead_id % 5 = 0 then 'inbound' else 'outbound' end, 'text',
      case when n = 2 and l.lead_id % 5 = 0 then null else 'follow_up' end,
      case when n = 2 and l.lead_id % 5 = 0 then 'received' else 'read' end, '+5511900000000', 'Bom dia!', at, at
    from lead l cross join generate_series(1, 2) n,
      lateral (select instant() - make_interval(hours => 2 + (l.lead_id * 104729 % 8600)::int) + make_interval(hours => n)) t (at)
    where l.account_id = $1`,
  `insert into lead_lifecycle_event (account_id, lead_id, event_type, actor, data, created_at)
    select $1, l.lead_id, 'status_changed', 'platform', jsonb_build_object('to_status',
      (array['Confirmed', 'Interested', 'Closed'])[1 + l.lead_id / 6 % 3]),
      instant() - make_interval(hours => 1 + (l.lead_id * 7919 % 8600)::int)
    from lead l where l.account_id = $1 and l.lead_id % 6 = 0`
]

export const seedReportHistory = (client: pg.Client, { accountId }: SampleAccount) =>
  Effect.promise(async () => {
    await client.query("select set_config('session_replication_role', 'replica', false)")
    await filled(client, ["email_message", "chatapp_message", "lead_lifecycle_event"], async () => {
      for (const statement of statements) await client.query(statement.replaceAll("$1", "$1::bigint"), [accountId])
    })
    await client.query("reset session_replication_role")
    await client.query("vacuum analyze")
  })
