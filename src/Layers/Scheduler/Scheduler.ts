import { Effect, Layer } from "effect"
import * as Room from "../Platform/Room.ts"
import { BookingLinksPostgres } from "./BookingLinksPostgres.ts"
import { BookingNoticesPostgres } from "./BookingNotices.ts"
import { SchedulerBookingsPostgres } from "./BookingsPostgres.ts"
import { schedulerMigration } from "./Migrations.ts"
import { schedulerPersonalData } from "./PersonalData.ts"
import { schedulerChecks } from "./SchedulerChecks.ts"
import { SchedulerConnectionLive } from "./SchedulerConnection.ts"
import { schedulerEndpoints } from "./SchedulerEndpoints.ts"
import { SchedulerPostgres } from "./SchedulerPostgres.ts"
import { loadSchedulerSettings, SchedulerSettings, SchedulerSettingsLive } from "./SchedulerSettings.ts"
import { SchedulerTransportConfigured } from "./SchedulerTransportConfigured.ts"
import { schedulerRecurring, schedulerTasks } from "./SchedulerWork.ts"
import { SimulatedSchedulerPostgres } from "./sandbox/CalendlySandboxActs.ts"

/** The scheduling tool of accounts: its links in messages, and its bookings as meetings. */
export const SchedulerRoom = Room.make({
  migrations: [schedulerMigration],
  layer: Layer.mergeAll(
    SchedulerPostgres,
    SchedulerBookingsPostgres,
    BookingLinksPostgres,
    SimulatedSchedulerPostgres
  ).pipe(
    Layer.provideMerge(Layer.merge(SchedulerConnectionLive, BookingNoticesPostgres)),
    Layer.provideMerge(SchedulerTransportConfigured),
    Layer.provideMerge(SchedulerSettingsLive)
  ),
  tasks: schedulerTasks,
  recurring: schedulerRecurring,
  endpoints: schedulerEndpoints,
  modes: Effect.map(SchedulerSettings, ({ mode }) => ({ scheduler: mode })),
  personalData: schedulerPersonalData,
  settings: [loadSchedulerSettings],
  checks: schedulerChecks
})
