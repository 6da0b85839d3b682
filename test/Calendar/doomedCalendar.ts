import { Effect, Layer, Logger, LogLevel, Schema } from "effect"
import { CalendarTransport } from "../../src/Layers/Calendar/CalendarTransport.ts"
import { makeCalendarSandbox } from "../../src/Layers/Calendar/sandbox/CalendarSandbox.ts"
import { DatabaseLayer, DatabaseLocation } from "../../src/Layers/Platform/Postgres/Database.ts"
import { SchedulerTransport } from "../../src/Layers/Scheduler/CalendlyApi.ts"
import { makeCalendlySandbox } from "../../src/Layers/Scheduler/sandbox/CalendlySandbox.ts"
import { AccountId } from "../../src/Services/Accounts/Ids.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { MeetingId } from "../../src/Services/Meetings/Ids.ts"
import { SchedulerBookings } from "../../src/Services/Scheduler/Scheduler.ts"
import { faultLayers, providerFaultPoints } from "../support/checks/FaultPoints.ts"
import { EarlyServices } from "../support/EarlyServices.ts"
import { leadLayers } from "../support/leads/LeadLayers.ts"
import { TestSettings } from "../support/TestSettings.ts"
import { Background, calendarLayers } from "./calendarLayers.ts"

/** What a gateway does when it dies: reads a booking, tells the calendar of a meeting, or reads the calendar. */
const Order = Schema.parseJson(
  Schema.Struct({
    connection: Schema.Struct({ host: Schema.String, port: Schema.Int, user: Schema.String, database: Schema.String }),
    accountId: Schema.Int,
    deed: Schema.Union(
      Schema.Struct({ look: Schema.String }),
      Schema.Struct({ settle: Schema.Int }),
      Schema.Struct({ sync: Schema.Literal(true) })
    ),
    fault: Schema.Struct({ point: Schema.Literal(...providerFaultPoints), nth: Schema.Int })
  })
)
export type Order = typeof Order.Type

/** The gateway's part for calendar and scheduler, which dies when it comes to the fault's point for the nth time. */
const world = ({ connection, fault }: Order) => {
  const { around, unit } = faultLayers(fault)
  const calendarRoad = Layer.effect(
    CalendarTransport,
    Effect.map(makeCalendarSandbox, (request) => ({
      mode: "sandbox" as const,
      request: (call) => around(request(call))
    }))
  )
  const schedulerRoad = Layer.effect(
    SchedulerTransport,
    Effect.map(makeCalendlySandbox, ({ request }) => ({
      mode: "sandbox" as const,
      request: (call) => around(request(call))
    }))
  )
  return calendarLayers(calendarRoad, schedulerRoad).pipe(
    Layer.provideMerge(leadLayers([])),
    Layer.provide(unit),
    Layer.provideMerge(TestSettings),
    Layer.provideMerge(EarlyServices),
    Layer.provideMerge(DatabaseLayer),
    Layer.provide(Layer.succeed(DatabaseLocation, { connection, poolSize: 3 })),
    Layer.provide(Logger.minimumLogLevel(LogLevel.None))
  )
}

const work = ({ accountId: id, deed }: Order) =>
  Effect.gen(function* () {
    const accountId = AccountId.make(id)
    const { events, mirror } = yield* Background
    const bookings = yield* SchedulerBookings
    if ("look" in deed) yield* bookings.look(deed.look)
    else if ("settle" in deed) yield* events.settle({ accountId, meetingId: MeetingId.make(deed.settle) })
    else yield* mirror.sync(accountId)
  }).pipe(Effect.provideService(Caller, Caller.forTask(AccountId.make(id), "paid", "doomed")))

const [, script, order] = process.argv
if (script === import.meta.filename && order !== undefined) {
  void Effect.runPromise(
    Effect.flatMap(Schema.decode(Order)(order), (decoded) =>
      Effect.ignore(Effect.provide(work(decoded), world(decoded)))
    )
  ).then(() => process.exit(0))
}
