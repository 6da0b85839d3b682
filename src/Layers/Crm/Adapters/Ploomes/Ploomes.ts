import { Effect, Option, Redacted } from "effect"
import { now } from "../../../../Services/Core/Timestamp.ts"
import type { FieldDefinition, Fields } from "../../../../Services/Crm/CrmRules.ts"
import type { CrmKind } from "../../../../Services/Crm/Ids.ts"
import { phoneForms } from "../../../../Services/Crm/PhoneForms.ts"
import { type CrmAdapter, type CrmClient, type SendToCrm } from "../../Calling/CrmAdapter.ts"
import { madeId, numberedPages } from "../../Calling/CrmPages.ts"
import {
  at,
  closedDeal,
  listAt,
  namedReason,
  numberAt,
  ownFields,
  ownNamed,
  present,
  textAt
} from "../../Calling/JsonPath.ts"
import { idIn, isSame } from "../../Connecting/CrmWebhooks.ts"

/** Persons and companies are one collection with these types. */
const types = { company: 1, person: 2 }
/** Ids of the entities that fields belong to. */
const entities = { contact: 1, deal: 2 }
const states = { open: 1, won: 2, lost: 3 }
const largestPage = 100
const otherReason = /^\s*(?:outr|other|otr)/i

/** A string of the query language. Quotes in it are doubled. */
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

const numbers = (text: string): string => text.replace(/\D/g, "")

/** Returns a phone as the CRM indexes it: as a number, without signs between the digits. */
const phoneNumbers = (phone: string): ReadonlyArray<string> => [
  ...new Set(phoneForms(phone).map((form) => numbers(form).replace(/^0+/, "")))
]

const bodyOf = (kind: CrmKind, fields: Fields) => ({
  ...(kind === "deal"
    ? {
        ...(fields["title"] === undefined ? {} : { Title: fields["title"] }),
        ...(fields["stage"] === undefined ? {} : { StageId: Number(fields["stage"]) }),
        ...(fields["value"] === undefined ? {} : { Amount: Number(fields["value"]) })
      }
    : {
        ...(fields["name"] === undefined ? {} : { Name: fields["name"] }),
        ...(fields["email"] === undefined ? {} : { Email: fields["email"] }),
        ...(fields["phone"] === undefined ? {} : { Phones: [{ PhoneNumber: fields["phone"] }] }),
        ...(fields["domain"] === undefined ? {} : { Website: fields["domain"] })
      }),
  ...(Object.keys(ownFields(fields)).length === 0
    ? {}
    : {
        OtherProperties: Object.entries(ownFields(fields)).map(([FieldKey, StringValue]) => ({ FieldKey, StringValue }))
      })
})

const fieldsOf = (kind: CrmKind, record: unknown): Fields => {
  if (kind === "deal") {
    const value = textAt(record, "Amount")
    return present({
      title: textAt(record, "Title"),
      stage: textAt(record, "StageId"),
      value: value === "0" ? "" : value
    })
  }
  return present({
    name: textAt(record, "Name"),
    email: textAt(record, "Email"),
    phone: textAt(record, "Phones", 0, "PhoneNumber"),
    domain: textAt(record, "Website")
  })
}

const stateOf = (record: unknown): "open" | "won" | "lost" => {
  const state = numberAt(record, "StatusId")
  return state === states.won ? "won" : state === states.lost ? "lost" : "open"
}

const makeCalls = (send: SendToCrm) => {
  const rows = (path: string, filter?: string, more: { readonly [name: string]: string | number } = {}) =>
    Effect.map(
      send({ method: "GET", path, query: { ...(filter === undefined ? {} : { $filter: filter }), ...more } }),
      ({ json }) => listAt(json, "value")
    )
  const ids = (found: ReadonlyArray<unknown>) => found.map((each) => textAt(each, "Id"))
  const collection = (kind: CrmKind): string => (kind === "deal" ? "/Deals" : "/Contacts")

  return { collection, ids, rows, send }
}
type Calls = ReturnType<typeof makeCalls>

/** Methods that read the account's settings: pipelines, owners, custom fields. */
const accountMethods = ({ rows }: Calls): Pick<CrmClient, "check" | "pipelines" | "ownerByEmail" | "customFields"> => ({
  check: Effect.map(rows("/Account", undefined, { $top: 1, $select: "Id" }), ([account]) => ({
    identity: textAt(account, "Id")
  })),

  pipelines: Effect.gen(function* () {
    const pipelines = yield* rows("/Deals@Pipelines")
    const stages = yield* rows("/Deals@Stages")
    const inOrder = stages.toSorted((a, b) => (numberAt(a, "Ordination") ?? 0) - (numberAt(b, "Ordination") ?? 0))
    return pipelines.map((pipeline) => ({
      id: textAt(pipeline, "Id"),
      name: textAt(pipeline, "Name"),
      stages: inOrder
        .filter((stage) => textAt(stage, "PipelineId") === textAt(pipeline, "Id"))
        .map((stage) => ({ id: textAt(stage, "Id"), name: textAt(stage, "Name") }))
    }))
  }),

  ownerByEmail: (email) =>
    Effect.map(rows("/Users", `Email eq ${quoted(email)}`), ([user]) =>
      Option.filter(Option.some(textAt(user, "Id")), (id) => id !== "")
    ),

  customFields: Effect.map(
    Effect.all([
      rows("/Fields", `EntityId eq ${entities.deal} and Dynamic eq true`),
      rows("/Fields", `EntityId eq ${entities.contact} and Dynamic eq true`)
    ]),
    ([deals, contacts]) =>
      [[deals, "deal"] as const, [contacts, "person"] as const].flatMap(([fields, kind]) =>
        fields.map((field): FieldDefinition => {
          const type = numberAt(field, "TypeId")
          // Short and long texts share a property. Values of other types have separate ones.
          return {
            key: textAt(field, "Key"),
            label: textAt(field, "Name"),
            kind,
            type: type === 1 || type === 2 ? "text" : "other"
          }
        })
      )
  )
})

const recordMethods = ({
  collection,
  ids,
  rows,
  send
}: Calls): Pick<CrmClient, "find" | "findDeals" | "read" | "create" | "update" | "addNote"> => ({
  find: Effect.fnUntraced(function* (kind, { email, name, phone }) {
    const isKind = `TypeId eq ${types[kind]}`
    if (kind === "company") return ids(yield* rows("/Contacts", `${isKind} and Name eq ${quoted(name)}`, { $top: 5 }))
    const sameEmail =
      email === undefined ? [] : yield* rows("/Contacts", `${isKind} and Email eq ${quoted(email)}`, { $top: 5 })
    if (sameEmail.length > 0 || phone === undefined) return ids(sameEmail)
    const isNumber = phoneNumbers(phone).map((number) => `p/SearchPhoneNumber eq ${number}`)
    return ids(yield* rows("/Contacts", `${isKind} and Phones/any(p: ${isNumber.join(" or ")})`, { $top: 5 }))
  }),

  findDeals: Effect.fnUntraced(function* (title, { companyId, personId }) {
    const of = personId === undefined ? `ContactId eq ${companyId ?? 0}` : `PersonId eq ${personId}`
    return ids(yield* rows("/Deals", `${of} and Title eq ${quoted(title)}`, { $top: 5 }))
  }),

  read: Effect.fnUntraced(function* (kind, id, ownKeys) {
    const [record] = yield* rows(collection(kind), `Id eq ${numbers(id)}`, {
      $top: 1,
      $expand: kind === "deal" ? "OtherProperties" : "Phones,OtherProperties"
    })
    if (record === undefined) return Option.none()
    const own = listAt(record, "OtherProperties")
    return Option.some({
      id,
      fields: {
        ...fieldsOf(kind, record),
        ...ownNamed(ownKeys, (key) =>
          textAt(
            own.find((each) => textAt(each, "FieldKey") === key),
            "StringValue"
          )
        )
      },
      ...(kind === "deal" ? { state: stateOf(record) } : {})
    })
  }),

  create: Effect.fnUntraced(function* (kind, { companyId, fields, ownerId, personId, pipelineId }) {
    // The customer of the deal: the company, if there is one.
    const customer = companyId ?? personId
    const links =
      kind === "deal"
        ? {
            ...(customer === undefined ? {} : { ContactId: Number(customer) }),
            ...(personId === undefined ? {} : { PersonId: Number(personId) }),
            ...(pipelineId === undefined ? {} : { PipelineId: Number(pipelineId) })
          }
        : { TypeId: types[kind], ...(companyId === undefined ? {} : { CompanyId: Number(companyId) }) }
    const { json } = yield* send({
      method: "POST",
      path: collection(kind),
      json: { ...bodyOf(kind, fields), ...links, ...(ownerId === undefined ? {} : { OwnerId: Number(ownerId) }) }
    })
    const id = textAt(json, "value", 0, "Id")
    return yield* madeId(id)
  }),

  update: (kind, id, fields) =>
    Effect.asVoid(send({ method: "PATCH", path: `${collection(kind)}(${numbers(id)})`, json: bodyOf(kind, fields) })),

  // A meeting is a task that is due when it begins.
  addNote: Effect.fnUntraced(function* ({ meeting, of: { companyId, dealId, personId }, text }) {
    const contact = personId ?? companyId
    const links = { DealId: Number(dealId), ...(contact === undefined ? {} : { ContactId: Number(contact) }) }
    const { json } = yield* send(
      meeting === undefined
        ? { method: "POST", path: "/InteractionRecords", json: { Content: text, Date: yield* now, ...links } }
        : { method: "POST", path: "/Tasks", json: { Description: text, Date: meeting.startsAt, ...links } }
    )
    return yield* madeId(textAt(json, "value", 0, "Id"))
  })
})

const dealMethods = ({ rows, send }: Calls): Pick<CrmClient, "close" | "closedSince"> => ({
  close: Effect.fnUntraced(function* (dealId, { outcome, reason, value }) {
    const deal = `/Deals(${numbers(dealId)})`
    if (value !== undefined) yield* send({ method: "PATCH", path: deal, json: { Amount: Number(value) } })
    if (outcome === "won") return yield* Effect.asVoid(send({ method: "POST", path: `${deal}/Win`, json: {} }))
    // The CRM requires a reason. If none has this name, "other reason" is used, because it asserts nothing false.
    const reasons = yield* rows("/Deals@LossReasons")
    const named = namedReason(reasons, "Name", reason) ?? reasons.find((each) => otherReason.test(textAt(each, "Name")))
    const lossReasonId = numberAt(named, "Id")
    yield* send({
      method: "POST",
      path: `${deal}/Lose`,
      json: lossReasonId === undefined ? {} : { LossReasonId: lossReasonId }
    })
  }),

  closedSince: (since) =>
    numberedPages(
      (page) =>
        rows("/Deals", `StatusId ne ${states.open} and LastUpdateDate ge ${since}`, {
          $orderby: "LastUpdateDate,Id",
          $top: largestPage,
          $skip: page * largestPage,
          $expand: "LossReason"
        }),
      largestPage
    ).pipe(
      Effect.map((deals) =>
        deals.flatMap((deal) =>
          closedDeal(stateOf(deal), {
            id: textAt(deal, "Id"),
            reason: textAt(deal, "LossReason", "Name"),
            value: numberAt(deal, "Amount")
          })
        )
      )
    )
})

const client = (send: SendToCrm): CrmClient => {
  const calls = makeCalls(send)
  return { ...accountMethods(calls), ...recordMethods(calls), ...dealMethods(calls) }
}

/** The adapter for Ploomes. It uses a user's key. */
export const ploomes: CrmAdapter = {
  name: "ploomes",
  needs: ["api_key"],
  baseUrl: () => "https://public-api2.ploomes.com",
  headers: (credentials) => {
    const key = credentials.get("api_key")
    return key === undefined ? {} : { "user-key": Redacted.value(key) }
  },
  limits: [{ bucket: "calls", allowance: { amount: 120, seconds: 60 } }],
  judge: ({ json, status }) => (status === 200 && at(json, "error") !== undefined ? { kind: "rejected" } : undefined),
  connect: client,
  webhooks: {
    register: (send, { address, secret }) =>
      Effect.flatMap(send({ method: "GET", path: "/Webhooks@Actions" }), ({ json: actions }) =>
        Effect.forEach(
          listAt(actions, "value").filter((action) => ["Win", "Lose"].includes(textAt(action, "Name"))),
          (action) =>
            Effect.map(
              send({
                method: "POST",
                path: "/Webhooks",
                json: {
                  EntityId: entities.deal,
                  ActionId: numberAt(action, "Id"),
                  CallbackUrl: address,
                  ValidationKey: secret
                }
              }),
              ({ json }) => textAt(json, "value", 0, "Id")
            )
        )
      ),
    remove: (send, id) => Effect.asVoid(send({ method: "DELETE", path: `/Webhooks(${encodeURIComponent(id)})` })),
    // The CRM returns the gateway's key and signs nothing.
    isGenuine: ({ headers, secret }) => isSame(headers["x-ploomes-validation-key"] ?? "", secret),
    dealOf: (body) => (/^(?:Win|Lose|Update)$/.test(textAt(body, "Action")) ? idIn(body, "New", "Id") : undefined)
  }
}
