import * as Room from "../Platform/Room.ts"
import { prospectingMigration } from "./Migrations.ts"
import { ProspectingConfigPostgres } from "./ProspectingConfigPostgres.ts"
import { ProspectingSetupPostgres } from "./ProspectingSetupPostgres.ts"

/** How an account prospects, and whom. */
export const ProspectingRoom = Room.make({
  migrations: [prospectingMigration],
  early: ProspectingSetupPostgres,
  layer: ProspectingConfigPostgres
})
