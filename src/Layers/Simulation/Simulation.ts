import * as Room from "../Platform/Room.ts"
import { simulationMigration } from "./Migrations.ts"
import { simulationPersonalData } from "./PersonalData.ts"
import { SimulationPostgres } from "./SimulationPostgres.ts"

/** Simulations of prospecting with invented leads. */
export const SimulationRoom = Room.make({
  migrations: [simulationMigration],
  layer: SimulationPostgres,
  personalData: simulationPersonalData
})
