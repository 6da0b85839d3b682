import * as Room from "../Platform/Room.ts"
import { prospectingMigration } from "./Migrations.ts"
import { ProspectingConfigPostgres } from "./ProspectingConfigPostgres.ts"
import { ProspectingSetupPostgres } from "./ProspectingSetupPostgres.ts"

/** The prospecting settings of an account, and its targeting. */
export const ProspectingRoom = Room.make({
  migrations: [prospectingMigration],
  early: ProspectingSetupPostgres,
  layer: ProspectingConfigPostgres
})
