import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect } from "effect"
import { Blacklist } from "../../../Services/Blacklist/Blacklist.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { fromMillis } from "../../../Services/Core/Timestamp.ts"
import { AccountEvents } from "../../../Services/Events/AccountEvents.ts"
import { AgentConversation } from "../../../Services/Events/AgentConversation.ts"
import { Notifications } from "../../../Services/Events/Notifications.ts"
import { TaskQueue } from "../../../Services/Jobs/TaskQueue.ts"
import type { LeadId } from "../../../Services/Leads/Ids.ts"
import { placeVoiceCall, readReply } from "../../../Services/Outreach/OutreachTasks.ts"
import { TouchLedger } from "../../../Services/Outreach/TouchLedger.ts"
import { asksToStop } from "../../../Services/Replies/ReadReply.ts"
import { languageOf } from "../../../Services/Text/Language.ts"
import { callCost, callNewsOf, touchEndOf } from "../../../Services/Voice/CallEnds.ts"
import type { CallResult, FoundCall } from "../../../Services/Voice/Voice.ts"
import { hasEnded, mayBecome } from "../../../Services/Voice/VoiceCallState.ts"
import { dialJobKey, followJobKey, followVoiceCall } from "../../../Services/Voice/VoiceCalls.ts"
import { personOfPhone } from "../../Accounts/Sql.ts"
import { playedSummary } from "../Providers/SpokenMessage.ts"
import { VoicePrice } from "./CallDurations.ts"
import { makeVoiceCallRows, type VoiceCallKey, type VoiceCallRow, type VoiceCallRows } from "./VoiceCallRows.ts"

const callerOf = ({ accountId, plan, reference }: VoiceCallRow) =>
  Caller.forTask(accountId, plan, `voice_call:${reference}`)

/** Runs an effect for the account that owns the call. */
export const asOwner =
  (row: VoiceCallRow) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, Caller>> =>
    Effect.provideService(effect, Caller, callerOf(row))

const longestSummary = 500

/** A provider that only plays a message does not report the spoken text, so the message itself is recorded. */
const resultOf = ({ languageKey, spokenText }: VoiceCallRow, reported: CallResult): CallResult =>
  reported.status === "completed" && reported.transcript.length === 0 && spokenText !== null
    ? {
        ...reported,
        summary: reported.summary ?? playedSummary(languageOf(languageKey), reported.wasPickedUp),
        transcript: [{ role: "agent", text: spokenText, at_seconds: 0 }]
      }
    : reported

/** A locked call, and how it ended. */
export interface EndingCall {
  readonly row: VoiceCallRow
  readonly result: CallResult
}

const idsOf = ({ accountId, voiceCallRequestId }: VoiceCallKey): VoiceCallKey => ({ accountId, voiceCallRequestId })

/** At most one task of each kind waits for a call. */
const dialKey = (key: VoiceCallKey) => dialJobKey(key.accountId, key.voiceCallRequestId)
const lookKey = (key: VoiceCallKey) => followJobKey(key.accountId, key.voiceCallRequestId)

const hasSpoken = ({ result: { transcript } }: EndingCall): boolean => transcript.some(({ role }) => role === "person")

const makeCallTasks = Effect.gen(function* () {
  const queue = yield* TaskQueue

  const runAt = (seconds: number) =>
    Effect.map(Clock.currentTimeMillis, (millis) => fromMillis(millis + Math.ceil(seconds) * 1000))

  return {
    dialLater: Effect.fnUntraced(function* (keys: ReadonlyArray<VoiceCallKey>, seconds: number) {
      if (keys.length === 0) return
      const at = yield* runAt(seconds)
      yield* queue.enqueueMany(
        placeVoiceCall,
        keys.map((key) => ({ payload: idsOf(key), runAt: at, jobKey: dialKey(key) }))
      )
    }),
    lookLater: Effect.fnUntraced(function* (keys: ReadonlyArray<VoiceCallKey>, seconds: number) {
      if (keys.length === 0) return
      const at = yield* runAt(seconds)
      yield* queue.enqueueMany(
        followVoiceCall,
        keys.map((key) => ({ payload: idsOf(key), runAt: at, jobKey: lookKey(key) }))
      )
    }),
    readReplies: Effect.fnUntraced(function* (rows: ReadonlyArray<VoiceCallKey & { readonly leadId: LeadId }>) {
      if (rows.length === 0) return
      yield* queue.enqueueMany(
        readReply,
        rows.map(({ accountId, leadId, voiceCallRequestId }) => ({
          payload: { accountId, leadId, channel: "voice" as const, messageId: voiceCallRequestId }
        }))
      )
    }),
    /** Queues the task again if none is waiting. */
    restoreDial: (key: VoiceCallKey) =>
      queue.enqueue(placeVoiceCall, idsOf(key), { jobKey: dialKey(key), jobKeyMode: "preserve_run_at" }),
    restoreLook: (key: VoiceCallKey) =>
      queue.enqueue(followVoiceCall, idsOf(key), { jobKey: lookKey(key), jobKeyMode: "preserve_run_at" })
  }
})

/** Ends calls and applies the consequences. */
const makeEndCalls = (rows: VoiceCallRows, tasks: Effect.Effect.Success<typeof makeCallTasks>) =>
  Effect.gen(function* () {
    const ledger = yield* TouchLedger
    const blacklist = yield* Blacklist
    const notifications = yield* Notifications
    const events = yield* AccountEvents
    const sql = yield* SqlClient
    const conversation = yield* AgentConversation
    const { perMinuteBrl } = yield* VoicePrice

    /** Blacklists a number without a lead if the person asks for it. A lead's request is handled as a reply. */
    const blacklistOnRequest = Effect.fnUntraced(function* ({ result: { transcript }, row }: EndingCall) {
      const isRequested = transcript.some(
        ({ role, text }) => role === "person" && asksToStop(text, languageOf(row.languageKey))
      )
      if (row.leadId !== null || !isRequested) return false
      yield* blacklist.add("phone", row.phone, undefined).pipe(
        // The number was called, so it is valid and cannot be refused.
        Effect.catchTag("Refused", (refusal) => Effect.die(refusal)),
        asOwner(row)
      )
      return true
    })

    const outcomeOf = ({ result, row }: EndingCall) => ({
      voice_call_request_id: row.voiceCallRequestId,
      status: result.status,
      was_picked_up: result.wasPickedUp,
      goal_achieved: result.goalAchieved
    })

    const notifyOwner = Effect.fnUntraced(function* (call: EndingCall, isOptOut: boolean) {
      const { result, row } = call
      if (row.kind !== "goal_driven") return
      const news = callNewsOf(result, row)
      yield* notifications
        .tell(news, {
          ...outcomeOf(call),
          phone_number: row.phone,
          goal: row.goal.slice(0, longestSummary),
          agreed: news.agreed,
          questions: news.questions,
          promised: news.promised,
          summary: result.summary?.slice(0, longestSummary) ?? null,
          reason: result.failureReason,
          asked_not_to_be_called: isOptOut
        })
        .pipe(asOwner(row))
    })

    /** Makes the words of the owner or a member in a call searchable, and those of the agent. */
    const noteWords = Effect.fnUntraced(function* (call: EndingCall) {
      const { result, row } = call
      if (row.kind !== "goal_driven" || !hasSpoken(call)) return
      const person = yield* personOfPhone(sql, row.accountId, [row.phone])
      if (person === undefined) return
      const wordsOf = (speaker: "agent" | "person") =>
        result.transcript.flatMap(({ role, text }) => (role === speaker ? [text] : [])).join("\n")
      const speakers = [
        ["agent", "agent"],
        [person, "person"]
      ] as const
      for (const [role, speaker] of speakers) {
        yield* conversation.note({ role, channel: "voice", words: wordsOf(speaker) }).pipe(asOwner(row))
      }
    })

    return Effect.fnUntraced(function* (reported: ReadonlyArray<EndingCall>) {
      if (reported.length === 0) return
      const calls = reported.map(({ result, row }): EndingCall => ({ row, result: resultOf(row, result) }))
      yield* rows.end(
        calls.map(({ result, row }) => ({
          ...idsOf(row),
          phone: row.phone,
          result,
          costBrl: callCost(result, perMinuteBrl)
        }))
      )
      yield* ledger.settle(
        calls.flatMap(({ result, row: { accountId, touchId } }) => {
          const { failureReason: reason, wasPickedUp } = result
          return touchId === null
            ? []
            : [{ accountId, touchId, end: touchEndOf(result), reason, isUnheard: wasPickedUp === false }]
        })
      )
      const answered = calls.flatMap((call) => {
        const { leadId } = call.row
        return leadId !== null && hasSpoken(call) ? [{ ...idsOf(call.row), leadId }] : []
      })
      yield* ledger.received(answered, "voice")
      yield* tasks.readReplies(answered)
      yield* tasks.dialLater(yield* rows.nextWaiting(calls.map(({ row }) => row)), 0)
      yield* Effect.forEach(calls, noteWords, { discard: true })
      for (const call of calls) yield* notifyOwner(call, yield* blacklistOnRequest(call))
      // Comes last, because it blocks the account's other events until the commit. Simulated calls cause no events.
      yield* events.appendAll(
        calls
          .filter(({ row }) => row.kind !== "simulation")
          .map((call) => ({
            accountId: call.row.accountId,
            event: {
              type: "voice_call_finished" as const,
              data: { ...outcomeOf(call), lead_id: call.row.leadId }
            }
          }))
      )
    })
  })

/** Advances calls through their states. Each step belongs in a transaction that has locked the calls' rows. */
export const makeCallSteps = Effect.gen(function* () {
  const rows: VoiceCallRows = yield* makeVoiceCallRows
  const ledger = yield* TouchLedger
  const tasks = yield* makeCallTasks
  const end = yield* makeEndCalls(rows, tasks)

  const placed = Effect.fnUntraced(function* (
    calls: ReadonlyArray<{
      readonly row: VoiceCallRow
      readonly providerCallId: string
      readonly spokenText: string | null
    }>
  ) {
    if (calls.length === 0) return
    const recorded = yield* rows.recordPlaced(calls.map(({ row, ...order }) => ({ ...idsOf(row), ...order })))
    yield* ledger.sent(
      calls.flatMap(({ row: { accountId, kind, leadId, voiceCallRequestId } }) =>
        leadId !== null && recorded.has(voiceCallRequestId)
          ? [{ accountId, leadId, touchId: null, channel: "voice" as const, kind }]
          : []
      )
    )
  })

  /**
   * True if the report is about this call. The call must have been dialed, and must not belong to another call of the
   * provider.
   */
  const isAbout = (row: VoiceCallRow, { providerCallId }: FoundCall): boolean =>
    row.dialRequest !== null && (row.providerCallId === null || row.providerCallId === providerCallId)

  return {
    rows,
    ...tasks,
    placed,
    end,
    /** Applies a report of the provider, which may be the first one about the call. */
    heard: Effect.fnUntraced(function* (
      reports: ReadonlyArray<{ readonly row: VoiceCallRow; readonly call: FoundCall }>
    ) {
      const applicable = reports.filter(({ call, row }) => isAbout(row, call))
      yield* placed(
        applicable.flatMap(({ call: { providerCallId }, row }) =>
          row.providerCallId === null ? [{ row, providerCallId, spokenText: null }] : []
        )
      )
      for (const { call, row } of applicable) {
        const isAnswered = call.progress._tag === "InProgress"
        if (isAnswered && mayBecome(row, { status: "in_progress", failureReason: null })) {
          yield* rows.recordAnswered(row)
        }
      }
      yield* end(
        applicable.flatMap(({ call: { progress }, row }) =>
          progress._tag === "Ended" && mayBecome(row, progress.result) ? [{ row, result: progress.result }] : []
        )
      )
    }),
    isOver: (row: VoiceCallRow): boolean => hasEnded(row.status)
  }
})

export type CallSteps = Effect.Effect.Success<typeof makeCallSteps>
