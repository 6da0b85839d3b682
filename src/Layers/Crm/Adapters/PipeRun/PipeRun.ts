import { Effect, Option, Redacted } from "effect"
import { type Timestamp, toMillis } from "../../../../Services/Core/Timestamp.ts"
import type { FieldDefinition, Fields } from "../../../../Services/Crm/CrmRules.ts"
import type { CrmKind } from "../../../../Services/Crm/Ids.ts"
import { isSamePhone } from "../../../../Services/Crm/PhoneForms.ts"
import { cacheSuccess } from "../../../Platform/CacheSuccess.ts"
import { brasiliaTime } from "../../Calling/BrasiliaTime.ts"
import type { CrmAdapter, CrmClient, SendToCrm } from "../../Calling/CrmAdapter.ts"
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

const collections: { readonly [K in CrmKind]: string } = { company: "companies", person: "persons", deal: "deals" }
/** The number by which a custom field names its kind of record. */
const owners: { readonly [K in CrmKind]: number } = { deal: 1, person: 2, company: 3 }
const largestPage = 200
const won = 1
/** Statuses of a lost deal. The CRM's specification says 3, but its clients use 2. */
const lost: ReadonlyArray<number | undefined> = [3, 2]
const localTime = (time: Timestamp): string => brasiliaTime(toMillis(time))
const withContacts = "contactEmails,contactPhones,customFields"
/** Types of the CRM's own fields: short and long texts, numbers. */
const fieldTypes: { readonly [type: string]: FieldDefinition["type"] } = { 1: "text", 5: "text", 14: "number" }
const isMeeting = /reuni|meeting/i
const openActivity = 0

const bodyOf = (kind: CrmKind, fields: Fields) => {
  const own = Object.entries(ownFields(fields)).map(([id, value]) => ({ id: Number(id), value }))
  return {
    ...present({
      name: fields["name"],
      website: fields["domain"],
      job_title: fields["job_title"],
      title: fields["title"]
    }),
    ...(fields["email"] === undefined ? {} : { contactEmails: [fields["email"]] }),
    ...(fields["phone"] === undefined ? {} : { contactPhones: [fields["phone"]] }),
    ...(fields["stage"] === undefined ? {} : { stage_id: Number(fields["stage"]) }),
    ...(fields["value"] === undefined ? {} : { value: Number(fields["value"]) }),
    ...(own.length === 0 ? {} : { [kind === "company" ? "customFields" : "custom_fields"]: own })
  }
}

/** A contact is a text, or an object that contains it. The CRM's records and its webhooks use different names. */
const contactsOf = (
  record: unknown,
  lists: ReadonlyArray<string>,
  members: ReadonlyArray<string>
): ReadonlyArray<string> =>
  lists
    .flatMap((list) => (Array.isArray(at(record, list)) ? listAt(record, list) : [at(record, list)]))
    .map((entry) =>
      typeof entry === "string"
        ? entry
        : (members.map((member) => textAt(entry, member)).find((text) => text !== "") ?? "")
    )
    .filter((text) => text !== "")

const emailsOf = (record: unknown): ReadonlyArray<string> =>
  contactsOf(record, ["contact_emails", "contactEmails"], ["email", "address"])
const phonesOf = (record: unknown): ReadonlyArray<string> =>
  contactsOf(record, ["contact_phones", "contactPhones"], ["phone", "number"])

const fieldsOf = (kind: CrmKind, record: unknown): Fields =>
  kind === "deal"
    ? present({ title: textAt(record, "title"), stage: textAt(record, "stage_id") })
    : present({
        name: textAt(record, "name"),
        job_title: textAt(record, "job_title"),
        domain: textAt(record, "website"),
        email: emailsOf(record)[0],
        phone: phonesOf(record)[0]
      })

const stateOf = (record: unknown): "open" | "won" | "lost" => {
  const status = numberAt(record, "status")
  return status === won ? "won" : lost.includes(status) ? "lost" : "open"
}

const makeCalls = (send: SendToCrm) => {
  const list = (path: string, query: { readonly [name: string]: string | number | undefined } = {}) =>
    allPages((cursor) =>
      Effect.map(
        send({ method: "GET", path, query: { ...query, show: largestPage, cursor: cursor ?? "" } }),
        ({ json }) => {
          const next = textAt(json, "meta", "cursor", "next")
          return { rows: listAt(json, "data"), next: next === "" ? undefined : next }
        }
      )
    )
  const ids = (rows: ReadonlyArray<unknown>) => rows.map((row) => textAt(row, "id"))

  const fieldsFor = (kind: CrmKind) =>
    Effect.map(list("/customFields", { belongs: owners[kind] }), (fields) =>
      fields.map(
        (field): FieldDefinition => ({
          key: textAt(field, "id"),
          label: textAt(field, "name"),
          kind,
          type: fieldTypes[textAt(field, "type")] ?? "other"
        })
      )
    )
  const meetingType = cacheSuccess(
    Effect.map(list("/activityTypes"), (types) => types.find((type) => isMeeting.test(textAt(type, "name"))))
  )

  return { fieldsFor, ids, list, meetingType, send }
}
type Calls = ReturnType<typeof makeCalls>

/** Methods that read the account's settings: pipelines, owners, custom fields. */
const accountMethods = ({
  fieldsFor,
  list,
  send
}: Calls): Pick<CrmClient, "check" | "pipelines" | "ownerByEmail" | "customFields"> => ({
  check: Effect.map(send({ method: "GET", path: "/users", query: { show: 1 } }), ({ json }) => {
    const account = textAt(json, "data", 0, "account_id")
    return { identity: account === "" ? lowestId(listAt(json, "data")) : account }
  }),

  pipelines: Effect.flatMap(list("/pipelines"), (pipelines) =>
    Effect.forEach(pipelines, (pipeline) =>
      Effect.map(list("/stages", { pipeline_id: textAt(pipeline, "id") }), (stages) => ({
        id: textAt(pipeline, "id"),
        name: textAt(pipeline, "name"),
        stages: stages
          .toSorted((a, b) => (numberAt(a, "order") ?? 0) - (numberAt(b, "order") ?? 0))
          .map((stage) => ({ id: textAt(stage, "id"), name: textAt(stage, "name") }))
      }))
    )
  ),

  ownerByEmail: (email) =>
    Effect.map(list("/users", { email }), (users) =>
      Option.map(Option.fromNullable(users.find((user) => sameText(textAt(user, "email"), email))), (user) =>
        textAt(user, "id")
      )
    ),

  customFields: Effect.map(Effect.forEach(["deal", "person", "company"] as const, fieldsFor), (lists) => lists.flat())
})

const recordMethods = ({
  ids,
  list,
  send
}: Calls): Pick<CrmClient, "find" | "findDeals" | "read" | "create" | "update"> => ({
  // The CRM has no search by e-mail address, so people with the same name or company are read and compared.
  find: Effect.fnUntraced(function* (kind, { companyId, email, key, name, phone }) {
    const path = `/${collections[kind]}`
    if (key !== undefined) {
      const ours = yield* list(path, { external_code: key })
      const made = ours.filter((row) => textAt(row, "external_code") === key)
      if (made.length > 0) return ids(made)
    }
    if (kind === "company") {
      const companies = yield* list(path, { name })
      return ids(companies.filter((row) => sameText(textAt(row, "name"), name)))
    }
    const isSame = (row: unknown): boolean =>
      email === undefined
        ? phone !== undefined && phonesOf(row).some((each) => isSamePhone(each, phone))
        : emailsOf(row).some((each) => sameText(each, email))
    const sameName = (yield* list(path, { name, with: withContacts })).filter(isSame)
    if (sameName.length > 0 || companyId === undefined) return ids(sameName)
    return ids((yield* list(path, { company_id: companyId, with: withContacts })).filter(isSame))
  }),

  findDeals: Effect.fnUntraced(function* (title, { companyId, key, personId }) {
    const deals = yield* list("/deals", {
      person_id: personId,
      company_id: personId === undefined ? companyId : undefined
    })
    return ids(deals.filter((deal) => textAt(deal, "reference") === key || textAt(deal, "title") === title))
  }),

  read: (kind, id, ownKeys) =>
    noneIfMissing(
      Effect.map(
        send({
          method: "GET",
          path: `/${collections[kind]}/${encodeURIComponent(id)}`,
          query: { with: kind === "deal" ? "customFields" : withContacts }
        }),
        ({ json }) => {
          const record = at(json, "data")
          if (textAt(record, "id") !== id || at(record, "deleted") === 1) return Option.none()
          const own = [...listAt(record, "customFields"), ...listAt(record, "custom_fields")]
          return Option.some({
            id,
            fields: {
              ...fieldsOf(kind, record),
              ...ownNamed(ownKeys, (key) =>
                textAt(
                  own.find((field) => textAt(field, "id") === key),
                  "value"
                )
              )
            },
            ...(kind === "deal" ? { state: stateOf(record) } : {})
          })
        }
      )
    ),

  create: Effect.fnUntraced(function* (kind, { companyId, fields, key, ownerId, personId, pipelineId }) {
    const { json } = yield* send({
      method: "POST",
      path: `/${collections[kind]}`,
      json: {
        ...bodyOf(kind, fields),
        ...(kind === "deal" ? { reference: key } : { external_code: key }),
        ...(kind === "company" || companyId === undefined ? {} : { company_id: Number(companyId) }),
        ...(kind === "deal" && personId !== undefined ? { person_id: Number(personId) } : {}),
        ...(kind === "deal" && pipelineId !== undefined ? { pipeline_id: Number(pipelineId) } : {}),
        ...(ownerId === undefined ? {} : { [kind === "deal" ? "owner_id" : "manager_id"]: Number(ownerId) })
      }
    })
    // The answer for a new company is a list with one element.
    return yield* madeId(textAt(json, "data", "id") || textAt(json, "data", 0, "id"))
  }),

  update: (kind, id, fields) =>
    Effect.asVoid(
      send({ method: "PUT", path: `/${collections[kind]}/${encodeURIComponent(id)}`, json: bodyOf(kind, fields) })
    )
})

const noteMethods = ({ meetingType, send }: Calls): Pick<CrmClient, "addNote"> => ({
  // A meeting is an activity of the deal's owner, if the account has an activity type for it.
  addNote: Effect.fnUntraced(function* ({ meeting, of: { companyId, dealId, personId }, text }) {
    const deal = { deal_id: Number(dealId) }
    const type = meeting === undefined ? undefined : yield* meetingType
    const owner =
      type === undefined
        ? undefined
        : numberAt(
            (yield* send({ method: "GET", path: `/deals/${encodeURIComponent(dealId)}` })).json,
            "data",
            "owner_id"
          )
    const { json } = yield* send(
      meeting === undefined || owner === undefined
        ? { method: "POST", path: "/notes", json: { text, ...deal } }
        : {
            method: "POST",
            path: "/activities",
            json: {
              ...deal,
              activity_type_id: numberAt(type, "id"),
              status: openActivity,
              owner_id: owner,
              title: meeting.title,
              description: text,
              start_at: localTime(meeting.startsAt),
              end_at: localTime(meeting.endsAt),
              ...(personId === undefined ? {} : { persons: [{ id: Number(personId) }] }),
              ...(companyId === undefined ? {} : { companies: [{ id: Number(companyId) }] })
            }
          }
    )
    return yield* madeId(textAt(json, "data", "id"))
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
        status: outcome === "won" ? won : lost[0],
        ...(named === undefined ? {} : { lost_reason_id: numberAt(named, "id") }),
        ...(value === undefined ? {} : { value: Number(value) })
      }
    })
  }),

  closedSince: (since) =>
    Effect.map(list("/deals", { updated_at_start: localTime(since), with: "lostReason" }), (deals) =>
      deals.flatMap((deal) =>
        closedDeal(stateOf(deal), {
          id: textAt(deal, "id"),
          reason: textAt(deal, "lostReason", "name"),
          value: numberAt(deal, "value")
        })
      )
    )
})

const client = (send: SendToCrm): CrmClient => {
  const calls = makeCalls(send)
  return { ...accountMethods(calls), ...recordMethods(calls), ...noteMethods(calls), ...dealMethods(calls) }
}

/** The adapter for PipeRun. Deals have the gateway's reference, and persons and companies its code. */
export const pipeRun: CrmAdapter = {
  name: "piperun",
  needs: ["api_token"],
  pipelineParameter: "pipeline_id",
  baseUrl: () => "https://api.pipe.run/v1",
  headers: (credentials) => {
    const token = credentials.get("api_token")
    return token === undefined ? {} : { token: Redacted.value(token) }
  },
  limits: [{ bucket: "calls", allowance: { amount: 2, seconds: 1 } }],
  connect: client
}
