import { Effect } from "effect"
import * as Room from "../Platform/Room.ts"
import { timingMigration } from "./Migrations.ts"
import { TimingPostgres, timingRecurring, timingTasks } from "./TimingPostgres.ts"

/** The hours in which leads are likely to reply. */
export const TimingRoom = Room.make({
  migrations: [timingMigration],
  layer: TimingPostgres,
  tasks: Effect.succeed(timingTasks),
  recurring: timingRecurring
})
