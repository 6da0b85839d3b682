import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Either, Option } from "effect"
import type { LeadId } from "../../../Services/Leads/Ids.ts"
import { SendGuard } from "../../../Services/Outreach/SendGuard.ts"
import { nextContactTime } from "../../../Services/Timing/ContactTime.ts"
import { callablePhone } from "../../../Services/Voice/CallablePhone.ts"
import { endedWithout } from "../../../Services/Voice/CallEnds.ts"
import type { CallResult, VoiceProvider } from "../../../Services/Voice/Voice.ts"
import { mayBecome } from "../../../Services/Voice/VoiceCallState.ts"
import { longestWaitSeconds } from "../../../Services/Voice/VoiceCalls.ts"
import { isForbiddenOwnPhone } from "../../Accounts/Sql.ts"
import { countBlockOf } from "../../Blacklist/Sql.ts"
import { lockLeads } from "../../Leads/Sql/Schedule.ts"
import { type Locking, makeGroupedTransactions } from "../../Platform/Postgres/grouped/GroupedTransactions.ts"
import type { VoiceTiming } from "./CallDurations.ts"
import { type CallSteps } from "./CallSteps.ts"
import type { HeldCall, PlacedCallKey, VoiceCallKey, VoiceCallRow } from "./VoiceCallRows.ts"

interface CallOfLead extends VoiceCallKey {
  readonly leadId: LeadId | null
}

interface CallToBegin extends CallOfLead {
  /** True if the settings of the account and the campaign allow prospecting calls. */
  readonly isCallingActive: boolean
  /** The send window, in hours of the lead's time zone. */
  readonly hours: { readonly startHour: number; readonly endHour: number }
  readonly provider: VoiceProvider
  readonly timing: VoiceTiming["Type"]
}

interface HeldToBegin extends Pick<CallToBegin, "hours" | "isCallingActive" | "provider" | "timing"> {
  readonly row: HeldCall
}

type CallToJudge = Pick<HeldToBegin, "hours" | "isCallingActive" | "row">

export type BegunCall =
  | { readonly _tag: "Nothing" }
  /** The call may already have been ordered, so it must be looked up instead of ordered again. */
  | { readonly _tag: "Follow" }
  | { readonly _tag: "Begun"; readonly row: VoiceCallRow }

type PlacedCall = CallOfLead & PlacedCallKey

interface ReportedEnd extends CallOfLead {
  readonly providerCallId: string
  readonly result: CallResult
}

const nothing: BegunCall = { _tag: "Nothing" }
const follow: BegunCall = { _tag: "Follow" }

const mostCalls = 32

const keyOf = ({ leadId, voiceCallRequestId }: CallOfLead): string =>
  leadId === null ? `call:${voiceCallRequestId}` : `lead:${leadId}`

const isAutonomous = ({ kind }: VoiceCallRow): boolean => kind === "prospecting"

/** Locks the leads before the calls, and these before the numbers. Returns the calls whose leads could be locked. */
const holdCalls = (steps: CallSteps, calls: ReadonlyArray<CallOfLead>, locking: Locking) =>
  Effect.gen(function* () {
    const areLocked = yield* lockLeads(yield* SqlClient, calls, locking)
    const lockedCalls = calls.filter((_, place) => areLocked[place])
    const heldCalls = lockedCalls.length === 0 ? [] : yield* steps.rows.hold(lockedCalls)
    return { areLocked, rowOf: new Map(heldCalls.map((row) => [row.voiceCallRequestId, row])) }
  })

/**
 * True if a prospecting call may be made now in the lead's time zone. It may have waited for its number or the
 * provider.
 */
const isInWindow = (row: HeldCall, hours: CallToBegin["hours"], at: number): boolean => {
  const lead = {
    country: row.leadCountry,
    state: row.leadState,
    phone: row.leadPhone,
    language: row.leadLanguage,
    timeZone: row.leadTimeZone
  }
  return nextContactTime(at, lead, { timeZone: row.accountTimeZone, language: row.languageKey }, hours) <= at
}

/** Returns what blocks the calls now. It is checked in the transaction that begins them. */
const makeBlocksOf = Effect.gen(function* () {
  const sql = yield* SqlClient
  const guard = yield* SendGuard

  const ownReason = Effect.fnUntraced(function* ({ hours, isCallingActive, row }: CallToJudge) {
    if (row.isBlacklisted) return "blacklisted"
    if (isAutonomous(row) && !isCallingActive) return "voice_calling_off"
    if (isAutonomous(row) && !isInWindow(row, hours, yield* Clock.currentTimeMillis)) return "outside_send_window"
    // The permission may have been withdrawn since the call was requested.
    if (!isAutonomous(row) && (yield* isForbiddenOwnPhone(sql, row.accountId, row.phone))) return "calls_to_account_off"
    return Either.match(callablePhone(row.phone), { onLeft: ({ reason }) => reason, onRight: () => undefined })
  })

  return Effect.fnUntraced(function* (calls: ReadonlyArray<CallToJudge>) {
    const toLeads = calls.flatMap(({ row }) => (row.leadId === null ? [] : [{ row, leadId: row.leadId }]))
    const leadBlocks = yield* guard.check(
      toLeads.map(({ leadId, row }) => ({
        accountId: row.accountId,
        leadId,
        channel: "voice",
        isAutonomous: isAutonomous(row),
        touchId: row.touchId
      }))
    )
    const leadBlockOf = new Map(toLeads.map(({ row }, place) => [row, leadBlocks[place] ?? Option.none()]))
    const reasons = new Map<HeldCall, string>()
    for (const call of calls) {
      const { row } = call
      if (row.isBlacklisted) yield* countBlockOf(sql, row.accountId, { phone: row.phone })
      const leadBlock = leadBlockOf.get(row) ?? Option.none()
      const reason = Option.isSome(leadBlock) ? leadBlock.value : yield* ownReason(call)
      if (reason !== undefined) reasons.set(row, reason)
    }
    return reasons
  })
})

/** Checks calls for the last time and marks them as begun. A begun call is never begun again. */
const makeBegin = (steps: CallSteps) =>
  Effect.gen(function* () {
    const blocksOf = yield* makeBlocksOf

    /** Begins calls that have their numbers, unless something stops them. */
    const beginDialing = Effect.fnUntraced(function* (calls: ReadonlyArray<HeldToBegin>) {
      if (calls.length === 0) return []
      const reasons = yield* blocksOf(calls)
      yield* steps.end(
        calls.flatMap(({ row }) => {
          const reason = reasons.get(row)
          return reason === undefined ? [] : [{ row, result: endedWithout("cancelled", reason) }]
        })
      )
      const unblockedCalls = calls.filter(({ row }) => !reasons.has(row))
      const [first] = unblockedCalls
      if (first === undefined) return []
      const begunRows = unblockedCalls.map(({ row }) => row)
      // A process has only one provider.
      yield* steps.rows.begin(begunRows, first.provider)
      yield* steps.lookLater(begunRows, first.timing.lookAfter(0))
      return begunRows
    })

    const takeNumbersAndBegin = Effect.fnUntraced(function* (calls: ReadonlyArray<HeldToBegin>) {
      if (calls.length === 0) return []
      const withNumber = yield* steps.rows.takeNumbers(calls.map(({ row }) => row))
      const begunRows = [...(yield* beginDialing(calls.filter(({ row }) => withNumber.has(row.voiceCallRequestId))))]
      for (const call of calls.filter(({ row }) => !withNumber.has(row.voiceCallRequestId))) {
        if (yield* steps.rows.takeNumberOver(call.row, call.row.phone)) begunRows.push(...(yield* beginDialing([call])))
        else yield* steps.dialLater([call.row], call.timing.numberBusy)
      }
      return begunRows
    })

    /** Ends a call that waited or was retried too long. */
    const endOutdated = Effect.fnUntraced(function* ({ row, timing }: HeldToBegin) {
      const hasWaitedTooLong = row.status === "queued" && row.waitedSeconds > longestWaitSeconds
      if (!hasWaitedTooLong && (row.dialedSeconds ?? 0) <= timing.giveUpDialing) return false
      const result = hasWaitedTooLong
        ? endedWithout("cancelled", "waited_too_long")
        : endedWithout("failed", row.failureReason ?? "provider_unavailable")
      yield* steps.end([{ row, result }])
      return true
    })

    const beginAll = (calls: ReadonlyArray<CallToBegin>, locking: Locking) =>
      Effect.gen(function* () {
        const { areLocked, rowOf } = yield* holdCalls(steps, calls, locking)
        const results = new Map<number, BegunCall>()
        const waiting: Array<HeldToBegin> = []
        for (const call of calls) {
          const row = rowOf.get(call.voiceCallRequestId)
          if (row === undefined || steps.isOver(row)) continue
          const isBegun = row.dialRequest === "begun" || row.dialRequest === "placed"
          if (isBegun) results.set(row.voiceCallRequestId, follow)
          else if (!(yield* endOutdated({ ...call, row }))) waiting.push({ ...call, row })
        }
        for (const row of yield* takeNumbersAndBegin(waiting)) {
          results.set(row.voiceCallRequestId, { _tag: "Begun", row })
        }
        return calls.map(({ voiceCallRequestId }, place) =>
          areLocked[place] === true ? Option.some(results.get(voiceCallRequestId) ?? nothing) : Option.none()
        )
      })

    return yield* makeGroupedTransactions({ name: "call_begins", mostItems: mostCalls, keyOf, write: beginAll })
  })

const makeRecordPlaced = (steps: CallSteps) => {
  const recordAll = (calls: ReadonlyArray<PlacedCall>, locking: Locking) =>
    Effect.gen(function* () {
      const { areLocked, rowOf } = yield* holdCalls(steps, calls, locking)
      const lockedCalls = calls.flatMap(({ providerCallId, spokenText, voiceCallRequestId }) => {
        const row = rowOf.get(voiceCallRequestId)
        return row === undefined ? [] : [{ row, providerCallId, spokenText }]
      })
      yield* steps.placed(lockedCalls.filter(({ row }) => row.providerCallId === null))
      // If the provider reported a call first, its id is stored already.
      for (const { row, spokenText } of lockedCalls) {
        if (row.providerCallId !== null && spokenText !== null) yield* steps.rows.recordSpoken(row, spokenText)
      }
      return areLocked.map((isLocked) => (isLocked ? Option.some(true) : Option.none()))
    })
  return makeGroupedTransactions({ name: "placed_calls", mostItems: mostCalls, keyOf, write: recordAll })
}

const makeRecordEnded = (steps: CallSteps) => {
  const recordAll = (calls: ReadonlyArray<ReportedEnd>, locking: Locking) =>
    Effect.gen(function* () {
      const { areLocked, rowOf } = yield* holdCalls(steps, calls, locking)
      yield* steps.heard(
        calls.flatMap(({ providerCallId, result, voiceCallRequestId }) => {
          const row = rowOf.get(voiceCallRequestId)
          return row === undefined || !mayBecome(row, result)
            ? []
            : [{ row, call: { providerCallId, progress: { _tag: "Ended" as const, result } } }]
        })
      )
      return areLocked.map((isLocked) => (isLocked ? Option.some(true) : Option.none()))
    })
  return makeGroupedTransactions({ name: "ended_calls", mostItems: mostCalls, keyOf, write: recordAll })
}

/** Advances calls through their states. Calls at about the same time share a transaction. */
export const makeCallBatches = (steps: CallSteps) =>
  Effect.all({
    begin: makeBegin(steps),
    recordPlaced: makeRecordPlaced(steps),
    recordEnded: makeRecordEnded(steps)
  })
