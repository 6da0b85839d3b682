import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Option, Schema } from "effect"
import { UnitOfWork } from "../../Services/Core/UnitOfWork.ts"
import {
  CallMaybePlaced,
  CallNotPlaced,
  type CallOrder,
  type CallProgress,
  type CallReference,
  type CallResult,
  Voice
} from "../../Services/Voice/Voice.ts"
import { makeAccountSeal } from "../Platform/Postgres/AccountSeal.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { conversationOf, outcomeOf, SandboxOutcome } from "./SandboxConversation.ts"
import type { SandboxSettings } from "./VoiceSettings.ts"

interface SandboxCall {
  readonly call_order: CallOrder
  readonly outcome: SandboxOutcome
  readonly person_says: ReadonlyArray<string> | null
  readonly seconds: number
}

const providerIdOf = (reference: CallReference): string => `sandbox_${reference}`

const isOutcome = Schema.is(SandboxOutcome)

/** Where the call stands so many seconds after it was placed. */
const progressAfter = (seconds: number, result: CallResult, settings: SandboxSettings): CallProgress => {
  const isAnswered = result.status === "completed"
  const answeredAt = result.status === "busy" ? 0 : settings.ringSeconds
  const endsAt = isAnswered ? answeredAt + settings.talkSeconds : answeredAt
  if (seconds >= endsAt) return { _tag: "Ended", result }
  return isAnswered && seconds >= answeredAt ? { _tag: "InProgress" } : { _tag: "Dialing" }
}

/** A simulated telephone network: it calls nobody, keeps the calls asked for, and makes up conversations for them. */
export const makeSandboxVoice = (settings: SandboxSettings) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const unit = yield* UnitOfWork
    const seal = yield* makeAccountSeal

    const place = Effect.fnUntraced(function* (order: CallOrder) {
      // A script holds for one call.
      const scripts = yield* sql<{ readonly outcome: string; readonly person_says: ReadonlyArray<string> | null }>`
        delete from sandbox_voice_script where account_id = ${order.accountId} and phone = phone_key(${order.phone})
        returning outcome, person_says`.pipe(fromSql())
      const script = scripts[0]
      const outcome = script !== undefined && isOutcome(script.outcome) ? script.outcome : outcomeOf(order)
      const placed = yield* sql`
        insert into sandbox_voice_call (client_reference, account_id, call_order, outcome, person_says)
        values (${order.reference}, ${order.accountId}, ${JSON.stringify(order)}::jsonb, ${outcome},
          ${script?.person_says ?? null})
        on conflict (account_id, client_reference) do nothing returning 1 as placed`.pipe(fromSql())
      return placed.length > 0
    })

    const progress = Effect.fnUntraced(function* (reference: CallReference) {
      const accountId = Option.getOrNull(yield* seal.accountOfReference(reference))
      const rows = yield* sql<SandboxCall>`
        select call_order, outcome, person_says, extract(epoch from instant() - placed_at)::float8 as seconds
        from sandbox_voice_call where account_id = ${accountId} and client_reference = ${reference}`.pipe(fromSql())
      return Option.map(Option.fromNullable(rows[0]), ({ call_order, outcome, person_says, seconds }) =>
        progressAfter(seconds, conversationOf(call_order, outcome, person_says), settings)
      )
    })

    return Voice.of({
      mode: "sandbox",
      provider: "sandbox",
      place: Effect.fn("SandboxVoice.place")(function* (order) {
        const isNew = yield* Effect.mapError(unit.write(place(order)), ({ reason }) => new CallMaybePlaced({ reason }))
        if (!isNew) return yield* new CallNotPlaced({ reason: "duplicate_order" })
        return { providerCallId: providerIdOf(order.reference), spokenText: null }
      }),
      progress: ({ reference }) => progress(reference),
      find: ({ reference }) =>
        Effect.map(
          progress(reference),
          Option.match({
            onNone: () => [],
            onSome: (told) => [{ providerCallId: providerIdOf(reference), progress: told }]
          })
        )
    })
  })
