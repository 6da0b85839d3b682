import { Context, type Effect, Schema } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { LeadId } from "../Leads/Ids.ts"
import type { OutreachChannel } from "./Ids.ts"

export const TouchId = Schema.Int.pipe(Schema.brand("TouchId"))
export type TouchId = typeof TouchId.Type

/** How a touch ended: done, skipped for a reason, failed at the provider, or unknown. */
export type TouchEnd = "done" | "skipped" | "failed" | "unknown"

/**
 * The owner's content in a touch: an answer, context for reviving a conversation, or instructions for one touch. It
 * counts as used once the message is sent. Otherwise the next touch carries it.
 */
export const TouchCargo = Schema.Struct({
  answer_id: Schema.NullOr(Schema.Int),
  context: Schema.NullOr(Schema.String),
  instructions: Schema.NullOr(Schema.String),
  /** Instructions that the message did not follow. `attempt` counts the touches, from 1 for the first one sent. */
  unapplied: Schema.optionalWith(
    Schema.Array(Schema.Struct({ text: Schema.String, attempt: Schema.optionalWith(Schema.Int, { exact: true }) })),
    { exact: true }
  )
})
export type TouchCargo = typeof TouchCargo.Type

export type UnappliedInstruction = NonNullable<TouchCargo["unapplied"]>[number]

/** An instruction that was not followed is tried in two more touches. Then the owner is notified. */
const mostAttempts = 3

/**
 * Splits the instructions that a touch did not follow into those for the next touch and those to report to the owner.
 * After the last touch of a cadence, all are reported.
 */
export const afterAttempt = (
  unapplied: ReadonlyArray<UnappliedInstruction>,
  before: ReadonlyArray<UnappliedInstruction>,
  isLastTouch: boolean
): {
  readonly counted: ReadonlyArray<Required<UnappliedInstruction>>
  readonly waiting: ReadonlyArray<string>
  readonly reported: ReadonlyArray<string>
} => {
  const counted = unapplied.map(({ text }) => {
    const { attempt = 0 } = before.find((one) => one.text === text) ?? {}
    return { text, attempt: (attempt % mostAttempts) + 1 }
  })
  const isOver = ({ attempt }: { readonly attempt: number }): boolean => isLastTouch || attempt >= mostAttempts
  return {
    counted,
    waiting: counted.filter((one) => !isOver(one)).map(({ text }) => text),
    reported: counted.filter(isOver).map(({ text }) => text)
  }
}

/** A message that reached a lead. `kind` is its type, or null. */
export interface SentMessage {
  readonly accountId: AccountId
  readonly leadId: LeadId
  /** The touch of the message, if any. */
  readonly touchId: TouchId | null
  readonly channel: OutreachChannel
  readonly kind: string | null
}

export interface SettledTouch {
  readonly accountId: AccountId
  readonly touchId: TouchId
  readonly end: TouchEnd
  /** A snake_case code. */
  readonly reason: string | null
  /** The call was made, but no person answered it. */
  readonly isUnheard?: boolean
}

/**
 * Receives the results of touches from channels. Call it in the transaction that settles the messages' rows, with each
 * lead at most once, and with these leads locked.
 */
export class TouchLedger extends Context.Tag("TouchLedger")<
  TouchLedger,
  {
    /** Ends open touches. A skipped touch is due again and does not count in the cadence. */
    readonly settle: (touches: ReadonlyArray<SettledTouch>) => Effect.Effect<void, Transient>
    /** Records that messages reached their leads now: updates `last_outbound_at` and ends their touches as done. */
    readonly sent: (messages: ReadonlyArray<SentMessage>) => Effect.Effect<void, Transient>
    /** Records that the leads wrote or spoke now: updates `last_inbound_at`. */
    readonly received: (
      leads: ReadonlyArray<{ readonly accountId: AccountId; readonly leadId: LeadId }>,
      channel: OutreachChannel
    ) => Effect.Effect<void, Transient>
  }
>() {}
