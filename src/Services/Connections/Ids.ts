import { Schema } from "effect"

/** How an account's connection with an outside service stands. */
export const ConnectionState = Schema.Literal("connected", "needs_reconnect", "disconnected")
export type ConnectionState = typeof ConnectionState.Type
