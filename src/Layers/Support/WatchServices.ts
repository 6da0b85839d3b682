import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Schedule } from "effect"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { ProviderModels } from "../../Services/Core/Outside/ProviderModels.ts"
import { Incidents } from "../../Services/Support/Incidents.ts"
import { judgeModels } from "../../Services/Support/ModelWatch.ts"
import { judge, type Observation } from "../../Services/Support/ServiceWatch.ts"
import { EngineSchema } from "../Platform/Jobs/EngineSchema.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

/** Failures of the operator's mail server, not of one recipient. */
const mailServerFailures = [
  "smtp_sign_in_failed",
  "smtp_host_not_found",
  "smtp_tls_failed",
  "smtp_timed_out",
  "smtp_connection_failed",
  "sender_rejected"
]

/** Failures of the messaging app's provider, not of one line or recipient. */
const chatAppFailures = ["provider_unreachable", "provider_unavailable", "rate_limited"]

const sinceOldest = (column: string) => `coalesce(extract(epoch from instant() - min(${column})), 0)::float8`

/** Reads only indexed columns or the newest messages, never whole tables. */
const observe = Effect.gen(function* () {
  const sql = yield* SqlClient
  const schema = yield* EngineSchema
  const oldest = (column: string) => sql.literal(sinceOldest(column))
  return yield* sql<Observation>`
    select 'mail' as component, 'Mail' as name,
      (select count(*) from email_message m where m.status = 'queued' and m.failure_reason = any (${mailServerFailures})
        and uses_test_clock(m.account_id)) as failed,
      (select count(*) from (
        select m.status, m.sent_at, m.account_id from email_message m order by m.email_message_id desc limit 500) m
        where m.status = 'sent' and m.sent_at > instant() - interval '30 minutes' and uses_test_clock(m.account_id))
        as succeeded,
      (select ${oldest("m.created_at")} from email_message m
        where m.status = 'queued' and m.failure_reason is null and uses_test_clock(m.account_id)) as "waitingFor"
    union all
    select 'chatapp', 'The messaging app',
      (select count(*) from chatapp_message m
        where m.status = 'queued' and m.failure_reason = any (${chatAppFailures}) and uses_test_clock(m.account_id)),
      (select count(*) from (
        select m.status, m.sending_at, m.account_id from chatapp_message m order by m.chatapp_message_id desc limit 500) m
        where m.status in ('sent', 'delivered', 'read') and m.sending_at > instant() - interval '30 minutes'
          and uses_test_clock(m.account_id)),
      (select ${oldest("m.created_at")} from chatapp_message m
        where m.status = 'queued' and m.failure_reason is null and m.deferred_until is null
          and m.follows_message_id is null and uses_test_clock(m.account_id))
    union all
    select 'voice', 'Calls',
      (select count(*) from voice_call v
        where v.status = 'queued' and v.dial_request = 'refused' and uses_test_clock(v.account_id)),
      (select count(*) from voice_call v
        where v.status in ('dialing', 'in_progress') and uses_test_clock(v.account_id)), 0
    union all
    select 'models', 'The language model',
      case when exists (select from model_outage o where o.clock = coalesce(test_clock(), '')
        and o.began_at < instant() - interval '5 minutes') then 1000 else 0 end, 0, 0
    union all
    select 'webhooks', 'Webhooks', 0, 0,
      (select ${oldest("greatest(d.next_attempt_at, d.created_at)")} from webhook_delivery d
        join webhook_subscription s on s.account_id = d.account_id
          and s.webhook_subscription_id = d.webhook_subscription_id
        where d.status = 'pending' and s.is_active and s.consecutive_failures = 0
          and greatest(d.next_attempt_at, d.created_at) < instant() and uses_test_clock(d.account_id))
    union all
    select 'background_work', 'Background work', 0, 0,
      (select coalesce(extract(epoch from now() - min(j.run_at)), 0)::float8 from ${sql(`${schema}._private_jobs`)} j
        where j.is_available and j.run_at < now())`.pipe(fromSql())
})

/**
 * Opens incidents for services that fail or stall, and ends incidents of those that have recovered. Writes nothing
 * while nothing changes, because a write would wake the pollers.
 */
export const watchServices = Effect.gen(function* () {
  const [unit, incidents] = [yield* UnitOfWork, yield* Incidents]
  const [observation, open] = yield* unit.read(Effect.all([observe, incidents.openTroubles]))
  const models = yield* (yield* ProviderModels).states
  const now = yield* Clock.currentTimeMillis
  for (const judgement of [...observation.flatMap(judge), ...judgeModels(models, open, now)]) {
    if (judgement._tag === "Trouble") {
      if (!open.has(judgement.trouble.key)) yield* incidents.report(judgement.trouble)
    } else if (open.has(judgement.key)) yield* incidents.recover(judgement.key, judgement.message)
  }
}).pipe(Effect.withSpan("watchServices"))

/** Providers announce a shutdown weeks ahead, so a few checks a day are enough. */
const modelCheckInterval = "6 hours"

/** Checks with the providers whether the configured models still exist. */
export const modelCheckLoop = Effect.flatMap(ProviderModels, ({ check }) =>
  Effect.forkScoped(Effect.repeat(check, Schedule.jittered(Schedule.spaced(modelCheckInterval))))
)

/** Not a task, because it monitors background work. If several gateways run it, only one incident is opened. */
export const watchLoop = Effect.forkScoped(
  Effect.repeat(
    Effect.catchAll(watchServices, (failure) =>
      Effect.annotateLogs(Effect.logWarning("services cannot be watched"), "cause", failure.reason)
    ),
    Schedule.spaced("1 minute")
  )
)
