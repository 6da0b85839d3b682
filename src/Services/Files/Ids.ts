import { Schema } from "effect"

export const CustomerFileId = Schema.Int.pipe(Schema.brand("CustomerFileId"))
export type CustomerFileId = typeof CustomerFileId.Type
