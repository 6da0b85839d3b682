import { Effect, Schema } from "effect"
import { AccountProfile, AccountProfileView } from "../../Services/Accounts/AccountProfile.ts"
import { IntegrationModes, ServiceMode } from "../../Services/Core/IntegrationModes.ts"
import { NotificationId, Notifications, NotificationView } from "../../Services/Events/Notifications.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

const whoami = Tool.make("whoami", {
  kind: "read",
  description:
    "Tells which account the access token acts as: its profile, time zone and plan, whether its leads are being prospected and if not why, and which outside services are real and which only simulated.",
  parameters: {},
  returns: Schema.Struct({
    ...AccountProfileView.fields,
    outside_services: Schema.Record({ key: Schema.String, value: ServiceMode }).annotations({
      description: "For each outside service whether it is live, or a sandbox whose deeds never reach the real world."
    })
  }),
  example: {},
  run: Effect.fnUntraced(function* () {
    const profile = yield* AccountProfile
    return { ...(yield* profile.get), outside_services: yield* IntegrationModes }
  })
})

const listPendingNotifications = Tool.make("list_pending_notifications", {
  kind: "read",
  description:
    "Lists the platform's messages that were neither delivered nor acknowledged, oldest first: the first 200 of them, with the total. Acknowledge those you dealt with to see the next.",
  parameters: {},
  returns: Schema.Struct({ notifications: Schema.Array(NotificationView), total: Schema.Int }),
  example: {},
  run: Effect.fnUntraced(function* () {
    const notifications = yield* Notifications
    return yield* notifications.pending
  })
})

const listNotificationHistory = Tool.make("list_notification_history", {
  kind: "read",
  description: "Lists all messages of the platform to this account, newest first, whatever became of them.",
  parameters: Param.pages(),
  returns: Schema.Struct({
    notifications: Schema.Array(NotificationView),
    page: Schema.Int,
    page_size: Schema.Int,
    total: Schema.Int
  }),
  example: { page: 0, page_size: 20 },
  run: Effect.fnUntraced(function* ({ page, page_size }) {
    const notifications = yield* Notifications
    const found = yield* notifications.history({ page, pageSize: page_size })
    return { notifications: found.notifications, page, page_size, total: found.total }
  })
})

const acknowledgeNotification = Tool.make("acknowledge_notification", {
  kind: "write",
  description:
    "Notes that a message has been dealt with, so that it is no longer pending for this account. Whether and how the platform itself delivers it stays as it is. Doing it again changes nothing.",
  parameters: { notification_id: Param.id(NotificationId, "The message, as list_pending_notifications names it.") },
  returns: NotificationView,
  errors: ["NotFound"],
  transaction: false,
  example: { notification_id: 1 },
  run: Effect.fnUntraced(function* ({ notification_id }) {
    const notifications = yield* Notifications
    return yield* notifications.acknowledge(notification_id)
  })
})

export const SessionGroup = Tool.group("Session", "Who the token acts as, and what the platform has to tell.", [
  whoami,
  listPendingNotifications,
  listNotificationHistory,
  acknowledgeNotification
])
