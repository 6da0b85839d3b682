import { Schema } from "effect"

export const LearningId = Schema.Int.pipe(Schema.brand("LearningId"))
export type LearningId = typeof LearningId.Type
