import { Schema } from "effect"

/** The state of an account's connection with an outside service. */
export const ConnectionState = Schema.Literal("connected", "needs_reconnect", "disconnected")
export type ConnectionState = typeof ConnectionState.Type
