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

const pipelines = [{ id: 7, name: "Funil de vendas" }]
const stages = ["Novo", "Contato confirmado", "Interessado", "Reunião", "Proposta"].map((name, index) => ({
  id: 70 + index,
  name,
  order: index + 1,
  pipeline_id: 7
}))
const users = [{ id: 21, name: "Helena Prado", email: "owner@ondas.example", account_id: 300 }]
const customFields = [
  { id: 901, name: "Origem", type: 1, belongs: 1 },
  { id: 902, name: "Pontuação", type: 14, belongs: 1 }
]
const lostReasons = [
  { id: 1, name: "Outro" },
  { id: 2, name: "Sem verba" }
]
const activityTypes = [
  { id: 31, name: "Ligação" },
  { id: 32, name: "Reunião" }
]
const brasiliaMillis = 3 * 3600 * 1000

const failed = (status: number, message: string, data: object = {}): SimulatedAnswer => ({
  status,
  body: { success: false, message, data }
})
const ok = (data: unknown, more: object = {}): SimulatedAnswer => ({
  status: 200,
  body: { success: true, message: "OK", data, ...more }
})

const created = (data: unknown): SimulatedAnswer => ({
  status: 201,
  body: { success: true, message: "Created", data }
})

const localTime = (millis: number): string =>
  new Date(millis - brasiliaMillis).toISOString().slice(0, 19).replace("T", " ")

const viewOf = ({ body, id, updatedAt }: SimulatedRecord) => {
  const { contactEmails, contactPhones, custom_fields: _, ...rest } = body
  const reason = lostReasons.find((each) => each.id === body["lost_reason_id"])
  return {
    deleted: 0,
    ...rest,
    id: Number(id),
    ...(contactEmails === undefined
      ? {}
      : { contact_emails: listAt(body, "contactEmails").map((email) => ({ email })) }),
    ...(contactPhones === undefined
      ? {}
      : { contact_phones: listAt(body, "contactPhones").map((phone) => ({ phone })) }),
    customFields: [...listAt(body, "customFields"), ...listAt(body, "custom_fields")],
    ...(reason === undefined ? {} : { lostReason: reason }),
    updated_at: localTime(updatedAt)
  }
}

/** Returns the error about a missing or invalid value. Undefined if the body is valid. */
const complaint = (kind: string, body: SimulatedBody, isNew: boolean): object | undefined => {
  const required = kind === "deals" ? "title" : "name"
  if ((isNew || body[required] !== undefined) && textAt(body, required).trim() === "")
    return { [required]: "Campo obrigatório" }
  if (kind === "deals" && isNew && !pipelines.some(({ id }) => id === body["pipeline_id"]))
    return { pipeline_id: "Campo inválido" }
  const stage = body["stage_id"]
  if (stage !== undefined && !stages.some(({ id }) => id === stage)) return { stage_id: "Campo inválido" }
  const own = [...listAt(body, "custom_fields"), ...listAt(body, "customFields")]
  return own.every((field) => customFields.some(({ id }) => id === at(field, "id")))
    ? undefined
    : { custom_fields: "Campo inválido" }
}

const answer = (request: SimulatedRequest, store: SimulatedStore) => {
  const { query } = request
  const path = request.path.replace(/^\/v1/, "")
  const body: SimulatedBody = Predicate.isRecord(request.body) ? { ...request.body } : {}

  const page = (rows: ReadonlyArray<unknown>): SimulatedAnswer => {
    const size = Math.min(200, Number(query.get("show") ?? 15) || 15)
    const page = pageOf(rows, Number(query.get("cursor") ?? 0), size)
    return ok(page.rows, { meta: { cursor: { next: page.next === undefined ? null : `${page.next}` } } })
  }

  const listed = (kind: string) =>
    Effect.map(store.list(kind), (records) => {
      const since = query.get("updated_at_start")
      return page(
        records
          .map(viewOf)
          .filter((row) => since === null || row.updated_at >= since)
          .filter((row) =>
            ["external_code", "company_id", "person_id", "name"].every((name) => {
              const wanted = query.get(name)
              return wanted === null || sameText(textAt(row, name), wanted)
            })
          )
      )
    })

  const put = Effect.fnUntraced(function* (kind: string, id: string) {
    const record = yield* store.get(kind, id)
    if (record === undefined) return failed(404, "Não encontrado")
    const wrong = complaint(kind, body, false)
    if (wrong !== undefined) return failed(422, "Dados inválidos", wrong)
    yield* store.put(kind, id, { ...record.body, ...body })
    return ok({ id: Number(id) })
  })

  const create = Effect.fnUntraced(function* (kind: string) {
    const wrong = complaint(kind, body, true)
    if (wrong !== undefined) return failed(422, "Dados inválidos", wrong)
    const id = yield* store.insert(kind, {
      ...(kind === "deals" ? { status: 0, stage_id: stages[0]?.id, owner_id: users[0]?.id } : {}),
      ...body
    })
    return created(kind === "companies" ? [{ id: Number(id) }] : { id: Number(id) })
  })

  return routed(
    { ...request, path },
    [
      ["GET", /^\/users$/, () => Effect.succeed(page(users))],
      ["GET", /^\/pipelines$/, () => Effect.succeed(page(pipelines))],
      ["GET", /^\/stages$/, () => Effect.succeed(page(stages))],
      ["GET", /^\/lostReasons$/, () => Effect.succeed(page(lostReasons))],
      [
        "GET",
        /^\/customFields$/,
        () => Effect.succeed(page(customFields.filter(({ belongs }) => `${belongs}` === query.get("belongs"))))
      ],
      ["GET", /^\/(persons|companies|deals)$/, ([kind = ""]) => listed(kind)],
      ["POST", /^\/(persons|companies|deals)$/, ([kind = ""]) => create(kind)],
      [
        "GET",
        /^\/(persons|companies|deals)\/(\d+)$/,
        ([kind = "", id = ""]) =>
          Effect.map(store.get(kind, id), (record) =>
            record === undefined ? failed(404, "Não encontrado") : ok(viewOf(record))
          )
      ],
      ["PUT", /^\/(persons|companies|deals)\/(\d+)$/, ([kind = "", id = ""]) => put(kind, id)],
      [
        "POST",
        /^\/notes$/,
        () =>
          textAt(body, "text") === ""
            ? Effect.succeed(failed(422, "Dados inválidos", { text: "Campo obrigatório" }))
            : Effect.map(store.insert("notes", body), (id) => created({ id: Number(id) }))
      ],
      ["GET", /^\/activityTypes$/, () => Effect.succeed(page(activityTypes))],
      [
        "POST",
        /^\/activities$/,
        () =>
          activityTypes.some(({ id }) => id === body["activity_type_id"]) &&
          users.some(({ id }) => id === body["owner_id"])
            ? Effect.map(store.insert("activities", body), (id) => created({ id: Number(id) }))
            : Effect.succeed(failed(422, "Dados inválidos", { activity_type_id: "Campo inválido" }))
      ]
    ],
    () => Effect.succeed(failed(404, "Não encontrado"))
  )
}

export const pipeRunSandbox: CrmSandbox = {
  name: "piperun",
  keyOf: ({ headers }) => headers["token"],
  dealKind: "deals",
  stages: stages.map(({ id, name }) => ({ id: `${id}`, name })),
  moved: ({ body }, stage) => ({ ...body, stage_id: Number(stage) }),
  answer,
  trouble: (trouble, seconds) =>
    trouble === "unauthorized"
      ? failed(401, "Token inválido")
      : { ...failed(429, "Muitas requisições"), headers: { "retry-after": `${seconds}` } },
  standing: (body) => ({
    state: body["status"] === 1 ? "won" : body["status"] === 2 || body["status"] === 3 ? "lost" : "open",
    value: numberAt(body, "value")
  }),
  close: ({ body }, { outcome, reason, value }) =>
    Effect.succeed({
      ...body,
      status: outcome === "won" ? 1 : 3,
      ...(value === undefined ? {} : { value }),
      ...(outcome === "won"
        ? {}
        : { lost_reason_id: lostReasons.find(({ name }) => sameText(name, reason ?? ""))?.id ?? 1 })
    })
}
