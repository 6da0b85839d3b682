import { Context, Effect, Schema } from "effect"
import type { Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Caller.ts"

/** Who speaks in the conversation between the people of an account and the platform. */
export const AgentRole = Schema.Literal("owner", "member", "agent")
export type AgentRole = typeof AgentRole.Type

/** How something was said. `tool`: as an argument of a call, for example the reason of an outcome. */
export const AgentChannel = Schema.Literal("email", "chatapp", "voice", "tool", "check_in")
export type AgentChannel = typeof AgentChannel.Type

export interface SpokenWords {
  /** By default the person whose access token makes the call. */
  readonly role?: AgentRole
  readonly channel: AgentChannel
  readonly words: string
}

/**
 * Stores what the people of the caller's account and the platform say to each other, so that it can be searched. The
 * default stores nothing.
 */
export class AgentConversation extends Context.Reference<AgentConversation>()("AgentConversation", {
  defaultValue: () => ({
    /** Words that the account has from the same person within a day are stored once. Blank words are not stored. */
    note: (_spoken: SpokenWords): Effect.Effect<void, Transient, Caller> => Effect.void
  })
}) {}
