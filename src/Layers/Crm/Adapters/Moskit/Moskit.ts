import { Effect, Option, Redacted } from "effect"
import type { FieldDefinition, Fields } from "../../../../Services/Crm/CrmRules.ts"
import type { CrmKind } from "../../../../Services/Crm/Ids.ts"
import { isSamePhone, phoneForms } from "../../../../Services/Crm/PhoneForms.ts"
import { cacheSuccess } from "../../../Platform/CacheSuccess.ts"
import { type CrmAdapter, type CrmClient, type SendToCrm } from "../../Calling/CrmAdapter.ts"
import { allPages, madeId, noneIfMissing } from "../../Calling/CrmPages.ts"
import {
  at,
  closedDeal,
  listAt,
  lowestId,
  namedReason,
  numberAt,
  ownFields,
  ownNamed,
  present,
  sameText,
  textAt
} from "../../Calling/JsonPath.ts"

const collections: { readonly [K in CrmKind]: string } = { company: "companies", person: "contacts", deal: "deals" }
const largestPage = 50

const valueOf = (value: string) =>
  /^-?\d+(?:\.\d+)?$/.test(value) ? { numericValue: Number(value) } : { textValue: value }

const bodyOf = (fields: Fields) => {
  const own = Object.entries(ownFields(fields)).map(([key, value]) => {
    // The prefix of the key says whether the field takes a number.
    const [type = "", ...id] = key.split(":")
    return { id: id.join(":"), ...(type === "number" ? valueOf(value) : { textValue: value }) }
  })
  const name = fields["title"] ?? fields["name"]
  return {
    ...(name === undefined ? {} : { name }),
    ...(fields["email"] === undefined ? {} : { emails: [{ address: fields["email"] }] }),
    ...(fields["phone"] === undefined ? {} : { phones: [{ number: fields["phone"] }] }),
    ...(fields["stage"] === undefined ? {} : { stage: { id: Number(fields["stage"]) } }),
    ...(fields["value"] === undefined ? {} : { price: Number(fields["value"]) }),
    ...(own.length === 0 ? {} : { entityCustomFields: own })
  }
}

const fieldsOf = (kind: CrmKind, record: unknown): Fields =>
  kind === "deal"
    ? present({ title: textAt(record, "name"), stage: textAt(record, "stage", "id") })
    : present({
        name: textAt(record, "name"),
        email: textAt(record, "emails", 0, "address"),
        phone: textAt(record, "phones", 0, "number")
      })

const stateOf = (record: unknown): "open" | "won" | "lost" => {
  const status = textAt(record, "status")
  return status === "WON" ? "won" : status === "LOST" ? "lost" : "open"
}

/** Errors come with 200 too. */
const isError = (body: unknown): boolean => Array.isArray(body) && at(body, 0, "messageError") !== undefined

/** The calls that the methods share. */
const makeCalls = (send: SendToCrm) => {
  const list = (path: string, filters?: ReadonlyArray<object>) =>
    allPages((cursor) =>
      Effect.map(
        send({
          method: filters === undefined ? "GET" : "POST",
          path,
          query: { quantity: largestPage, nextPageToken: cursor },
          ...(filters === undefined ? {} : { json: filters, isRead: true })
        }),
        ({ json, headers }) => {
          const next = headers["x-moskit-listing-next-page-token"] ?? headers["x-ollow-listing-next-page-token"] ?? ""
          return { rows: listAt(json), next: next === "" ? undefined : next }
        }
      )
    )
  const ids = (rows: ReadonlyArray<unknown>) => rows.map((row) => textAt(row, "id"))
  // Every record needs a creator: its owner, or else the first user.
  const creatorId = cacheSuccess(Effect.map(list("/users"), (users) => lowestId(users)))

  return { ids, list, send, creatorId }
}
type Calls = ReturnType<typeof makeCalls>

/** The account, and what its deals and records are described with. */
const accountMethods = ({ list }: Calls): Pick<CrmClient, "check" | "pipelines" | "ownerByEmail" | "customFields"> => ({
  check: Effect.map(list("/users"), (users) => ({ identity: lowestId(users) })),

  pipelines: Effect.gen(function* () {
    const stages = (yield* list("/stages")).toSorted(
      (a, b) => (numberAt(a, "order") ?? 0) - (numberAt(b, "order") ?? 0)
    )
    return (yield* list("/pipelines")).map((pipeline) => ({
      id: textAt(pipeline, "id"),
      name: textAt(pipeline, "name"),
      stages: stages
        .filter((stage) => textAt(stage, "pipeline", "id") === textAt(pipeline, "id"))
        .map((stage) => ({ id: textAt(stage, "id"), name: textAt(stage, "name") }))
    }))
  }),

  ownerByEmail: (email) =>
    Effect.map(list("/users"), (users) =>
      Option.map(
        Option.fromNullable(
          users.find((user) => [textAt(user, "email"), textAt(user, "username")].some((each) => sameText(each, email)))
        ),
        (user) => textAt(user, "id")
      )
    ),

  customFields: Effect.map(list("/customFields"), (fields) =>
    fields.flatMap((field): ReadonlyArray<FieldDefinition> => {
      const entity = textAt(field, "entity").toUpperCase()
      const kind = entity === "DEAL" ? "deal" : entity === "CONTACT" ? "person" : "company"
      const type = textAt(field, "type").toUpperCase()
      const known = type === "TEXT" || type === "URL" ? "text" : type === "NUMBER" ? "number" : "other"
      return [{ key: `${known}:${textAt(field, "id")}`, label: textAt(field, "name"), kind, type: known }]
    })
  )
})

const recordMethods = ({
  ids,
  list,
  send,
  creatorId
}: Calls): Pick<CrmClient, "find" | "findDeals" | "read" | "create" | "update" | "addNote"> => ({
  find: Effect.fnUntraced(function* (kind, { email, name, phone }) {
    if (kind === "company") {
      const companies = yield* list("/companies/search", [{ field: "name", expression: "like", values: [name] }])
      return ids(companies.filter((row) => sameText(textAt(row, "name"), name)))
    }
    if (email !== undefined) {
      const people = yield* list("/contacts/search", [{ field: "emails", expression: "like", values: [email] }])
      const exact = people.filter((row) =>
        listAt(row, "emails").some((each) => sameText(textAt(each, "address"), email))
      )
      if (exact.length > 0) return ids(exact)
    }
    if (phone === undefined) return []
    const values = phoneForms(phone)
    const found = yield* list("/contacts/search", [{ field: "phones", expression: "like", values }])
    return ids(found.filter((row) => listAt(row, "phones").some((each) => isSamePhone(textAt(each, "number"), phone))))
  }),

  findDeals: (title, { companyId, personId }) =>
    Effect.map(
      list(personId === undefined ? `/companies/${companyId ?? ""}/deals` : `/contacts/${personId}/deals`),
      (deals) => ids(deals.filter((deal) => textAt(deal, "name") === title))
    ),

  read: (kind, id, ownKeys) =>
    noneIfMissing(
      Effect.map(send({ method: "GET", path: `/${collections[kind]}/${encodeURIComponent(id)}` }), ({ json }) => {
        if (textAt(json, "id") !== id) return Option.none()
        const own = listAt(json, "entityCustomFields")
        return Option.some({
          id,
          fields: {
            ...fieldsOf(kind, json),
            ...ownNamed(ownKeys, (key) => {
              const field = own.find((each) => textAt(each, "id") === key.slice(key.indexOf(":") + 1))
              return textAt(field, "textValue") || textAt(field, "numericValue")
            })
          },
          ...(kind === "deal" ? { state: stateOf(json) } : {})
        })
      })
    ),

  create: Effect.fnUntraced(function* (kind, { companyId, fields, ownerId, personId }) {
    const by = { id: Number(ownerId ?? (yield* creatorId)) }
    const company = companyId === undefined ? [] : [{ id: Number(companyId) }]
    const { json } = yield* send({
      method: "POST",
      path: `/${collections[kind]}`,
      json: {
        ...bodyOf(fields),
        createdBy: by,
        responsible: by,
        ...(kind === "person" && company.length > 0 ? { employers: company.map((each) => ({ company: each })) } : {}),
        ...(kind === "deal"
          ? {
              status: "OPEN",
              companies: company,
              contacts: personId === undefined ? [] : [{ id: Number(personId) }]
            }
          : {})
      }
    })
    return yield* madeId(textAt(json, "id"))
  }),

  update: (kind, id, fields) =>
    Effect.asVoid(
      send({ method: "PUT", path: `/${collections[kind]}/${encodeURIComponent(id)}`, json: bodyOf(fields) })
    ),

  addNote: Effect.fnUntraced(function* ({ of: { dealId }, text }) {
    const { json } = yield* send({
      method: "POST",
      path: `/deals/${encodeURIComponent(dealId)}/notes`,
      json: { description: text, createdBy: { id: Number(yield* creatorId) } }
    })
    return yield* madeId(textAt(json, "id"))
  })
})

const dealMethods = ({ list, send }: Calls): Pick<CrmClient, "close" | "closedSince"> => ({
  close: Effect.fnUntraced(function* (dealId, { outcome, reason, value }) {
    const reasons = outcome === "won" || reason === undefined ? [] : yield* list("/lostReasons")
    const named = namedReason(reasons, "name", reason)
    yield* send({
      method: "PUT",
      path: `/deals/${encodeURIComponent(dealId)}`,
      json: {
        status: outcome === "won" ? "WON" : "LOST",
        ...(named === undefined ? {} : { lostReason: { id: numberAt(named, "id") } }),
        ...(value === undefined ? {} : { price: Number(value) })
      }
    })
  }),

  closedSince: (since) =>
    Effect.map(
      list("/deals/search", [
        { field: "status", expression: "any_of", values: ["WON", "LOST"] },
        { field: "dateModified", expression: "gte", values: [since] }
      ]),
      (deals) =>
        deals.flatMap((deal) =>
          closedDeal(stateOf(deal), {
            id: textAt(deal, "id"),
            reason: textAt(deal, "lostReason", "name"),
            value: numberAt(deal, "price")
          })
        )
    )
})

const client = (send: SendToCrm): CrmClient => {
  const calls = makeCalls(send)
  return { ...accountMethods(calls), ...recordMethods(calls), ...dealMethods(calls) }
}

/** Moskit: plain lists heed few filters, so that what is there is searched for, and compared here once more. */
export const moskit: CrmAdapter = {
  name: "moskit",
  needs: ["api_key"],
  baseUrl: () => "https://api.moskitcrm.com/v2",
  headers: (credentials) => {
    const key = credentials.get("api_key")
    return key === undefined ? {} : { apikey: Redacted.value(key) }
  },
  limits: [
    { bucket: "second", allowance: { amount: 6, seconds: 1 } },
    { bucket: "minute", allowance: { amount: 240, seconds: 60 } }
  ],
  judge: ({ json, status }) => (status < 300 && isError(json) ? { kind: "rejected" } : undefined),
  connect: client
}
