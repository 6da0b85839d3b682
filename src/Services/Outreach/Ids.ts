import { Schema } from "effect"

/** The ways that the platform reaches a lead by. */
export const OutreachChannel = Schema.Literal("email", "chatapp", "voice")
export type OutreachChannel = typeof OutreachChannel.Type
