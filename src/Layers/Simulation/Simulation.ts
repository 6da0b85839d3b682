import * as Room from "../Platform/Room.ts"
import { simulationMigration } from "./Migrations.ts"
import { simulationPersonalData } from "./PersonalData.ts"
import { SimulationPostgres } from "./SimulationPostgres.ts"

/** Prospecting tried out on simulated leads. */
export const SimulationRoom = Room.make({
  migrations: [simulationMigration],
  layer: SimulationPostgres,
  personalData: simulationPersonalData
})
