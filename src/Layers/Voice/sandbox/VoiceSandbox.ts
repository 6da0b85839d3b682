import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Option, Schema } from "effect"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import {
  CallMaybePlaced,
  CallNotPlaced,
  type CallOrder,
  type CallProgress,
  type CallReference,
  type CallResult,
  Voice
} from "../../../Services/Voice/Voice.ts"
import { makeAccountSeal } from "../../Platform/Postgres/AccountSeal.ts"
import { makeGroupedReads } from "../../Platform/Postgres/grouped/GroupedReads.ts"
import { makeGroupedWrites } from "../../Platform/Postgres/grouped/GroupedWrites.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import type { SandboxSettings } from "../VoiceSettings.ts"
import { conversationOf, outcomeOf, SandboxOutcome } from "./SandboxConversation.ts"

interface Script {
  readonly place: number
  readonly outcome: string
  readonly person_says: ReadonlyArray<string> | null
}

/** The most calls in one statement. */
const mostCalls = 32

interface SandboxCall {
  readonly reference: CallReference
  readonly call_order: CallOrder
  readonly outcome: SandboxOutcome
  readonly person_says: ReadonlyArray<string> | null
  readonly seconds: number
}

const providerIdOf = (reference: CallReference): string => `sandbox_${reference}`

const isOutcome = Schema.is(SandboxOutcome)

/** The state of a call, by the seconds since it was placed. */
const progressAfter = (seconds: number, result: CallResult, settings: SandboxSettings): CallProgress => {
  const isAnswered = result.status === "completed"
  const answeredAt = result.status === "busy" ? 0 : settings.ringSeconds
  const endsAt = isAnswered ? answeredAt + settings.talkSeconds : answeredAt
  if (seconds >= endsAt) return { _tag: "Ended", result }
  return isAnswered && seconds >= answeredAt ? { _tag: "InProgress" } : { _tag: "Dialing" }
}

/** A simulated telephone network. It makes no real calls, stores the orders, and invents conversations for them. */
export const makeSandboxVoice = (settings: SandboxSettings) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const unit = yield* UnitOfWork
    const seal = yield* makeAccountSeal

    /** Returns the references of the new ones. */
    const placeAll = Effect.fnUntraced(function* (orders: ReadonlyArray<CallOrder>) {
      const accounts = orders.map(({ accountId }) => accountId)
      // A script applies to one call. If there are several to the same number, the first uses it.
      const scripts = yield* sql<Script>`
        delete from sandbox_voice_script s
        using unnest(${accounts}::bigint[], ${orders.map(({ phone }) => phone)}::text[])
          with ordinality as o (account_id, phone, place)
        where s.account_id = o.account_id and s.phone = phone_key(o.phone)
        returning o.place, s.outcome, s.person_says`.pipe(fromSql())
      const scriptAt = new Map(scripts.map((script) => [script.place - 1, script]))
      const outcomes = orders.map((order, place) => {
        const script = scriptAt.get(place)
        return script !== undefined && isOutcome(script.outcome) ? script.outcome : outcomeOf(order)
      })
      const scriptedLines = orders.map((_, place) => scriptAt.get(place)?.person_says ?? null)
      const placed = yield* sql<{ readonly reference: CallReference }>`
        insert into sandbox_voice_call (client_reference, account_id, call_order, outcome, person_says)
        select reference, account_id, call_order::jsonb, outcome,
          case when said is not null then array(select jsonb_array_elements_text(said::jsonb)) end
        from unnest(${orders.map(({ reference }) => reference)}::uuid[], ${accounts}::bigint[],
          ${orders.map((order) => JSON.stringify(order))}::text[], ${outcomes}::text[],
          ${scriptedLines.map((lines) => lines && JSON.stringify(lines))}::text[])
          as c (reference, account_id, call_order, outcome, said)
        on conflict (account_id, client_reference) do nothing returning client_reference as reference`.pipe(fromSql())
      return new Set(placed.map(({ reference }) => reference))
    })

    const place = yield* makeGroupedWrites({
      name: "sandbox_orders",
      mostItems: mostCalls,
      split: unit.perAccount,
      write: (orders: ReadonlyArray<CallOrder>) =>
        Effect.map(unit.write(placeAll(orders)), (isNew) => orders.map(({ reference }) => isNew.has(reference)))
    })

    const callOf = yield* makeGroupedReads({
      name: "sandbox_calls",
      mostKeys: mostCalls,
      read: (keys: ReadonlyArray<{ readonly accountId: AccountId; readonly reference: CallReference }>) =>
        sql<SandboxCall>`
          select client_reference as reference, call_order, outcome, person_says,
            extract(epoch from instant() - placed_at)::float8 as seconds
          from sandbox_voice_call
          where account_id = any (${[...new Set(keys.map(({ accountId }) => accountId))]}::bigint[])
            and client_reference = any (${keys.map(({ reference }) => reference)}::uuid[])`.pipe(
          Effect.map((rows) => {
            const rowByReference = new Map(rows.map((row) => [row.reference, row]))
            return keys.map(({ reference }) => rowByReference.get(reference))
          }),
          fromSql()
        )
    })

    const progress = Effect.fnUntraced(function* (reference: CallReference) {
      const owner = yield* seal.accountOfReference(reference)
      if (Option.isNone(owner)) return Option.none()
      const call = yield* callOf({ accountId: owner.value, reference })
      return Option.map(Option.fromNullable(call), ({ call_order, outcome, person_says, seconds }) =>
        progressAfter(seconds, conversationOf(call_order, outcome, person_says), settings)
      )
    })

    return Voice.of({
      mode: "sandbox",
      provider: "sandbox",
      place: Effect.fn("SandboxVoice.place")(function* (order) {
        const isNew = yield* Effect.mapError(place(order), ({ reason }) => new CallMaybePlaced({ reason }))
        if (!isNew) return yield* new CallNotPlaced({ reason: "duplicate_order" })
        return { providerCallId: providerIdOf(order.reference), spokenText: null }
      }),
      progress: ({ reference }) => progress(reference),
      find: ({ reference }) =>
        Effect.map(
          progress(reference),
          Option.match({
            onNone: () => [],
            onSome: (progress) => [{ providerCallId: providerIdOf(reference), progress: progress }]
          })
        )
    })
  })
