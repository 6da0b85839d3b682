import { Context, type Effect } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Caller.ts"
import type { Changes } from "../Core/Changes.ts"
import type { LeadId } from "../Leads/Ids.ts"
import type { CampaignSettings } from "../Prospecting/CampaignSettings.ts"
import type { CampaignComparison } from "./CampaignComparison.ts"
import type {
  ArchivedCampaign,
  CampaignActivity,
  CampaignSummary,
  CampaignView,
  RenamedCampaign,
  SimulatedLeads
} from "./CampaignModel.ts"
import { CampaignId } from "./Ids.ts"

/** The campaign id that a `campaign` argument may stand for, when no campaign has that text as its name. */
export const campaignIdIn = (campaign: string): CampaignId | undefined => {
  const text = campaign.trim()
  return /^[0-9]{1,15}$/.test(text) ? CampaignId.make(Number(text)) : undefined
}

export class CampaignLookup extends Context.Tag("CampaignLookup")<
  CampaignLookup,
  {
    /**
     * The campaign that a `campaign` argument names: by its name, whatever the case and accents, else by its numeric
     * id. Archived campaigns are not found.
     */
    readonly resolve: (campaign: string) => Effect.Effect<CampaignId, NotFound | Transient, Caller>
  }
>() {}

export interface CampaignPage {
  readonly campaigns: ReadonlyArray<CampaignSummary>
  readonly total: number
}

/** A campaign to be made: settings left out are empty, inherited or on, as CampaignSettings tells. */
export interface NewCampaign extends Changes<CampaignSettings> {
  readonly name: string
  readonly business_name: string
}

/**
 * Campaigns of the account. `campaign` is a name or an id, as `CampaignLookup` takes it; archived ones are not found.
 * Methods that change something belong in a transaction.
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
    /** Refuses a name that another campaign has, whatever the case and accents. */
    readonly create: (campaign: NewCampaign) => Effect.Effect<CampaignView, Refused | Transient, Caller>
    readonly update: (
      campaign: string,
      changes: Changes<CampaignSettings>
    ) => Effect.Effect<CampaignView, NotFound | Refused | Transient, Caller>
    readonly setActive: (
      campaign: string,
      isActive: boolean
    ) => Effect.Effect<CampaignActivity, NotFound | Transient, Caller>
    /** Refuses as `create` does. */
    readonly rename: (
      campaign: string,
      newName: string
    ) => Effect.Effect<RenamedCampaign, NotFound | Refused | Transient, Caller>
    /**
     * For good. The leads lose the link: the first 5 000 at once, the others by a background task. They keep their
     * pipeline state; the account gets one notification, and the leads' own histories no entry.
     */
    readonly archive: (campaign: string) => Effect.Effect<ArchivedCampaign, NotFound | Transient, Caller>
    readonly moveLeads: (
      leadIds: ReadonlyArray<LeadId>,
      campaign: string
    ) => Effect.Effect<SimulatedLeads, NotFound | Transient, Caller>
  }
>() {}
