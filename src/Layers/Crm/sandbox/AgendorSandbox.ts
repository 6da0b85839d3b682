import { Effect, Predicate } from "effect"
import { at, numberAt, sameText, textAt } from "../Calling/JsonPath.ts"
import {
  type CrmSandbox,
  routed,
  type SimulatedAnswer,
  type SimulatedBody,
  type SimulatedRecord,
  type SimulatedRequest,
  type SimulatedStore
} from "./CrmSandbox.ts"

const funnel = { id: 44, name: "Funil de vendas" }
const dealStages = ["Contato", "Contato confirmado", "Interessado", "Reunião", "Proposta"].map((name, index) => ({
  id: 400 + index,
  name,
  sequence: index + 1
}))
const users = [{ id: 6, name: "Helena Prado", contact: { email: "owner@ondas.example" } }]
const customFields = [
  { identifier: "origem", name: "Origem", type: "Text" },
  { identifier: "pontuacao", name: "Pontuação", type: "Number" }
]

const failed = (status: number, message: string): SimulatedAnswer => ({ status, body: { errors: [message] } })
const ok = (data: unknown, status = 200): SimulatedAnswer => ({ status, body: { data } })

const viewOf = ({ body, createdAt, id, updatedAt }: SimulatedRecord) => ({
  id: Number(id),
  ...body,
  createdAt: new Date(createdAt).toISOString(),
  updatedAt: new Date(updatedAt).toISOString()
})

const makeOperations = (request: SimulatedRequest, store: SimulatedStore) => {
  const { query } = request
  const path = request.path.replace(/^\/v3/, "")
  const body: SimulatedBody = Predicate.isRecord(request.body) ? { ...request.body } : {}
  const page = <A>(rows: ReadonlyArray<A>): SimulatedAnswer => {
    const size = Math.min(100, Number(query.get("per_page") ?? 20) || 20)
    const from = (Math.max(1, Number(query.get("page") ?? 1) || 1) - 1) * size
    return ok(rows.slice(from, from + size))
  }

  /** A field that the CRM does not know rejects the whole record. */
  const wrong = (required: string, isNew: boolean): string | undefined => {
    if ((isNew || body[required] !== undefined) && textAt(body, required).trim() === "")
      return `${required} é obrigatório`
    const own = body["customFields"]
    const unknown = Predicate.isRecord(own)
      ? Object.keys(own).find((key) => !customFields.some(({ identifier }) => identifier === key))
      : undefined
    return unknown === undefined ? undefined : "customFields: campo desconhecido"
  }

  const put = Effect.fnUntraced(function* (kind: string, id: string, change: SimulatedBody) {
    const record = yield* store.get(kind, id)
    if (record === undefined) return failed(404, "Não encontrado")
    yield* store.put(kind, id, { ...record.body, ...change })
    const now = yield* store.get(kind, id)
    return ok(now === undefined ? null : viewOf(now))
  })

  const create = Effect.fnUntraced(function* (kind: string, more: SimulatedBody = {}) {
    const message = wrong(kind === "deals" ? "title" : "name", true)
    if (message !== undefined) return failed(422, message)
    const id = yield* store.insert(kind, { ...body, ...more })
    const made = yield* store.get(kind, id)
    return ok(made === undefined ? null : viewOf(made), 201)
  })

  const upsert = Effect.fnUntraced(function* (kind: string) {
    const all = yield* store.list(kind)
    const email = textAt(body, "contact", "email")
    const known = all.find((each) =>
      kind === "people"
        ? email !== "" && sameText(textAt(each.body, "contact", "email"), email)
        : sameText(textAt(each.body, "name"), textAt(body, "name"))
    )
    return known === undefined ? yield* create(kind) : yield* put(kind, known.id, body)
  })

  const stage = (): SimulatedBody | undefined => {
    const sequence = body["dealStage"] ?? 1
    const match = dealStages.find((each) => each.sequence === sequence)
    return match === undefined || (body["funnel"] ?? funnel.id) !== funnel.id ? undefined : { ...match, funnel }
  }

  const changed = Effect.fnUntraced(function* (kind: string, id: string) {
    const message = wrong(kind === "deals" ? "title" : "name", false)
    return message === undefined ? yield* put(kind, id, body) : failed(422, message)
  })

  return { body, changed, create, page, path, put, query, stage, upsert }
}

const answer = (request: SimulatedRequest, store: SimulatedStore) => {
  const { body, changed, create, page, path, put, query, stage, upsert } = makeOperations(request, store)

  return routed(
    { ...request, path },
    [
      ["GET", /^\/users\/me$/, () => Effect.succeed(ok({ ...users[0], account: { id: 1001 } }))],
      ["GET", /^\/users$/, () => Effect.succeed(ok(users))],
      ["GET", /^\/funnels$/, () => Effect.succeed(ok([{ ...funnel, dealStages }]))],
      ["GET", /^\/custom_fields\/deals$/, () => Effect.succeed(ok(customFields))],
      ["GET", /^\/custom_fields\/(?:people|organizations)$/, () => Effect.succeed(ok([]))],
      [
        "GET",
        /^\/people$/,
        () =>
          Effect.map(store.list("people"), (rows) => {
            const email = query.get("email")
            const phone = query.get("mobile_phone")
            return page(
              rows
                .filter(({ body: person }) => email === null || sameText(textAt(person, "contact", "email"), email))
                .filter(({ body: person }) => phone === null || textAt(person, "contact", "mobile") === phone)
                .map(viewOf)
            )
          })
      ],
      [
        "GET",
        /^\/organizations$/,
        () =>
          Effect.map(store.list("organizations"), (rows) => {
            const name = query.get("name")
            return page(
              rows.filter(({ body: company }) => name === null || sameText(textAt(company, "name"), name)).map(viewOf)
            )
          })
      ],
      ["POST", /^\/(people|organizations)\/upsert$/, ([kind = ""]) => upsert(kind)],
      ["POST", /^\/people$/, () => create("people")],
      [
        "GET",
        /^\/(people|organizations)\/(\d+)\/deals$/,
        ([kind = "", id = ""]) =>
          Effect.map(store.list("deals"), (rows) =>
            page(rows.filter(({ body: deal }) => textAt(deal, kind) === id).map(viewOf))
          )
      ],
      [
        "POST",
        /^\/(people|organizations)\/(\d+)\/deals$/,
        ([kind = "", id = ""]) => {
          const dealStage = stage()
          return dealStage === undefined
            ? Effect.succeed(failed(422, "dealStage inválido"))
            : create("deals", { [kind]: Number(id), dealStage, dealStatus: { id: 1, name: "Em andamento" } })
        }
      ],
      [
        "GET",
        /^\/deals\/stream$/,
        () =>
          Effect.map(store.list("deals"), (rows) => {
            const since = Date.parse(query.get("since") ?? "")
            return page(rows.filter(({ updatedAt }) => !(updatedAt < since)).map(viewOf))
          })
      ],
      [
        "PUT",
        /^\/deals\/(\d+)\/stage$/,
        ([id = ""]) => {
          const dealStage = stage()
          return dealStage === undefined
            ? Effect.succeed(failed(422, "dealStage inválido"))
            : put("deals", id, { dealStage })
        }
      ],
      [
        "PUT",
        /^\/deals\/(\d+)\/status$/,
        ([id = ""]) => {
          const wanted = ["", "ongoing", "won", "lost"].indexOf(textAt(body, "dealStatusText"))
          return wanted > 0
            ? put("deals", id, { dealStatus: { id: wanted } })
            : Effect.succeed(failed(422, "dealStatusText inválido"))
        }
      ],
      [
        "POST",
        /^\/deals\/(\d+)\/tasks$/,
        ([id = ""]) =>
          textAt(body, "text") === ""
            ? Effect.succeed(failed(422, "text é obrigatório"))
            : Effect.map(store.insert("tasks", { ...body, deal: Number(id) }), (made) => ok({ id: Number(made) }, 201))
      ],
      [
        "GET",
        /^\/(people|organizations|deals)\/(\d+)$/,
        ([kind = "", id = ""]) =>
          Effect.map(store.get(kind, id), (record) =>
            record === undefined ? failed(404, "Não encontrado") : ok(viewOf(record))
          )
      ],
      ["PUT", /^\/(people|organizations|deals)\/(\d+)$/, ([kind = "", id = ""]) => changed(kind, id)]
    ],
    () => Effect.succeed(failed(404, "Não encontrado"))
  )
}

export const agendorSandbox: CrmSandbox = {
  name: "agendor",
  keyOf: ({ headers }) => /^Token (\S+)$/.exec(headers["authorization"] ?? "")?.[1],
  dealKind: "deals",
  webhooks: { path: /^\/integrations\/subscriptions(?:\/(\d+))?$/, made: (id) => ({ data: { id: Number(id) } }) },
  stages: dealStages.map(({ name, sequence }) => ({ id: `${sequence}`, name })),
  moved: ({ body }, stage) => ({
    ...body,
    dealStage: { ...dealStages.find(({ sequence }) => `${sequence}` === stage), funnel }
  }),
  answer,
  trouble: (trouble, seconds) =>
    trouble === "unauthorized"
      ? failed(401, "Token inválido")
      : { ...failed(429, "Limite excedido"), headers: { "retry-after": `${seconds}` } },
  standing: (body) => ({
    state: at(body, "dealStatus", "id") === 2 ? "won" : at(body, "dealStatus", "id") === 3 ? "lost" : "open",
    value: numberAt(body, "value")
  }),
  close: ({ body }, { outcome, reason, value }) =>
    Effect.succeed({
      ...body,
      dealStatus: { id: outcome === "won" ? 2 : 3 },
      ...(value === undefined ? {} : { value }),
      lossReason: outcome === "lost" ? { name: reason ?? "" } : at(body, "lossReason")
    })
}
