import { Schema } from "effect"

export const BusinessFileId = Schema.Int.pipe(Schema.brand("BusinessFileId"))
export type BusinessFileId = typeof BusinessFileId.Type
