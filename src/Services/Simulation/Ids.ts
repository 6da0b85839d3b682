import { Schema } from "effect"

/** A lead that was made up to try prospecting on; it is no lead of the account. */
export const SimulationLeadId = Schema.Int.pipe(Schema.brand("SimulationLeadId"))
export type SimulationLeadId = typeof SimulationLeadId.Type
