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
  instructions: Schema.NullOr(Schema.String),
  /** Instructions for this touch that rules did not carry out. `attempt` counts the touches from 1 once it was sent. */
  unapplied: Schema.optionalWith(
    Schema.Array(Schema.Struct({ text: Schema.String, attempt: Schema.optionalWith(Schema.Int, { exact: true }) })),
    { exact: true }
  )
})
export type TouchCargo = typeof TouchCargo.Type

export type UnappliedInstruction = NonNullable<TouchCargo["unapplied"]>[number]

/** An instruction that cannot be carried out waits for two more touches, then the owner hears of it. */
const mostAttempts = 3

/**
 * Instructions that a touch did not carry out, counted on from the touch before: those that wait for the next touch, and
 * those that the owner hears of. After the last touch of a cadence none waits.
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

/** A message that reached a lead; `kind` is the message's type, or null where it has none. */
export interface SentMessage {
  readonly accountId: AccountId
  readonly leadId: LeadId
  /** The touch that the message belongs to, if any. */
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
  /** The call was made, but no person heard it. */
  readonly isUnheard?: boolean
}

/**
 * What channels report back to prospecting. Each call belongs in the transaction that settles the messages' own rows,
 * is about different leads, and expects the caller to hold these leads.
 */
export class TouchLedger extends Context.Tag("TouchLedger")<
  TouchLedger,
  {
    /** Ends touches that are still open. A skipped touch is due again and does not count in the cadence. */
    readonly settle: (touches: ReadonlyArray<SettledTouch>) => Effect.Effect<void, Transient>
    /** Messages reached their leads now: moves `last_outbound_at`, and ends their touches as done. */
    readonly sent: (messages: ReadonlyArray<SentMessage>) => Effect.Effect<void, Transient>
    /** The leads wrote or spoke now: moves `last_inbound_at`. */
    readonly received: (
      leads: ReadonlyArray<{ readonly accountId: AccountId; readonly leadId: LeadId }>,
      channel: OutreachChannel
    ) => Effect.Effect<void, Transient>
  }
>() {}
