import { Context, type Effect, Schema } from "effect"
import type { Json, NotFound, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import type { LeadId } from "../Leads/Ids.ts"
import type { AccountNews } from "./AccountNews.ts"
import type { OwnerNewsKind, OwnerNewsReason } from "./OwnerNotices.ts"

export const NotificationId = Schema.Int.pipe(Schema.brand("NotificationId"))
export type NotificationId = typeof NotificationId.Type

/** A message of the platform to the account. */
export const NotificationView = Schema.Struct({
  notification_id: NotificationId,
  kind: Schema.String.annotations({ description: "What it is about, in snake_case, for example import_finished." }),
  message: Schema.String,
  data: Schema.Record({ key: Schema.String, value: Schema.Unknown }).annotations({
    description: "Ids and figures that go with the message; which ones depends on the kind."
  }),
  created_at: Timestamp,
  processed_at: Schema.NullOr(Timestamp).annotations({
    description:
      "When what it asks for was done. One that asks for nothing: when it was delivered by e-mail, else 14 days later."
  }),
  acknowledged_at: Schema.NullOr(Timestamp).annotations({
    description: "When an agent of the account took note of it."
  })
})
export type NotificationView = typeof NotificationView.Type

export interface NotificationPage {
  readonly notifications: ReadonlyArray<NotificationView>
  readonly total: number
}

/** The most pending notifications in one answer. */
export const maximumPending = 200

/** An event of a lead, for a notification in the account's language with the lead's name and company. */
export interface LeadNews {
  readonly kind: OwnerNewsKind
  readonly leadId: LeadId
  /** What the lead wrote or asked. */
  readonly quote?: string
  readonly why?: OwnerNewsReason
  /** A time, shown in the account's time zone. */
  readonly at?: Timestamp
}

/** Ids and figures of a notification. */
export interface NotificationData {
  readonly [name: string]: Json
}

export class Notifications extends Context.Tag("Notifications")<
  Notifications,
  {
    /**
     * Notifications that are neither processed nor acknowledged, oldest first. Returns the first `maximumPending` of
     * `total`.
     */
    readonly pending: Effect.Effect<NotificationPage, Transient, Caller>
    /** All notifications, newest first. */
    readonly history: (options: {
      readonly page: number
      readonly pageSize: number
    }) => Effect.Effect<NotificationPage, Transient, Caller>
    /** Applies to the whole account. A repeated call changes nothing and returns the same result. */
    readonly acknowledge: (id: NotificationId) => Effect.Effect<NotificationView, NotFound | Transient, Caller>
    /** Creates a notification in the caller's transaction. */
    readonly notify: (notification: {
      /** In snake_case. */
      readonly kind: string
      readonly message: string
      readonly data: NotificationData
    }) => Effect.Effect<NotificationId, Transient, Caller>
    /** Like `notify`, for a lead. The lead's id is added to the data. */
    readonly tellOfLead: (news: LeadNews, data?: NotificationData) => Effect.Effect<NotificationId, Transient, Caller>
    /** Like `notify`, for the account itself. */
    readonly tell: (news: AccountNews, data?: NotificationData) => Effect.Effect<NotificationId, Transient, Caller>
  }
>() {}
