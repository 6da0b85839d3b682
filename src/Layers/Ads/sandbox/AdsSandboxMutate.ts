import { Effect } from "effect"
import type { Transient } from "../../../Errors.ts"
import { checkedKeywords, keywordKey } from "../../../Services/Ads/AdKeywords.ts"
import { checkedTexts, descriptionRule, headlineRule } from "../../../Services/Ads/AdTexts.ts"
import { at, listAt, textAt } from "../../Platform/AnswerPaths.ts"
import { assetErrors, assetsOf, passedOver } from "./AdsSandboxAssets.ts"
import { statusOf } from "./AdsSandboxEntities.ts"
import { recordsOf, type SandboxStore, type SandboxWorld, textsIn } from "./AdsSandboxStore.ts"

export interface SandboxError {
  readonly kind: string
  readonly name: string
  readonly operation: number
  readonly topic?: string
  readonly text?: string
}

/** Words that the platform's policies forbid. */
const forbidden = ["milagre", "cura garantida", "miracle", "guaranteed cure"]

const last = (name: string): string => name.split("/").at(-1) ?? ""

interface Applied {
  readonly kind: string
  /** The resource name of the created or changed item. */
  readonly name: string
}

interface Step {
  readonly errors: ReadonlyArray<Omit<SandboxError, "operation">>
  /** Creates or changes the resource. Later operations of the request may use its temporary name. */
  readonly apply: Effect.Effect<Applied, Transient>
}

const fail = (
  kind: string,
  name: string,
  more: { readonly topic?: string; readonly text?: string } = {}
): Step["errors"] => [{ kind, name, ...more }]

interface MutateServices {
  readonly store: SandboxStore
  readonly world: SandboxWorld
  readonly customerId: string
  readonly now: number
}

const makeResources = ({ customerId, store, world }: MutateServices) => {
  /** The ids that replaced the temporary ids of this request. */
  const made = new Map<string, number>()
  const declared = new Set<string>()
  const fresh = { names: new Set<string>(), keywords: new Set<string>() }

  const idIn = (resource: unknown): number | undefined => {
    const id = last(typeof resource === "string" ? resource : "")
    const known = made.get(id)
    if (known !== undefined) return known
    const number = Number(id)
    return world.records.some((record) => record.id === number) ? number : undefined
  }
  const isThere = (resource: unknown): boolean =>
    idIn(resource) !== undefined || declared.has(last(typeof resource === "string" ? resource : ""))
  const campaignOf = (resource: unknown): number | undefined => {
    const id = idIn(resource)
    const record = world.records.find((each) => each.id === id)
    return record?.kind === "adGroup" ? (record.parentId ?? undefined) : (groups.get(id ?? -1) ?? id)
  }
  /** Campaigns of the ad groups that this request created. */
  const groups = new Map<number, number>()
  const named = (collection: string, id: number | string) => `customers/${customerId}/${collection}/${id}`

  const insert = (
    kind: string,
    parent: number | undefined,
    create: unknown,
    body: { readonly [name: string]: unknown }
  ) =>
    Effect.map(store.insert(kind, parent ?? null, body), (id) => {
      const temporary = last(textAt(create, "resourceName"))
      if (temporary.startsWith("-")) made.set(temporary, id)
      return id
    })

  return { campaignOf, declared, fresh, groups, idIn, insert, isThere, named }
}
type Resources = ReturnType<typeof makeResources>

const makeContentSteps = (
  { world }: MutateServices,
  { campaignOf, fresh, idIn, insert, isThere, named }: Resources
) => {
  const keyword = (kind: "keyword" | "negative", create: unknown, parent: unknown): Step => {
    const text = textAt(create, "keyword", "text")
    const matchType = textAt(create, "keyword", "matchType")
    const checked = checkedKeywords(text)
    const campaign = campaignOf(parent)
    const key = `${kind} ${textAt({ parent }, "parent")} ${matchType} ${keywordKey(text)}`
    const exists =
      fresh.keywords.has(key) ||
      (campaign !== undefined &&
        recordsOf(world, kind, campaign).some(
          ({ body }) => keywordKey(textAt(body, "text")) === keywordKey(text) && textAt(body, "matchType") === matchType
        ))
    fresh.keywords.add(key)
    const errors = !isThere(parent)
      ? fail("mutateError", "RESOURCE_NOT_FOUND")
      : "_tag" in checked
        ? fail(
            "criterionError",
            checked.reason === "keyword_too_long"
              ? "KEYWORD_TEXT_TOO_LONG"
              : checked.reason === "keyword_too_many_words"
                ? "KEYWORD_HAS_TOO_MANY_WORDS"
                : "KEYWORD_HAS_INVALID_CHARS"
          )
        : exists
          ? fail("mutateError", "RESOURCE_ALREADY_EXISTS")
          : forbidden.some((word) => text.toLowerCase().includes(word))
            ? fail("policyFindingError", "POLICY_FINDING", { topic: "HEALTH_IN_PERSONALIZED_ADS", text })
            : []
    return {
      errors,
      apply: Effect.suspend(() =>
        Effect.map(insert(kind, campaignOf(parent), create, { text, matchType }), (id) => ({
          kind: kind === "keyword" ? "adGroupCriterionResult" : "campaignCriterionResult",
          name: named(kind === "keyword" ? "adGroupCriteria" : "campaignCriteria", `${idIn(parent) ?? 0}~${id}`)
        }))
      )
    }
  }

  const adStep = (create: unknown): Step => {
    const adGroup = at(create, "adGroup")
    const rsa = at(create, "ad", "responsiveSearchAd")
    const headlines = textsIn(rsa, "headlines")
    const descriptions = textsIn(rsa, "descriptions")
    const wrong = [
      checkedTexts(headlineRule, headlines.join("\n")),
      checkedTexts(descriptionRule, descriptions.join("\n"))
    ].find((each) => "_tag" in each)
    const said = [...headlines, ...descriptions].find((text) =>
      forbidden.some((word) => text.toLowerCase().includes(word))
    )
    return {
      errors: !isThere(adGroup)
        ? fail("mutateError", "RESOURCE_NOT_FOUND")
        : wrong !== undefined
          ? fail("adError", "INVALID_INPUT")
          : said !== undefined
            ? fail("policyFindingError", "POLICY_FINDING", { topic: "MISLEADING_CONTENT", text: said })
            : [],
      apply: Effect.suspend(() =>
        Effect.map(insert("ad", campaignOf(adGroup), create, { ad: at(create, "ad") }), (id) => ({
          kind: "adGroupAdResult",
          name: named("adGroupAds", `${idIn(adGroup) ?? 0}~${id}`)
        }))
      )
    }
  }

  return { adStep, keyword }
}
type ContentSteps = ReturnType<typeof makeContentSteps>

const makeCampaignSteps = (
  { now, store, world }: MutateServices,
  { declared, fresh, groups, idIn, insert, isThere, named }: Resources
) => {
  const changed = (id: number | undefined, list: string, value: string, kind: string, name: string): Step => {
    const record = world.records.find((each) => each.id === id)
    return {
      errors:
        record === undefined || (record.kind === "campaign" && statusOf(record) === "REMOVED")
          ? fail("mutateError", "RESOURCE_NOT_FOUND")
          : [],
      apply: Effect.as(
        record === undefined
          ? Effect.void
          : store.put(record.id, { ...record.body, [list]: [...listAt(record.body, list), { at: now, value }] }),
        { kind, name }
      )
    }
  }

  const budgetStep = (budget: unknown): Step => {
    const create = at(budget, "create")
    const micros = Number(textAt(create ?? at(budget, "update"), "amountMicros"))
    const errors =
      micros % 10_000 !== 0
        ? fail("campaignBudgetError", "NON_MULTIPLE_OF_MINIMUM_CURRENCY_UNIT")
        : micros < 1_000_000
          ? fail("campaignBudgetError", "BUDGET_BELOW_PER_DAY_MINIMUM")
          : []
    if (create === undefined) {
      const name = textAt(budget, "update", "resourceName")
      const step = changed(idIn(name), "amounts", `${micros}`, "campaignBudgetResult", name)
      return { ...step, errors: [...errors, ...step.errors] }
    }
    declared.add(last(textAt(create, "resourceName")))
    return {
      errors,
      apply: Effect.map(
        insert("budget", undefined, create, {
          name: textAt(create, "name"),
          amounts: [{ at: now, value: `${micros}` }]
        }),
        (id) => ({ kind: "campaignBudgetResult", name: named("campaignBudgets", id) })
      )
    }
  }

  const campaignErrors = (create: unknown, isNameTaken: boolean): Step["errors"] => {
    if (textAt(create, "containsEuPoliticalAdvertising") === "") {
      return fail("campaignError", "EU_POLITICAL_ADVERTISING_DECLARATION_REQUIRED")
    }
    if (isNameTaken) return fail("campaignError", "DUPLICATE_CAMPAIGN_NAME")
    return isThere(at(create, "campaignBudget")) ? [] : fail("mutateError", "RESOURCE_NOT_FOUND")
  }

  const campaignStep = (campaign: unknown): Step => {
    const create = at(campaign, "create")
    const removed = textAt(campaign, "remove")
    if (removed !== "") return changed(idIn(removed), "statuses", "REMOVED", "campaignResult", removed)
    if (create === undefined) {
      const name = textAt(campaign, "update", "resourceName")
      return changed(idIn(name), "statuses", textAt(campaign, "update", "status"), "campaignResult", name)
    }
    const name = textAt(create, "name")
    const isNameTaken =
      fresh.names.has(name) ||
      recordsOf(world, "campaign").some((each) => textAt(each.body, "name") === name && statusOf(each) !== "REMOVED")
    fresh.names.add(name)
    declared.add(last(textAt(create, "resourceName")))
    return {
      errors: campaignErrors(create, isNameTaken),
      apply: Effect.suspend(() =>
        Effect.map(
          insert("campaign", undefined, create, {
            name,
            budgetId: idIn(at(create, "campaignBudget")) ?? 0,
            channel: textAt(create, "advertisingChannelType"),
            statuses: [{ at: now, value: textAt(create, "status") || "PAUSED" }]
          }),
          (id) => ({ kind: "campaignResult", name: named("campaigns", id) })
        )
      )
    }
  }

  const groupStep = (group: unknown): Step => {
    declared.add(last(textAt(group, "resourceName")))
    const parent = at(group, "campaign")
    return {
      errors: isThere(parent) ? [] : fail("mutateError", "RESOURCE_NOT_FOUND"),
      apply: Effect.suspend(() =>
        Effect.map(insert("adGroup", idIn(parent), group, { name: textAt(group, "name") }), (id) => {
          groups.set(id, idIn(parent) ?? 0)
          return { kind: "adGroupResult", name: named("adGroups", id) }
        })
      )
    }
  }

  return { budgetStep, campaignStep, groupStep }
}
type CampaignSteps = ReturnType<typeof makeCampaignSteps>

const makeAssetSteps = ({ declared, idIn, insert, isThere, named }: Resources) => {
  /** The group's texts are stored with it, pictures are not. */
  const assetGroupStep = (group: unknown, operations: ReadonlyArray<unknown>): Step => {
    const assets = assetsOf(operations, textAt(group, "resourceName"))
    declared.add(last(textAt(group, "resourceName")))
    const parent = at(group, "campaign")
    return {
      errors: isThere(parent) ? assetErrors(assets) : fail("mutateError", "RESOURCE_NOT_FOUND"),
      apply: Effect.suspend(() =>
        Effect.map(
          insert("assetGroup", idIn(parent), group, {
            name: textAt(group, "name"),
            finalUrl: at(group, "finalUrls"),
            assets
          }),
          (id) => ({ kind: "assetGroupResult", name: named("assetGroups", id) })
        )
      )
    }
  }

  const assetStep = (asset: unknown): Step => ({
    errors: [],
    apply: passedOver("assetResult", textAt(asset, "resourceName"))
  })

  const linkStep = (link: unknown): Step => ({
    errors: [],
    apply: passedOver("assetGroupAssetResult", textAt(link, "asset"))
  })

  return { assetGroupStep, assetStep, linkStep }
}
type AssetSteps = ReturnType<typeof makeAssetSteps>

const makeCriterionSteps = (
  { store, world }: MutateServices,
  { idIn, insert, isThere, named }: Resources,
  { keyword }: ContentSteps
) => {
  const criterionStep = (criterion: unknown): Step => {
    const campaign = at(criterion, "campaign")
    if (at(criterion, "keyword") !== undefined) return keyword("negative", criterion, campaign)
    const userList = at(criterion, "userList")
    const type =
      userList !== undefined ? "USER_LIST" : at(criterion, "location") !== undefined ? "LOCATION" : "LANGUAGE"
    return {
      errors: isThere(campaign) ? [] : fail("mutateError", "RESOURCE_NOT_FOUND"),
      apply: Effect.suspend(() =>
        Effect.map(
          insert("criterion", idIn(campaign), criterion, { type, userList, bidModifier: at(criterion, "bidModifier") }),
          (id) => ({
            kind: "campaignCriterionResult",
            name: named("campaignCriteria", `${idIn(campaign) ?? 0}~${id}`)
          })
        )
      )
    }
  }

  const changedCriterionStep = (update: unknown): Step => {
    const name = textAt(update, "resourceName")
    const record = recordsOf(world, "criterion").find(({ id }) => `${id}` === name.split("~").at(-1))
    return {
      errors: record === undefined ? fail("mutateError", "RESOURCE_NOT_FOUND") : [],
      apply: Effect.as(
        record === undefined
          ? Effect.void
          : store.put(record.id, { ...record.body, bidModifier: at(update, "bidModifier") }),
        { kind: "campaignCriterionResult", name }
      )
    }
  }

  const conversionActionStep = (action: unknown): Step => {
    const name = textAt(action, "name")
    const isTaken = recordsOf(world, "conversionAction").some(({ body }) => textAt(body, "name") === name)
    return {
      errors: name === "" || isTaken ? fail("conversionActionError", "DUPLICATE_NAME") : [],
      apply: Effect.map(
        insert("conversionAction", undefined, action, {
          name,
          type: textAt(action, "type"),
          status: textAt(action, "status"),
          category: textAt(action, "category"),
          events: []
        }),
        (id) => ({ kind: "conversionActionResult", name: named("conversionActions", id) })
      )
    }
  }

  const userListStep = (list: unknown): Step => {
    const name = textAt(list, "name")
    return {
      errors: recordsOf(world, "userList").some(({ body }) => textAt(body, "name") === name)
        ? fail("userListError", "NAME_ALREADY_USED")
        : Number(textAt(list, "membershipLifeSpan")) > 540
          ? fail("rangeError", "TOO_HIGH")
          : [],
      apply: Effect.map(insert("userList", undefined, list, { name, members: [] }), (id) => ({
        kind: "userListResult",
        name: named("userLists", id)
      }))
    }
  }

  return { changedCriterionStep, conversionActionStep, criterionStep, userListStep }
}
type CriterionSteps = ReturnType<typeof makeCriterionSteps>

const makeSteps = (
  { adStep, keyword }: ContentSteps,
  { budgetStep, campaignStep, groupStep }: CampaignSteps,
  { assetGroupStep, assetStep, linkStep }: AssetSteps,
  { changedCriterionStep, conversionActionStep, criterionStep, userListStep }: CriterionSteps
) => {
  const stepOf = (operation: unknown, operations: ReadonlyArray<unknown>): Step => {
    const budget = at(operation, "campaignBudgetOperation")
    if (at(budget, "create") !== undefined || at(budget, "update") !== undefined) return budgetStep(budget)
    const campaign = at(operation, "campaignOperation")
    if (campaign !== undefined) return campaignStep(campaign)
    const group = at(operation, "adGroupOperation", "create")
    if (group !== undefined) return groupStep(group)
    const assetGroup = at(operation, "assetGroupOperation", "create")
    if (assetGroup !== undefined) return assetGroupStep(assetGroup, operations)
    const asset = at(operation, "assetOperation", "create")
    if (asset !== undefined) return assetStep(asset)
    const link = at(operation, "assetGroupAssetOperation", "create")
    if (link !== undefined) return linkStep(link)
    const ad = at(operation, "adGroupAdOperation", "create")
    if (ad !== undefined) return adStep(ad)
    const criterion = at(operation, "adGroupCriterionOperation", "create")
    if (criterion !== undefined) return keyword("keyword", criterion, at(criterion, "adGroup"))
    const ofCampaign = at(operation, "campaignCriterionOperation", "create")
    if (ofCampaign !== undefined) return criterionStep(ofCampaign)
    const changedCriterion = at(operation, "campaignCriterionOperation", "update")
    if (changedCriterion !== undefined) return changedCriterionStep(changedCriterion)
    const action = at(operation, "conversionActionOperation", "create")
    if (action !== undefined) return conversionActionStep(action)
    const list = at(operation, "userListOperation", "create")
    if (list !== undefined) return userListStep(list)
    return { errors: fail("requestError", "UNKNOWN"), apply: Effect.succeed({ kind: "unknown", name: "" }) }
  }

  return { stepOf }
}

/** Checks operations like the platform and executes them in order. */
export const makeMutate = (store: SandboxStore, world: SandboxWorld, customerId: string, now: number) => {
  const services: MutateServices = { store, world, customerId, now }
  const resources = makeResources(services)
  const contentSteps = makeContentSteps(services, resources)
  const campaignSteps = makeCampaignSteps(services, resources)
  const criterionSteps = makeCriterionSteps(services, resources, contentSteps)
  const steps = makeSteps(contentSteps, campaignSteps, makeAssetSteps(resources), criterionSteps)
  const { stepOf } = steps

  return Effect.fnUntraced(function* (
    operations: ReadonlyArray<unknown>,
    { partialFailure, validateOnly }: { readonly partialFailure: boolean; readonly validateOnly: boolean }
  ) {
    const steps = operations.map((operation) => stepOf(operation, operations))
    const errors = steps.flatMap(
      (step, operation): ReadonlyArray<SandboxError> => step.errors.map((error) => ({ ...error, operation }))
    )
    if (validateOnly || (errors.length > 0 && !partialFailure)) return { errors, results: [] }
    const results = yield* Effect.forEach(steps, (step) =>
      step.errors.length > 0
        ? Effect.succeed({})
        : Effect.map(step.apply, ({ kind, name }) => ({ [kind]: { resourceName: name } }))
    )
    return { errors, results }
  })
}
