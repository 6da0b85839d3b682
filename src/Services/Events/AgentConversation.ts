import { Context, Effect, Schema } from "effect"
import type { Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"

/** The speaker in the conversation between an account's people and the platform. */
export const AgentRole = Schema.Literal("owner", "member", "agent")
export type AgentRole = typeof AgentRole.Type

/** The channel of a statement. `tool` means an argument of a call, such as the reason of an outcome. */
export const AgentChannel = Schema.Literal("email", "chatapp", "voice", "tool", "check_in")
export type AgentChannel = typeof AgentChannel.Type

export interface SpokenWords {
  /** By default the person whose access token makes the call. */
  readonly role?: AgentRole
  readonly channel: AgentChannel
  readonly words: string
}

/**
 * Stores what the account's people and the platform say to each other, so that it can be searched. The default stores
 * nothing.
 */
export class AgentConversation extends Context.Reference<AgentConversation>()("AgentConversation", {
  defaultValue: () => ({
    /** Stores words of a person. The same words are stored once per day, and blank words never. */
    note: (_spoken: SpokenWords): Effect.Effect<void, Transient, Caller> => Effect.void
  })
}) {}
