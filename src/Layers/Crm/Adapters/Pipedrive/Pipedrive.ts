import { Effect, Option, Redacted } from "effect"
import { fromMillis } from "../../../../Services/Core/Timestamp.ts"
import type { FieldDefinition, Fields } from "../../../../Services/Crm/CrmRules.ts"
import type { CrmKind } from "../../../../Services/Crm/Ids.ts"
import { isSamePhone, phoneForms } from "../../../../Services/Crm/PhoneForms.ts"
import {
  type ClosedDeal,
  type CrmAdapter,
  type CrmClient,
  type NotedMeeting,
  type SendToCrm
} from "../../Calling/CrmAdapter.ts"
import { allPages, madeId, noneIfMissing } from "../../Calling/CrmPages.ts"
import {
  at,
  closedDeal,
  htmlNote,
  listAt,
  numberAt,
  ownFields,
  ownNamed,
  present,
  sameText,
  textAt
} from "../../Calling/JsonPath.ts"
import { idIn, isSame } from "../../Connecting/CrmWebhooks.ts"

/** Each call's cost in the daily budget. Calls of the older API cost twice as much. */
const cost = { one: 1, list: 10, write: 5, search: 20 }
const largestPage = 500
/** The most pages of one poll. Further closed deals are read by the next one. */
const mostPages = 20
const webhookUser = "gateway"
/** How many notations of a phone are searched for. Each search costs as much as creating two records. */
const mostForms = 3
/** The kind of activity that every account has for meetings. */
const meetingType = "meeting"

const paths: { readonly [K in CrmKind]: string } = {
  company: "/api/v2/organizations",
  person: "/api/v2/persons",
  deal: "/api/v2/deals"
}

const number = (id: string | undefined): number | undefined => (id === undefined ? undefined : Number(id))

const bodyOf = (kind: CrmKind, fields: Fields) => {
  switch (kind) {
    case "company":
      return { ...(fields["name"] === undefined ? {} : { name: fields["name"] }) }
    case "person":
      return {
        ...(fields["name"] === undefined ? {} : { name: fields["name"] }),
        ...(fields["email"] === undefined
          ? {}
          : { emails: [{ value: fields["email"], primary: true, label: "work" }] }),
        ...(fields["phone"] === undefined ? {} : { phones: [{ value: fields["phone"], primary: true, label: "work" }] })
      }
    case "deal":
      return {
        ...(fields["title"] === undefined ? {} : { title: fields["title"] }),
        ...(fields["stage"] === undefined ? {} : { stage_id: Number(fields["stage"]) }),
        ...(fields["value"] === undefined ? {} : { value: Number(fields["value"]), currency: "BRL" })
      }
  }
}

/** Returns the entry that is marked as primary, or else the first one. */
const primary = (record: unknown, list: string): string => {
  const entries = listAt(record, list)
  return textAt(entries.find((entry) => at(entry, "primary") === true) ?? entries[0], "value")
}

const fieldsOf = (kind: CrmKind, record: unknown): Fields => {
  switch (kind) {
    case "company":
      return present({ name: textAt(record, "name") })
    case "person":
      return present({
        name: textAt(record, "name"),
        email: primary(record, "emails"),
        phone: primary(record, "phones")
      })
    case "deal": {
      const value = textAt(record, "value")
      return present({
        title: textAt(record, "title"),
        stage: textAt(record, "stage_id"),
        value: value === "0" ? "" : value
      })
    }
  }
}

const stateOf = (record: unknown): "open" | "won" | "lost" => {
  const status = textAt(record, "status")
  return status === "won" || status === "lost" ? status : "open"
}

/** The prefix of a field's key says whether it takes a number. */
const fieldCode = (key: string): string => key.slice(key.indexOf(":") + 1)

const customOf = (fields: Fields) => {
  const own = Object.entries(ownFields(fields)).map(
    ([key, text]) => [fieldCode(key), key.startsWith("number:") ? Number(text) : text] as const
  )
  return own.length === 0 ? {} : { custom_fields: Object.fromEntries(own) }
}

/** Returns the duration as hours and minutes. */
const durationOf = ({ endsAt, startsAt }: NotedMeeting): string => {
  const minutes = Math.max(1, Math.round((Date.parse(endsAt) - Date.parse(startsAt)) / 60_000))
  return `${`${Math.floor(minutes / 60)}`.padStart(2, "0")}:${`${minutes % 60}`.padStart(2, "0")}`
}

const makeCalls = (send: SendToCrm) => {
  const search = Effect.fnUntraced(function* (kind: "organizations" | "persons", term: string, field: string) {
    const { json } = yield* send({
      method: "GET",
      path: `/api/v2/${kind}/search`,
      query: { term, fields: field, exact_match: "true", limit: 100 },
      cost: cost.search
    })
    return listAt(json, "data", "items").map((item) => at(item, "item"))
  })

  const stages = Effect.fnUntraced(function* (pipelineId: string) {
    const { json } = yield* send({
      method: "GET",
      path: "/api/v2/stages",
      query: { pipeline_id: pipelineId, limit: largestPage },
      cost: cost.list
    })
    return listAt(json, "data")
      .filter((stage) => at(stage, "is_deleted") !== true)
      .toSorted((a, b) => (numberAt(a, "order_nr") ?? 0) - (numberAt(b, "order_nr") ?? 0))
      .map((stage) => ({ id: textAt(stage, "id"), name: textAt(stage, "name") }))
  })

  const fieldsFor = (kind: CrmKind, path: string) =>
    Effect.map(
      allPages((cursor) =>
        Effect.map(
          send({ method: "GET", path, cost: cost.list, query: { limit: largestPage, cursor } }),
          ({ json }) => ({
            rows: listAt(json, "data"),
            next: textAt(json, "additional_data", "next_cursor") || undefined
          })
        )
      ),
      (fields) =>
        fields.flatMap((field): ReadonlyArray<FieldDefinition> => {
          if (at(field, "is_custom_field") !== true) return []
          const type = textAt(field, "field_type")
          const valueType =
            type === "varchar" || type === "text" ? "text" : type === "double" || type === "int" ? "number" : "other"
          return [
            {
              key: `${valueType}:${textAt(field, "field_code")}`,
              label: textAt(field, "field_name"),
              kind,
              type: valueType
            }
          ]
        })
    )

  return { fieldsFor, search, send, stages }
}
type Calls = ReturnType<typeof makeCalls>

/** Methods that read the account's settings: pipelines, owners, custom fields. */
const accountMethods = ({
  fieldsFor,
  send,
  stages
}: Calls): Pick<CrmClient, "check" | "pipelines" | "ownerByEmail" | "customFields"> => ({
  check: Effect.map(send({ method: "GET", path: "/v1/users/me", cost: 2 * cost.one }), ({ json }) => ({
    identity: textAt(json, "data", "company_id")
  })),

  pipelines: Effect.gen(function* () {
    const { json } = yield* send({
      method: "GET",
      path: "/api/v2/pipelines",
      query: { limit: largestPage },
      cost: cost.list
    })
    const pipelines = listAt(json, "data").toSorted(
      (a, b) => (numberAt(a, "order_nr") ?? 0) - (numberAt(b, "order_nr") ?? 0)
    )
    return yield* Effect.forEach(pipelines, (pipeline) =>
      Effect.map(stages(textAt(pipeline, "id")), (pipelineStages) => ({
        id: textAt(pipeline, "id"),
        name: textAt(pipeline, "name"),
        stages: pipelineStages
      }))
    )
  }),

  ownerByEmail: (email) =>
    Effect.map(send({ method: "GET", path: "/v1/users", cost: 2 * cost.list }), ({ json }) =>
      Option.map(
        Option.fromNullable(
          listAt(json, "data").find(
            (user) => at(user, "active_flag") === true && sameText(textAt(user, "email"), email)
          )
        ),
        (user) => textAt(user, "id")
      )
    ),

  customFields: Effect.map(
    Effect.all([
      fieldsFor("deal", "/api/v2/dealFields"),
      fieldsFor("person", "/api/v2/personFields"),
      fieldsFor("company", "/api/v2/organizationFields")
    ]),
    (lists) => lists.flat()
  )
})

const recordMethods = ({
  search,
  send
}: Calls): Pick<CrmClient, "find" | "findDeals" | "read" | "create" | "update" | "addNote"> => ({
  find: Effect.fnUntraced(function* (kind, { email, name, phone }) {
    if (kind === "company") {
      const companies = yield* search("organizations", name, "name")
      return companies.filter((item) => sameText(textAt(item, "name"), name)).map((item) => textAt(item, "id"))
    }
    const having = (people: ReadonlyArray<unknown>, list: string, isSame: (value: string) => boolean) =>
      people
        .filter((item) => listAt(item, list).some((value) => typeof value === "string" && isSame(value)))
        .map((item) => textAt(item, "id"))
    if (email !== undefined) {
      const same = having(yield* search("persons", email, "email"), "emails", (value) => sameText(value, email))
      if (same.length > 0) return same
    }
    for (const form of phone === undefined ? [] : phoneForms(phone).slice(0, mostForms)) {
      const people = yield* search("persons", form, "phone")
      const same = having(people, "phones", (value) => isSamePhone(value, phone ?? ""))
      if (same.length > 0) return same
    }
    return []
  }),

  findDeals: Effect.fnUntraced(function* (title, { companyId, personId }) {
    const { json } = yield* send({
      method: "GET",
      path: paths.deal,
      query: { person_id: personId, org_id: personId === undefined ? companyId : undefined, limit: largestPage },
      cost: cost.list
    })
    return listAt(json, "data")
      .filter((deal) => textAt(deal, "title") === title)
      .map((deal) => textAt(deal, "id"))
  }),

  read: (kind, id, ownKeys) =>
    send({ method: "GET", path: `${paths[kind]}/${encodeURIComponent(id)}`, cost: cost.one }).pipe(
      Effect.map(({ json }) => {
        const record = at(json, "data")
        // A deleted record is still returned for a month, and a merged one is returned with its new id.
        if (at(record, "is_deleted") === true || textAt(record, "id") !== id) return Option.none()
        const own = ownNamed(ownKeys, (key) => textAt(record, "custom_fields", fieldCode(key)))
        return Option.some({
          id,
          fields: { ...fieldsOf(kind, record), ...own },
          ...(kind === "deal" ? { state: stateOf(record), currency: textAt(record, "currency") } : {})
        })
      }),
      noneIfMissing
    ),

  create: Effect.fnUntraced(function* (kind, { companyId, fields, ownerId, personId, pipelineId }) {
    const owner = ownerId === undefined ? {} : { owner_id: number(ownerId) }
    const links =
      kind === "person"
        ? companyId === undefined
          ? {}
          : { org_id: number(companyId) }
        : kind === "deal"
          ? {
              ...(personId === undefined ? {} : { person_id: number(personId) }),
              ...(companyId === undefined ? {} : { org_id: number(companyId) }),
              ...(pipelineId === undefined ? {} : { pipeline_id: number(pipelineId) })
            }
          : {}
    const { json } = yield* send({
      method: "POST",
      path: paths[kind],
      json: { ...bodyOf(kind, fields), ...links, ...owner, ...customOf(fields) },
      cost: cost.write
    })
    const id = textAt(json, "data", "id")
    return yield* madeId(id)
  }),

  // Some fields do not exist in the CRM, such as a job title.
  update: Effect.fnUntraced(function* (kind, id, fields) {
    const body = { ...bodyOf(kind, fields), ...customOf(fields) }
    if (Object.keys(body).length === 0) return
    yield* send({ method: "PATCH", path: `${paths[kind]}/${encodeURIComponent(id)}`, json: body, cost: cost.write })
  }),

  addNote: ({ meeting, of: { companyId, dealId, personId }, text }) =>
    Effect.flatMap(
      meeting === undefined
        ? send({
            method: "POST",
            path: "/v1/notes",
            json: { content: htmlNote(text), deal_id: Number(dealId) },
            cost: 2 * cost.write
          })
        : send({
            method: "POST",
            path: "/api/v2/activities",
            json: {
              subject: meeting.title,
              type: meetingType,
              due_date: meeting.startsAt.slice(0, 10),
              due_time: meeting.startsAt.slice(11, 16),
              duration: durationOf(meeting),
              note: htmlNote(text),
              deal_id: Number(dealId),
              ...(companyId === undefined ? {} : { org_id: Number(companyId) }),
              ...(personId === undefined ? {} : { participants: [{ person_id: Number(personId), primary: true }] })
            },
            cost: cost.write
          }),
      ({ json }) => madeId(textAt(json, "data", "id"))
    )
})

const dealMethods = ({ send }: Calls): Pick<CrmClient, "close" | "closedSince"> => ({
  close: (dealId, { outcome, reason, value }) =>
    Effect.asVoid(
      send({
        method: "PATCH",
        path: `${paths.deal}/${encodeURIComponent(dealId)}`,
        json: {
          status: outcome,
          ...(outcome === "lost" && reason !== undefined ? { lost_reason: reason.slice(0, 150) } : {}),
          ...(value === undefined ? {} : { value: Number(value), currency: "BRL" })
        },
        cost: cost.write
      })
    ),

  closedSince: Effect.fnUntraced(function* (since) {
    const closed: Array<ClosedDeal> = []
    let cursor: string | undefined
    for (let page = 0; page < mostPages; page++) {
      const { json } = yield* send({
        method: "GET",
        path: paths.deal,
        query: {
          status: "won,lost",
          updated_since: fromMillis(Date.parse(since)),
          sort_by: "update_time",
          sort_direction: "asc",
          limit: largestPage,
          cursor
        },
        cost: cost.list
      })
      for (const deal of listAt(json, "data"))
        closed.push(
          ...closedDeal(stateOf(deal), {
            id: textAt(deal, "id"),
            reason: textAt(deal, "lost_reason"),
            value: numberAt(deal, "value"),
            currency: textAt(deal, "currency")
          })
        )
      cursor = textAt(json, "additional_data", "next_cursor")
      if (cursor === "") break
    }
    return closed
  })
})

const client = (send: SendToCrm): CrmClient => {
  const calls = makeCalls(send)
  return { ...accountMethods(calls), ...recordMethods(calls), ...dealMethods(calls) }
}

/**
 * The adapter for Pipedrive. Records and fields use version 2 of the API. Users, notes and webhooks exist only in
 * version 1.
 */
export const pipedrive: CrmAdapter = {
  name: "pipedrive",
  needs: ["api_token"],
  baseUrl: () => "https://api.pipedrive.com",
  headers: (credentials) => {
    const token = credentials.get("api_token")
    return token === undefined ? {} : { "x-api-token": Redacted.value(token) }
  },
  limits: [
    { bucket: "burst", allowance: { amount: 20, seconds: 2 }, leftHeader: "x-ratelimit-remaining" },
    { bucket: "day", allowance: { amount: 30_000, seconds: 86_400 }, largestCost: 2 * cost.search, costOfLead: 145 }
  ],
  connect: client,
  webhooks: {
    register: (send, { address, secret }) =>
      Effect.map(
        send({
          method: "POST",
          path: "/v1/webhooks",
          json: {
            subscription_url: address,
            event_action: "change",
            event_object: "deal",
            name: "prospecting gateway",
            version: "2.0",
            http_auth_user: webhookUser,
            http_auth_password: secret
          },
          cost: 2 * cost.write
        }),
        ({ json }) => [textAt(json, "data", "id")].filter((id) => id !== "")
      ),
    remove: (send, id) =>
      Effect.asVoid(send({ method: "DELETE", path: `/v1/webhooks/${encodeURIComponent(id)}`, cost: 2 * cost.write })),
    isGenuine: ({ headers, secret }) =>
      isSame(headers["authorization"] ?? "", `Basic ${Buffer.from(`${webhookUser}:${secret}`).toString("base64")}`),
    dealOf: (body) =>
      textAt(body, "meta", "entity") !== "deal" || textAt(body, "data", "status") === "open"
        ? undefined
        : (idIn(body, "meta", "entity_id") ?? idIn(body, "data", "id"))
  }
}
