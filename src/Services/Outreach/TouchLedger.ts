import { Context, type Effect, Schema } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { LeadId } from "../Leads/Ids.ts"
import type { OutreachChannel } from "./Ids.ts"

export const TouchId = Schema.Int.pipe(Schema.brand("TouchId"))
export type TouchId = typeof TouchId.Type

/** How a touch ended: done, kept back for a reason, failed at the provider, or unknown. */
export type TouchEnd = "done" | "skipped" | "failed" | "unknown"

/**
 * What of the owner's a touch hands on: an answer, why the conversation is taken up again, instructions for one touch.
 * Each counts as used once the message was sent, and waits for the next touch where it was not.
 */
export const TouchCargo = Schema.Struct({
  answer_id: Schema.NullOr(Schema.Int),
  context: Schema.NullOr(Schema.String),
  instructions: Schema.NullOr(Schema.String)
})
export type TouchCargo = typeof TouchCargo.Type

/** What reached the lead; `kind` is the message's type, or null where it has none. */
export interface SentMessage {
  readonly channel: OutreachChannel
  readonly kind: string | null
}

/** What channels report back to prospecting. Each call belongs in the transaction that settles the message's own row. */
export class TouchLedger extends Context.Tag("TouchLedger")<
  TouchLedger,
  {
    /**
     * `reason` is a snake_case code. A touch that has ended already stays as it is. One that was skipped is due again: it
     * does not count in the cadence. `isUnheard`: it was made, but nobody was there to hear it.
     */
    readonly settle: (touch: {
      readonly accountId: AccountId
      readonly touchId: TouchId
      readonly end: TouchEnd
      readonly reason?: string
      readonly isUnheard?: boolean
    }) => Effect.Effect<void, Transient>
    /** The same for touches of different leads that the caller has locked, none of which was skipped, in few statements. */
    readonly allSettled: (
      touches: ReadonlyArray<{
        readonly accountId: AccountId
        readonly touchId: TouchId
        readonly end: Exclude<TouchEnd, "skipped">
        readonly reason: string | null
        readonly isUnheard: boolean
      }>
    ) => Effect.Effect<void, Transient>
    /** Something reached the lead now: moves `last_outbound_at`, and the touch that it belongs to is done. */
    readonly sent: (
      accountId: AccountId,
      leadId: LeadId,
      touchId: TouchId | null,
      what: SentMessage
    ) => Effect.Effect<void, Transient>
    /**
     * The same for different leads that the caller has locked, in few statements.
     */
    readonly allSent: (
      messages: ReadonlyArray<
        SentMessage & { readonly accountId: AccountId; readonly leadId: LeadId; readonly touchId: TouchId | null }
      >
    ) => Effect.Effect<void, Transient>
    /** The lead wrote or spoke now: moves `last_inbound_at`. */
    readonly received: (
      accountId: AccountId,
      leadId: LeadId,
      channel: OutreachChannel
    ) => Effect.Effect<void, Transient>
    /** The same for different leads that the caller has locked. */
    readonly allReceived: (
      leads: ReadonlyArray<{ readonly accountId: AccountId; readonly leadId: LeadId }>,
      channel: OutreachChannel
    ) => Effect.Effect<void, Transient>
  }
>() {}
