import { Effect, Schema } from "effect"
import { refused } from "../../Errors.ts"
import { Scheduler } from "../../Services/Scheduler/Scheduler.ts"
import {
  ChangedDefault,
  ConnectionUrl,
  DisconnectedScheduler,
  ScheduledEventDetail,
  ScheduledEventList,
  ScheduledEventStatus,
  SchedulerEventType,
  SchedulerStatus
} from "../../Services/Scheduler/SchedulerModel.ts"
import { maximumDays, usualDays } from "../../Services/Scheduler/SchedulerRules.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

/** The connected scheduler's own errors. */
const schedulerReasons = {
  Refused: ["scheduler_forbidden", "scheduler_needs_reconnect", "scheduler_not_connected", "scheduler_refused"],
  Transient: ["scheduler_rate_limited", "scheduler_unavailable"]
} as const

const getConnectionUrl = Tool.make("get_scheduler_connection_url", {
  kind: "read",
  openWorld: false,
  description:
    "Answers the link by which the account's owner connects the scheduling tool. It is to be opened in a browser, holds for a week, and changes nothing until the owner consents there; the same or another account at the scheduler can be connected anew. Look with get_scheduler_status afterwards. In sandbox the page is simulated.",
  parameters: {},
  returns: ConnectionUrl,
  example: {},
  run: Effect.fnUntraced(function* () {
    const { connectionUrl, mode } = yield* Scheduler
    return { url: yield* connectionUrl, mode }
  })
})

const getStatus = Tool.make("get_scheduler_status", {
  kind: "read",
  openWorld: false,
  description:
    "Says whether the scheduling tool is connected, with which account there, and which event type leads book. needs_reconnect means that the access was taken back: get_scheduler_connection_url has the link that renews it.",
  parameters: {},
  returns: SchedulerStatus,
  example: {},
  run: Effect.fnUntraced(function* () {
    const { status } = yield* Scheduler
    return yield* status
  })
})

const listEventTypes = Tool.make("list_scheduler_event_types", {
  kind: "read",
  openWorld: true,
  description:
    "Lists the active event types of the connected account, such as a first call of 30 minutes. is_default marks the one whose booking links leads are given.",
  parameters: {},
  returns: Schema.Struct({ event_types: Schema.Array(SchedulerEventType), total: Schema.Int }),
  errors: {
    Refused: schedulerReasons.Refused,
    Transient: schedulerReasons.Transient
  },
  example: {},
  run: Effect.fnUntraced(function* () {
    const { eventTypes } = yield* Scheduler
    const event_types = yield* eventTypes
    return { event_types, total: event_types.length }
  })
})

const listUpcomingEvents = Tool.make("list_scheduler_upcoming_events", {
  kind: "read",
  openWorld: true,
  description: `Lists the events that were booked at the scheduler, by their beginning, within UTC days; at most ${maximumDays} days at a time. lead_id and meeting_id say which lead and which meeting here an event is; both are null where somebody else booked it. Times are UTC: convert them with the offset that whoami answers.`,
  parameters: {
    start_date: Param.optional(Param.date("The first day (YYYY-MM-DD, UTC); today unless given.")),
    end_date: Param.optional(
      Param.date(`The last day, which counts too; ${usualDays} days after the first unless given.`)
    ),
    status: Param.withDefault(
      Param.oneOf(ScheduledEventStatus.literals, "Events that take place, or those that were called off."),
      "active"
    )
  },
  returns: ScheduledEventList,
  errors: {
    Refused: [...schedulerReasons.Refused, "range_reversed", "range_too_long"],
    Transient: schedulerReasons.Transient
  },
  example: { status: "active" },
  run: Tool.via(Scheduler, (scheduler, { end_date, start_date, status }) =>
    scheduler.events({ startDate: start_date, endDate: end_date, status })
  )
})

const getEvent = Tool.make("get_scheduler_event", {
  kind: "read",
  openWorld: true,
  description:
    "Answers one event with everybody who was invited: name, address, status, and what they answered to the questions of the booking page.",
  parameters: {
    event_uri: Param.text("The event's address, as list_scheduler_upcoming_events answers it.", { maxLength: 300 })
  },
  returns: ScheduledEventDetail,
  errors: {
    NotFound: ["scheduled_event_not_found"],
    Refused: [...schedulerReasons.Refused, "scheduler_answer_unreadable", "uri_not_of_scheduler"],
    Transient: schedulerReasons.Transient
  },
  example: { event_uri: "https://api.scheduler.sandbox.invalid/scheduled_events/1" },
  run: Tool.via(Scheduler, (scheduler, { event_uri }) => scheduler.event(event_uri))
})

const nothingChosen = refused(
  "event_type_missing",
  "No event type was named.",
  "Send event_type_uri, or event_type_name; an empty event_type_uri clears the default.",
  { parameter: "event_type_uri" }
)

const setDefaultEventType = Tool.make("set_scheduler_default_event_type", {
  kind: "write",
  idempotent: true,
  openWorld: true,
  description:
    "Chooses the event type whose booking links leads are given in messages, each lead its own. A name may be part of the type's; one that fits several equally well is refused with these as candidates. An empty event_type_uri clears the choice: messages have no booking link then.",
  parameters: {
    event_type_uri: Param.optional(
      Param.text("The type's address, as list_scheduler_event_types answers it; empty clears the default.", {
        maxLength: 300
      })
    ),
    event_type_name: Param.optional(
      Param.text("The type's name, or part of it; only looked at where no address is given.", { maxLength: 200 })
    )
  },
  returns: ChangedDefault,
  errors: {
    NotFound: ["event_type_not_found"],
    Refused: [
      ...schedulerReasons.Refused,
      "event_type_ambiguous",
      "event_type_inactive",
      "event_type_missing",
      "event_type_not_found",
      "uri_not_of_scheduler"
    ],
    Transient: schedulerReasons.Transient
  },
  transaction: "several",
  example: { event_type_name: "Primeira conversa" },
  run: Effect.fnUntraced(function* ({ event_type_name, event_type_uri }) {
    const { setDefault } = yield* Scheduler
    if (event_type_uri === undefined && (event_type_name ?? "").trim() === "") return yield* nothingChosen
    return yield* setDefault({ uri: event_type_uri, name: event_type_name })
  })
})

const notConfirmed = refused(
  "confirmation_missing",
  "Disconnecting the scheduler needs the account's own word.",
  "Ask the person in charge, then send user_has_confirmed true.",
  { parameter: "user_has_confirmed" }
)

const disconnectScheduler = Tool.make("disconnect_scheduler", {
  kind: "destructive",
  idempotent: true,
  openWorld: true,
  description:
    "Disconnects the scheduling tool: its notices end, the access is taken back there, and tokens, default event type and booking links are forgotten here, even where the scheduler does not answer. Meetings that were booked stay. Once more it changes nothing.",
  parameters: {
    user_has_confirmed: Param.boolean("True only once the account's person said so.")
  },
  returns: DisconnectedScheduler,
  errors: {
    Refused: [...schedulerReasons.Refused, "confirmation_missing"],
    Transient: schedulerReasons.Transient
  },
  transaction: "several",
  example: { user_has_confirmed: true },
  run: Effect.fnUntraced(function* ({ user_has_confirmed }) {
    if (!user_has_confirmed) return yield* notConfirmed
    const { disconnect } = yield* Scheduler
    return yield* disconnect
  })
})

export const SchedulingToolGroup = Tool.group(
  "Scheduling tool",
  "The account's booking pages: links that leads book by, and what was booked.",
  [getConnectionUrl, getStatus, listEventTypes, listUpcomingEvents, getEvent, setDefaultEventType, disconnectScheduler]
)
