import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Either, Option } from "effect"
import type { Refused, Transient } from "../../Errors.ts"
import { Blacklist } from "../../Services/Blacklist/Blacklist.ts"
import { UnitOfWork } from "../../Services/Core/UnitOfWork.ts"
import { placeVoiceCall } from "../../Services/Outreach/OutreachTasks.ts"
import { SendGuard } from "../../Services/Outreach/SendGuard.ts"
import type { EffectiveConfiguration } from "../../Services/Prospecting/EffectiveConfiguration.ts"
import { ProspectingConfig } from "../../Services/Prospecting/ProspectingConfig.ts"
import { detectLanguage, languageOf } from "../../Services/Text/Language.ts"
import { languageOfLead } from "../../Services/Text/LeadLanguage.ts"
import { callablePhone } from "../../Services/Voice/CallablePhone.ts"
import { endedWithout } from "../../Services/Voice/CallEnds.ts"
import { type CallNotPlaced, type CallOrder, type PlacedCall, Voice } from "../../Services/Voice/Voice.ts"
import { longestWaitSeconds, VoiceCallRequestId } from "../../Services/Voice/VoiceCalls.ts"
import { isForbiddenOwnPhone } from "../Accounts/Sql.ts"
import { handle } from "../Platform/Jobs/TaskHandler.ts"
import { uninterruptibleDaemon } from "../Platform/UninterruptibleDaemon.ts"
import { asOwner, VoiceCallCompletion } from "./CallCompletion.ts"
import { VoiceTiming } from "./CallDurations.ts"
import { followCall } from "./CallPolling.ts"
import type { VoiceCallKey, VoiceCallRow } from "./VoiceCallRows.ts"

/** What a look at the call decides. */
type Claim =
  | { readonly _tag: "Nothing" }
  /** The order may have left already: it is looked for, and not sent again. */
  | { readonly _tag: "Follow" }
  | { readonly _tag: "Place"; readonly order: CallOrder }

const nothing: Claim = { _tag: "Nothing" }
const follow: Claim = { _tag: "Follow" }

/** Why the call may not be made now; asked in the transaction that begins it. */
const blockOf = Effect.fnUntraced(function* (row: VoiceCallRow, isCallingActive: boolean) {
  const isAutonomous = row.kind === "prospecting"
  const guard = yield* SendGuard
  const blacklist = yield* Blacklist
  // The guard locks the lead: who stops it from here on waits until the call is begun.
  const lead =
    row.leadId === null
      ? Option.none()
      : yield* guard.check({
          accountId: row.accountId,
          leadId: row.leadId,
          channel: "voice",
          isAutonomous,
          // Nobody is called because of a meeting.
          touchId: null
        })
  const entry = yield* blacklist.blockedBy({ email: null, phone: row.phone })
  if (Option.isSome(entry)) yield* blacklist.countBlock(entry.value.blacklist_entry_id)
  if (Option.isSome(lead)) return lead.value
  if (Option.isSome(entry)) return "blacklisted"
  if (isAutonomous && !isCallingActive) return "voice_calling_off"
  // The permission may have been taken back since the call was asked for.
  const isOwn = !isAutonomous && (yield* isForbiddenOwnPhone(yield* SqlClient, row.accountId, row.phone))
  if (isOwn) return "calls_to_account_off"
  return Either.match(callablePhone(row.phone), {
    onLeft: ({ reason }: Refused): string | undefined => reason,
    onRight: () => undefined
  })
})

/** Checks the call once more and marks it as begun, so that whatever happens next it is never begun again. */
const claim = Effect.fnUntraced(function* (key: VoiceCallKey) {
  const completion = yield* VoiceCallCompletion
  const timing = yield* VoiceTiming
  const voice = yield* Voice
  const row = yield* completion.rows.lock(key)
  if (row === undefined || completion.isOver(row)) return nothing
  if (row.dialRequest === "begun" || row.dialRequest === "placed") return follow

  if (row.status === "queued" && row.waitedSeconds > longestWaitSeconds) {
    yield* completion.end(row, endedWithout("cancelled", "waited_too_long"))
    return nothing
  }
  if ((row.dialedSeconds ?? 0) > timing.giveUpDialing) {
    yield* completion.end(row, endedWithout("failed", row.failureReason ?? "provider_unavailable"))
    return nothing
  }
  if (!(yield* completion.rows.takeNumber(row, row.phone))) {
    yield* completion.dialLater(row, timing.numberBusy)
    return nothing
  }
  const config = yield* Effect.flatMap(ProspectingConfig, ({ effective }) => effective(row.campaignId))
  const block = yield* blockOf(row, config.voice_calling_active)
  if (block !== undefined) {
    yield* completion.end(row, endedWithout("cancelled", block))
    return nothing
  }

  yield* completion.rows.begin(row, voice.provider)
  yield* completion.lookLater(row, timing.lookAfter(0))
  return { _tag: "Place", order: orderOf(row, config) } satisfies Claim
})

/** What the provider is told. */
const orderOf = (row: VoiceCallRow, config: EffectiveConfiguration): CallOrder => {
  const language =
    row.kind === "goal_driven"
      ? (detectLanguage(row.goal) ?? languageOf(row.languageKey))
      : languageOfLead(
          { language: row.leadLanguage, country: row.leadCountry, state: row.leadState, phone: row.phone },
          row.languageKey
        )
  return {
    accountId: row.accountId,
    reference: row.reference,
    phone: row.phone,
    voice: config.prospecting_voice,
    language: row.staged?.language ?? language,
    businessName: row.staged?.businessName ?? config.business.business_name ?? row.accountName,
    personName: row.staged?.personName ?? row.leadName,
    companyName: row.staged === null ? row.leadCompany : row.staged.companyName,
    openingLine: row.openingLine,
    goal: row.goal,
    isProspecting: row.kind !== "goal_driven",
    context: row.context,
    instructions: row.staged?.instructions ?? (row.kind === "prospecting" ? config.voice_instructions : null)
  }
}

const recordPlaced = Effect.fnUntraced(function* (key: VoiceCallKey, placed: PlacedCall) {
  const completion = yield* VoiceCallCompletion
  const row = yield* completion.rows.lock(key)
  if (row === undefined) return
  if (row.providerCallId === null) yield* completion.placed(row, placed.providerCallId, placed.spokenText)
  // The provider's own report was faster.
  else if (placed.spokenText !== null) yield* completion.rows.recordSpoken(row, placed.spokenText)
})

const recordNotPlaced = Effect.fnUntraced(function* (key: VoiceCallKey, failure: CallNotPlaced) {
  const completion = yield* VoiceCallCompletion
  const timing = yield* VoiceTiming
  const row = yield* completion.rows.lock(key)
  if (row === undefined || completion.isOver(row) || row.providerCallId !== null) return
  if (failure.retryAfterSeconds === undefined) {
    return yield* completion.end(row, endedWithout("failed", failure.reason))
  }
  yield* completion.rows.recordRefused(row, failure.reason)
  const seconds = Math.min(Math.max(failure.retryAfterSeconds, timing.retry), timing.giveUpDialing)
  yield* completion.dialLater(row, seconds)
})

/** The same for a call that is begun with others, to its end: a call that was begun and not placed would count as lost. */
const dialUsual = Effect.fnUntraced(function* (key: VoiceCallKey, row: VoiceCallRow) {
  const unit = yield* UnitOfWork
  const voice = yield* Voice
  const completion = yield* VoiceCallCompletion
  const timing = yield* VoiceTiming
  const isLate = row.waitedSeconds > longestWaitSeconds || row.dialedSeconds !== null
  if (row.kind !== "prospecting" || isLate || Either.isLeft(callablePhone(row.phone))) return false
  const config = yield* Effect.flatMap(ProspectingConfig, ({ effectiveApart }) => effectiveApart(row.campaignId))
  if (!config.voice_calling_active) return false
  const lookAt = yield* completion.runAt(timing.lookAfter(0))
  return yield* uninterruptibleDaemon(
    Effect.flatMap(completion.groups.begin(row, { provider: voice.provider, lookAt }), (begun) =>
      Effect.as(
        Effect.transposeMapOption(begun, (held) =>
          voice.place(orderOf(held, config)).pipe(
            Effect.matchEffect({
              onSuccess: (placed) =>
                Effect.flatMap(completion.groups.placed(held, placed), (isDone) =>
                  isDone ? Effect.void : unit.write(recordPlaced(key, placed))
                ),
              onFailure: (failure): Effect.Effect<void, Transient, VoiceCallCompletion> =>
                failure._tag === "CallNotPlaced" ? unit.write(recordNotPlaced(key, failure)) : Effect.void
            })
          )
        ),
        Option.isSome(begun)
      )
    )
  )
})

/** One attempt to make a call: it is made once, however often and in how many processes this runs. */
export const dial = Effect.fn("Voice.dial")(function* (key: VoiceCallKey) {
  const unit = yield* UnitOfWork
  const voice = yield* Voice
  const completion = yield* VoiceCallCompletion
  const owner = yield* completion.rows.read(key)
  if (owner === undefined) return
  if (yield* dialUsual(key, owner).pipe(asOwner(owner))) return
  const claimed = yield* unit.write(claim(key)).pipe(asOwner(owner))
  if (claimed._tag === "Nothing") return
  if (claimed._tag === "Follow") return yield* followCall(key)
  // What became of the order is written down even when the process stops meanwhile.
  yield* Effect.uninterruptibleMask((restore) =>
    restore(voice.place(claimed.order)).pipe(
      Effect.matchEffect({
        onSuccess: (placed) => unit.write(recordPlaced(key, placed)),
        onFailure: (failure): Effect.Effect<void, Transient, VoiceCallCompletion> =>
          failure._tag === "CallNotPlaced" ? unit.write(recordNotPlaced(key, failure)) : Effect.void
      })
    )
  )
})

export const placeVoiceCallHandler = handle(placeVoiceCall, ({ accountId, voiceCallRequestId }) =>
  dial({ accountId, voiceCallRequestId: VoiceCallRequestId.make(voiceCallRequestId) })
)
