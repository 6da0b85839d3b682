import { Schema } from "effect"
import { NotificationId, Notifications, NotificationView } from "../../Services/Events/Notifications.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

export const listPendingNotifications = Tool.make("list_pending_notifications", {
  kind: "read",
  openWorld: false,
  description:
    "Lists the platform's messages that were neither delivered nor acknowledged, oldest first: the first 200 of them, with the total. Acknowledge those you dealt with to see the next.",
  parameters: {},
  returns: Schema.Struct({ notifications: Schema.Array(NotificationView), total: Schema.Int }),
  example: {},
  run: Tool.via(Notifications, (notifications) => notifications.pending)
})

export const listNotificationHistory = Tool.make("list_notification_history", {
  kind: "read",
  replicaAllowed: true,
  openWorld: false,
  description: "Lists all messages of the platform to this account, newest first, whatever became of them.",
  parameters: Param.pages(),
  returns: Tool.page({ notifications: Schema.Array(NotificationView) }),
  example: { page: 0, page_size: 20 },
  run: Tool.pageVia(Notifications, (notifications, page) => notifications.history(page))
})

export const acknowledgeNotification = Tool.make("acknowledge_notification", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Notes that a message has been dealt with, so that it is no longer pending for this account. Whether and how the platform itself delivers it stays as it is. Doing it again changes nothing.",
  parameters: { notification_id: Param.id(NotificationId, "The message, as list_pending_notifications names it.") },
  returns: NotificationView,
  errors: { NotFound: ["notification_not_found"] },
  transaction: "unneeded",
  example: { notification_id: 1 },
  run: Tool.via(Notifications, (notifications, { notification_id }) => notifications.acknowledge(notification_id))
})
