import { Context, Effect, Layer } from "effect"
import { AccountsPostgres } from "../../src/Layers/Accounts/AccountsPostgres.ts"
import { CalendarPostgres } from "../../src/Layers/Calendar/CalendarPostgres.ts"
import { CalendarSettingsLive } from "../../src/Layers/Calendar/CalendarSettings.ts"
import type { CalendarTransport } from "../../src/Layers/Calendar/CalendarTransport.ts"
import { CalendarConnectionLive } from "../../src/Layers/Calendar/Google/CalendarConnection.ts"
import { CalendarOfLeadPostgres } from "../../src/Layers/Calendar/Meetings/CalendarOfLeadPostgres.ts"
import { MailedInvitationsPostgres } from "../../src/Layers/Calendar/Meetings/MailedInvitationsPostgres.ts"
import { makeMeetingEvents } from "../../src/Layers/Calendar/Meetings/MeetingEvents.ts"
import { MeetingTimesPostgres } from "../../src/Layers/Calendar/Meetings/MeetingTimesPostgres.ts"
import { makeCalendarMirror } from "../../src/Layers/Calendar/Syncing/CalendarMirror.ts"
import { makeSandboxActs } from "../../src/Layers/Calendar/sandbox/CalendarSandboxEndpoints.ts"
import { ConnectionsPostgres } from "../../src/Layers/Connections/ConnectionsPostgres.ts"
import { OAuthPostgres } from "../../src/Layers/Connections/OAuthPostgres.ts"
import { AccountEventsPostgres } from "../../src/Layers/Events/AccountEventsPostgres.ts"
import { LeadMeetingsPostgres } from "../../src/Layers/Meetings/LeadMeetingsPostgres.ts"
import { MeetingsPostgres } from "../../src/Layers/Meetings/MeetingsPostgres.ts"
import { BookingLinksPostgres } from "../../src/Layers/Scheduler/BookingLinksPostgres.ts"
import { BookingNoticesPostgres } from "../../src/Layers/Scheduler/BookingNotices.ts"
import { SchedulerBookingsPostgres } from "../../src/Layers/Scheduler/BookingsPostgres.ts"
import type { SchedulerTransport } from "../../src/Layers/Scheduler/CalendlyApi.ts"
import { SchedulerConnectionLive } from "../../src/Layers/Scheduler/SchedulerConnection.ts"
import { SchedulerPostgres } from "../../src/Layers/Scheduler/SchedulerPostgres.ts"
import { SchedulerSettingsLive } from "../../src/Layers/Scheduler/SchedulerSettings.ts"
import { SimulatedSchedulerPostgres } from "../../src/Layers/Scheduler/sandbox/CalendlySandboxActs.ts"
import { RateLimits } from "../../src/Services/Outbound/RateLimits.ts"
import { SealingOfTests } from "../support/SealingOfTests.ts"

/** What the providers allow is held to elsewhere: here nobody waits. */
const Unlimited = Layer.succeed(RateLimits, {
  take: () => Effect.succeed(0),
  takeMany: ({ costs }) => Effect.succeed({ granted: costs.length, seconds: 0, limit: undefined }),
  left: () => Effect.succeed(Number.POSITIVE_INFINITY),
  correct: () => Effect.void,
  blockedFor: () => Effect.succeed(0)
})

/** What the gateway does by its tasks, when tests say so. */
export class Background extends Context.Tag("Background")<
  Background,
  {
    readonly mirror: Effect.Effect.Success<ReturnType<typeof makeCalendarMirror>>
    readonly events: Effect.Effect.Success<typeof makeMeetingEvents>
    readonly acts: Effect.Effect.Success<typeof makeSandboxActs>
  }
>() {}

const BackgroundLive = Layer.effect(
  Background,
  Effect.gen(function* () {
    const events = yield* makeMeetingEvents
    return { events, mirror: yield* makeCalendarMirror(events.changed), acts: yield* makeSandboxActs }
  })
)

/** Calendar and scheduler over ways of their own; beneath are a database and what leads need. */
export const calendarLayers = <A, E, R, E2, R2>(
  calendarRoad: Layer.Layer<CalendarTransport | A, E, R>,
  schedulerRoad: Layer.Layer<SchedulerTransport, E2, R2>
) =>
  BackgroundLive.pipe(
    Layer.provideMerge(
      Layer.mergeAll(CalendarPostgres, MeetingTimesPostgres, MailedInvitationsPostgres, CalendarOfLeadPostgres)
    ),
    Layer.provideMerge(
      Layer.mergeAll(SchedulerPostgres, SchedulerBookingsPostgres, BookingLinksPostgres, SimulatedSchedulerPostgres)
    ),
    Layer.provideMerge(Layer.mergeAll(CalendarConnectionLive, SchedulerConnectionLive, BookingNoticesPostgres)),
    Layer.provideMerge(Layer.merge(calendarRoad, schedulerRoad)),
    Layer.provideMerge(Layer.merge(CalendarSettingsLive, SchedulerSettingsLive)),
    Layer.provideMerge(OAuthPostgres),
    Layer.provideMerge(
      Layer.mergeAll(
        ConnectionsPostgres,
        Unlimited,
        AccountsPostgres,
        LeadMeetingsPostgres.pipe(Layer.provideMerge(MeetingsPostgres))
      )
    ),
    Layer.provideMerge(AccountEventsPostgres),
    Layer.provideMerge(SealingOfTests)
  )
