import { Schema } from "effect"

export const AccountId = Schema.Int.pipe(Schema.brand("AccountId"))
export type AccountId = typeof AccountId.Type

export const Plan = Schema.Literal("free_trial", "paid")
export type Plan = typeof Plan.Type

export const AccessTokenId = Schema.Int.pipe(Schema.brand("AccessTokenId"))
export type AccessTokenId = typeof AccessTokenId.Type
