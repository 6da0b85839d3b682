import { Effect } from "effect"
import type { Transient } from "../../../Errors.ts"
import { isOptimizerOff, trialOf } from "../../../Services/Outreach/Adjustments.ts"
import type { Steering } from "../../../Services/Outreach/TouchComposer.ts"
import type { TouchFacts } from "../../../Services/Outreach/TouchFacts.ts"
import { TouchSteering } from "../../../Services/Outreach/TouchSteering.ts"
import type { Touch } from "../../../Services/Outreach/TouchTasks.ts"
import type { EffectiveConfiguration } from "../../../Services/Prospecting/EffectiveConfiguration.ts"
import { Timing } from "../../../Services/Timing/Timing.ts"
import type { PreferredHours } from "../../../Services/Timing/TouchTime.ts"
import { hasChoiceOfChannels } from "./TouchBrief.ts"

/** Reads the settings that the optimizer tries with the lead, and when the lead is best contacted. */
export const makeSteering = Effect.gen(function* () {
  const timing = yield* Timing
  const steering = yield* TouchSteering

  return Effect.fnUntraced(function* (
    { accountId, leadId }: Touch,
    facts: TouchFacts,
    { config, mayOpenChat }: { readonly config: EffectiveConfiguration; readonly mayOpenChat: boolean }
  ): Effect.fn.Return<Steering, Transient> {
    if (facts.notice !== null || facts.is_holding_line) return {}
    const { campaign_id, cnae, industry } = facts
    const hours = yield* timing.hours({
      accountId,
      leadId,
      cnae,
      industry,
      hasWritten: facts.conversation.some(({ direction }) => direction === "inbound")
    })
    const wantedHours: PreferredHours | undefined = hours && {
      reason: { _tag: "Replies", source: hours.source, replies: hours.replies },
      hours: hours.hours.map(({ hour, replies, weekday }) => ({ weekday, hour, weight: replies }))
    }
    if (isOptimizerOff(config.strategy)) return { wantedHours }
    const choices = yield* steering.choices({ accountId, campaignId: campaign_id })
    if (choices === undefined) return { wantedHours }
    const sector = (cnae ?? "").replace(/\D/g, "").slice(0, 2)
    const trial = trialOf(choices, {
      leadId,
      sector: sector === "" ? null : sector,
      hasChoiceOfChannels: hasChoiceOfChannels(facts, mayOpenChat)
    })
    return { wantedHours, trial }
  })
})
