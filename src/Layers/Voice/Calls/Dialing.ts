import { Effect } from "effect"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { placeVoiceCall } from "../../../Services/Outreach/OutreachTasks.ts"
import type { EffectiveConfiguration } from "../../../Services/Prospecting/EffectiveConfiguration.ts"
import { ProspectingConfig } from "../../../Services/Prospecting/ProspectingConfig.ts"
import { detectLanguage, languageOf } from "../../../Services/Text/Language.ts"
import { languageOfLead } from "../../../Services/Text/LeadLanguage.ts"
import { endedWithout } from "../../../Services/Voice/CallEnds.ts"
import { type CallNotPlaced, type CallOrder, Voice } from "../../../Services/Voice/Voice.ts"
import { VoiceCallRequestId } from "../../../Services/Voice/VoiceCalls.ts"
import { handle } from "../../Platform/Jobs/TaskHandler.ts"
import { uninterruptibleDaemon } from "../../Platform/UninterruptibleDaemon.ts"
import { VoiceCallCompletion } from "./CallCompletion.ts"
import { VoiceTiming } from "./CallDurations.ts"
import { followCall } from "./CallPolling.ts"
import { asOwner } from "./CallSteps.ts"
import type { VoiceCallKey, VoiceCallRow } from "./VoiceCallRows.ts"

/** The order for the provider. */
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

const recordNotPlaced = Effect.fnUntraced(function* (key: VoiceCallKey, failure: CallNotPlaced) {
  const completion = yield* VoiceCallCompletion
  const timing = yield* VoiceTiming
  const row = yield* completion.rows.lock(key)
  if (row === undefined || completion.isOver(row) || row.providerCallId !== null) return
  if (failure.retryAfterSeconds === undefined) {
    return yield* completion.end([{ row, result: endedWithout("failed", failure.reason) }])
  }
  yield* completion.rows.recordRefused(row, failure.reason)
  const seconds = Math.min(Math.max(failure.retryAfterSeconds, timing.retry), timing.giveUpDialing)
  yield* completion.dialLater([row], seconds)
})

/** Makes a call that was begun. The outcome of the order is stored even if the process is about to stop. */
const place = Effect.fnUntraced(function* (row: VoiceCallRow, config: EffectiveConfiguration) {
  const unit = yield* UnitOfWork
  const voice = yield* Voice
  const { batches } = yield* VoiceCallCompletion
  const { accountId, leadId, voiceCallRequestId } = row
  yield* voice.place(orderOf(row, config)).pipe(
    Effect.matchEffect({
      onSuccess: (placed) => batches.recordPlaced({ accountId, voiceCallRequestId, leadId, ...placed }),
      onFailure: (failure) =>
        failure._tag === "CallNotPlaced" ? unit.write(recordNotPlaced(row, failure)) : Effect.void
    })
  )
})

/** Makes one attempt to call. However many attempts run, in any number of processes, the call is made once. */
export const dial = Effect.fn("Voice.dial")(function* (key: VoiceCallKey) {
  const { provider } = yield* Voice
  const completion = yield* VoiceCallCompletion
  const timing = yield* VoiceTiming
  const row = yield* completion.rows.read(key)
  if (row === undefined) return
  const { accountId, leadId, voiceCallRequestId } = row
  const configs = yield* ProspectingConfig
  const config = yield* configs.effectiveOutsideTransaction(row.campaignId).pipe(asOwner(row))
  const isCallingActive = config.voice_calling_active
  const hours = { startHour: config.send_window_start_hour, endHour: config.send_window_end_hour }
  // Not interruptible, because a call that was begun in a batch would otherwise count as lost.
  const begunCall = yield* uninterruptibleDaemon(
    Effect.tap(
      completion.batches.begin({ accountId, voiceCallRequestId, leadId, isCallingActive, hours, provider, timing }),
      (result) => (result._tag === "Begun" ? place(result.row, config) : Effect.void)
    )
  )
  if (begunCall._tag === "Follow") yield* followCall(key)
})

export const placeVoiceCallHandler = handle(placeVoiceCall, ({ accountId, voiceCallRequestId }) =>
  dial({ accountId, voiceCallRequestId: VoiceCallRequestId.make(voiceCallRequestId) })
)
