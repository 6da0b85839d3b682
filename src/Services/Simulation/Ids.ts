import { Schema } from "effect"

/** A simulated lead for trying prospecting. It is no lead of the account. */
export const SimulationLeadId = Schema.Int.pipe(Schema.brand("SimulationLeadId"))
export type SimulationLeadId = typeof SimulationLeadId.Type
