import { Schema } from "effect"

/** The channels on which the platform reaches a lead. */
export const OutreachChannel = Schema.Literal("email", "chatapp", "voice")
export type OutreachChannel = typeof OutreachChannel.Type
