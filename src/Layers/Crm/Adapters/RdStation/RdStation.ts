import { createHash } from "node:crypto"
import { Clock, Effect, Option, Redacted, Schema } from "effect"
import { fromMillis, now, plusSeconds, toMillis } from "../../../../Services/Core/Timestamp.ts"
import type { FieldDefinition, Fields } from "../../../../Services/Crm/CrmRules.ts"
import type { CrmKind } from "../../../../Services/Crm/Ids.ts"
import { isSamePhone, phoneForms } from "../../../../Services/Crm/PhoneForms.ts"
import { cacheSuccess } from "../../../Platform/CacheSuccess.ts"
import { brasiliaTime } from "../../Calling/BrasiliaTime.ts"
import {
  type ClosedDeal,
  type ContactScope,
  type CrmAdapter,
  type CrmClient,
  type CrmContact,
  CrmFailure,
  type SendToCrm
} from "../../Calling/CrmAdapter.ts"
import { madeId, noneIfMissing } from "../../Calling/CrmPages.ts"
import {
  at,
  closedDeal,
  listAt,
  namedReason,
  numberAt,
  ownFields,
  ownNamed,
  present,
  sameText,
  textAt
} from "../../Calling/JsonPath.ts"
import { byAddress, idIn, isNull } from "../../Connecting/CrmWebhooks.ts"

const collections: { readonly [K in CrmKind]: string } = { company: "organizations", person: "contacts", deal: "deals" }
const members: { readonly [K in CrmKind]: string } = { company: "organization", person: "contact", deal: "deal" }
const largestPage = 200
const mostPages = 50
/** The most forms of a phone number that are searched for. Each takes a call. */
const mostForms = 4

/** Records may name their id in two ways. */
const idOf = (record: unknown): string => {
  const id = textAt(record, "_id")
  return id === "" ? textAt(record, "id") : id
}

/** Returns the rows of a list. Some lists are arrays, others are objects with the array as a member. */
const listed = (body: unknown, name: string): ReadonlyArray<unknown> =>
  Array.isArray(body) ? listAt(body) : listAt(body, name)

const bodyOf = (kind: CrmKind, fields: Fields) => {
  const own = Object.entries(ownFields(fields)).map(([custom_field_id, value]) => ({ custom_field_id, value }))
  const custom = own.length === 0 ? {} : { [`${members[kind]}_custom_fields`]: own }
  switch (kind) {
    case "company":
      return { ...(fields["name"] === undefined ? {} : { name: fields["name"] }), ...custom }
    case "person":
      return {
        ...(fields["name"] === undefined ? {} : { name: fields["name"] }),
        ...(fields["job_title"] === undefined ? {} : { title: fields["job_title"] }),
        ...(fields["email"] === undefined ? {} : { emails: [{ email: fields["email"] }] }),
        ...(fields["phone"] === undefined ? {} : { phones: [{ phone: fields["phone"], type: "cellphone" }] }),
        ...custom
      }
    case "deal":
      return {
        ...(fields["title"] === undefined ? {} : { name: fields["title"] }),
        ...(fields["stage"] === undefined ? {} : { deal_stage_id: fields["stage"] }),
        ...custom
      }
  }
}

const fieldsOf = (kind: CrmKind, record: unknown): Fields =>
  kind === "deal"
    ? present({ title: textAt(record, "name"), stage: idOf(at(record, "deal_stage")) })
    : present({
        name: textAt(record, "name"),
        job_title: textAt(record, "title"),
        email: textAt(record, "emails", 0, "email"),
        phone: textAt(record, "phones", 0, "phone")
      })

const stateOf = (record: unknown): "open" | "won" | "lost" => {
  const win = at(record, "win")
  return win === true ? "won" : win === false ? "lost" : "open"
}

/** The CRM lists at most the first 10,000 rows. */
const mostRows = 10_000

/**
 * A position in the list of contacts: the period from `start` to `end` of their creation, and the page. For the first
 * half of a period, it also contains the second half and the total of both. Without a period, it is the whole list.
 */
const Slice = Schema.Struct({
  times: Schema.NullOr(Schema.Struct({ start: Schema.Number, end: Schema.Number })),
  page: Schema.Number,
  half: Schema.optional(Schema.Struct({ total: Schema.Number, start: Schema.Number, end: Schema.Number }))
})
const Slices = Schema.parseJson(Schema.Array(Slice))
type Slice = typeof Slice.Type

const contactOf = (record: unknown, organization: unknown): Omit<CrmContact, "deal"> => ({
  id: idOf(record),
  name: textAt(record, "name"),
  email: textAt(record, "emails", 0, "email"),
  phone: textAt(record, "phones", 0, "phone"),
  jobTitle: textAt(record, "title"),
  company:
    idOf(organization) === "" || textAt(organization, "name") === ""
      ? undefined
      : { id: idOf(organization), name: textAt(organization, "name") }
})

/**
 * Reads a page of the contacts created in a period. A period with more contacts than a list can show is split in two.
 * If one half contains as many as the whole although the other is not empty, the CRM ignores the period. Then the list
 * is read page by page up to its limit.
 */
const contactPage = Effect.fnUntraced(function* (
  get: (
    path: string,
    query?: { readonly [name: string]: string | number | undefined }
  ) => Effect.Effect<unknown, CrmFailure>,
  scope: ContactScope | undefined,
  cursor: string | undefined
) {
  const tomorrow = (yield* Clock.currentTimeMillis) + 86_400_000
  const whole: ReadonlyArray<Slice> = [{ times: { start: Date.UTC(2000), end: tomorrow }, page: 1 }]
  const [slice, ...rest] = Option.getOrElse(Schema.decodeOption(Slices)(cursor ?? ""), () => whole)
  if (slice === undefined) return { contacts: [], next: undefined }
  const collection = scope === undefined ? "contacts" : "deals"
  const ask = (times: Slice["times"], page: number, limit: number) =>
    get(`/${collection}`, {
      deal_pipeline_id: scope?.pipelineId,
      deal_stage_id: scope?.stageId,
      ...(times === null
        ? {}
        : { created_at_period: "true", start_date: fromMillis(times.start), end_date: fromMillis(times.end) }),
      page,
      limit
    })
  const { half, times } = slice
  const body = yield* ask(times, slice.page, largestPage)
  const total = numberAt(body, "total") ?? 0
  const nextOf = (slices: ReadonlyArray<Slice>) => (slices.length === 0 ? undefined : Schema.encodeSync(Slices)(slices))
  if (times !== null && total > mostRows && slice.page === 1) {
    const others = half === undefined || total < half.total ? 0 : (numberAt(yield* ask(half, 1, 1), "total") ?? 0)
    if (others > 0) return { contacts: [], next: nextOf([{ times: null, page: 1 }]), warning: "date_filter_ignored" }
    if (times.end - times.start > 1000) {
      const middle = Math.floor((times.start + times.end) / 2)
      const [early, late] = [
        { start: times.start, end: middle },
        { start: middle, end: times.end }
      ]
      const halves: ReadonlyArray<Slice> = [
        { times: early, page: 1, half: { total, ...late } },
        { times: late, page: 1, half: { total, ...early } }
      ]
      return { contacts: [], next: nextOf([...halves, ...rest]) }
    }
  }
  const isMore = at(body, "has_more") === true && slice.page * largestPage < mostRows
  const next = nextOf(isMore ? [{ ...slice, page: slice.page + 1 }, ...rest] : rest)
  const rows = listed(body, collection)
  if (scope === undefined) {
    return {
      contacts: rows.map((row): CrmContact => ({ ...contactOf(row, at(row, "organization")), deal: undefined })),
      next
    }
  }
  const contacts = yield* Effect.forEach(rows, (deal) =>
    Effect.forEach(listAt(deal, "contacts"), (contact) => {
      const person = contactOf(contact, at(deal, "organization"))
      const ofDeal = (one: Omit<CrmContact, "deal">): CrmContact => ({
        ...one,
        deal: { id: idOf(deal), stage: textAt(deal, "deal_stage", "id") || textAt(deal, "deal_stage", "_id") }
      })
      // A deal may list its contacts without their addresses or numbers.
      return person.email !== "" || person.phone !== "" || person.id === ""
        ? Effect.succeed(ofDeal(person))
        : Effect.map(get(`/contacts/${encodeURIComponent(person.id)}`), (whole) =>
            ofDeal(contactOf(whole, at(deal, "organization")))
          )
    })
  )
  return { contacts: contacts.flat(), next }
})

const makeCalls = (send: SendToCrm) => {
  const get = (path: string, query: { readonly [name: string]: string | number | undefined } = {}) =>
    Effect.map(send({ method: "GET", path, query }), ({ json }) => json)

  const users = cacheSuccess(Effect.map(get("/users"), (body) => listed(body, "users")))

  return { get, send, users }
}
type Calls = ReturnType<typeof makeCalls>

/** Methods that read the account's settings: pipelines, owners, custom fields. */
const accountMethods = ({
  get,
  users
}: Calls): Pick<CrmClient, "check" | "pipelines" | "ownerByEmail" | "customFields"> => ({
  check: Effect.gen(function* () {
    const rows = yield* users
    // The lowest user id belongs to the oldest user, and does not change when tokens or users change.
    return { identity: rows.map(idOf).toSorted()[0] ?? "" }
  }),

  pipelines: Effect.map(get("/deal_pipelines"), (body) =>
    listed(body, "deal_pipelines").map((pipeline) => ({
      id: idOf(pipeline),
      name: textAt(pipeline, "name"),
      stages: listAt(pipeline, "deal_stages").map((stage) => ({ id: idOf(stage), name: textAt(stage, "name") }))
    }))
  ),

  ownerByEmail: (email) =>
    Effect.map(users, (rows) =>
      Option.map(Option.fromNullable(rows.find((user) => sameText(textAt(user, "email"), email))), idOf)
    ),

  customFields: Effect.map(get("/custom_fields"), (body) =>
    listed(body, "custom_fields").flatMap((field): ReadonlyArray<FieldDefinition> => {
      const of = textAt(field, "for")
      const type = textAt(field, "type")
      const kind = of === "deal" ? "deal" : of === "contact" ? "person" : of === "organization" ? "company" : undefined
      if (kind === undefined) return []
      return [
        {
          key: idOf(field),
          label: textAt(field, "label"),
          kind,
          type: type === "text" || type === "textarea" ? "text" : type === "number" ? "number" : "other"
        }
      ]
    })
  )
})

const recordMethods = ({
  get,
  send,
  users
}: Calls): Pick<CrmClient, "find" | "findDeals" | "read" | "create" | "update" | "addNote"> => ({
  find: Effect.fnUntraced(function* (kind, { email, name, phone }) {
    if (kind === "company") {
      const body = yield* get("/organizations", { q: name, limit: largestPage })
      const same = listed(body, "organizations").filter((each) => sameText(textAt(each, "name"), name))
      return same.map(idOf)
    }
    if (email !== undefined) {
      const people = listed(yield* get("/contacts", { email, limit: largestPage }), "contacts")
      const same = people.filter((each) =>
        listAt(each, "emails").some((entry) => sameText(textAt(entry, "email"), email))
      )
      if (same.length > 0) return same.map(idOf)
    }
    for (const form of phone === undefined ? [] : phoneForms(phone).slice(0, mostForms)) {
      const people = listed(yield* get("/contacts", { phone: form, limit: largestPage }), "contacts")
      const same = people.filter((each) =>
        listAt(each, "phones").some((entry) => isSamePhone(textAt(entry, "phone"), phone ?? ""))
      )
      if (same.length > 0) return same.map(idOf)
    }
    return []
  }),

  findDeals: Effect.fnUntraced(function* (title) {
    const body = yield* get("/deals", { name: title, exact_name: "true", limit: largestPage })
    const same = listed(body, "deals").filter((each) => textAt(each, "name") === title)
    // No match on this page. If the CRM ignored the filter, the deal may be on a later page.
    if (same.length === 0 && at(body, "has_more") === true) return yield* new CrmFailure({ kind: "unavailable" })
    return same.map(idOf)
  }),

  read: (kind, id, ownKeys) =>
    get(`/${collections[kind]}/${encodeURIComponent(id)}`).pipe(
      Effect.map((record) => {
        if (idOf(record) !== id) return Option.none()
        const own = listAt(record, `${members[kind]}_custom_fields`)
        const valueOf = (key: string) =>
          textAt(
            own.find((each) => textAt(each, "custom_field_id") === key),
            "value"
          )
        return Option.some({
          id,
          fields: { ...fieldsOf(kind, record), ...ownNamed(ownKeys, valueOf) },
          ...(kind === "deal" ? { state: stateOf(record) } : {})
        })
      }),
      noneIfMissing
    ),

  create: Effect.fnUntraced(function* (kind, { companyId, fields, ownerId, personId }) {
    const own = bodyOf(kind, fields)
    const owner = ownerId === undefined || kind === "person" ? {} : { user_id: ownerId }
    const { json } = yield* send({
      method: "POST",
      path: `/${collections[kind]}`,
      json:
        kind === "deal"
          ? {
              deal: { ...own, ...owner },
              ...(personId === undefined ? {} : { contacts: [{ _id: personId }] }),
              ...(companyId === undefined ? {} : { organization: { _id: companyId } })
            }
          : kind === "person"
            ? { contact: { ...own, ...(companyId === undefined ? {} : { organization_id: companyId }) } }
            : { organization: { ...own, ...owner } }
    })
    const id = idOf(json)
    return yield* madeId(id)
  }),

  update: (kind, id, fields) =>
    Effect.asVoid(
      send({
        method: "PUT",
        path: `/${collections[kind]}/${encodeURIComponent(id)}`,
        json: {
          [members[kind]]: bodyOf(kind, fields),
          ...(kind === "deal" && fields["stage"] !== undefined ? { deal_stage_id: fields["stage"] } : {})
        }
      })
    ),

  // A note needs an author, so the oldest user is used. A meeting is a task, whose time has no zone.
  addNote: Effect.fnUntraced(function* ({ meeting, of: { dealId }, text }) {
    const [author] = (yield* users).map(idOf).toSorted()
    const local = meeting === undefined ? "" : brasiliaTime(toMillis(meeting.startsAt))
    const { json } = yield* send(
      meeting === undefined
        ? {
            method: "POST",
            path: "/activities",
            json: { activity: { deal_id: dealId, text, ...(author === undefined ? {} : { user_id: author }) } }
          }
        : {
            method: "POST",
            path: "/tasks",
            json: {
              task: {
                deal_id: dealId,
                subject: meeting.title,
                type: "meeting",
                date: local.slice(0, 10),
                hour: local.slice(11, 16),
                notes: text,
                user_ids: author === undefined ? [] : [author]
              }
            }
          }
    )
    return yield* madeId(idOf(json))
  })
})

const dealMethods = ({ get, send }: Calls): Pick<CrmClient, "close" | "closedSince" | "contacts"> => ({
  close: Effect.fnUntraced(function* (dealId, { outcome, reason }) {
    const reasons =
      outcome === "won" || reason === undefined ? [] : listed(yield* get("/deal_lost_reasons"), "deal_lost_reasons")
    const lost = namedReason(reasons, "name", reason)
    yield* send({
      method: "PUT",
      path: `/deals/${encodeURIComponent(dealId)}`,
      json: {
        deal: {
          win: outcome === "won",
          ...(lost === undefined ? {} : { deal_lost_reason_id: idOf(lost) }),
          ...(outcome === "lost" && reason !== undefined ? { deal_lost_note: reason.slice(0, 1000) } : {})
        }
      }
    })
  }),

  closedSince: Effect.fnUntraced(function* (since) {
    const closed: Array<ClosedDeal> = []
    const until = plusSeconds(yield* now, 86_400)
    for (const win of ["true", "false"]) {
      for (let page = 1; page <= mostPages; page++) {
        const body = yield* get("/deals", {
          win,
          closed_at: "true",
          closed_at_period: "true",
          start_date: since,
          end_date: until,
          page,
          limit: largestPage
        })
        for (const deal of listed(body, "deals")) {
          const note = textAt(deal, "deal_lost_note")
          closed.push(
            ...closedDeal(stateOf(deal), {
              id: idOf(deal),
              reason: note === "" ? textAt(deal, "deal_lost_reason", "name") : note,
              value: numberAt(deal, "amount_total")
            })
          )
        }
        if (at(body, "has_more") !== true) break
      }
    }
    return closed
  }),

  contacts: (scope, cursor) => contactPage(get, scope, cursor)
})

const client = (send: SendToCrm): CrmClient => {
  const calls = makeCalls(send)
  return { ...accountMethods(calls), ...recordMethods(calls), ...dealMethods(calls) }
}

const query = (token: Redacted.Redacted | undefined): { readonly [name: string]: string } =>
  token === undefined ? {} : { token: Redacted.value(token) }

/**
 * The adapter for RD Station: the CRM with its token, and conversions of the marketing suite with its key. Either is
 * enough.
 */
export const rdStation: CrmAdapter = {
  name: "crmsuite",
  needs: [],
  needsOneOf: ["crm_token", "marketing_api_key"],
  baseUrl: () => "https://crm.rdstation.com/api/v1",
  headers: () => ({}),
  query: (credentials) => query(credentials.get("crm_token")),
  limits: [{ bucket: "calls", allowance: { amount: 120, seconds: 60 } }],
  connect: client,
  webhooks: {
    register: (send, { address }) =>
      Effect.map(
        send({
          method: "POST",
          path: "/webhooks",
          json: { event_type: "crm_deal_updated", url: address, http_method: "POST" }
        }),
        ({ json }) => [idOf(json)].filter((id) => id !== "")
      ),
    remove: (send, id) => Effect.asVoid(send({ method: "DELETE", path: `/webhooks/${encodeURIComponent(id)}` })),
    isGenuine: byAddress,
    dealOf: (body) =>
      isNull(body, "document", "win") ? undefined : (idIn(body, "document", "id") ?? idIn(body, "document", "_id"))
  },
  conversions: {
    isOnly: (credentials) => !credentials.has("crm_token"),
    isWanted: (credentials) => credentials.has("marketing_api_key"),
    identity: (credentials) => {
      const key = credentials.get("marketing_api_key")
      return `marketing ${createHash("sha256")
        .update(key === undefined ? "" : Redacted.value(key))
        .digest("hex")
        .slice(0, 16)}`
    },
    baseUrl: "https://api.rd.services",
    query: (credentials) => {
      const key = credentials.get("marketing_api_key")
      return key === undefined ? {} : { api_key: Redacted.value(key) }
    },
    convert: (send) => (lead) =>
      Effect.asVoid(
        send({
          method: "POST",
          path: "/platform/conversions",
          json: {
            event_type: "CONVERSION",
            event_family: "CDP",
            payload: {
              conversion_identifier: `prospecting-${lead.status.toLowerCase()}`,
              email: lead.email,
              name: lead.name,
              ...(lead.jobTitle === null ? {} : { job_title: lead.jobTitle }),
              ...(lead.phone === null ? {} : { mobile_phone: lead.phone }),
              ...(lead.company === null ? {} : { company_name: lead.company }),
              ...(lead.campaign === null ? {} : { tags: [lead.campaign.slice(0, 100)] })
            }
          }
        })
      )
  }
}
