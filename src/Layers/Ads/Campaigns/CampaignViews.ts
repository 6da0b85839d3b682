import { brlOf } from "../../../Services/Ads/AdsMoney.ts"
import { remediesOf } from "../../../Services/Ads/AutomatedAssets.ts"
import { type CampaignRow, missingOf, remainingOf } from "./CampaignRows.ts"

export const partState = (
  row: CampaignRow,
  part: { readonly externalId: string | null; readonly refusal: string | null }
) =>
  part.refusal !== null
    ? ("refused" as const)
    : part.externalId !== null
      ? ("at_platform" as const)
      : row.externalId === null
        ? ("draft" as const)
        : ("sending" as const)

export const balanceOf = (row: CampaignRow) => ({
  recharged_brl: brlOf(row.rechargedMicros),
  spent_brl: brlOf(row.spentMicros),
  remaining_brl: brlOf(remainingOf(row))
})

const ratio = (part: number, whole: number): number | null =>
  whole > 0 ? Math.round((part / whole) * 10_000) / 10_000 : null

export const snapshotOf = ({ clicks, conversions, impressions, spentMicros, syncedAt }: CampaignRow) => ({
  spend_brl: brlOf(spentMicros),
  impressions,
  clicks,
  conversions: Math.round(conversions * 100) / 100,
  ctr: ratio(clicks, impressions),
  average_cpc_brl: clicks > 0 ? brlOf(spentMicros / clicks) : null,
  synced_at: syncedAt
})

export const suspensions = new Set(["account_suspended", "account_closed", "ads_disapproved", "policy_findings"])

/** Explains what a held campaign lacks, and how to add it. Its balance stays. */
const heldFor = (channelType: CampaignRow["channelType"], missing: ReadonlyArray<string>): string =>
  `It lacks: ${missing.join(", ")}. Its funds stay its balance until then. ${
    channelType === "Automated"
      ? `Add them (${remediesOf(missing).join("; ")}), and it goes on by itself within an hour.`
      : "Add them with create_adsplatform_search_ad and add_adsplatform_keywords, and it goes on by itself."
  }`

export const holdOf = (row: CampaignRow) => {
  const missing = missingOf(row)
  if (row.wanted === "ended") return { hold_reason: null, hold_detail: null }
  if (row.state === "draft") {
    return { hold_reason: "assets_missing", hold_detail: `It lacks: ${missing.join(", ")}; and it has to be funded.` }
  }
  if (row.state === "awaiting_funds") {
    return { hold_reason: "no_funds", hold_detail: "Open its recharge link and add funds." }
  }
  if (row.state === "depleted") {
    return { hold_reason: "funds_used_up", hold_detail: "Open its recharge link and add funds." }
  }
  if (row.failure !== null) return { hold_reason: "refused_by_platform", hold_detail: row.holdDetail }
  // This can be shown before a just funded campaign has been reconciled.
  if (row.state === "held" && missing.length > 0 && (row.holdReason ?? "assets_missing") === "assets_missing") {
    return { hold_reason: "assets_missing", hold_detail: heldFor(row.channelType, missing) }
  }
  return { hold_reason: row.holdReason, hold_detail: row.holdDetail }
}
