import { Schema } from "effect"
import { ConnectionState } from "../Connections/Ids.ts"
import { ServiceMode } from "../Core/Outside/IntegrationModes.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import { LeadId } from "../Leads/Ids.ts"
import { MeetingId } from "../Meetings/Ids.ts"

const nullable = Schema.NullOr(Schema.String)

export const SchedulerEventType = Schema.Struct({
  uri: Schema.String,
  name: Schema.String,
  slug: nullable,
  duration_minutes: Schema.Int,
  scheduling_url: Schema.String,
  is_default: Schema.Boolean
})
export type SchedulerEventType = typeof SchedulerEventType.Type

export const DefaultEventType = Schema.Struct({ uri: Schema.String, name: Schema.String })
export type DefaultEventType = typeof DefaultEventType.Type

export const SchedulerStatus = Schema.Struct({
  status: ConnectionState,
  is_connected: Schema.Boolean,
  mode: ServiceMode,
  account_email: nullable,
  default_event_type: Schema.NullOr(DefaultEventType),
  connected_at: Schema.NullOr(Timestamp),
  last_checked_at: Schema.NullOr(Timestamp),
  last_error: nullable,
  hears_bookings_at_once: Schema.Boolean.annotations({
    description:
      "False where the scheduler's plan has no webhooks: bookings are then found within a quarter of an hour."
  })
})
export type SchedulerStatus = typeof SchedulerStatus.Type

export const ChangedDefault = Schema.Struct({
  default_event_type: Schema.NullOr(DefaultEventType),
  changed: Schema.Boolean
})
export type ChangedDefault = typeof ChangedDefault.Type

export const ScheduledEventStatus = Schema.Literal("active", "canceled")
export type ScheduledEventStatus = typeof ScheduledEventStatus.Type

const eventFields = {
  uri: Schema.String,
  name: Schema.String,
  status: ScheduledEventStatus,
  start_utc: Timestamp,
  end_utc: Timestamp,
  event_type_uri: nullable,
  location: nullable,
  meeting_url: nullable,
  invitees_count: Schema.Int,
  lead_id: Schema.NullOr(LeadId).annotations({ description: "The lead that booked it; null for anybody else." }),
  meeting_id: Schema.NullOr(MeetingId).annotations({ description: "The meeting here that it is." })
}

export const ScheduledEvent = Schema.Struct(eventFields)
export type ScheduledEvent = typeof ScheduledEvent.Type

export const ScheduledEventList = Schema.Struct({
  events: Schema.Array(ScheduledEvent),
  total: Schema.Int,
  start_date: Schema.String,
  end_date: Schema.String
})
export type ScheduledEventList = typeof ScheduledEventList.Type

export const Invitee = Schema.Struct({
  name: Schema.String,
  email: Schema.String,
  status: ScheduledEventStatus,
  timezone: nullable,
  is_rescheduled: Schema.Boolean,
  canceled_by: nullable,
  cancel_reason: nullable,
  answers: Schema.Array(Schema.Struct({ question: Schema.String, answer: Schema.String }))
})

export const ScheduledEventDetail = Schema.Struct({
  ...eventFields,
  invitees: Schema.Array(Invitee),
  created_at: Schema.NullOr(Timestamp),
  cancel_reason: nullable
})
export type ScheduledEventDetail = typeof ScheduledEventDetail.Type

export const DisconnectedScheduler = Schema.Struct({
  status: Schema.Literal("disconnected"),
  changed: Schema.Boolean,
  access_revoked: Schema.Literal("done", "unconfirmed", "nothing_to_do").annotations({
    description:
      "unconfirmed: the scheduler did not answer; the access is forgotten here all the same, and can be removed in the scheduler's own settings."
  })
})
export type DisconnectedScheduler = typeof DisconnectedScheduler.Type

export const ConnectionUrl = Schema.Struct({ url: Schema.String, mode: ServiceMode })
