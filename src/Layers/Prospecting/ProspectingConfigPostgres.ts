import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Schema } from "effect"
import { notFound } from "../../Errors.ts"
import { prospectingEligibility } from "../../Services/Accounts/AccountProfile.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import type { CampaignId } from "../../Services/Campaigns/Ids.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import type { Changes } from "../../Services/Core/Changes.ts"
import { CampaignSettings } from "../../Services/Prospecting/CampaignSettings.ts"
import {
  type AccountConfiguration,
  type CampaignConfiguration,
  effectiveConfiguration
} from "../../Services/Prospecting/EffectiveConfiguration.ts"
import { ProspectingConfig, type ProspectingConfigView } from "../../Services/Prospecting/ProspectingConfig.ts"
import {
  AccountRules,
  ProspectingPreferences,
  ProspectingSettings,
  VoiceSettings
} from "../../Services/Prospecting/ProspectingSettings.ts"
import { Targeting, targetingRanges } from "../../Services/Prospecting/Targeting.ts"
import { identityColumns, switchProspecting } from "../Accounts/Sql.ts"
import { assign, columnsOf } from "../Platform/Postgres/ColumnChanges.ts"
import { makeGroupedReads } from "../Platform/Postgres/grouped/GroupedReads.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { wakeDispatcher } from "./Sql.ts"

const ChatAppSettings = Schema.Struct(ProspectingSettings.pick("allow_template_chatapp_messages").fields)

/** The account's configuration as it is stored. */
interface StoredConfiguration {
  readonly account: AccountConfiguration
  readonly hasCampaignIdentity: boolean
}

const viewOf = ({
  account: {
    business_description: _,
    business_name,
    business_website: __,
    ideal_customer_profile: ___,
    is_prospecting_active,
    mail_display_name,
    ...settings
  },
  hasCampaignIdentity
}: StoredConfiguration): ProspectingConfigView => ({
  is_prospecting_active,
  prospecting_eligibility: prospectingEligibility({
    isProspectingActive: is_prospecting_active,
    businessName: business_name,
    senderName: mail_display_name,
    hasCampaignIdentity
  }),
  ...settings
})

/** Reads the effective configurations of several accounts and campaigns as one statement each. */
const makeGroupedConfigurations = Effect.gen(function* () {
  const sql = yield* SqlClient
  const settings = sql.literal(columnsOf(ProspectingSettings).join(", "))
  const campaignSettings = sql.literal(columnsOf(CampaignSettings).join(", "))
  return yield* makeGroupedReads({
    name: "prospecting_settings",
    mostKeys: 32,
    read: (
      requestedConfigurations: ReadonlyArray<{ readonly accountId: AccountId; readonly campaignId: CampaignId | null }>
    ) =>
      Effect.gen(function* () {
        const accountIds = [...new Set(requestedConfigurations.map(({ accountId }) => accountId))]
        const rows = yield* sql<
          AccountConfiguration & { readonly account_id: AccountId; readonly has_campaign_identity: boolean }
        >`
          select p.account_id, is_prospecting_active, ${sql.literal(identityColumns)}, b.business_description,
            b.business_website, b.ideal_customer_profile, ${settings}
          from prospecting_config p join account a on a.account_id = p.account_id
            left join business_profile b on b.account_id = p.account_id
          where p.account_id = any (${accountIds}::bigint[])`.pipe(fromSql())
        const accounts = new Map(
          rows.map(({ account_id, has_campaign_identity: _, ...account }) => [account_id, account])
        )
        const ofCampaigns = requestedConfigurations.filter(({ campaignId }) => campaignId !== null)
        const configurations =
          ofCampaigns.length === 0
            ? []
            : yield* sql<CampaignConfiguration & { readonly place: number }>`
                select asked.place, campaign_id, ${campaignSettings}
                from unnest(${ofCampaigns.map(({ accountId }) => accountId)}::bigint[],
                    ${ofCampaigns.map(({ campaignId }) => campaignId)}::bigint[])
                    with ordinality as asked (of_account, of_campaign, place)
                  join campaign on account_id = asked.of_account and campaign_id = asked.of_campaign
                where account_id = any (${accountIds}::bigint[]) and archived_at is null`.pipe(fromSql())
        const configurationByKey = new Map(
          configurations.map(({ place, ...campaign }) => [ofCampaigns[place - 1], campaign])
        )
        return requestedConfigurations.map((key) => {
          const account = accounts.get(key.accountId)
          return account && effectiveConfiguration(account, configurationByKey.get(key) ?? null)
        })
      })
  })
})

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const settings = sql.literal(columnsOf(ProspectingSettings).join(", "))
  const campaignSettings = sql.literal(columnsOf(CampaignSettings).join(", "))

  const accountConfiguration = Effect.gen(function* () {
    const { accountId } = yield* Caller
    const rows = yield* sql<AccountConfiguration & { readonly has_campaign_identity: boolean }>`
      select is_prospecting_active, ${sql.literal(identityColumns)}, b.business_description, b.business_website,
        b.ideal_customer_profile, ${settings}
      from prospecting_config p join account a on a.account_id = p.account_id
        left join business_profile b on b.account_id = p.account_id
      where p.account_id = ${accountId}`.pipe(fromSql())
    const { has_campaign_identity, ...account } = single(rows)
    return { account, hasCampaignIdentity: has_campaign_identity }
  })

  /** Changes some of the account's settings. Returns the section of the configuration that contains them. */
  const change = <A>(section: { readonly fields: Schema.Struct.Fields } & Schema.Schema<A>, changes: Changes<A>) =>
    Effect.gen(function* () {
      const { accountId } = yield* Caller
      const columns = columnsOf(section)
      const rows = yield* sql<A & object>`
        update prospecting_config c set ${assign(sql, "c", columns, changes)} where account_id = ${accountId}
        returning ${sql.literal(columns.join(", "))}`
      return single(rows)
    })

  const effective = Effect.fn("ProspectingConfig.effective")(function* (campaignId: CampaignId | null) {
    const { accountId } = yield* Caller
    const { account } = yield* accountConfiguration
    if (campaignId === null) return effectiveConfiguration(account, null)
    const campaigns = yield* sql<CampaignConfiguration>`
      select campaign_id, ${campaignSettings} from campaign
      where account_id = ${accountId} and campaign_id = ${campaignId} and archived_at is null`.pipe(fromSql())
    return effectiveConfiguration(account, campaigns[0] ?? null)
  })

  const readGrouped = yield* makeGroupedConfigurations

  return ProspectingConfig.of({
    effectiveOutsideTransaction: Effect.fn("ProspectingConfig.effectiveApart")(function* (campaignId) {
      const { accountId } = yield* Caller
      return (yield* readGrouped({ accountId, campaignId })) ?? (yield* effective(campaignId))
    }),

    get: Effect.map(accountConfiguration, viewOf).pipe(Effect.withSpan("ProspectingConfig.get")),

    setActive: Effect.fn("ProspectingConfig.setActive")(function* (isActive) {
      const { accountId } = yield* Caller
      const activity = yield* switchProspecting(sql, accountId, isActive)
      if (isActive) yield* wakeDispatcher(sql, accountId)
      const { account, hasCampaignIdentity } = yield* accountConfiguration
      return {
        ...activity,
        prospecting_eligibility: prospectingEligibility({
          isProspectingActive: isActive,
          businessName: account.business_name,
          senderName: account.mail_display_name,
          hasCampaignIdentity
        })
      }
    }),

    setTargeting: Effect.fn("ProspectingConfig.setTargeting")(
      (changes) => change(Targeting, changes),
      fromSql(targetingRanges)
    ),
    setRules: Effect.fn("ProspectingConfig.setRules")((changes) => change(AccountRules, changes), fromSql()),
    setPreferences: Effect.fn("ProspectingConfig.setPreferences")(
      (changes) => change(ProspectingPreferences, changes),
      fromSql()
    ),
    setVoice: Effect.fn("ProspectingConfig.setVoice")((changes) => change(VoiceSettings, changes), fromSql()),
    setAllowTemplateChatAppMessages: Effect.fn("ProspectingConfig.setAllowTemplateChatAppMessages")(
      (isAllowed) =>
        Effect.map(
          change(ChatAppSettings, { allow_template_chatapp_messages: isAllowed }),
          (changed) => changed.allow_template_chatapp_messages
        ),
      fromSql()
    ),

    effective,
    withGenerating: Effect.fn("ProspectingConfig.withGenerating")(function* (limit) {
      const { accountId } = yield* Caller
      const configuration = yield* accountConfiguration
      const campaigns = yield* sql<CampaignConfiguration>`
        select campaign_id, ${campaignSettings} from campaign
        where account_id = ${accountId} and archived_at is null and lead_generation_active
        order by campaign_id desc limit ${limit}`.pipe(fromSql())
      return {
        view: viewOf(configuration),
        effective: [null, ...campaigns].map((campaign) => effectiveConfiguration(configuration.account, campaign))
      }
    }),
    effectiveForLead: Effect.fn("ProspectingConfig.effectiveForLead")(function* (leadId) {
      const { accountId } = yield* Caller
      const leads = yield* sql<{ readonly campaign_id: CampaignId | null }>`
        select campaign_id from lead where account_id = ${accountId} and lead_id = ${leadId}`.pipe(fromSql())
      const lead = leads[0]
      return lead === undefined ? yield* notFound("lead", "lead_id", leadId) : yield* effective(lead.campaign_id)
    })
  })
})

export const ProspectingConfigPostgres = Layer.effect(ProspectingConfig, make)
