import { Context, type Effect, Schema } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId, Plan } from "../Accounts/Ids.ts"
import { CampaignId } from "../Campaigns/Ids.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import type { ProspectingConfigView } from "../Prospecting/ProspectingConfig.ts"
import { dailyQuota } from "./Acquisition.ts"

const Hold = Schema.NullOr(
  Schema.Literal(
    "prospecting_off",
    "not_eligible",
    "passive_mode",
    "campaign_paused",
    "generation_off",
    "no_targeting",
    "sandbox_companies"
  )
).annotations({
  description:
    "Why no companies are acquired; null if they are. no_targeting: no filter selects companies. sandbox_companies: no directory of real companies is loaded, but real people would be contacted."
})

/** The state of the company search of a campaign, or of the account without a campaign. */
export const GenerationTrack = Schema.Struct({
  campaign_id: Schema.NullOr(CampaignId).annotations({ description: "Null: the account's own targeting." }),
  on_hold: Hold,
  companies_matching: Schema.Int.annotations({ description: "How many the directory has." }),
  is_matching_exact: Schema.Boolean.annotations({ description: "False: estimated, as above 10 000." }),
  companies_left: Schema.Int.annotations({ description: "Of these, companies that were not examined yet." }),
  acquired_today: Schema.Int,
  acquired_in_all: Schema.Int,
  filters_without_effect: Schema.Array(Schema.String).annotations({
    description: "Filters that are set but have no effect, because the directory lacks the data."
  })
})
export type GenerationTrack = typeof GenerationTrack.Type

export const LeadGenerationView = Schema.Struct({
  source: Schema.Literal("cnpj", "sandbox").annotations({
    description: "cnpj: the open data of the Brazilian federal revenue. sandbox: invented companies."
  }),
  daily_quota: Schema.Int.annotations({ description: "New leads a day, of all campaigns together." }),
  tracks: Schema.Array(GenerationTrack).annotations({
    description: "The account's own first, then its campaigns with generation on, newest first; at most 20."
  })
})
export type LeadGenerationView = typeof LeadGenerationView.Type

/** The number of new leads per day that an account may acquire. */
export class GenerationQuota extends Context.Reference<GenerationQuota>()("GenerationQuota", {
  defaultValue: () => ({ perDay: (plan: Plan): number => dailyQuota[plan] })
}) {}

/** Acquires companies that match the targeting as leads. */
export class LeadGeneration extends Context.Tag("LeadGeneration")<
  LeadGeneration,
  {
    /** The state of the search, and the configuration that it uses. */
    readonly state: Effect.Effect<
      { readonly config: ProspectingConfigView; readonly generation: LeadGenerationView },
      Transient,
      Caller
    >
    /** Acquires what remains of today's quota. Returns the number of new leads. */
    readonly acquire: (accountId: AccountId) => Effect.Effect<number, Transient>
  }
>() {}
