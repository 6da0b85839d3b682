import { Schema } from "effect"

export const ProspectingFileId = Schema.Int.pipe(Schema.brand("ProspectingFileId"))
export type ProspectingFileId = typeof ProspectingFileId.Type
