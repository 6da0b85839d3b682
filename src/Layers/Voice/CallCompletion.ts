import { Clock, Context, Effect, Layer } from "effect"
import { Blacklist } from "../../Services/Blacklist/Blacklist.ts"
import { Caller } from "../../Services/Core/Caller.ts"
import { fromMillis } from "../../Services/Core/Timestamp.ts"
import { AccountEvents } from "../../Services/Events/AccountEvents.ts"
import { Notifications } from "../../Services/Events/Notifications.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import { placeVoiceCall, readReply } from "../../Services/Outreach/OutreachTasks.ts"
import { TouchLedger } from "../../Services/Outreach/TouchLedger.ts"
import { isUnsubscribeWish } from "../../Services/Replies/UnsubscribeWish.ts"
import { languageOf } from "../../Services/Text/Language.ts"
import { callCost, callNewsOf, touchEndOf } from "../../Services/Voice/CallEnds.ts"
import type { CallProgress, CallResult, FoundCall } from "../../Services/Voice/Voice.ts"
import { hasEnded, mayBecome } from "../../Services/Voice/VoiceCallState.ts"
import { dialJobKey, followJobKey, followVoiceCall } from "../../Services/Voice/VoiceCalls.ts"
import { VoicePrice } from "./CallDurations.ts"
import { playedSummary } from "./SpokenMessage.ts"
import { makeVoiceCallRows, type VoiceCallKey, type VoiceCallRow, type VoiceCallRows } from "./VoiceCallRows.ts"
import { makeVoiceGroups } from "./VoiceGroups.ts"

const callerOf = ({ accountId, plan, reference }: VoiceCallRow) =>
  Caller.forTask(accountId, plan, `voice_call:${reference}`)

/** Runs an effect on behalf of the account that the call belongs to. */
export const asOwner =
  (row: VoiceCallRow) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, Caller>> =>
    Effect.provideService(effect, Caller, callerOf(row))

const longestSummary = 500

/** A provider that plays a message tells nothing of what was said. */
const resultOf = ({ languageKey, spokenText }: VoiceCallRow, told: CallResult): CallResult =>
  told.status === "completed" && told.transcript.length === 0 && spokenText !== null
    ? {
        ...told,
        summary: told.summary ?? playedSummary(languageOf(languageKey), told.wasPickedUp),
        transcript: [{ role: "agent", text: spokenText, at_seconds: 0 }]
      }
    : told

const make = Effect.gen(function* () {
  const rows: VoiceCallRows = yield* makeVoiceCallRows
  const ledger = yield* TouchLedger
  const blacklist = yield* Blacklist
  const notifications = yield* Notifications
  const events = yield* AccountEvents
  const queue = yield* TaskQueue
  const { perMinuteBrl } = yield* VoicePrice
  const costOf = (result: CallResult) => callCost(result, perMinuteBrl)
  const groups = yield* makeVoiceGroups(rows, { costOf, resultOf })

  const runAt = (seconds: number) =>
    Effect.map(Clock.currentTimeMillis, (millis) => fromMillis(millis + Math.ceil(seconds) * 1000))

  /** At most one task of each kind waits for a call. */
  const dialKey = (key: VoiceCallKey) => dialJobKey(key.accountId, key.voiceCallRequestId)
  const lookKey = (key: VoiceCallKey) => followJobKey(key.accountId, key.voiceCallRequestId)
  const idsOf = ({ accountId, voiceCallRequestId }: VoiceCallKey): VoiceCallKey => ({ accountId, voiceCallRequestId })

  const dialLater = Effect.fnUntraced(function* (key: VoiceCallKey, seconds: number) {
    yield* queue.enqueue(placeVoiceCall, idsOf(key), { runAt: yield* runAt(seconds), jobKey: dialKey(key) })
  })

  const placed = Effect.fnUntraced(function* (row: VoiceCallRow, providerCallId: string, spokenText: string | null) {
    yield* rows.recordPlaced(row, providerCallId, spokenText)
    if (row.leadId !== null) yield* ledger.sent(row.accountId, row.leadId, null, { channel: "voice", kind: row.kind })
  })

  /** A number of no lead whose owner wants no more calls is called no more; a lead's wish is read as its reply. */
  const keepUncalled = Effect.fnUntraced(function* (row: VoiceCallRow, { transcript }: CallResult) {
    const isWish = transcript.some(({ role, text }) => role === "person" && isUnsubscribeWish(text))
    if (isWish) {
      yield* blacklist.add("phone", row.phone, undefined).pipe(
        // A number that was called is one.
        Effect.catchTag("Refused", (refusal) => Effect.die(refusal)),
        asOwner(row)
      )
    }
    return isWish
  })

  const end = Effect.fnUntraced(function* (row: VoiceCallRow, told: CallResult) {
    const result = resultOf(row, told)
    yield* rows.end(row, result, costOf(result))
    if (row.touchId !== null) {
      yield* ledger.settle({
        accountId: row.accountId,
        touchId: row.touchId,
        end: touchEndOf(result),
        isUnheard: result.wasPickedUp === false,
        ...(result.failureReason === null ? {} : { reason: result.failureReason })
      })
    }
    const isOptOut = row.leadId === null && (yield* keepUncalled(row, result))
    if (row.leadId !== null && result.transcript.some(({ role }) => role === "person")) {
      const { accountId, leadId, voiceCallRequestId } = row
      yield* ledger.received(accountId, leadId, "voice")
      yield* queue.enqueue(readReply, { accountId, leadId, channel: "voice", messageId: voiceCallRequestId })
    }
    const waiting = yield* rows.nextWaiting(row)
    if (waiting !== undefined) yield* dialLater(waiting, 0)

    // A simulation asks after its call; nobody else hears of it.
    if (row.kind === "simulation") return
    const outcome = {
      voice_call_request_id: row.voiceCallRequestId,
      status: result.status,
      was_picked_up: result.wasPickedUp,
      goal_achieved: result.goalAchieved
    }
    yield* Effect.gen(function* () {
      if (row.kind === "goal_driven") {
        yield* notifications.tell(callNewsOf(result), {
          ...outcome,
          summary: result.summary?.slice(0, longestSummary) ?? null,
          reason: result.failureReason,
          asked_not_to_be_called: isOptOut
        })
      }
      // Last, since it holds up the account's other events until the commit.
      yield* events.append({ type: "voice_call_finished", data: { ...outcome, lead_id: row.leadId } })
    }).pipe(asOwner(row))
  })

  /** Moves a locked call on, where what is told is news. */
  const advance = Effect.fnUntraced(function* (row: VoiceCallRow, progress: CallProgress) {
    switch (progress._tag) {
      case "Dialing":
        return
      case "InProgress":
        if (mayBecome(row, { status: "in_progress", failureReason: null })) yield* rows.recordAnswered(row)
        return
      case "Ended":
        if (mayBecome(row, progress.result)) yield* end(row, progress.result)
    }
  })

  return {
    rows,
    groups,
    runAt,
    dialLater,
    lookLater: Effect.fnUntraced(function* (key: VoiceCallKey, seconds: number) {
      yield* queue.enqueue(followVoiceCall, idsOf(key), { runAt: yield* runAt(seconds), jobKey: lookKey(key) })
    }),
    /** Queues the task again where none waits. */
    restoreDial: (key: VoiceCallKey) =>
      queue.enqueue(placeVoiceCall, idsOf(key), { jobKey: dialKey(key), jobKeyMode: "preserve_run_at" }),
    restoreLook: (key: VoiceCallKey) =>
      queue.enqueue(followVoiceCall, idsOf(key), { jobKey: lookKey(key), jobKeyMode: "preserve_run_at" }),
    placed,
    end,
    advance,
    /** What the provider tells of a locked call, of which it may be the first thing that is heard. */
    heard: Effect.fnUntraced(function* (row: VoiceCallRow, { progress, providerCallId }: FoundCall) {
      // A call that was never dialed cannot be heard of, and one that became another call is not this one.
      if (row.dialRequest === null) return
      if (row.providerCallId !== null && row.providerCallId !== providerCallId) return
      if (row.providerCallId === null) yield* placed(row, providerCallId, null)
      yield* advance(row, progress)
    }),
    isOver: (row: VoiceCallRow): boolean => hasEnded(row.status)
  }
})

/** The steps of a call through its states. Each belongs in a transaction that holds the call's row. */
export class VoiceCallCompletion extends Context.Tag("VoiceCallCompletion")<
  VoiceCallCompletion,
  Effect.Effect.Success<typeof make>
>() {}

export const VoiceCallCompletionLive = Layer.effect(VoiceCallCompletion, make)
