import { Effect, Option, Predicate, Redacted } from "effect"
import type { FieldDefinition, Fields } from "../../../../Services/Crm/CrmRules.ts"
import type { CrmKind } from "../../../../Services/Crm/Ids.ts"
import { isSamePhone, phoneForms } from "../../../../Services/Crm/PhoneForms.ts"
import { cacheSuccess } from "../../../Platform/CacheSuccess.ts"
import {
  type CrmAdapter,
  type CrmClient,
  CrmFailure,
  type NotedMeeting,
  type SendToCrm
} from "../../Calling/CrmAdapter.ts"
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
const isMeeting = /reuni|meeting/i
const minuteMillis = 60_000

const centavosPerReal = 100
const centavosOf = (reais: string): number => Math.round(Number(reais) * centavosPerReal)
const reaisOf = (centavos: number | undefined): number | undefined =>
  centavos === undefined ? undefined : centavos / centavosPerReal

const valueOf = (value: string) =>
  /^-?\d+(?:\.\d+)?$/.test(value) ? { numericValue: Number(value) } : { textValue: value }

const ownValuesOf = (fields: Fields) =>
  Object.entries(ownFields(fields)).map(([key, value]) => {
    // The prefix of the key says whether the field takes a number.
    const [type = "", ...id] = key.split(":")
    return { id: id.join(":"), ...(type === "number" ? valueOf(value) : { textValue: value }) }
  })

/** The fields of a record that the gateway writes. */
interface MoskitBody {
  readonly name?: string
  readonly emails?: ReadonlyArray<{ readonly address: string }>
  readonly phones?: ReadonlyArray<{ readonly number: string }>
  readonly stage?: { readonly id: number }
  readonly price?: number
  readonly status?: "OPEN" | "WON" | "LOST"
  readonly lostReason?: { readonly id: number | undefined }
  readonly entityCustomFields?: ReturnType<typeof ownValuesOf>
}

const bodyOf = (fields: Fields): MoskitBody => {
  const own = ownValuesOf(fields)
  const name = fields["title"] ?? fields["name"]
  return {
    ...(name === undefined ? {} : { name }),
    ...(fields["email"] === undefined ? {} : { emails: [{ address: fields["email"] }] }),
    ...(fields["phone"] === undefined ? {} : { phones: [{ number: fields["phone"] }] }),
    ...(fields["stage"] === undefined ? {} : { stage: { id: Number(fields["stage"]) } }),
    ...(fields["value"] === undefined ? {} : { price: centavosOf(fields["value"]) }),
    ...(own.length === 0 ? {} : { entityCustomFields: own })
  }
}

/**
 * Returns the current record with the changes applied. The CRM accepts only whole records: it refuses partial ones, and
 * empties fields that are left out.
 */
const wholeRecord = (record: unknown, changes: MoskitBody) => {
  const first = (list: "emails" | "phones") =>
    changes[list] === undefined ? {} : { [list]: [...changes[list], ...listAt(record, list).slice(1)] }
  const newValues = changes.entityCustomFields ?? []
  const otherValues = listAt(record, "entityCustomFields").filter(
    (field) => !newValues.some(({ id }) => id === textAt(field, "id"))
  )
  return {
    ...(Predicate.isRecord(record) ? record : {}),
    ...changes,
    ...first("emails"),
    ...first("phones"),
    ...(newValues.length === 0 ? {} : { entityCustomFields: [...otherValues, ...newValues] })
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

const minutesOf = ({ endsAt, startsAt }: NotedMeeting): number =>
  Math.max(1, Math.round((Date.parse(endsAt) - Date.parse(startsAt)) / minuteMillis))

/** True if the body is an error. Errors may have status 200. */
const isError = (body: unknown): boolean => Array.isArray(body) && at(body, 0, "messageError") !== undefined

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
  // The creator of records, which each must have: the owner, or else the first user.
  const creatorId = cacheSuccess(Effect.map(list("/users"), (users) => lowestId(users)))
  const meetingType = cacheSuccess(
    Effect.map(list("/activityTypes"), (types) => types.find((type) => isMeeting.test(textAt(type, "name"))))
  )

  const change = Effect.fnUntraced(function* (kind: CrmKind, id: string, changes: MoskitBody) {
    const path = `/${collections[kind]}/${encodeURIComponent(id)}`
    const { json } = yield* send({ method: "GET", path })
    if (textAt(json, "id") !== id) return yield* new CrmFailure({ kind: "not_found" })
    yield* send({ method: "PUT", path, json: wholeRecord(json, changes) })
  })

  return { change, creatorId, ids, list, meetingType, send }
}
type Calls = ReturnType<typeof makeCalls>

/** Methods that read the account's settings: pipelines, owners, custom fields. */
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
  change,
  creatorId,
  ids,
  list,
  meetingType,
  send
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

  update: (kind, id, fields) => change(kind, id, bodyOf(fields)),

  // A meeting is an activity, if the account has an activity type for it.
  addNote: Effect.fnUntraced(function* ({ meeting, of: { dealId, personId }, text }) {
    const user = { id: Number(yield* creatorId) }
    const type = meeting === undefined ? undefined : yield* meetingType
    const { json } = yield* send(
      meeting === undefined || type === undefined
        ? {
            method: "POST",
            path: `/deals/${encodeURIComponent(dealId)}/notes`,
            json: { description: text, user }
          }
        : {
            method: "POST",
            path: "/activities",
            json: {
              title: meeting.title,
              type: { id: numberAt(type, "id") },
              dueDate: meeting.startsAt,
              duration: minutesOf(meeting),
              notes: text,
              deals: [{ id: Number(dealId) }],
              contacts: personId === undefined ? [] : [{ id: Number(personId) }],
              responsible: user,
              createdBy: user
            }
          }
    )
    return yield* madeId(textAt(json, "id"))
  })
})

const dealMethods = ({ change, list }: Calls): Pick<CrmClient, "close" | "closedSince"> => ({
  close: Effect.fnUntraced(function* (dealId, { outcome, reason, value }) {
    const reasons = outcome === "won" || reason === undefined ? [] : yield* list("/lostReasons")
    const named = namedReason(reasons, "name", reason)
    yield* change("deal", dealId, {
      status: outcome === "won" ? "WON" : "LOST",
      ...(named === undefined ? {} : { lostReason: { id: numberAt(named, "id") } }),
      ...(value === undefined ? {} : { price: centavosOf(value) })
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
            value: reaisOf(numberAt(deal, "price"))
          })
        )
    )
})

const client = (send: SendToCrm): CrmClient => {
  const calls = makeCalls(send)
  return { ...accountMethods(calls), ...recordMethods(calls), ...dealMethods(calls) }
}

/**
 * The adapter for Moskit. Its plain lists ignore most filters, so records are found by search, and compared here again.
 */
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
