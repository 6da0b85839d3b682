import { Effect, Option, Redacted } from "effect"
import type { FieldDefinition, Fields } from "../../../../Services/Crm/CrmRules.ts"
import type { CrmKind } from "../../../../Services/Crm/Ids.ts"
import { isSamePhone, phoneForms } from "../../../../Services/Crm/PhoneForms.ts"
import { type CrmAdapter, type CrmClient, type SendToCrm } from "../../Calling/CrmAdapter.ts"
import { madeId, noneIfMissing, numberedPages } from "../../Calling/CrmPages.ts"
import {
  at,
  closedDeal,
  listAt,
  numberAt,
  ownFields,
  ownNamed,
  present,
  sameText,
  textAt
} from "../../Calling/JsonPath.ts"
import { byAddress, idIn, sharedWebhookPath } from "../../Connecting/CrmWebhooks.ts"

const collections: { readonly [K in CrmKind]: string } = { company: "organizations", person: "people", deal: "deals" }
const largestPage = 100
const states = { won: 2, lost: 3 }
/** The most forms of a phone number that are searched for. Each takes a call. */
const mostForms = 4

/** Stages have no ids: a stage is identified by its funnel and its position in it. */
const stageId = (funnel: string, sequence: string): string => `${funnel}:${sequence}`
const stageBody = (stage: string) => {
  const [funnel, sequence] = stage.split(":")
  return { funnel: Number(funnel), dealStage: Number(sequence) }
}

const bodyOf = (kind: CrmKind, fields: Fields) => {
  const own = ownFields(fields)
  return {
    ...(fields["name"] === undefined ? {} : { name: fields["name"] }),
    ...(fields["job_title"] === undefined ? {} : { role: fields["job_title"] }),
    ...(fields["domain"] === undefined ? {} : { website: fields["domain"] }),
    ...(fields["title"] === undefined ? {} : { title: fields["title"] }),
    ...(fields["value"] === undefined ? {} : { value: Number(fields["value"]) }),
    ...(kind === "person" && (fields["email"] !== undefined || fields["phone"] !== undefined)
      ? {
          contact: {
            ...(fields["email"] === undefined ? {} : { email: fields["email"] }),
            ...(fields["phone"] === undefined ? {} : { mobile: fields["phone"] })
          }
        }
      : {}),
    ...(Object.keys(own).length === 0 ? {} : { customFields: own })
  }
}

const fieldsOf = (kind: CrmKind, record: unknown): Fields =>
  kind === "deal"
    ? present({
        title: textAt(record, "title"),
        stage: stageId(textAt(record, "dealStage", "funnel", "id"), textAt(record, "dealStage", "sequence"))
      })
    : present({
        name: textAt(record, "name"),
        job_title: textAt(record, "role"),
        domain: textAt(record, "website"),
        email: textAt(record, "contact", "email"),
        phone: textAt(record, "contact", "mobile")
      })

const stateOf = (record: unknown): "open" | "won" | "lost" => {
  const state = numberAt(record, "dealStatus", "id")
  return state === states.won ? "won" : state === states.lost ? "lost" : "open"
}

const makeCalls = (send: SendToCrm) => {
  const rows = (path: string, query: { readonly [name: string]: string | number | undefined } = {}) =>
    Effect.map(send({ method: "GET", path, query }), ({ json }) => listAt(json, "data"))
  /** The first page there is 1. */
  const pages = (path: string, query: Parameters<typeof rows>[1]) =>
    numberedPages((page) => rows(path, { ...query, page: page + 1, per_page: largestPage }), largestPage)
  const ids = (found: ReadonlyArray<unknown>) => found.map((each) => textAt(each, "id"))

  const fieldsFor = (kind: CrmKind) =>
    Effect.map(rows(`/custom_fields/${collections[kind]}`), (fields) =>
      fields.map((field): FieldDefinition => {
        const type = textAt(field, "type")
        return {
          key: textAt(field, "identifier"),
          label: textAt(field, "name"),
          kind,
          type: /text/i.test(type) ? "text" : /number|decimal|integer/i.test(type) ? "number" : "other"
        }
      })
    )

  return { fieldsFor, ids, pages, rows, send }
}
type Calls = ReturnType<typeof makeCalls>

/** Methods that read the account's settings: pipelines, owners, custom fields. */
const accountMethods = ({
  fieldsFor,
  rows,
  send
}: Calls): Pick<CrmClient, "check" | "pipelines" | "ownerByEmail" | "customFields"> => ({
  check: Effect.map(send({ method: "GET", path: "/users/me" }), ({ json }) => {
    const account = textAt(json, "data", "account", "id")
    return { identity: account === "" ? textAt(json, "data", "id") : account }
  }),

  pipelines: Effect.map(rows("/funnels"), (funnels) =>
    funnels.map((funnel) => ({
      id: textAt(funnel, "id"),
      name: textAt(funnel, "name"),
      stages: listAt(funnel, "dealStages")
        .toSorted((a, b) => (numberAt(a, "sequence") ?? 0) - (numberAt(b, "sequence") ?? 0))
        .map((stage) => ({
          id: stageId(textAt(funnel, "id"), textAt(stage, "sequence")),
          name: textAt(stage, "name")
        }))
    }))
  ),

  ownerByEmail: (email) =>
    Effect.map(rows("/users", { email }), (users) =>
      Option.map(
        Option.fromNullable(
          users.find((user) =>
            [textAt(user, "email"), textAt(user, "contact", "email")].some((each) => sameText(each, email))
          )
        ),
        (user) => textAt(user, "id")
      )
    ),

  customFields: Effect.map(Effect.all([fieldsFor("deal"), fieldsFor("person"), fieldsFor("company")]), (lists) =>
    lists.flat()
  )
})

const recordMethods = ({
  ids,
  pages,
  rows,
  send
}: Calls): Pick<CrmClient, "find" | "findDeals" | "read" | "create" | "update" | "addNote"> => ({
  find: Effect.fnUntraced(function* (kind, { email, name, phone }) {
    if (kind === "company") {
      // If the CRM ignores the filter, the upsert still finds the company, but would overwrite its fields.
      const companies = yield* rows("/organizations", { name, per_page: largestPage })
      return ids(companies.filter((each) => sameText(textAt(each, "name"), name)))
    }
    const sameEmail = email === undefined ? [] : yield* rows("/people", { email, per_page: 10 })
    const exact = sameEmail.filter((each) => email !== undefined && sameText(textAt(each, "contact", "email"), email))
    if (exact.length > 0 || phone === undefined) return ids(exact)
    const hasPhone = (each: unknown) =>
      ["mobile", "work", "whatsapp"].some((member) => isSamePhone(textAt(each, "contact", member), phone))
    for (const form of phoneForms(phone).slice(0, mostForms)) {
      const people = (yield* rows("/people", { mobile_phone: form, per_page: 10 })).filter(hasPhone)
      if (people.length > 0) return ids(people)
    }
    return []
  }),

  findDeals: Effect.fnUntraced(function* (title, { companyId, personId }) {
    const owner = personId === undefined ? `/organizations/${companyId ?? ""}` : `/people/${personId}`
    const deals = yield* pages(`${owner}/deals`, {})
    return ids(deals.filter((deal) => textAt(deal, "title") === title))
  }),

  read: (kind, id, ownKeys) =>
    send({
      method: "GET",
      path: `/${collections[kind]}/${encodeURIComponent(id)}`,
      query: { withCustomFields: ownKeys.length > 0 ? "true" : undefined }
    }).pipe(
      Effect.map(({ json }) => {
        const record = at(json, "data")
        if (textAt(record, "id") !== id) return Option.none()
        return Option.some({
          id,
          fields: {
            ...fieldsOf(kind, record),
            ...ownNamed(ownKeys, (key) => textAt(record, "customFields", key))
          },
          ...(kind === "deal" ? { state: stateOf(record) } : {})
        })
      }),
      noneIfMissing
    ),

  create: Effect.fnUntraced(function* (kind, { companyId, fields, ownerId, personId }) {
    const owner = ownerId === undefined ? {} : { ownerUser: Number(ownerId) }
    const stage = fields["stage"]
    const path =
      kind === "company"
        ? "/organizations/upsert"
        : kind === "deal"
          ? `${personId === undefined ? `/organizations/${companyId ?? ""}` : `/people/${personId}`}/deals`
          : // A person with an e-mail address is created or found by an upsert, because nothing else is unique there.
            fields["email"] === undefined
            ? "/people"
            : "/people/upsert"
    const { json } = yield* send({
      method: "POST",
      path,
      json: {
        ...bodyOf(kind, fields),
        ...(kind === "person" && companyId !== undefined ? { organization: Number(companyId) } : {}),
        ...(kind === "deal" && stage !== undefined ? stageBody(stage) : {}),
        ...owner
      }
    })
    const id = textAt(json, "data", "id")
    return yield* madeId(id)
  }),

  update: Effect.fnUntraced(function* (kind, id, fields) {
    // The title of an existing deal is not changed.
    const { title: _, ...others } = fields
    const body = bodyOf(kind, kind === "deal" ? others : fields)
    const path = `/${collections[kind]}/${encodeURIComponent(id)}`
    if (Object.keys(body).length > 0) yield* send({ method: "PUT", path, json: body })
    const stage = kind === "deal" ? fields["stage"] : undefined
    if (stage !== undefined) yield* send({ method: "PUT", path: `${path}/stage`, json: stageBody(stage) })
  }),

  addNote: ({ of: { dealId }, text }) =>
    Effect.flatMap(
      send({
        method: "POST",
        path: `/deals/${encodeURIComponent(dealId)}/tasks`,
        json: { text: text.slice(0, 2000) }
      }),
      ({ json }) => madeId(textAt(json, "data", "id"))
    )
})

const dealMethods = ({ pages, send }: Calls): Pick<CrmClient, "close" | "closedSince"> => ({
  close: Effect.fnUntraced(function* (dealId, { outcome, value }) {
    const path = `/deals/${encodeURIComponent(dealId)}`
    if (value !== undefined) yield* send({ method: "PUT", path, json: { value: Number(value) } })
    yield* send({ method: "PUT", path: `${path}/status`, json: { dealStatusText: outcome } })
  }),

  closedSince: (since) =>
    Effect.map(pages("/deals/stream", { since }), (deals) =>
      deals.flatMap((deal) =>
        closedDeal(stateOf(deal), {
          id: textAt(deal, "id"),
          reason: textAt(deal, "lossReason", "name"),
          value: numberAt(deal, "value")
        })
      )
    )
})

const client = (send: SendToCrm): CrmClient => {
  const calls = makeCalls(send)
  return { ...accountMethods(calls), ...recordMethods(calls), ...dealMethods(calls) }
}

/** The adapter for Agendor. People and organisations are created by upserts, and deals below their person. */
export const agendor: CrmAdapter = {
  name: "agendor",
  needs: ["api_token"],
  pipelineParameter: "funnel_id",
  baseUrl: () => "https://api.agendor.com.br",
  headers: (credentials) => {
    const token = credentials.get("api_token")
    return token === undefined ? {} : { authorization: `Token ${Redacted.value(token)}` }
  },
  limits: [{ bucket: "calls", allowance: { amount: 4, seconds: 1 } }],
  connect: (send) => client((request) => send({ ...request, path: `/v3${request.path}` })),
  webhooks: {
    // Each event type gets a separate address, because the body of a delivery does not name its type.
    register: (send, { address }) =>
      Effect.forEach(["on_deal_won", "on_deal_lost"], (event) =>
        Effect.map(
          send({
            method: "POST",
            path: "/integrations/subscriptions",
            json: { target_url: `${address.slice(0, -sharedWebhookPath.length)}${event}`, event }
          }),
          ({ json }) => textAt(json, "data", "id") || textAt(json, "id")
        )
      ),
    remove: (send, id) =>
      Effect.asVoid(send({ method: "DELETE", path: `/integrations/subscriptions/${encodeURIComponent(id)}` })),
    isGenuine: byAddress,
    dealOf: (body) => (textAt(body, "data", "dealStatus", "id") === "1" ? undefined : idIn(body, "data", "id"))
  }
}
