import { Schema } from "effect"

export const JobId = Schema.UUID.pipe(Schema.brand("JobId"))
export type JobId = typeof JobId.Type
