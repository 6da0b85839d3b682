import { Effect, Option } from "effect"
import type { Transient } from "../../../Errors.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { endedWithout } from "../../../Services/Voice/CallEnds.ts"
import { type CallProgress, type DialedCall, type FoundCall, Voice } from "../../../Services/Voice/Voice.ts"
import { outcomeUnknown } from "../../../Services/Voice/VoiceCallState.ts"
import { followVoiceCall, tendVoiceCalls } from "../../../Services/Voice/VoiceCalls.ts"
import { recurring } from "../../Platform/Jobs/Recurring.ts"
import { handle } from "../../Platform/Jobs/TaskHandler.ts"
import { VoiceCallCompletion } from "./CallCompletion.ts"
import { VoiceTiming } from "./CallDurations.ts"
import type { VoiceCallKey, VoiceCallRow } from "./VoiceCallRows.ts"

/** The provider's answer about a call. */
type Sight =
  | { readonly _tag: "Seen"; readonly call: FoundCall }
  /** The provider does not know the call. */
  | { readonly _tag: "Unseen" }
  /** The provider cannot be reached, or several of its calls match. */
  | { readonly _tag: "Unclear"; readonly askAgainIn: number }

const unseen: Sight = { _tag: "Unseen" }
const seenAs = (providerCallId: string, progress: CallProgress): Sight => ({
  _tag: "Seen",
  call: { providerCallId, progress }
})

const askProvider = Effect.fnUntraced(function* (row: VoiceCallRow, call: DialedCall) {
  const voice = yield* Voice
  const completion = yield* VoiceCallCompletion
  // The provider was changed since the call, and the new one does not know it.
  if (row.provider !== voice.provider) return { _tag: "Unclear", askAgainIn: 0 } satisfies Sight
  const { providerCallId } = row
  if (providerCallId !== null) {
    return Option.match(yield* voice.progress({ ...call, providerCallId }), {
      onNone: () => unseen,
      onSome: (progress) => seenAs(providerCallId, progress)
    })
  }
  const candidates = yield* voice.find(call)
  const assignedIds = yield* completion.rows.known(
    voice.provider,
    candidates.map((candidate) => candidate.providerCallId)
  )
  const [firstCandidate, ...others] = candidates.filter((candidate) => !assignedIds.has(candidate.providerCallId))
  if (firstCandidate === undefined) return unseen
  return others.length > 0
    ? ({ _tag: "Unclear", askAgainIn: 0 } satisfies Sight)
    : seenAs(firstCandidate.providerCallId, firstCandidate.progress)
})

const record = Effect.fnUntraced(function* (key: VoiceCallKey, sight: Sight) {
  const completion = yield* VoiceCallCompletion
  const timing = yield* VoiceTiming
  const row = yield* completion.rows.lock(key)
  if (row === undefined || completion.isOver(row)) return
  const begunSeconds = row.begunSeconds ?? 0
  if (sight._tag === "Seen") yield* completion.heard([{ row, call: sight.call }])
  const isGivenUp = sight._tag === "Unseen" && row.providerCallId === null && begunSeconds > timing.giveUpFinding
  if (isGivenUp) return yield* completion.end([{ row, result: endedWithout("failed", outcomeUnknown) }])
  const askAgainIn = sight._tag === "Unclear" ? sight.askAgainIn : 0
  yield* completion.lookLater([row], Math.max(askAgainIn, timing.lookAfter(begunSeconds)))
})

/** Polls the provider about a call and records its state. Repeats this later until the call has ended. */
export const followCall = Effect.fn("Voice.follow")(function* (key: VoiceCallKey) {
  const unit = yield* UnitOfWork
  const completion = yield* VoiceCallCompletion
  const row = yield* completion.rows.read(key)
  if (row === undefined || completion.isOver(row)) return
  // The dialing task handles a call that the provider has not accepted yet.
  if (row.begunAt === null || row.dialRequest === null || row.dialRequest === "refused") return
  const { begunAt, phone, reference } = row
  const sight = yield* Effect.catchTag(
    askProvider(row, { dialedAt: begunAt, phone, reference }),
    "Transient",
    ({ retryAfterSeconds }): Effect.Effect<Sight> => Effect.succeed({ _tag: "Unclear", askAgainIn: retryAfterSeconds })
  )
  if (sight._tag === "Seen" && sight.call.progress._tag === "Ended") {
    const { accountId, leadId, voiceCallRequestId } = row
    const { progress, providerCallId } = sight.call
    const { result } = progress
    yield* completion.batches.recordEnded({ accountId, voiceCallRequestId, leadId, providerCallId, result })
  } else yield* unit.write(record(key, sight))
})

/** Ends calls without news for too long, and queues possibly lost tasks of the others again. */
const tend = Effect.gen(function* () {
  const unit = yield* UnitOfWork
  const completion = yield* VoiceCallCompletion
  const timing = yield* VoiceTiming
  const { rows } = completion

  const giveUp = Effect.fnUntraced(function* (key: VoiceCallKey) {
    const row = yield* rows.lock(key)
    if (row === undefined || completion.isOver(row)) return
    const isKnownNotMade = row.dialRequest === "refused"
    const reason = isKnownNotMade ? (row.failureReason ?? "provider_unavailable") : outcomeUnknown
    yield* completion.end([{ row, result: endedWithout("failed", reason) }])
  })
  for (const key of yield* rows.silent(timing.silence)) yield* unit.write(giveUp(key))
  for (const call of yield* rows.silent(timing.lostTask)) {
    yield* call.dialRequest === "refused" ? completion.restoreDial(call) : completion.restoreLook(call)
  }
  for (const key of yield* rows.waiting(timing.lostTask)) yield* completion.restoreDial(key)
}) satisfies Effect.Effect<void, Transient, unknown>

export const followVoiceCallHandler = handle(followVoiceCall, followCall)

export const voiceCallTending = {
  handler: handle(tendVoiceCalls, () => tend),
  recurring: recurring("tend_voice_calls", "*/5 * * * *", tendVoiceCalls, {})
}
