import { Effect, Predicate } from "effect"
import { at, listAt, numberAt, sameText, textAt } from "../Calling/JsonPath.ts"
import {
  type CrmSandbox,
  routed,
  type SimulatedAnswer,
  type SimulatedBody,
  type SimulatedRecord,
  type SimulatedRequest,
  type SimulatedStore
} from "./CrmSandbox.ts"

const stages = ["Sem contato", "Contato confirmado", "Interessado", "Reunião marcada"].map((name, index) => ({
  id: `5f0000000000000000000${index + 10}0`,
  name,
  order: index + 1
}))

const pipelines = [{ id: "5e0000000000000000000001", name: "Funil padrão", order: 1, deal_stages: stages }]

const users = [{ _id: "5d0000000000000000000001", name: "Helena Prado", email: "owner@ondas.example" }]

const customFields = [
  { _id: "5c0000000000000000000001", label: "Origem", type: "text", for: "deal" },
  { _id: "5c0000000000000000000002", label: "Pontuação", type: "number", for: "deal" }
]

const lostReasons = [{ _id: "5b0000000000000000000001", name: "Sem interesse" }]

const singular: { readonly [collection: string]: string } = {
  organizations: "organization",
  contacts: "contact",
  deals: "deal"
}

const failed = (status: number, message: string): SimulatedAnswer => ({ status, body: { errors: { base: [message] } } })
const ok = (body: unknown): SimulatedAnswer => ({ status: 200, body })

/** Ids there are 24 hexadecimal digits. */
const shownId = (id: string): string => id.padStart(24, "a")
const storedId = (id: string): string => id.replace(/^a+/, "")

const viewOf = ({ body, createdAt, id, updatedAt }: SimulatedRecord): SimulatedBody => ({
  ...body,
  _id: shownId(id),
  id: shownId(id),
  created_at: new Date(createdAt).toISOString(),
  updated_at: new Date(updatedAt).toISOString()
})

const makeOperations = (request: SimulatedRequest, store: SimulatedStore) => {
  const { query } = request
  const path = request.path.replace(/^\/api\/v1/, "")
  const given: SimulatedBody = Predicate.isRecord(request.body) ? request.body : {}

  const page = (name: string, rows: ReadonlyArray<SimulatedBody>): SimulatedAnswer => {
    const size = Math.min(200, Number(query.get("limit") ?? 20) || 20)
    const number = Math.max(1, Number(query.get("page") ?? 1) || 1)
    // The CRM shows at most 10 000 rows.
    const visible = rows.slice(0, 10_000)
    const hasMore = visible.length > number * size
    return ok({
      [name]: visible.slice((number - 1) * size, number * size),
      total: rows.length,
      has_more: hasMore,
      next_page: hasMore ? `${number + 1}` : null
    })
  }

  const passes = (collection: string, record: SimulatedBody): boolean => {
    const email = query.get("email")
    const phone = query.get("phone")
    const words = query.get("q")
    const name = query.get("name")
    const win = query.get("win")
    const start = query.get("start_date")
    if (email !== null && !listAt(record, "emails").some((each) => sameText(textAt(each, "email"), email))) return false
    if (phone !== null && !listAt(record, "phones").some((each) => textAt(each, "phone") === phone)) return false
    if (words !== null && !textAt(record, "name").toLowerCase().includes(words.toLowerCase())) return false
    if (name !== null && collection === "deals" && !sameText(textAt(record, "name"), name)) return false
    const scope = query.get("deal_stage_id")
    if (scope !== null && textAt(record, "deal_stage", "id") !== scope) return false
    if (query.get("created_at_period") === "true") {
      const created = Date.parse(textAt(record, "created_at"))
      return created >= Date.parse(start ?? "") && created < Date.parse(query.get("end_date") ?? "")
    }
    if (win !== null && JSON.stringify(record["win"] ?? null) !== win) return false
    return start === null || textAt(record, "closed_at") >= start
  }

  const flat = (collection: string): SimulatedBody => {
    const own = given[singular[collection] ?? ""]
    const body: SimulatedBody = Predicate.isRecord(own) ? own : {}
    const stageId = textAt(body, "deal_stage_id")
    const stage = stages.find(({ id }) => id === stageId)
    return { ...body, ...(stage === undefined ? {} : { deal_stage: stage }) }
  }

  const wrong = (collection: string, body: SimulatedBody, isNew: boolean): string | undefined => {
    if ((isNew || body["name"] !== undefined) && textAt(body, "name").trim() === "")
      return "name: não pode ficar em branco"
    if (body["deal_stage_id"] !== undefined && body["deal_stage"] === undefined) return "deal_stage_id: inválido"
    const fields = listAt(body, `${singular[collection] ?? ""}_custom_fields`)
    const unknown = fields.find((each) => !customFields.some(({ _id }) => _id === textAt(each, "custom_field_id")))
    return unknown === undefined ? undefined : "custom_field_id: inválido"
  }

  const created = Effect.fnUntraced(function* (collection: string) {
    const body = flat(collection)
    const message = wrong(collection, body, true)
    if (message !== undefined) return failed(422, message)
    const links = { contacts: listAt(given, "contacts"), organization: at(given, "organization") }
    const id = yield* store.insert(collection, {
      ...(collection === "deals" ? { win: null, deal_stage: stages[0], amount_total: 0, ...links } : {}),
      ...body
    })
    const made = yield* store.get(collection, id)
    return ok(made === undefined ? null : viewOf(made))
  })

  const changed = Effect.fnUntraced(function* (collection: string, id: string) {
    const record = yield* store.get(collection, storedId(id))
    if (record === undefined) return failed(404, "não encontrado")
    const body = flat(collection)
    const message = wrong(collection, body, false)
    if (message !== undefined) return failed(422, message)
    const isClosed = collection === "deals" && typeof body["win"] === "boolean"
    yield* store.put(collection, record.id, {
      ...record.body,
      ...body,
      ...(isClosed ? { closed_at: new Date(yield* store.now).toISOString() } : {})
    })
    const now = yield* store.get(collection, record.id)
    return ok(now === undefined ? null : viewOf(now))
  })

  const conversion = Effect.fnUntraced(function* () {
    const payload = at(request.body, "payload")
    if (textAt(payload, "email") === "" || textAt(payload, "conversion_identifier") === "") {
      return failed(400, "email and conversion_identifier are required")
    }
    const id = yield* store.insert("conversions", Predicate.isRecord(payload) ? payload : {})
    return ok({ event_uuid: `00000000-0000-4000-8000-${id.padStart(12, "0")}` })
  })

  const collections = "(organizations|contacts|deals)"

  return { changed, collections, conversion, created, page, passes, path }
}

const answer = (request: SimulatedRequest, store: SimulatedStore) => {
  const { changed, collections, conversion, created, page, passes, path } = makeOperations(request, store)

  return routed(
    { ...request, path },
    [
      ["POST", /^\/platform\/conversions$/, conversion],
      ["GET", /^\/users$/, () => Effect.succeed(ok({ users }))],
      ["GET", /^\/deal_pipelines$/, () => Effect.succeed(ok(pipelines))],
      ["GET", /^\/custom_fields$/, () => Effect.succeed(ok({ custom_fields: customFields }))],
      ["GET", /^\/deal_lost_reasons$/, () => Effect.succeed(ok({ deal_lost_reasons: lostReasons }))],
      [
        "POST",
        /^\/activities$/,
        () => {
          const activity = at(request.body, "activity")
          const isAuthored = users.some(({ _id }) => _id === textAt(activity, "user_id"))
          return textAt(activity, "text") === "" || !isAuthored
            ? Effect.succeed(failed(422, isAuthored ? "text: não pode ficar em branco" : "user_id: inválido"))
            : Effect.map(store.insert("activities", Predicate.isRecord(activity) ? activity : {}), (id) =>
                ok({ _id: shownId(id) })
              )
        }
      ],
      [
        "POST",
        /^\/tasks$/,
        () => {
          const task = at(request.body, "task")
          const isFor = listAt(task, "user_ids").some((id) => users.some(({ _id }) => _id === id))
          return textAt(task, "subject") === "" || !isFor
            ? Effect.succeed(failed(422, isFor ? "subject: não pode ficar em branco" : "user_ids: inválido"))
            : Effect.map(store.insert("tasks", Predicate.isRecord(task) ? task : {}), (id) => ok({ _id: shownId(id) }))
        }
      ],
      [
        "GET",
        new RegExp(`^/${collections}$`),
        ([collection = ""]) =>
          Effect.map(store.list(collection), (rows) =>
            page(
              collection,
              rows.map(viewOf).filter((record) => passes(collection, record))
            )
          )
      ],
      ["POST", new RegExp(`^/${collections}$`), ([collection = ""]) => created(collection)],
      [
        "GET",
        new RegExp(`^/${collections}/(\\w+)$`),
        ([collection = "", id = ""]) =>
          Effect.map(store.get(collection, storedId(id)), (record) =>
            record === undefined ? failed(404, "não encontrado") : ok(viewOf(record))
          )
      ],
      ["PUT", new RegExp(`^/${collections}/(\\w+)$`), ([collection = "", id = ""]) => changed(collection, id)]
    ],
    () => Effect.succeed(failed(404, "não encontrado"))
  )
}

export const rdStationSandbox: CrmSandbox = {
  name: "crmsuite",
  keyOf: ({ query }) => query.get("token") ?? query.get("api_key") ?? undefined,
  dealKind: "deals",
  storedId,
  webhooks: { path: /^\/api\/v1\/webhooks(?:\/(\d+))?$/, made: (id) => ({ id }) },
  stages: stages.map(({ id, name }) => ({ id: `${id}`, name })),
  moved: ({ body }, stage) => ({ ...body, deal_stage: stages.find(({ id }) => id === stage) }),
  answer,
  trouble: (trouble) => (trouble === "unauthorized" ? failed(401, "token inválido") : failed(429, "limite excedido")),
  standing: (body) => ({
    state: body["win"] === true ? "won" : body["win"] === false ? "lost" : "open",
    value: numberAt(body, "amount_total")
  }),
  close: ({ body }, { outcome, reason, value }, store) =>
    Effect.map(store.now, (millis) => ({
      ...body,
      win: outcome === "won",
      closed_at: new Date(millis).toISOString(),
      ...(value === undefined ? {} : { amount_total: value }),
      ...(outcome === "lost" && reason !== undefined ? { deal_lost_reason: { name: reason } } : {})
    }))
}
