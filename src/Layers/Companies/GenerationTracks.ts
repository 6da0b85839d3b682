import { createHash } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Struct } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import type { CampaignId } from "../../Services/Campaigns/Ids.ts"
import { type AcquisitionHold, acquisitionHold } from "../../Services/Companies/Acquisition.ts"
import type { DirectoryFacts } from "../../Services/Companies/CompanyDirectory.ts"
import { type CompanyFilter, namesCompanies } from "../../Services/Companies/CompanyFilter.ts"
import { IntegrationModes } from "../../Services/Core/Outside/IntegrationModes.ts"
import type { EffectiveConfiguration } from "../../Services/Prospecting/EffectiveConfiguration.ts"
import { ProspectingConfig, type ProspectingConfigView } from "../../Services/Prospecting/ProspectingConfig.ts"
import { Targeting } from "../../Services/Prospecting/Targeting.ts"
import { accountCountry } from "../../Services/Reference/AccountCountry.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"

/** The account's data for a company search. */
export interface GeneratingAccount {
  readonly timeZone: string
  /** The country code of two letters. Undefined if the account's country is not known. */
  readonly country: string | undefined
}

/** A company search, either for a campaign or for the account without one. */
export interface Track {
  readonly campaignId: CampaignId | null
  readonly filter: CompanyFilter
  readonly hold: AcquisitionHold | undefined
}

/** The progress of a track. */
export interface TrackRow {
  readonly campaignId: CampaignId | null
  readonly filterDigest: string
  readonly resumeAfter: string | null
  readonly isAtEnd: boolean
  readonly takenOn: string | null
  readonly takenToday: number
  readonly takenInAll: number
  readonly matching: number
  readonly isMatchingExact: boolean
  readonly examined: number
}

/** Services through which a lead would be contacted. */
const contactServices = ["mail", "chatapp", "voice"]

/** The most campaigns whose search is shown and processed. Hardly any account has more. */
const maximumTracks = 20

const filterFields = Struct.keys(Targeting.fields)

/** A digest that is equal for the same search in the same directory. */
export const digestOf = (filter: CompanyFilter, { edition, source }: DirectoryFacts): string =>
  createHash("sha256")
    .update(JSON.stringify([source, edition, filterFields.map((field) => filter[field])]))
    .digest("hex")

export const makeGenerationTracks = Effect.gen(function* () {
  const sql = yield* SqlClient
  const config = yield* ProspectingConfig

  const accountOf = Effect.fnUntraced(function* (accountId: AccountId) {
    const rows = yield* sql<{ timeZone: string; country: string | null; phone: string | null; languageKey: string }>`
      select time_zone as "timeZone", country, phone, language_key as "languageKey" from account
      where account_id = ${accountId}`.pipe(fromSql())
    const account = single(rows)
    return { timeZone: account.timeZone, country: accountCountry(account) } satisfies GeneratingAccount
  })

  const filterOf = (effective: EffectiveConfiguration, { country }: GeneratingAccount): CompanyFilter => ({
    ...Struct.pick(effective, ...filterFields),
    country_filter: effective.country_filter.length > 0 || country === undefined ? effective.country_filter : [country]
  })

  /** Returns the present state of a track. */
  const toTrack = Effect.fnUntraced(function* (
    campaignId: CampaignId | null,
    effective: EffectiveConfiguration,
    { is_prospecting_active, prospecting_eligibility }: ProspectingConfigView,
    account: GeneratingAccount,
    facts: DirectoryFacts
  ) {
    const modeOf = yield* IntegrationModes
    const filter = filterOf(effective, account)
    return {
      campaignId,
      filter,
      hold: acquisitionHold({
        isProspectingActive: is_prospecting_active,
        isEligible: prospecting_eligibility.is_eligible,
        mode: effective.mode,
        // For an archived campaign this returns the account's settings, whose campaign_id differs.
        isCampaignActive: effective.is_prospecting_active && effective.campaign_id === campaignId,
        isGenerationActive: effective.lead_generation_active,
        hasTargeting: namesCompanies(filter),
        wouldReachStrangers: facts.source === "sandbox" && contactServices.some((service) => modeOf[service] === "live")
      })
    } satisfies Track
  })

  const trackOf = Effect.fnUntraced(function* (
    campaignId: CampaignId | null,
    account: GeneratingAccount,
    facts: DirectoryFacts
  ) {
    return yield* toTrack(campaignId, yield* config.effective(campaignId), yield* config.get, account, facts)
  })

  /** The tracks of the account and of its campaigns, newest first, and the account's configuration. */
  const tracksOf = Effect.fnUntraced(function* (account: GeneratingAccount, facts: DirectoryFacts) {
    const { effective, view } = yield* config.withGenerating(maximumTracks - 1)
    const tracks = yield* Effect.forEach(effective, (one) => toTrack(one.campaign_id, one, view, account, facts))
    return { tracks, view }
  })

  const rowColumns = sql.literal(`campaign_id as "campaignId", filter_digest as "filterDigest",
    resume_after as "resumeAfter", is_at_end as "isAtEnd", taken_on::text as "takenOn", taken_today as "takenToday",
    taken_in_all as "takenInAll", matching, is_matching_exact as "isMatchingExact", examined`)

  const rowsOf = (accountId: AccountId) =>
    sql<TrackRow>`select ${rowColumns} from lead_generation_track where account_id = ${accountId}`.pipe(fromSql())

  return { accountOf, trackOf, tracksOf, rowsOf, rowColumns }
})
