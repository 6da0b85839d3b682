import { Layer } from "effect"
import * as Room from "../Platform/Room.ts"
import { IncidentsPostgres } from "./IncidentsPostgres.ts"
import { supportMigration } from "./Migrations.ts"
import { AnsweredSupportPostgres, SupportDeskPostgres, SupportRequestsPostgres } from "./SupportRequestsPostgres.ts"

/** The line to the people who run the platform, and how the platform itself is doing. */
export const SupportRoom = Room.make({
  migrations: [supportMigration],
  layer: Layer.mergeAll(SupportRequestsPostgres, SupportDeskPostgres, AnsweredSupportPostgres, IncidentsPostgres)
})
