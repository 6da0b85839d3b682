import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { ConversationItem } from "../../../src/Services/Conversations/Conversations.ts"
import { AccountEventView } from "../../../src/Services/Events/AccountEvents.ts"
import { NotificationView } from "../../../src/Services/Events/Notifications.ts"
import { WebhookDeliveryView, type WebhookSubscriptionId } from "../../../src/Services/Events/Webhooks.ts"
import { ListedLeadEmail } from "../../../src/Services/Leads/Email/LeadEmail.ts"
import type { LeadId } from "../../../src/Services/Leads/Ids.ts"
import { LeadProfile } from "../../../src/Services/Leads/LeadModel.ts"
import { MeetingView } from "../../../src/Services/Meetings/Meetings.ts"
import { LeadLifecycleEvent } from "../../../src/Services/Outcomes/Outcomes.ts"
import type { RunningGateway } from "../processes/RunningGateway.ts"

const total = { total: Schema.Int }
const FeedPage = Schema.Struct({
  events: Schema.Array(AccountEventView),
  next_cursor: Schema.Int,
  has_more: Schema.Boolean,
  limit: Schema.Int
})

/** The whole feed, as a reader follows it. */
export const readFeed = ({ call }: RunningGateway) => {
  const after = (cursor: number): Effect.Effect<ReadonlyArray<AccountEventView>> =>
    Effect.flatMap(call("list_account_events", FeedPage, { since_cursor: cursor, limit: 7 }), (page) =>
      page.has_more
        ? Effect.map(after(page.next_cursor), (rest) => [...page.events, ...rest])
        : Effect.succeed(page.events)
    )
  return after(0)
}

/** All pages of a list. */
const readPages = <A>(
  read: (page: number) => Effect.Effect<{ readonly rows: ReadonlyArray<A>; readonly total: number }>
) => {
  const from = (page: number): Effect.Effect<ReadonlyArray<A>> =>
    Effect.flatMap(read(page), ({ rows, total }) =>
      rows.length === 0
        ? Effect.succeed(rows)
        : Effect.map(from(page + 1), (rest) => {
            if (page === 0) assert.strictEqual(rows.length + rest.length, total)
            return [...rows, ...rest]
          })
    )
  return from(0)
}

/** All tools' views of one lead, with lists oldest first. */
export const readLead = ({ call }: RunningGateway, lead_id: LeadId) =>
  Effect.gen(function* () {
    const pages = { page: Schema.Int, page_size: Schema.Int }
    const Timeline = Schema.Struct({ lead_id: Schema.Int, items: Schema.Array(ConversationItem), ...pages, ...total })
    const Trail = Schema.Struct({
      lead_id: Schema.Int,
      events: Schema.Array(LeadLifecycleEvent),
      limit: Schema.Int,
      ...total
    })
    const Emails = Schema.Struct({
      lead_id: Schema.Int,
      emails: Schema.Array(ListedLeadEmail),
      outbound_total: Schema.Int,
      inbound_total: Schema.Int,
      ...pages,
      ...total
    })
    const Meetings = Schema.Struct({ meetings: Schema.Array(MeetingView), ...total })
    const conversation = yield* readPages((page) =>
      Effect.map(
        call("get_lead_conversation", Timeline, { lead_id, page, page_size: 3, order: "oldest_first" }),
        ({ items, total }) => ({ rows: items, total })
      )
    )
    const { events } = yield* call("list_lead_lifecycle_events", Trail, { lead_id })
    const { emails } = yield* call("list_lead_emails", Emails, { lead_id, page_size: 100 })
    const { meetings } = yield* call("list_lead_meetings", Meetings, { lead_id, include_cancelled: true })
    return {
      profile: yield* call("get_lead", LeadProfile, { lead_id }),
      conversation,
      trail: events.toReversed(),
      emails,
      meetings
    }
  })
export type LeadRecord = Effect.Effect.Success<ReturnType<typeof readLead>>

export const readDeliveries = ({ call }: RunningGateway, subscription_id: WebhookSubscriptionId) => {
  const Page = Schema.Struct({
    deliveries: Schema.Array(WebhookDeliveryView),
    page: Schema.Int,
    page_size: Schema.Int,
    ...total
  })
  return Effect.map(
    readPages((page) =>
      Effect.map(call("list_webhook_deliveries", Page, { subscription_id, page }), ({ deliveries, total }) => ({
        rows: deliveries,
        total
      }))
    ),
    (deliveries) => deliveries.toReversed()
  )
}

export const readNotifications = ({ call }: RunningGateway) =>
  readPages((page) =>
    Effect.map(
      call(
        "list_notification_history",
        Schema.Struct({
          notifications: Schema.Array(NotificationView),
          page: Schema.Int,
          page_size: Schema.Int,
          ...total
        }),
        { page }
      ),
      ({ notifications, total }) => ({ rows: notifications, total })
    )
  )
