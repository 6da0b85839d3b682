import { type Refused, refused } from "../../Errors.ts"
import { type Micros, servedBudget, smallestBudget } from "./AdsMoney.ts"
import { type AutomatedMaterial, automatedAssets, noMaterial, remediesOf } from "./AutomatedAssets.ts"
import type { AdsCampaignState, ChannelType } from "./Ids.ts"

/** The status that the owner wants for a campaign. */
export type WantedStatus = "active" | "paused" | "ended"

/** The facts from which a campaign's state is derived. */
export interface AdsStanding {
  readonly wanted: WantedStatus
  /** The parts that the campaign needs before it can run. */
  readonly missing: ReadonlyArray<string>
  readonly rechargedMicros: Micros
  readonly remainingMicros: Micros
  readonly isAtPlatform: boolean
  readonly isEnabledThere: boolean
  readonly holdReason: string | null
  /** The failure that a person must resolve before the campaign continues. Null without one. */
  readonly failure: string | null
}

/** Whether the balance is too low to run the campaign. */
export const isDepleted = (remaining: Micros): boolean => servedBudget(smallestBudget, remaining) === undefined

export const stateOf = (standing: AdsStanding): AdsCampaignState => {
  const { failure, holdReason, isAtPlatform, isEnabledThere, missing, rechargedMicros, remainingMicros, wanted } =
    standing
  if (wanted === "ended") return "ended"
  if (rechargedMicros <= 0 && !isAtPlatform) return missing.length > 0 ? "draft" : "awaiting_funds"
  if (isDepleted(remainingMicros)) return isAtPlatform ? "depleted" : "awaiting_funds"
  if (failure !== null) return "failed"
  if (wanted === "paused") return "paused"
  if (missing.length > 0 || holdReason !== null) return "held"
  return isAtPlatform && isEnabledThere ? "live" : "provisioning"
}

/** Whether the platform should run the campaign. */
export const isToBeServed = (standing: AdsStanding): boolean =>
  standing.wanted === "active" &&
  standing.isAtPlatform &&
  standing.missing.length === 0 &&
  standing.holdReason === null &&
  standing.failure === null &&
  !isDepleted(standing.remainingMicros)

interface Content {
  readonly ads: number
  readonly keywords: number
}

/** The parts that a campaign needs before it can run. An automated campaign uses the account's own material. */
export const missingAssets = (
  channel: ChannelType,
  { ads, keywords }: Content,
  material: AutomatedMaterial | undefined
): ReadonlyArray<string> => {
  if (channel === "Search") return [...(ads === 0 ? ["ad"] : []), ...(keywords === 0 ? ["keyword"] : [])]
  const result = automatedAssets(material ?? noMaterial)
  return "missing" in result ? result.missing : []
}

const refusal = (reason: string, error: string, detail: string, state: AdsCampaignState) =>
  refused(reason, error, detail, { state })

/** Why a campaign cannot be paused, resumed or ended. Undefined if it can. */
export const refusedAction = (action: "Pause" | "Resume" | "End", standing: AdsStanding): Refused | undefined => {
  const state = stateOf(standing)
  if (standing.wanted === "ended") {
    return action === "End"
      ? undefined
      : refusal(
          "campaign_ended",
          "The campaign has ended, which cannot be undone.",
          "Make a new one with create_adsplatform_campaign_draft.",
          state
        )
  }
  if (action !== "Resume") return undefined
  if (isDepleted(standing.remainingMicros)) {
    return refusal(
      "no_balance",
      "The campaign has no balance that it could be served with.",
      "Open its recharge link and add funds; get_adsplatform_campaign shows it.",
      state
    )
  }
  if (standing.missing.length > 0) {
    return refused(
      "assets_missing",
      `The campaign lacks: ${standing.missing.join(", ")}.`,
      remediesOf(standing.missing).length === 0
        ? "Add them with create_adsplatform_search_ad and add_adsplatform_keywords."
        : `Add them: ${remediesOf(standing.missing).join("; ")}.`,
      { state, missing_assets: [...standing.missing] }
    )
  }
  return undefined
}

/**
 * Why no balance can be refunded. Undefined if it can. A running campaign cannot be refunded, because further clicks
 * cost money.
 */
export const refusedRefund = (
  campaign: Pick<AdsStanding, "isAtPlatform" | "wanted"> & {
    readonly state: AdsCampaignState
    readonly isStoppedAndCounted: boolean
  }
): Refused | undefined =>
  campaign.wanted !== "active" && (!campaign.isAtPlatform || campaign.isStoppedAndCounted)
    ? undefined
    : refusal(
        "campaign_running",
        "The campaign is served, or what it cost before it was stopped is not known yet.",
        "Pause it, and repeat this once its spend was synced.",
        campaign.state
      )

/** Why the campaign cannot be changed. Undefined if it can. */
export const refusedChange = (wanted: WantedStatus): Refused | undefined =>
  wanted === "ended"
    ? refused(
        "campaign_ended",
        "The campaign has ended: nothing can be changed on it.",
        "Make a new one with create_adsplatform_campaign_draft.",
        { state: "ended" }
      )
    : undefined
