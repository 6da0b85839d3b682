import { Effect } from "effect"
import * as Room from "../Platform/Room.ts"
import { reportsMigration } from "./Migrations.ts"
import { ReportsPostgres } from "./ReportsPostgres.ts"
import { volumeRecurring, volumeTasks } from "./VolumeBenchmarks.ts"

/** What came of prospecting, in numbers. */
export const ReportsRoom = Room.make({
  migrations: [reportsMigration],
  layer: ReportsPostgres,
  tasks: Effect.succeed(volumeTasks),
  recurring: volumeRecurring
})
