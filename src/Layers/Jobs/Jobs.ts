import { Effect } from "effect"
import * as Room from "../Platform/Room.ts"
import { JobRecordsPostgres } from "./JobRecordsPostgres.ts"
import { JobsPostgres } from "./JobsPostgres.ts"
import { jobsMigration } from "./Migrations.ts"
import { retention } from "./Retention.ts"

/** The room of background jobs, as accounts see them. */
export const JobsRoom = Room.make({
  migrations: [jobsMigration],
  early: JobRecordsPostgres,
  layer: JobsPostgres,
  tasks: Effect.succeed([retention.handler]),
  recurring: [retention.recurring]
})
