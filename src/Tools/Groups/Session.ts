import { whoami } from "../Accounts/Whoami.ts"
import * as Tool from "../Core/Tool.ts"
import { acknowledgeNotification, listNotificationHistory, listPendingNotifications } from "../Events/Notifications.ts"

export const SessionGroup = Tool.group("Session", "Who the token acts as, and what the platform has to tell.", [
  whoami,
  listPendingNotifications,
  listNotificationHistory,
  acknowledgeNotification
])
