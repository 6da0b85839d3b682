import { Context, type Effect } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import type { Changes } from "../Core/Changes.ts"
import type { LeadId } from "../Leads/Ids.ts"
import type { CampaignSettings } from "../Prospecting/CampaignSettings.ts"
import type { CampaignComparison } from "./CampaignComparison.ts"
import type {
  ArchivedCampaign,
  CampaignActivity,
  CampaignSummary,
  CampaignView,
  MovedLeads,
  RenamedCampaign
} from "./CampaignModel.ts"
import { CampaignId } from "./Ids.ts"

/** The id that a `campaign` argument may mean if no campaign has that name. */
export const campaignIdIn = (campaign: string): CampaignId | undefined => {
  const text = campaign.trim()
  return /^[0-9]{1,15}$/.test(text) ? CampaignId.make(Number(text)) : undefined
}

export class CampaignLookup extends Context.Tag("CampaignLookup")<
  CampaignLookup,
  {
    /**
     * Resolves a `campaign` argument: by name, ignoring case and accents, else by id. Archived campaigns are not found.
     */
    readonly resolve: (campaign: string) => Effect.Effect<CampaignId, NotFound | Transient, Caller>
  }
>() {}

export interface CampaignPage {
  readonly campaigns: ReadonlyArray<CampaignSummary>
  readonly total: number
}

/** A new campaign. `CampaignSettings` describes what a missing setting means. */
export interface NewCampaign extends Changes<CampaignSettings> {
  readonly name: string
  readonly business_name: string
}

/**
 * The account's campaigns. `campaign` is a name or an id, as in `CampaignLookup`, and archived ones are not found. Call
 * changes in a transaction.
 */
export class Campaigns extends Context.Tag("Campaigns")<
  Campaigns,
  {
    /** Newest first. */
    readonly list: (options: {
      readonly page: number
      readonly pageSize: number
    }) => Effect.Effect<CampaignPage, Transient, Caller>
    readonly get: (campaign: string) => Effect.Effect<CampaignView, NotFound | Transient, Caller>
    readonly compare: (
      a: string,
      b: string
    ) => Effect.Effect<CampaignComparison, NotFound | Refused | Transient, Caller>
    /** Refuses a name that another campaign has, ignoring case and accents. */
    readonly create: (campaign: NewCampaign) => Effect.Effect<CampaignView, Refused | Transient, Caller>
    readonly update: (
      campaign: string,
      changes: Changes<CampaignSettings>
    ) => Effect.Effect<CampaignView, NotFound | Refused | Transient, Caller>
    readonly setActive: (
      campaign: string,
      isActive: boolean
    ) => Effect.Effect<CampaignActivity, NotFound | Transient, Caller>
    /** Refuses the same names as `create`. */
    readonly rename: (
      campaign: string,
      newName: string
    ) => Effect.Effect<RenamedCampaign, NotFound | Refused | Transient, Caller>
    /**
     * Archives a campaign permanently. The first 5 000 leads are detached immediately, the others by a background task.
     * They keep their pipeline state. The account gets one notification, and the leads' histories get no entry.
     */
    readonly archive: (campaign: string) => Effect.Effect<ArchivedCampaign, NotFound | Transient, Caller>
    /** An empty `campaign` takes the leads out of their campaigns. */
    readonly moveLeads: (
      leadIds: ReadonlyArray<LeadId>,
      campaign: string
    ) => Effect.Effect<MovedLeads, NotFound | Transient, Caller>
  }
>() {}
