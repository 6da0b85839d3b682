import { Schema } from "effect"

export const OnlineSearchId = Schema.Int.pipe(Schema.brand("OnlineSearchId"))
export type OnlineSearchId = typeof OnlineSearchId.Type

export const SearchType = Schema.Literal("Fast", "Standard", "Deep")
export type SearchType = typeof SearchType.Type
