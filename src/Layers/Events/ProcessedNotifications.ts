import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Schema, Struct } from "effect"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import {
  daysUntilDelivered,
  kindsWithEnd,
  type NotificationEnd,
  notificationEnds
} from "../../Services/Events/NotificationEnds.ts"
import { ownerNoticeType } from "../../Services/Events/OwnerNotices.ts"
import * as Task from "../../Services/Jobs/Task.ts"
import { recurring } from "../Platform/Jobs/Recurring.ts"
import { handle } from "../Platform/Jobs/TaskHandler.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

const processNotifications = Task.make("process_notifications", { payload: Schema.Struct({}), maxAttempts: 3 })

const id = (name: string) => `(n.data ->> '${name}')::bigint`
const lead = `l.account_id = n.account_id and l.lead_id = ${id("lead_id")}`
const meeting = `m.account_id = n.account_id and m.meeting_id = ${id("meeting_id")}`
const ads = `c.account_id = n.account_id and c.ads_campaign_id = ${id("ads_campaign_id")}`
/** A later move or booking has a separate notification. */
const isSameTime = "(n.data ->> 'starts_at' is null or m.starts_at = (n.data ->> 'starts_at')::timestamptz)"

/**
 * A notification `n` waits for something while such a row exists. If its record no longer exists, it waits for nothing.
 * An e-mail to the owner is queued in the notification's transaction, so both have the same time.
 */
const openWhile: { readonly [E in Exclude<NotificationEnd, "leads_found" | "delivered">]: string } = {
  question_answered: `select from open_question q
    where q.account_id = n.account_id and q.open_question_id = ${id("open_question_id")} and q.status = 'open'`,
  review_decided: `select from lead l where ${lead} and l.pipeline_state = 'pending_review'`,
  meeting_accepted: `select from meeting m
    where ${meeting} and m.status = 'scheduled' and m.ends_at > instant() and ${isSameTime}`,
  meeting_time_changed: `select from meeting m
    where ${meeting} and m.status in ('scheduled', 'confirmed') and m.ends_at > instant() and ${isSameTime}`,
  meeting_begun: `select from meeting m
    where ${meeting} and m.status in ('scheduled', 'confirmed') and m.starts_at > instant() and ${isSameTime}`,
  reply_answered: `select from lead l where ${lead} and l.pipeline_state = 'user_controlled'
    and coalesce(l.last_outbound_at, '-infinity') <= n.created_at`,
  contact_corrected: `select from lead l
    where ${lead} and l.pipeline_state <> 'finished' and l.email_failed_at is not null`,
  check_in_answered: `select from lead l where ${lead} and l.pipeline_state = 'user_controlled'
    and l.check_ins_muted_at is null and coalesce(l.check_ins_snoozed_until, '-infinity') <= instant()
    and not exists (select from lead_lifecycle_event e where e.account_id = n.account_id and e.lead_id = ${id("lead_id")}
      and e.created_at > n.created_at and e.event_type like 'outcome\\_%')`,
  webhook_enabled: `select from webhook_subscription w where w.account_id = n.account_id
    and w.webhook_subscription_id = ${id("subscription_id")} and not w.is_active and w.deleted_at is null`,
  connected_again: `select from connection o where o.account_id = n.account_id
    and o.service = n.data ->> 'service' and o.state = 'needs_reconnect'`,
  calendar_connected: `select where not exists (select from connection o where o.account_id = n.account_id
    and o.service in ('calendar', 'calendar_microsoft') and o.state = 'connected')`,
  ads_funded: `select from ads_campaign c where ${ads} and c.state = 'depleted'`,
  model_answers: "select from model_outage o where o.clock = coalesce(test_clock(), '')",
  domain_verified: `select from sender_domain s
    where s.account_id = n.account_id and s.domain = n.data ->> 'domain' and s.status = 'lapsed'`,
  domain_resumed: `select from sender_domain s
    where s.account_id = n.account_id and s.domain = n.data ->> 'domain' and s.paused_until > instant()`,
  ads_released: `select from ads_campaign c where ${ads} and c.state = 'held'`
}

/** Marks notifications as processed if the awaited action happened, or if they need no action and were delivered. */
export const processAll = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const ends = Struct.keys(openWhile).map(
    (end) => sql`(n.kind = any (${kindsWithEnd(end)}::text[]) and not exists (${sql.literal(openWhile[end])}))`
  )
  const asking = Object.entries(notificationEnds).flatMap(([kind, end]) => (end === "delivered" ? [] : [kind]))
  yield* unit
    .acrossAccounts(sql`
    update notification n set processed_at = instant()
    where n.processed_at is null and n.acknowledged_at is null and uses_test_clock(n.account_id)
      and (${sql.or(ends)}
        or (n.kind = any (${kindsWithEnd("leads_found")}::text[]) and exists (select from lead l
          where l.account_id = n.account_id and l.created_at > n.created_at and l.origin = 'acquired'))
        or (n.kind <> all (${asking}::text[]) and (
          n.created_at < instant() - make_interval(days => ${daysUntilDelivered})
          or (n.created_at > instant() - interval '1 day' and exists (select from email_message m
            where m.account_id = n.account_id and m.occurred_at >= n.created_at and m.created_at = n.created_at
              and m.message_type = ${ownerNoticeType} and m.status = 'sent')))))`)
    .pipe(fromSql())
}).pipe(Effect.withSpan("Notifications.process"))

export const processedNotifications = {
  handler: handle(processNotifications, () => processAll),
  recurring: recurring("process_notifications", "*/5 * * * *", processNotifications, {})
}
