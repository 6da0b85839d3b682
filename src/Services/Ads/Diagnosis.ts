import type { DiagnosisFinding } from "./AdsModel.ts"

type Severity = DiagnosisFinding["severity"]

/** Explains the platform's reasons and how to fix them. Unlisted reasons are shown unchanged. */
const platformReasons: { readonly [code: string]: readonly [Severity, explanation: string, whatToDo: string] } = {
  CAMPAIGN_REMOVED: ["blocking", "The campaign was removed at the platform.", "Make a new campaign."],
  CAMPAIGN_PAUSED: ["blocking", "The campaign is paused.", "Resume it with set_adsplatform_campaign_status."],
  CAMPAIGN_PENDING: ["info", "The campaign has not begun yet.", "Wait until it begins."],
  CAMPAIGN_ENDED: ["blocking", "The campaign is over at the platform.", "Make a new campaign."],
  CAMPAIGN_DRAFT: ["blocking", "The campaign is a draft at the platform.", "Call nudge_adsplatform_provisioning."],
  BIDDING_STRATEGY_MISCONFIGURED: ["blocking", "The way of bidding is not set up right.", "Write to support."],
  BIDDING_STRATEGY_LIMITED: ["warning", "The way of bidding is held back by its limits.", "Raise the budget."],
  BIDDING_STRATEGY_LEARNING: [
    "info",
    "The platform is learning how to bid after a change.",
    "Leave budget and keywords as they are for about a week."
  ],
  BIDDING_STRATEGY_CONSTRAINED: ["warning", "Bids cannot reach their aim.", "Raise the budget or add keywords."],
  BUDGET_CONSTRAINED: [
    "warning",
    "The daily budget is used up before the day is over, so that searches are missed.",
    "Raise it with update_adsplatform_campaign_budget, or exclude what does not pay with add_adsplatform_negative_keywords."
  ],
  BUDGET_MISCONFIGURED: [
    "blocking",
    "The budget is not set up right.",
    "Set it with update_adsplatform_campaign_budget."
  ],
  SEARCH_VOLUME_LIMITED: [
    "warning",
    "Hardly anybody searches for the keywords.",
    "Add more common ones: get_adsplatform_keyword_ideas tells how often each is searched for."
  ],
  AD_GROUPS_PAUSED: [
    "blocking",
    "The ad group is paused.",
    "Resume the campaign with set_adsplatform_campaign_status."
  ],
  NO_AD_GROUPS: ["blocking", "The campaign has no ad group.", "Call nudge_adsplatform_provisioning."],
  KEYWORDS_PAUSED: ["blocking", "All keywords are paused.", "Add keywords with add_adsplatform_keywords."],
  NO_KEYWORDS: ["blocking", "There are no keywords.", "Add some with add_adsplatform_keywords."],
  AD_GROUP_ADS_PAUSED: ["blocking", "All ads are paused.", "Add one with create_adsplatform_search_ad."],
  NO_AD_GROUP_ADS: ["blocking", "There is no ad.", "Add one with create_adsplatform_search_ad."],
  HAS_ADS_LIMITED_BY_POLICY: [
    "warning",
    "Some ads are shown less, by the platform's policies.",
    "See policy_findings of the ads, and change what they name."
  ],
  HAS_ADS_DISAPPROVED: [
    "warning",
    "Some ads are not shown, by the platform's policies.",
    "See policy_findings, and add an ad without what they name."
  ],
  MOST_ADS_UNDER_REVIEW: ["info", "Most ads are being reviewed.", "Wait: a review takes a working day."],
  MISSING_LEAD_FORM_EXTENSION: ["warning", "The lead form is missing.", "Write to support."],
  HAS_ASSET_GROUPS_DISAPPROVED: ["warning", "Some assets are not shown, by the platform's policies.", "Replace them."],
  HAS_ASSET_GROUPS_LIMITED_BY_POLICY: ["warning", "Some assets are shown less.", "Replace them."],
  NO_ASSET_GROUPS: ["blocking", "An automated campaign needs assets.", "Use a Search campaign until they can be added."]
}

export const platformFinding = (code: string): DiagnosisFinding => {
  const [severity, explanation, what_to_do] = platformReasons[code] ?? [
    "info",
    "The platform names this reason.",
    "Look it up in the platform's console if it stays."
  ]
  return { code, severity, source: "platform", explanation, what_to_do }
}

export interface DiagnosedFacts {
  readonly missing: ReadonlyArray<string>
  readonly hold: { readonly reason: string; readonly detail: string } | undefined
  readonly isFunded: boolean
  readonly isDepleted: boolean
  readonly isPaused: boolean
  readonly isEnded: boolean
  /** How many days the balance lasts at the daily budget. */
  readonly daysLeft: number
  readonly isBudgetLowered: boolean
  readonly clicks: number
  readonly conversions: number
  readonly unsentChanges: number
  readonly isAutomated: boolean
  /** Why the platform rejected the latest conversion reports. */
  readonly conversionRefusal: string | null
}

const gateway = (code: string, severity: Severity, explanation: string, what_to_do: string): DiagnosisFinding => ({
  code,
  severity,
  source: "gateway",
  explanation,
  what_to_do
})

/** Findings that need only the gateway's own data. */
export const gatewayFindings = (facts: DiagnosedFacts): ReadonlyArray<DiagnosisFinding> => {
  if (facts.isEnded) {
    return [gateway("ended", "blocking", "The campaign has ended, which cannot be undone.", "Make a new campaign.")]
  }
  const found: Array<DiagnosisFinding> = []
  if (facts.missing.length > 0) {
    found.push(
      gateway(
        "assets_missing",
        "blocking",
        `The campaign lacks: ${facts.missing.join(", ")}.`,
        facts.isAutomated
          ? "No tool adds the assets of automated campaigns yet: use a Search campaign."
          : "Add them with create_adsplatform_search_ad and add_adsplatform_keywords."
      )
    )
  }
  if (!facts.isFunded) {
    found.push(
      gateway("no_funds", "blocking", "Nothing was paid in for it yet.", "Open its recharge link and add funds.")
    )
  } else if (facts.isDepleted) {
    found.push(gateway("funds_used_up", "blocking", "What was paid in is used up.", "Add funds by its recharge link."))
  } else if (facts.daysLeft < 3) {
    found.push(
      gateway(
        "funds_low",
        "warning",
        `What is left lasts about ${facts.daysLeft < 1 ? "a day" : `${Math.floor(facts.daysLeft)} days`} at the daily budget.`,
        "Add funds by its recharge link before they are used up."
      )
    )
  }
  if (facts.isBudgetLowered) {
    found.push(
      gateway(
        "budget_lowered_by_funds",
        "warning",
        "It is served by less than its daily budget, since the platform may spend twice the budget in a day and so much is not left.",
        "Add funds by its recharge link."
      )
    )
  }
  if (facts.isPaused) {
    found.push(gateway("paused", "blocking", "It is paused.", "Resume it with set_adsplatform_campaign_status."))
  }
  if (facts.hold !== undefined && facts.hold.reason !== "assets_missing") {
    found.push(gateway(facts.hold.reason, "blocking", "Something keeps it back.", facts.hold.detail))
  }
  if (facts.unsentChanges > 0) {
    found.push(
      gateway(
        "changes_unsent",
        "warning",
        `The platform does not have ${facts.unsentChanges} of its changes yet.`,
        "They are sent again by themselves; nudge_adsplatform_provisioning does it at once."
      )
    )
  }
  if (facts.clicks >= 100 && facts.conversions === 0) {
    found.push(
      gateway(
        "clicks_without_conversions",
        "warning",
        `${facts.clicks} clicks came without a conversion.`,
        "See the SearchTerms report and exclude what does not fit with add_adsplatform_negative_keywords; look at the page the ads lead to."
      )
    )
  }
  if (facts.conversionRefusal !== null) {
    found.push(
      gateway(
        "conversions_refused",
        "warning",
        `The platform did not take reports of meetings and won deals (${facts.conversionRefusal}).`,
        facts.conversionRefusal.includes("TERMS_NOT_SIGNED")
          ? "Whoever runs the gateway has to accept the customer data terms in the ads account. Write to support."
          : "They are reported again by themselves. Write to support if this stays."
      )
    )
  }
  return found
}
