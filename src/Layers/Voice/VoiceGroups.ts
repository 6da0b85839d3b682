import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Option } from "effect"
import type { Timestamp } from "../../Services/Core/Timestamp.ts"
import { AccountEvents } from "../../Services/Events/AccountEvents.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import { placeVoiceCall, readReply } from "../../Services/Outreach/OutreachTasks.ts"
import { SendGuard } from "../../Services/Outreach/SendGuard.ts"
import { TouchLedger } from "../../Services/Outreach/TouchLedger.ts"
import { touchEndOf } from "../../Services/Voice/CallEnds.ts"
import type { CallResult, PlacedCall, VoiceProvider } from "../../Services/Voice/Voice.ts"
import { mayBecome } from "../../Services/Voice/VoiceCallState.ts"
import { dialJobKey, followJobKey, followVoiceCall } from "../../Services/Voice/VoiceCalls.ts"
import { firstOfLeads, lockFree } from "../Leads/Sql/Schedule.ts"
import { makeGroupedTransactions } from "../Platform/Postgres/GroupedTransactions.ts"
import type { EndedCall, HeldCall, VoiceCallKey, VoiceCallRow, VoiceCallRows } from "./VoiceCallRows.ts"

/** A call of a touch's, as an attempt found it. */
interface OfLead extends VoiceCallKey {
  readonly leadId: LeadId
}

interface BegunCall extends OfLead {
  readonly provider: VoiceProvider
  /** When the provider is asked after it first. */
  readonly lookAt: Timestamp
}

interface ToldPlaced extends OfLead, PlacedCall {
  readonly kind: VoiceCallRow["kind"]
}

interface ToldEnded extends OfLead {
  readonly providerCallId: string
  readonly told: CallResult
}

const mostCalls = 32

/**
 * Calls to leads that are to be begun at about the same time, by one transaction; by others they are written down as placed, and
 * as ended: a statement for each step instead of one for each call. What is not usual about a call (it was begun before, something
 * stops it, its number is in use, somebody holds its lead, the group failed) is to be done as if there were no groups.
 */
export const makeVoiceGroups = (
  rows: VoiceCallRows,
  {
    costOf,
    resultOf
  }: {
    readonly costOf: (result: CallResult) => number | null
    /** What is written down of what the provider tells. */
    readonly resultOf: (row: VoiceCallRow, told: CallResult) => CallResult
  }
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const guard = yield* SendGuard
    const ledger = yield* TouchLedger
    const events = yield* AccountEvents
    const queue = yield* TaskQueue

    const keyOf = ({ accountId, voiceCallRequestId }: VoiceCallKey): VoiceCallKey => ({ accountId, voiceCallRequestId })

    /** The leads before the calls, and these before the numbers. */
    const beginAll = (asked: ReadonlyArray<BegunCall>) =>
      Effect.gen(function* () {
        const blocks = yield* guard.checkFree(
          asked.map(({ accountId, leadId }) => ({
            accountId,
            leadId,
            channel: "voice",
            isAutonomous: true,
            // Nobody is called because of a meeting.
            touchId: null
          }))
        )
        const free = asked.filter((_, place) => {
          const block = blocks[place]
          return block !== undefined && Option.isNone(block)
        })
        if (free.length === 0) return []
        const held = new Map((yield* rows.holdAll(free)).map((row) => [row.voiceCallRequestId, row]))
        const usual = free.flatMap((call) => {
          const row = held.get(call.voiceCallRequestId)
          const isUsual = row?.status === "queued" && row.dialRequest === null && !row.isBlacklisted
          return isUsual ? [{ call, row }] : []
        })
        if (usual.length === 0) return []
        const taken = yield* rows.takeNumbers(usual.map(({ row }) => row))
        const begun = usual.filter(({ row }) => taken.has(row.voiceCallRequestId))
        const [first] = begun
        if (first === undefined) return []
        yield* rows.beginAll(
          begun.map(({ row }) => row),
          first.call.provider
        )
        yield* queue.enqueueMany(
          followVoiceCall,
          begun.map(({ call }) => ({
            payload: keyOf(call),
            runAt: call.lookAt,
            jobKey: followJobKey(call.accountId, call.voiceCallRequestId)
          }))
        )
        return begun.map(({ row }) => row)
      })

    const begin = yield* makeGroupedTransactions({
      mostItems: mostCalls,
      keyOf: ({ voiceCallRequestId }: BegunCall) => voiceCallRequestId,
      usual: (asked) => firstOfLeads(asked),
      write: (asked) =>
        Effect.map(beginAll(asked), (begun) => begun.map((row) => [row.voiceCallRequestId, row] as const)),
      isTakenOnce: true
    })

    const placeAll = (asked: ReadonlyArray<ToldPlaced>) =>
      Effect.gen(function* () {
        const held = new Set(yield* lockFree(sql, asked))
        const free = asked.filter((_, place) => held.has(place))
        const news = yield* rows.recordAllPlaced(free)
        yield* ledger.allSent(
          free.flatMap(({ accountId, kind, leadId, voiceCallRequestId }) =>
            news.has(voiceCallRequestId) ? [{ accountId, leadId, touchId: null, channel: "voice", kind }] : []
          )
        )
        return news
      })

    const place = yield* makeGroupedTransactions({
      mostItems: mostCalls,
      keyOf: ({ voiceCallRequestId }: ToldPlaced) => voiceCallRequestId,
      usual: (asked) => firstOfLeads(asked),
      write: (asked) => Effect.map(placeAll(asked), (placed) => [...placed].map((id) => [id, true] as const))
    })

    const endAll = (asked: ReadonlyArray<ToldEnded>) =>
      Effect.gen(function* () {
        const free = new Set(yield* lockFree(sql, asked))
        const calls = asked.filter((_, at) => free.has(at))
        if (calls.length === 0) return []
        const held = new Map((yield* rows.holdAll(calls)).map((row) => [row.voiceCallRequestId, row]))
        const ended = calls.flatMap(({ leadId, providerCallId, told, voiceCallRequestId }) => {
          const row = held.get(voiceCallRequestId)
          if (row === undefined || row.providerCallId !== providerCallId || !mayBecome(row, told)) return []
          const result = resultOf(row, told)
          return [
            { ...keyOf(row), row, leadId, phone: row.phone, result, costBrl: costOf(result) } satisfies EndedCall &
              OfLead & { row: HeldCall }
          ]
        })
        if (ended.length === 0) return []
        yield* rows.endAll(ended)
        yield* ledger.allSettled(
          ended.flatMap(({ accountId, result, row: { touchId } }) => {
            const end = touchEndOf(result)
            return touchId === null || end === "skipped"
              ? []
              : [{ accountId, touchId, end, reason: result.failureReason, isUnheard: result.wasPickedUp === false }]
          })
        )
        const heard = ended.filter(({ result }) => result.transcript.some(({ role }) => role === "person"))
        yield* ledger.allReceived(
          heard.map(({ accountId, leadId }) => ({ accountId, leadId })),
          "voice"
        )
        if (heard.length > 0) {
          yield* queue.enqueueMany(
            readReply,
            heard.map(({ accountId, leadId, voiceCallRequestId }) => ({
              payload: { accountId, leadId, channel: "voice" as const, messageId: voiceCallRequestId }
            }))
          )
        }
        const waiting = yield* rows.allNextWaiting(ended)
        if (waiting.length > 0) {
          yield* queue.enqueueMany(
            placeVoiceCall,
            waiting.map((key) => ({ payload: keyOf(key), jobKey: dialJobKey(key.accountId, key.voiceCallRequestId) }))
          )
        }
        // Last, since it holds up the accounts' other events until the commit.
        yield* events.appendAll(
          ended.map(({ accountId, leadId, result, voiceCallRequestId }) => ({
            accountId,
            event: {
              type: "voice_call_finished" as const,
              data: {
                voice_call_request_id: voiceCallRequestId,
                status: result.status,
                was_picked_up: result.wasPickedUp,
                goal_achieved: result.goalAchieved,
                lead_id: leadId
              }
            }
          }))
        )
        return ended
      })

    const end = yield* makeGroupedTransactions({
      mostItems: mostCalls,
      keyOf: ({ voiceCallRequestId }: ToldEnded) => voiceCallRequestId,
      usual: (asked) => firstOfLeads(asked),
      write: (asked) =>
        Effect.map(endAll(asked), (ended) => ended.map(({ voiceCallRequestId }) => [voiceCallRequestId, true] as const))
    })

    const isOfTouch = (row: VoiceCallRow): row is VoiceCallRow & OfLead =>
      row.kind === "prospecting" && row.leadId !== null

    return {
      /** Marks a call that is usual as begun; answers it as it then stands. */
      begin: (row: VoiceCallRow, how: Omit<BegunCall, keyof OfLead>): Effect.Effect<Option.Option<VoiceCallRow>> =>
        isOfTouch(row) && row.status === "queued" && row.dialRequest === null
          ? begin({ ...keyOf(row), leadId: row.leadId, ...how })
          : Effect.succeedNone,
      /** Writes down that the provider took the order; answers whether that is done. */
      placed: (row: VoiceCallRow, told: PlacedCall): Effect.Effect<boolean> =>
        isOfTouch(row)
          ? Effect.map(place({ ...keyOf(row), leadId: row.leadId, kind: row.kind, ...told }), Option.isSome)
          : Effect.succeed(false),
      /** Writes the end of a placed call down; answers whether that is done. */
      ended: (row: VoiceCallRow, providerCallId: string, told: CallResult): Effect.Effect<boolean> =>
        isOfTouch(row) && row.providerCallId === providerCallId && touchEndOf(told) !== "skipped"
          ? Effect.map(end({ ...keyOf(row), leadId: row.leadId, providerCallId, told }), Option.isSome)
          : Effect.succeed(false)
    }
  })
