import { Effect, Option, Redacted } from "effect"
import { now } from "../../../../Services/Core/Timestamp.ts"
import type { FieldDefinition, Fields } from "../../../../Services/Crm/CrmRules.ts"
import type { CrmKind } from "../../../../Services/Crm/Ids.ts"
import { isSamePhone, nationalNumbers } from "../../../../Services/Crm/PhoneForms.ts"
import { cacheSuccess } from "../../../Platform/CacheSuccess.ts"
import {
  type ClosedDeal,
  type CrmAdapter,
  type CrmClient,
  CrmFailure,
  type SendToCrm
} from "../../Calling/CrmAdapter.ts"
import { madeId, noneIfMissing, orIfMissing } from "../../Calling/CrmPages.ts"
import { at, closedDeal, listAt, numberAt, present, textAt } from "../../Calling/JsonPath.ts"
import { batchesOf } from "./HubSpotBatches.ts"
import {
  activityOf,
  defaultProperties,
  idsOf,
  newRecord,
  objects,
  ofCompany,
  phoneProperties,
  propertiesOf,
  recordOf,
  searchedPhones,
  stateOf,
  version
} from "./HubSpotRecords.ts"

const pageOfSearch = 200
const mostFound = 10_000

const makeCalls = (send: SendToCrm) => {
  /** Records that have any of the values, in one call, because the search has a separate, narrow limit. */
  const search = Effect.fnUntraced(function* (kind: CrmKind, values: Fields) {
    const { json } = yield* send({
      method: "POST",
      path: `/crm/objects/${version}/${objects[kind]}/search`,
      json: {
        filterGroups: Object.entries(values).map(([propertyName, value]) => ({
          filters: [{ propertyName, operator: "EQ", value }]
        })),
        properties: Object.keys(values),
        sorts: [],
        limit: 10
      },
      isRead: true
    })
    return listAt(json, "results")
  })

  /** Searches the CRM's own index of phones, which finds a number in any notation. */
  const byPhone = (phone: string) =>
    Effect.map(
      send({
        method: "POST",
        path: `/crm/objects/${version}/contacts/search`,
        json: {
          filterGroups: searchedPhones.map((propertyName) => ({
            filters: [{ propertyName, operator: "IN", values: nationalNumbers(phone) }]
          })),
          properties: phoneProperties,
          sorts: [],
          limit: 10
        },
        isRead: true
      }),
      ({ json }) =>
        listAt(json, "results").filter((each) =>
          phoneProperties.some((name) => isSamePhone(textAt(each, "properties", name), phone))
        )
    )

  /**
   * Reads a contact by its e-mail address, which is unique. The record is read instead of searched, because the search
   * index lags behind.
   */
  const byEmail = (email: string) =>
    send({
      method: "GET",
      path: `/crm/objects/${version}/contacts/${encodeURIComponent(email)}`,
      query: { idProperty: "email" }
    }).pipe(
      Effect.map(({ json }) => [textAt(json, "id")].filter((id) => id !== "")),
      orIfMissing([])
    )

  const pipelines = Effect.map(send({ method: "GET", path: `/crm/pipelines/${version}/deals` }), ({ json }) =>
    listAt(json, "results").toSorted((a, b) => (numberAt(a, "displayOrder") ?? 0) - (numberAt(b, "displayOrder") ?? 0))
  )

  const stagesOf = (pipeline: unknown) =>
    listAt(pipeline, "stages").toSorted(
      (a, b) => (numberAt(a, "displayOrder") ?? 0) - (numberAt(b, "displayOrder") ?? 0)
    )

  const isClosing = (stage: unknown): boolean => textAt(stage, "metadata", "isClosed") === "true"

  const fieldsFor = (kind: CrmKind) =>
    Effect.map(send({ method: "GET", path: `/crm/properties/${version}/${objects[kind]}` }), ({ json }) =>
      listAt(json, "results").flatMap((property): ReadonlyArray<FieldDefinition> => {
        const isReadOnly = at(property, "modificationMetadata", "readOnlyValue") === true
        if (isReadOnly || at(property, "calculated") === true || at(property, "archived") === true) return []
        const type = textAt(property, "type")
        return [
          {
            key: textAt(property, "name"),
            label: textAt(property, "label"),
            kind,
            type: type === "string" ? "text" : type === "number" ? "number" : "other"
          }
        ]
      })
    )

  const account = send({ method: "GET", path: `/account-info/${version}/details` })
  /** The currency of deals that name none. */
  const currency = cacheSuccess(Effect.map(account, ({ json }) => textAt(json, "companyCurrency")))

  return { account, byEmail, byPhone, currency, fieldsFor, isClosing, pipelines, search, send, stagesOf }
}
type Calls = ReturnType<typeof makeCalls>

/** Methods that read the account's settings: pipelines, owners, custom fields. */
const accountMethods = ({
  account,
  fieldsFor,
  isClosing,
  pipelines,
  send,
  stagesOf
}: Calls): Pick<CrmClient, "check" | "pipelines" | "ownerByEmail" | "customFields"> => ({
  // Checks access to each kind of object, because they have separate rights. A token that lacks one would fail at the
  // first lead.
  check: Effect.gen(function* () {
    const { json } = yield* account
    for (const object of Object.values(objects)) {
      yield* send({ method: "GET", path: `/crm/objects/${version}/${object}`, query: { limit: 1 } })
      yield* send({ method: "GET", path: `/crm/properties/${version}/${object}` })
    }
    yield* pipelines
    yield* send({ method: "GET", path: `/crm/owners/${version}`, query: { limit: 1 } })
    return { identity: textAt(json, "portalId") }
  }),

  pipelines: Effect.map(pipelines, (rows) =>
    rows.map((pipeline) => ({
      id: textAt(pipeline, "id"),
      name: textAt(pipeline, "label"),
      stages: stagesOf(pipeline)
        .filter((stage) => !isClosing(stage))
        .map((stage) => ({ id: textAt(stage, "id"), name: textAt(stage, "label") }))
    }))
  ),

  ownerByEmail: (email) =>
    Effect.map(send({ method: "GET", path: `/crm/owners/${version}`, query: { email } }), ({ json }) =>
      Option.filter(Option.some(textAt(json, "results", 0, "id")), (id) => id !== "")
    ),

  customFields: Effect.map(Effect.all([fieldsFor("deal"), fieldsFor("person"), fieldsFor("company")]), (lists) =>
    lists.flat()
  )
})

const recordMethods = ({
  byEmail,
  byPhone,
  currency,
  search,
  send
}: Calls): Pick<CrmClient, "find" | "findDeals" | "read" | "create" | "update" | "addNote"> => ({
  find: Effect.fnUntraced(function* (kind, { domain, email, name, phone }) {
    if (kind === "company") {
      return idsOf(ofCompany(yield* search("company", present({ domain, name })), { domain, name }))
    }
    const sameEmail = email === undefined ? [] : yield* byEmail(email)
    if (sameEmail.length > 0 || phone === undefined) return sameEmail
    return idsOf(yield* byPhone(phone))
  }),

  findDeals: Effect.fnUntraced(function* (title, { companyId, personId }) {
    const [kind, id] = personId === undefined ? ["companies", companyId] : ["contacts", personId]
    if (id === undefined) return []
    const linked = yield* send({
      method: "POST",
      path: `/crm/associations/${version}/${kind}/${objects.deal}/batch/read`,
      json: { inputs: [{ id }] },
      isRead: true
    })
    const inputs = listAt(linked.json, "results", 0, "to").map((deal) => ({ id: textAt(deal, "toObjectId") }))
    if (inputs.length === 0) return []
    const { json } = yield* send({
      method: "POST",
      path: `/crm/objects/${version}/deals/batch/read`,
      json: { properties: ["dealname"], propertiesWithHistory: [], inputs },
      isRead: true
    })
    return listAt(json, "results")
      .filter((deal) => textAt(deal, "properties", "dealname") === title)
      .map((deal) => textAt(deal, "id"))
  }),

  read: Effect.fnUntraced(function* (kind, id, ownKeys) {
    const homeCurrency = kind === "deal" ? yield* currency : ""
    return yield* send({
      method: "GET",
      path: `/crm/objects/${version}/${objects[kind]}/${encodeURIComponent(id)}`,
      query: { properties: [defaultProperties(kind), ...ownKeys].join(",") }
    }).pipe(
      Effect.map(({ json }) => recordOf(kind, id, ownKeys, json, homeCurrency)),
      noneIfMissing
    )
  }),

  create: Effect.fnUntraced(function* (kind, record) {
    const { json } = yield* send({
      method: "POST",
      path: `/crm/objects/${version}/${objects[kind]}`,
      json: newRecord(kind, record)
    })
    const id = textAt(json, "id")
    return yield* madeId(id)
  }),

  update: (kind, id, fields) =>
    Effect.asVoid(
      send({
        method: "PATCH",
        path: `/crm/objects/${version}/${objects[kind]}/${encodeURIComponent(id)}`,
        json: { properties: propertiesOf(kind, fields) }
      })
    ),

  addNote: Effect.fnUntraced(function* (note) {
    const { json } = yield* send({
      method: "POST",
      path: `/crm/objects/${version}/${note.meeting === undefined ? "notes" : "meetings"}`,
      json: activityOf(note, yield* now)
    })
    return yield* madeId(textAt(json, "id"))
  })
})

const dealMethods = ({
  currency,
  isClosing,
  pipelines,
  send,
  stagesOf
}: Calls): Pick<CrmClient, "close" | "closedSince"> => ({
  close: Effect.fnUntraced(function* (dealId, { outcome, pipelineId, reason, value }) {
    const rows = yield* pipelines
    const pipeline = rows.find((each) => textAt(each, "id") === pipelineId) ?? rows[0]
    const wanted = outcome === "won" ? 1 : 0
    const stage = stagesOf(pipeline).find(
      (each) => isClosing(each) && numberAt(each, "metadata", "probability") === wanted
    )
    if (stage === undefined) return yield* new CrmFailure({ kind: "rejected" })
    yield* send({
      method: "PATCH",
      path: `/crm/objects/${version}/deals/${encodeURIComponent(dealId)}`,
      json: {
        properties: {
          dealstage: textAt(stage, "id"),
          ...(value === undefined ? {} : { amount: value }),
          ...(reason === undefined
            ? {}
            : { [outcome === "won" ? "closed_won_reason" : "closed_lost_reason"]: reason.slice(0, 1000) })
        }
      }
    })
  }),

  closedSince: Effect.fnUntraced(function* (since) {
    const closed: Array<ClosedDeal> = []
    const homeCurrency = yield* currency
    let after = ""
    // The search ends at its ten thousandth row. The next poll continues after it.
    for (let seen = 0; seen < mostFound; seen += pageOfSearch) {
      const { json } = yield* send({
        method: "POST",
        path: `/crm/objects/${version}/deals/search`,
        isRead: true,
        json: {
          filterGroups: [
            {
              filters: [
                { propertyName: "hs_lastmodifieddate", operator: "GTE", value: `${Date.parse(since)}` },
                { propertyName: "hs_is_closed", operator: "EQ", value: "true" }
              ]
            }
          ],
          sorts: [{ propertyName: "hs_lastmodifieddate", direction: "ASCENDING" }],
          properties: [
            "hs_is_closed",
            "hs_is_closed_won",
            "amount",
            "deal_currency_code",
            "closed_lost_reason",
            "closed_won_reason"
          ],
          limit: pageOfSearch,
          ...(after === "" ? {} : { after })
        }
      })
      for (const deal of listAt(json, "results"))
        closed.push(
          ...closedDeal(stateOf(deal), {
            id: textAt(deal, "id"),
            reason: textAt(deal, "properties", `closed_${stateOf(deal)}_reason`),
            value: numberAt(deal, "properties", "amount"),
            currency: textAt(deal, "properties", "deal_currency_code") || homeCurrency
          })
        )
      after = textAt(json, "paging", "next", "after")
      if (after === "") break
    }
    return closed
  })
})

const batchMethods = ({ currency, send }: Calls): Pick<CrmClient, "batches"> => ({
  batches: batchesOf(send, currency)
})

const client = (send: SendToCrm): CrmClient => {
  const calls = makeCalls(send)
  return { ...accountMethods(calls), ...recordMethods(calls), ...dealMethods(calls), ...batchMethods(calls) }
}

/** HubSpot, with the token of a private app. */
export const hubSpot: CrmAdapter = {
  name: "hubspot",
  needs: ["access_token"],
  baseUrl: () => "https://api.hubapi.com",
  headers: (credentials) => {
    const token = credentials.get("access_token")
    return token === undefined ? {} : { authorization: `Bearer ${Redacted.value(token)}` }
  },
  // No field of a company is unique, and the vendor says only that its search index lags behind.
  indexLagSeconds: 300,
  limits: [
    { bucket: "calls", allowance: { amount: 100, seconds: 10 }, leftHeader: "x-hubspot-ratelimit-remaining" },
    { bucket: "day", allowance: { amount: 250_000, seconds: 86_400 } }
  ],
  // The status for an account that is being moved.
  judge: ({ status }) => (status === 477 ? { kind: "rate_limited" } : undefined),
  // Only the id of the existing record is read from the error's text.
  existingId: ({ json }) => /Existing ID: (\d+)/.exec(textAt(json, "message"))?.[1],
  connect: client
}
