import { Effect, Predicate } from "effect"
import { at, listAt, numberAt, sameText, textAt } from "../Calling/JsonPath.ts"
import {
  type CrmSandbox,
  pageOf,
  routed,
  type SimulatedAnswer,
  type SimulatedBody,
  type SimulatedRecord,
  type SimulatedRequest,
  type SimulatedStore
} from "./CrmSandbox.ts"

const pipelines = [{ id: 1, name: "Vendas", order_nr: 1, is_deleted: false }]

const stages = ["Contato inicial", "Contato confirmado", "Interessado", "Reunião agendada", "Proposta"].map(
  (name, index) => ({ id: index + 1, pipeline_id: 1, name, order_nr: index + 1, is_deleted: false })
)

const users = [
  { id: 11, name: "Helena Prado", email: "owner@ondas.example", active_flag: true },
  { id: 12, name: "Rui Costa", email: "rui@ondas.example", active_flag: true }
]

const field = (field_code: string, field_name: string, field_type: string, is_custom_field = true) => ({
  field_code,
  field_name,
  field_type,
  is_custom_field,
  is_optional_response_field: false,
  description: ""
})
const fields: { readonly [kind: string]: ReadonlyArray<ReturnType<typeof field>> } = {
  deal: [
    field("title", "Title", "varchar", false),
    field("c".repeat(40), "Origem", "varchar"),
    field("d".repeat(40), "Pontuação", "double"),
    field("e".repeat(40), "Segmento", "enum")
  ],
  person: [field("f".repeat(40), "Cargo", "varchar")],
  company: [field("a".repeat(40), "Porte", "varchar")]
}
/** The members that version 2 of the interface accepts in requests. It refuses others. */
const members: { readonly [kind: string]: ReadonlySet<string> } = {
  deal: new Set([
    "title",
    "owner_id",
    "person_id",
    "org_id",
    "pipeline_id",
    "stage_id",
    "value",
    "currency",
    "status",
    "lost_reason",
    "custom_fields"
  ]),
  person: new Set(["name", "owner_id", "org_id", "emails", "phones", "custom_fields"]),
  company: new Set(["name", "owner_id", "custom_fields"])
}

const kinds: { readonly [path: string]: string } = { organizations: "company", persons: "person", deals: "deal" }

const iso = (millis: number): string => `${new Date(millis).toISOString().slice(0, 19)}Z`

const viewOf = ({ body, createdAt, id, updatedAt }: SimulatedRecord) => ({
  id: Number(id),
  ...body,
  add_time: iso(createdAt),
  update_time: iso(updatedAt),
  is_deleted: body["is_deleted"] === true
})

const ok = (data: unknown, more: object = {}): SimulatedAnswer => ({
  status: 200,
  body: { success: true, data, ...more }
})
const failed = (status: number, error: string): SimulatedAnswer => ({
  status,
  body: { success: false, error, error_info: "", data: null }
})

/** Validates a body, and returns the CRM's error text. */
const complaint = (kind: string, body: SimulatedBody, isNew: boolean): string | undefined => {
  const required = kind === "deal" ? "title" : "name"
  const given = body[required]
  if ((isNew || given !== undefined) && (typeof given !== "string" || given.trim() === ""))
    return `${required} is required`
  const emails = body["emails"]
  if (emails !== undefined && !listAt(emails).every((entry) => textAt(entry, "value") !== "")) return "emails: invalid"
  const stray = Object.keys(body).find((member) => members[kind]?.has(member) !== true)
  if (stray !== undefined) return `${stray} is not allowed`
  const custom = body["custom_fields"]
  if (Predicate.isRecord(custom)) {
    for (const [key, value] of Object.entries(custom)) {
      const definition = fields[kind]?.find((each) => each.field_code === key)
      if (definition === undefined) return `custom_fields.${key} is not allowed`
      if ((definition.field_type === "double") !== (typeof value === "number")) return `custom_fields.${key} is invalid`
    }
  }
  const stage = body["stage_id"]
  if (stage !== undefined && !stages.some(({ id }) => id === stage)) return "stage_id: not found"
  const pipeline = body["pipeline_id"]
  if (pipeline !== undefined && !pipelines.some(({ id }) => id === pipeline)) return "pipeline_id: not found"
  return undefined
}

const makeOperations = (request: SimulatedRequest, store: SimulatedStore) => {
  const { query } = request
  const body: SimulatedBody = Predicate.isRecord(request.body) ? { ...request.body } : {}
  const size = Math.min(500, Number(query.get("limit") ?? 100) || 100)

  const listed = Effect.fnUntraced(function* (kind: string) {
    const all = (yield* store.list(kind)).map(viewOf).filter((record) => !record.is_deleted)
    const since = query.get("updated_since")
    const statuses = query.get("status")?.split(",")
    const rows = all.filter(
      (record) =>
        (since === null || record.update_time >= since) &&
        (statuses === undefined || statuses.includes(textAt(record, "status"))) &&
        ["person_id", "org_id"].every((name) => query.get(name) === null || textAt(record, name) === query.get(name))
    )
    const sorted =
      query.get("sort_by") === "update_time"
        ? rows.toSorted((a, b) =>
            a.update_time < b.update_time ? -1 : a.update_time > b.update_time ? 1 : a.id - b.id
          )
        : rows
    const page = pageOf(sorted, Number(query.get("cursor") ?? 0), size)
    return ok(page.rows, { additional_data: { next_cursor: page.next === undefined ? null : `${page.next}` } })
  })

  const searched = Effect.fnUntraced(function* (kind: string) {
    const term = query.get("term") ?? ""
    if (term.length < 2) return failed(400, "term must be at least 2 characters")
    const field = query.get("fields") ?? "name"
    const valuesOf = (record: SimulatedBody): ReadonlyArray<string> =>
      field === "name" ? [textAt(record, "name")] : listAt(record, `${field}s`).map((entry) => textAt(entry, "value"))
    const rows = (yield* store.list(kind))
      .map(viewOf)
      .filter((record) => valuesOf(record).some((value) => sameText(value, term)))
    const items = rows.map((record) => ({
      result_score: 1,
      item: {
        id: record.id,
        type: kind,
        name: textAt(record, "name"),
        emails: listAt(record, "emails").map((entry) => textAt(entry, "value")),
        phones: listAt(record, "phones").map((entry) => textAt(entry, "value"))
      }
    }))
    return ok({ items: items.slice(0, size) })
  })

  const created = Effect.fnUntraced(function* (kind: string) {
    const wrong = complaint(kind, body, true)
    if (wrong !== undefined) return failed(400, wrong)
    const defaults =
      kind === "deal" ? { status: "open", stage_id: stages[0]?.id, pipeline_id: 1, value: 0, currency: "BRL" } : {}
    const id = yield* store.insert(kind, { owner_id: users[0]?.id, ...defaults, ...body })
    const made = yield* store.get(kind, id)
    return { status: 201, body: { success: true, data: made === undefined ? null : viewOf(made) } }
  })

  const changed = Effect.fnUntraced(function* (kind: string, id: string) {
    const record = yield* store.get(kind, id)
    if (record === undefined || record.body["is_deleted"] === true) return failed(404, `${kind} not found`)
    const wrong = complaint(kind, body, false)
    if (wrong !== undefined) return failed(400, wrong)
    yield* store.put(kind, id, { ...record.body, ...body })
    const now = yield* store.get(kind, id)
    return ok(now === undefined ? null : viewOf(now))
  })

  return { body, changed, created, listed, query, searched }
}

const answer = (request: SimulatedRequest, store: SimulatedStore) => {
  const { body, changed, created, listed, query, searched } = makeOperations(request, store)

  return routed(
    request,
    [
      ["GET", /^\/v1\/users\/me$/, () => Effect.succeed(ok({ ...users[0], company_id: 4711, company_name: "Ondas" }))],
      ["GET", /^\/v1\/users$/, () => Effect.succeed(ok(users))],
      [
        "GET",
        /^\/api\/v2\/(deal|person|organization)Fields$/,
        ([of = ""]) =>
          Effect.succeed(
            ok(fields[of === "organization" ? "company" : of] ?? [], { additional_data: { next_cursor: null } })
          )
      ],
      [
        "POST",
        /^\/api\/v2\/activities$/,
        () =>
          textAt(body, "subject") === "" || !/^\d{2}:\d{2}$/.test(textAt(body, "duration"))
            ? Effect.succeed(failed(400, "subject is required"))
            : Effect.map(store.insert("note", body), (id) => ({
                status: 201,
                body: { success: true, data: { ...body, id: Number(id) } }
              }))
      ],
      [
        "POST",
        /^\/v1\/notes$/,
        () =>
          textAt(body, "content") === ""
            ? Effect.succeed(failed(400, "content is required"))
            : Effect.map(store.insert("note", body), (id) => ({
                status: 201,
                body: { success: true, data: { ...body, id: Number(id) } }
              }))
      ],
      ["GET", /^\/api\/v2\/pipelines$/, () => Effect.succeed(ok(pipelines))],
      [
        "GET",
        /^\/api\/v2\/stages$/,
        () => {
          const wanted = query.get("pipeline_id")
          return Effect.succeed(ok(stages.filter((stage) => wanted === null || `${stage.pipeline_id}` === wanted)))
        }
      ],
      ["GET", /^\/api\/v2\/(persons|organizations)\/search$/, ([path = ""]) => searched(kinds[path] ?? "")],
      ["GET", /^\/api\/v2\/(organizations|persons|deals)$/, ([path = ""]) => listed(kinds[path] ?? "")],
      ["POST", /^\/api\/v2\/(organizations|persons|deals)$/, ([path = ""]) => created(kinds[path] ?? "")],
      [
        "GET",
        /^\/api\/v2\/(organizations|persons|deals)\/(\d+)$/,
        ([path = "", id = ""]) =>
          Effect.map(store.get(kinds[path] ?? "", id), (record) =>
            record === undefined ? failed(404, "not found") : ok(viewOf(record))
          )
      ],
      [
        "PATCH",
        /^\/api\/v2\/(organizations|persons|deals)\/(\d+)$/,
        ([path = "", id = ""]) => changed(kinds[path] ?? "", id)
      ]
    ],
    () => Effect.succeed(failed(404, "Unknown method."))
  )
}

export const pipedriveSandbox: CrmSandbox = {
  name: "pipedrive",
  keyOf: ({ headers }) => headers["x-api-token"],
  dealKind: "deal",
  webhooks: { path: /^\/v1\/webhooks(?:\/(\d+))?$/, made: (id) => ({ success: true, data: { id: Number(id) } }) },
  stages: stages.map(({ id, name }) => ({ id: `${id}`, name })),
  moved: ({ body }, stage) => ({ ...body, stage_id: Number(stage) }),
  answer,
  trouble: (trouble, seconds) =>
    trouble === "unauthorized"
      ? failed(401, "unauthorized access")
      : {
          ...failed(429, "request over limit"),
          headers: { "retry-after": `${seconds}`, "x-ratelimit-remaining": "0" }
        },
  standing: (body) => ({
    state: body["status"] === "won" ? "won" : body["status"] === "lost" ? "lost" : "open",
    value: numberAt(body, "value")
  }),
  close: ({ body }, { outcome, reason, value }) =>
    Effect.succeed({
      ...body,
      status: outcome,
      ...(value === undefined ? {} : { value }),
      lost_reason: outcome === "lost" ? (reason ?? null) : at(body, "lost_reason")
    })
}
