import { Schema } from "effect"

export const MemberId = Schema.Int.pipe(Schema.brand("MemberId"))
export type MemberId = typeof MemberId.Type

export const MemberWelcomeId = Schema.Int.pipe(Schema.brand("MemberWelcomeId"))
export type MemberWelcomeId = typeof MemberWelcomeId.Type

/** How a member is welcomed. */
export const WelcomeChannel = Schema.Literal("Email", "ChatApp")
export type WelcomeChannel = typeof WelcomeChannel.Type
