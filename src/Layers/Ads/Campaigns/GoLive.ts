import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Option } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import type { Micros } from "../../../Services/Ads/AdsMoney.ts"
import { type AutomatedMaterial, automatedAssets, noMaterial } from "../../../Services/Ads/AutomatedAssets.ts"
import type { Caller } from "../../../Services/Core/Calls/Caller.ts"
import type { ServiceMode } from "../../../Services/Core/Outside/IntegrationModes.ts"
import type { CustomerFiles } from "../../../Services/Files/CustomerFiles.ts"
import { at, textAt } from "../../Platform/AnswerPaths.ts"
import { fromSql, single } from "../../Platform/Postgres/Sql.ts"
import type { AdsSettingsShape } from "../AdsSettings.ts"
import { type AdsError, AdsFailure, policyFindings } from "../Calling/AdsFailure.ts"
import { type AdsPlatform, idOf, type Operation } from "../Calling/AdsPlatform.ts"
import { adPictures } from "./AdPictures.ts"
import { assetGroupOperations, automatedCampaign } from "./AutomatedOperations.ts"
import { adsOf, type CampaignRow, keywordsOf } from "./CampaignRows.ts"
import { adOperation, keywordOperation, makePlatformContent, type Place } from "./PlatformContent.ts"

/** The reason why a campaign is held, and what to do about it. */
export interface Hold {
  readonly reason: string
  readonly detail: string
}

/** A campaign that exists at the platform. */
interface FoundCampaign {
  readonly id: string
  readonly budgetId: string
  readonly status: string
  readonly budgetMicros: Micros | undefined
}

const policyKinds = new Set(["policyFindingError", "policyViolationError"])

const customerQuery =
  "SELECT customer_client.id, customer_client.descriptive_name, customer_client.status, customer_client.time_zone FROM customer_client"

const accountStates: { readonly [status: string]: Hold } = {
  SUSPENDED: {
    reason: "account_suspended",
    detail: "The ads platform suspended the account. Write to support with create_support_request."
  },
  CLOSED: {
    reason: "account_closed",
    detail: "The account at the ads platform is closed. Write to support with create_support_request."
  }
}

/** Leaves out simulated pictures, which are never shown to people in live mode. */
const usableMaterial = (material: AutomatedMaterial, mode: ServiceMode): AutomatedMaterial =>
  mode === "live" ? { ...material, pictures: material.pictures.filter(({ isSimulated }) => !isSimulated) } : material

const automatedLacks = ({ channelType, material }: CampaignRow, mode: ServiceMode): ReadonlyArray<string> => {
  if (channelType !== "Automated") return []
  const result = automatedAssets(usableMaterial(material ?? noMaterial, mode))
  return "missing" in result ? result.missing : []
}

interface GoLiveServices {
  readonly sql: SqlClient
  readonly platform: AdsPlatform
  readonly settings: AdsSettingsShape
  readonly files: CustomerFiles["Type"]
}

const makeCustomers = ({ platform, settings, sql }: GoLiveServices) => {
  const storedCustomer = (accountId: AccountId) =>
    sql<{ readonly customerId: string; readonly timeZone: string }>`
      select customer_id as "customerId", time_zone as "timeZone" from ads_customer
      where account_id = ${accountId}`.pipe(
      fromSql(),
      Effect.map((rows) => Option.fromNullable(rows[0]))
    )

  /**
   * The name of the client account. It includes the database's creation, so that it differs from that of an account
   * with the same number in another database.
   */
  const customerName = Effect.fnUntraced(function* (accountId: AccountId) {
    const { born } = single(
      yield* sql<{ readonly born: number }>`
        select extract(epoch from created_at)::bigint as born from account where account_id = ${accountId}`.pipe(
        fromSql()
      )
    )
    return `Prospecting ${accountId}-${born}`
  })

  const customerCalled = Effect.fnUntraced(function* (name: string) {
    const { rows } = yield* platform.search(platform.managerId, customerQuery)
    const found = rows.find((row) => textAt(row, "customerClient", "descriptiveName") === name)
    return found === undefined
      ? undefined
      : { id: textAt(found, "customerClient", "id"), zone: textAt(found, "customerClient", "timeZone") }
  })

  /** The client account of the account at the platform. Created if it is missing. */
  const ensureCustomer = Effect.fnUntraced(function* (accountId: AccountId) {
    const before = yield* storedCustomer(accountId)
    if (Option.isSome(before)) return before.value
    const name = yield* customerName(accountId)
    const found = yield* customerCalled(name)
    const customerId = found?.id ?? (yield* platform.createCustomer(name, settings.timeZone))
    if (!/^\d{1,20}$/.test(customerId)) return yield* new AdsFailure({ reason: "unreadable" })
    const timeZone = found === undefined || found.zone === "" ? settings.timeZone : found.zone
    yield* sql`
      insert into ads_customer (account_id, customer_id, time_zone) values (${accountId}, ${customerId}, ${timeZone})
      on conflict (account_id) do nothing`.pipe(fromSql())
    return { customerId, timeZone }
  })

  /** Returns why the client account cannot serve at all. Undefined if it can. */
  const accountHold = Effect.fnUntraced(function* ({ customerId }: Place) {
    const customer = yield* platform.search(customerId, "SELECT customer.id, customer.status FROM customer")
    const hold = accountStates[textAt(customer.rows[0], "customer", "status")]
    if (hold !== undefined) return hold
    const { rows } = yield* platform.search(
      customerId,
      "SELECT billing_setup.id, billing_setup.status FROM billing_setup"
    )
    return rows.some((row) => textAt(row, "billingSetup", "status") === "APPROVED")
      ? undefined
      : {
          reason: "billing_not_approved",
          detail: "The account at the ads platform has no approved billing yet. It is looked at again every hour."
        }
  })

  return { accountHold, ensureCustomer, storedCustomer }
}

const searchCampaign: Operation = {
  advertisingChannelType: "SEARCH",
  targetSpend: {},
  networkSettings: {
    targetGoogleSearch: true,
    targetSearchNetwork: false,
    targetContentNetwork: false,
    targetPartnerSearchNetwork: false
  },
  // The audience is observed only, so that it does not exclude searches of other people.
  targetingSetting: { targetRestrictions: [{ targetingDimension: "AUDIENCE", bidOnly: true }] }
}

const makeCampaignOperations = ({ files, platform, settings, sql }: GoLiveServices) => {
  /** The unique name by which the gateway finds its campaign in the client account. */
  const nameOf = ({ adsCampaignId, name }: CampaignRow): string => `${name.slice(0, 180)} [${adsCampaignId}]`

  const find = Effect.fnUntraced(function* ({ customerId }: Place, row: CampaignRow) {
    const { rows } = yield* platform.search(
      customerId,
      "SELECT campaign.id, campaign.name, campaign.status, campaign.campaign_budget, campaign_budget.amount_micros FROM campaign WHERE campaign.status != 'REMOVED'"
    )
    const name = nameOf(row)
    const found = rows.find((each) => textAt(each, "campaign", "name") === name)
    if (found === undefined) return undefined
    const budget = Number(textAt(found, "campaignBudget", "amountMicros"))
    const campaign: FoundCampaign = {
      id: textAt(found, "campaign", "id"),
      budgetId: idOf(textAt(found, "campaign", "campaignBudget")),
      status: textAt(found, "campaign", "status"),
      budgetMicros: Number.isSafeInteger(budget) && budget > 0 ? budget : undefined
    }
    return campaign.id === "" || campaign.budgetId === "" ? yield* new AdsFailure({ reason: "unreadable" }) : campaign
  })

  /** Converts the account's material for an automated campaign to operations of the platform. */
  const groupOfAssets = (place: Parameters<typeof assetGroupOperations>[0], row: CampaignRow) =>
    Effect.gen(function* () {
      const result = automatedAssets(usableMaterial(row.material ?? noMaterial, platform.mode))
      if ("missing" in result) return []
      const pictures = yield* adPictures(files, result.assets)
      return assetGroupOperations(place, row.name, result.assets, pictures)
    })

  const operations = Effect.fnUntraced(function* ({ accountId, customerId }: Place, row: CampaignRow, budget: Micros) {
    const own = `customers/${customerId}`
    const names = { campaign: `${own}/campaigns/-2`, adGroup: `${own}/adGroups/-3` }
    const name = nameOf(row)
    const ads = (yield* adsOf(sql, accountId, row.adsCampaignId)).filter(({ refusal }) => refusal === null)
    const keywords = (yield* keywordsOf(sql, accountId, row.adsCampaignId)).filter(({ refusal }) => refusal === null)
    const before: ReadonlyArray<Operation> = [
      {
        campaignBudgetOperation: {
          create: {
            resourceName: `${own}/campaignBudgets/-1`,
            name,
            amountMicros: `${budget}`,
            deliveryMethod: "STANDARD",
            explicitlyShared: false
          }
        }
      },
      {
        campaignOperation: {
          create: {
            resourceName: names.campaign,
            name,
            status: "PAUSED",
            campaignBudget: `${own}/campaignBudgets/-1`,
            ...(row.channelType === "Automated" ? automatedCampaign : searchCampaign),
            containsEuPoliticalAdvertising: "DOES_NOT_CONTAIN_EU_POLITICAL_ADVERTISING"
          }
        }
      },
      ...settings.geoTargets.map((id) => ({
        campaignCriterionOperation: {
          create: { campaign: names.campaign, location: { geoTargetConstant: `geoTargetConstants/${id}` } }
        }
      })),
      ...settings.languages.map((id) => ({
        campaignCriterionOperation: {
          create: { campaign: names.campaign, language: { languageConstant: `languageConstants/${id}` } }
        }
      })),
      ...(row.channelType === "Automated"
        ? yield* groupOfAssets({ customer: own, campaign: names.campaign, assetGroup: `${own}/assetGroups/-3` }, row)
        : [
            {
              adGroupOperation: {
                create: {
                  resourceName: names.adGroup,
                  campaign: names.campaign,
                  name: row.name,
                  status: "ENABLED",
                  type: "SEARCH_STANDARD"
                }
              }
            }
          ])
    ]
    return {
      operations: [
        ...before,
        ...ads.map((ad) => adOperation(names.adGroup, ad)),
        ...keywords.map((keyword) => keywordOperation(names, keyword))
      ],
      // Returns the ad or keyword that an operation creates.
      partAt: (index: number) => {
        const place = index - before.length
        return place < 0 ? undefined : place < ads.length ? ads[place] : keywords[place - ads.length]
      }
    }
  })

  return { find, operations }
}
type CampaignOperations = ReturnType<typeof makeCampaignOperations>

const makeCreation = ({ platform, sql }: GoLiveServices, { find, operations }: CampaignOperations) => {
  const content = makePlatformContent(sql, platform)

  /** Links a campaign that exists at the platform. */
  const adopt = Effect.fnUntraced(function* (place: Place, row: CampaignRow, found: FoundCampaign) {
    const { accountId, customerId } = place
    const isAutomated = row.channelType === "Automated"
    const groups = yield* platform.search(
      customerId,
      isAutomated
        ? `SELECT asset_group.id, asset_group.status FROM asset_group WHERE campaign.id = ${found.id} AND asset_group.status != 'REMOVED'`
        : `SELECT ad_group.id, ad_group.status FROM ad_group WHERE campaign.id = ${found.id} AND ad_group.status != 'REMOVED'`
    )
    const adGroup = textAt(groups.rows[0], isAutomated ? "assetGroup" : "adGroup", "id")
    if (adGroup === "") return yield* new AdsFailure({ reason: "unreadable" })
    yield* sql`
      update ads_campaign set external_id = ${found.id}, external_budget_id = ${found.budgetId},
        external_ad_group_id = ${adGroup}, external_status = ${found.status},
        external_status_at = instant(),
        external_budget_micros = ${found.budgetMicros ?? null}
      where account_id = ${accountId} and ads_campaign_id = ${row.adsCampaignId} and wanted <> 'ended'`.pipe(fromSql())
    const { ads, keywords } = yield* content.unsent(place, row)
    yield* content.find(place, found.id, ads, keywords)
  })

  /**
   * Creates the campaign, paused, if it does not exist. A trial run asks first whether the platform would accept it.
   * Then one request creates all of it or nothing. Returns the hold if it cannot be created.
   */
  const create = (
    place: Place,
    row: CampaignRow,
    budget: Micros
  ): Effect.Effect<Hold | undefined, AdsFailure | Transient, Caller> =>
    Effect.gen(function* () {
      const there = yield* find(place, row)
      if (there !== undefined) {
        yield* adopt(place, row, there)
        return undefined
      }
      const lacking = automatedLacks(row, platform.mode)
      if (lacking.length > 0) {
        return { reason: "assets_missing", detail: `The campaign lacks: ${lacking.join(", ")}.` }
      }
      const wanted = yield* operations(place, row, budget)
      const findings = yield* platform.mutate(place.customerId, wanted.operations, { validateOnly: true }).pipe(
        Effect.as<ReadonlyArray<AdsError>>([]),
        Effect.catchAll((failure) => {
          const found = (failure.errors ?? []).filter(({ kind }) => policyKinds.has(kind))
          return failure.reason === "refused_by_platform" && found.length > 0
            ? Effect.succeed(found)
            : Effect.fail(failure)
        })
      )
      if (findings.length > 0) {
        yield* content.refuse(
          place,
          findings.flatMap((error) => {
            const part = error.operation === undefined ? undefined : wanted.partAt(error.operation)
            return part === undefined ? [] : [[part, error] as const]
          })
        )
        const topics = findings.flatMap((error) =>
          error.findings.map(({ texts, topic }) => (texts.length === 0 ? topic : `${topic} (${texts.join(", ")})`))
        )
        return {
          reason: "policy_findings",
          detail: `The ads platform's policies do not allow some of the ads or keywords: ${[...new Set(topics)].join("; ").slice(0, 800) || "it names no topic"}. They are left out; add others, and the campaign goes on by itself.`
        }
      }
      yield* platform.mutate(place.customerId, wanted.operations)
      const made = yield* find(place, row)
      if (made === undefined) return yield* new AdsFailure({ reason: "unknown" })
      yield* adopt(place, row, made)
      return undefined
    })

  return { content, create }
}

const makePolicyHold = ({ platform }: GoLiveServices) => {
  /** Returns a hold if the platform's policies allow none of the ads. */
  const policyHold = Effect.fnUntraced(function* ({ customerId }: Place, externalId: string) {
    const { rows } = yield* platform.search(
      customerId,
      `SELECT ad_group_ad.ad.id, ad_group_ad.policy_summary.approval_status, ad_group_ad.policy_summary.policy_topic_entries FROM ad_group_ad WHERE campaign.id = ${externalId} AND ad_group_ad.status = 'ENABLED'`
    )
    const summaries = rows.map((row) => at(row, "adGroupAd", "policySummary"))
    if (summaries.length === 0 || summaries.some((each) => textAt(each, "approvalStatus") !== "DISAPPROVED")) {
      return undefined
    }
    const topics = summaries.flatMap((each) => {
      const entries = at(each, "policyTopicEntries")
      return policyFindings(Array.isArray(entries) ? entries : []).map(({ topic }) => topic)
    })
    return {
      reason: "ads_disapproved",
      detail: `The ads platform disapproved every ad (${[...new Set(topics)].join(", ").slice(0, 400) || "no topic named"}). See diagnose_adsplatform_campaign, then add another ad.`
    }
  })

  return { policyHold }
}

/** Makes the steps that create a funded campaign at the platform. Each one finds what an earlier attempt created. */
export const makeGoLive = (
  sql: SqlClient,
  platform: AdsPlatform,
  settings: AdsSettingsShape,
  files: CustomerFiles["Type"]
) => {
  const services: GoLiveServices = { sql, platform, settings, files }
  const campaignOperations = makeCampaignOperations(services)
  const { accountHold, ensureCustomer, storedCustomer } = makeCustomers(services)
  const { content, create } = makeCreation(services, campaignOperations)
  const { policyHold } = makePolicyHold(services)

  return {
    storedCustomer,
    ensureCustomer,
    accountHold,
    create,
    policyHold,
    sendContent: content.send
  }
}
