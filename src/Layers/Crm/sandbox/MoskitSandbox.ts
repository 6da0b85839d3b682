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

const pipelines = [{ id: 8, name: "Vendas" }]
const stages = ["Prospecto", "Contato confirmado", "Interessado", "Reunião", "Proposta"].map((name, index) => ({
  id: 80 + index,
  name,
  order: index,
  pipeline: { id: 8 }
}))
const users = [{ id: 41, name: "Helena Prado", username: "owner@ondas.example" }]
const customFields = [
  { id: "CF_aaaaaaaa", name: "Origem", type: "TEXT", entity: "DEAL" },
  { id: "CF_bbbbbbbb", name: "Pontuação", type: "NUMBER", entity: "DEAL" }
]
const lostReasons = [
  { id: 1, name: "Outro" },
  { id: 2, name: "Sem verba" }
]

const ok = (body: unknown, headers: { readonly [name: string]: string } = {}): SimulatedAnswer => ({
  status: 200,
  headers,
  body
})
/** Errors are a list of fields, possibly with a success status. */
const failed = (status: number, field: string, messageError: string): SimulatedAnswer => ({
  status,
  body: [{ field, messageError }]
})

const viewOf = ({ body, id, updatedAt }: SimulatedRecord): SimulatedBody => {
  const reason = lostReasons.find((each) => each.id === at(body, "lostReason", "id"))
  return {
    ...body,
    id: Number(id),
    ...(reason === undefined ? {} : { lostReason: reason }),
    dateModified: new Date(updatedAt).toISOString()
  }
}

const activityTypes = [
  { id: 71, name: "Ligação" },
  { id: 72, name: "Reunião" }
]
/** True if a price has no fraction, since prices are in hundredths of the currency. */
const isWhole = (price: unknown): boolean => price === undefined || Number.isInteger(price)

const isRef = (value: unknown): boolean => typeof at(value, "id") === "number"

const complaint = (kind: string, body: SimulatedBody, isNew: boolean): SimulatedAnswer | undefined => {
  if (textAt(body, "name").trim() === "") return failed(200, "name", "O campo é obrigatório")
  // A change is a whole record too.
  if (!isRef(body["createdBy"])) return failed(isNew ? 400 : 422, "createdBy", "O campo é obrigatório")
  if (!isRef(body["responsible"])) return failed(isNew ? 400 : 422, "responsible", "O campo é obrigatório")
  const stage = at(body, "stage", "id")
  if (kind === "deals" && !stages.some(({ id }) => id === stage)) return failed(400, "stage", "Etapa inválida")
  if (kind === "deals" && !["OPEN", "WON", "LOST"].includes(textAt(body, "status")))
    return failed(422, "status", "Enum must be valid format (OPEN, WON, LOST)")
  if (!isWhole(body["price"])) return failed(422, "price", "Valor inválido")
  return listAt(body, "entityCustomFields").every((field) => customFields.some(({ id }) => id === at(field, "id")))
    ? undefined
    : failed(400, "entityCustomFields", "Campo inválido")
}

const answer = (request: SimulatedRequest, store: SimulatedStore) => {
  const { query } = request
  const path = request.path.replace(/^\/v2/, "")
  const body: SimulatedBody = Predicate.isRecord(request.body) ? { ...request.body } : {}

  const page = (rows: ReadonlyArray<unknown>): SimulatedAnswer => {
    const page = pageOf(rows, Number(query.get("nextPageToken") ?? 0), query.get("quantity") === "50" ? 50 : 10)
    return ok(page.rows, {
      "x-moskit-listing-total": `${rows.length}`,
      ...(page.next === undefined ? {} : { "x-moskit-listing-next-page-token": `${page.next}` })
    })
  }

  const holds = (row: SimulatedBody, filter: unknown): boolean => {
    const field = textAt(filter, "field")
    const values = listAt(filter, "values").map(String)
    switch (textAt(filter, "expression")) {
      case "like": {
        const own =
          field === "emails" || field === "phones"
            ? listAt(row, field).map((each) => textAt(each, field === "emails" ? "address" : "number"))
            : [textAt(row, field)]
        return own.some((text) => values.some((value) => text.toLowerCase().includes(value.toLowerCase())))
      }
      case "any_of":
        return values.includes(textAt(row, field))
      case "gte":
        return textAt(row, field) >= (values[0] ?? "")
      default:
        return false
    }
  }

  const put = Effect.fnUntraced(function* (kind: string, id: string) {
    const record = yield* store.get(kind, id)
    if (record === undefined) return failed(404, "id", "Não encontrado")
    const wrong = complaint(kind, body, false)
    if (wrong !== undefined) return wrong
    // Fields that are left out become empty.
    yield* store.put(kind, id, body)
    return ok({ ...body, id: Number(id) })
  })

  return routed(
    { ...request, path },
    [
      ["GET", /^\/users$/, () => Effect.succeed(page(users))],
      ["GET", /^\/pipelines$/, () => Effect.succeed(page(pipelines))],
      ["GET", /^\/stages$/, () => Effect.succeed(page(stages))],
      ["GET", /^\/customFields$/, () => Effect.succeed(page(customFields))],
      ["GET", /^\/lostReasons$/, () => Effect.succeed(page(lostReasons))],
      ["GET", /^\/activityTypes$/, () => Effect.succeed(page(activityTypes))],
      [
        "POST",
        /^\/activities$/,
        () =>
          textAt(body, "title") === "" || !activityTypes.some(({ id }) => id === at(body, "type", "id"))
            ? Effect.succeed(failed(422, "type", "O campo é obrigatório"))
            : Effect.map(store.insert("activities", body), (id) => ok({ ...body, id: Number(id) }))
      ],
      [
        "POST",
        /^\/(contacts|companies|deals)\/search$/,
        ([kind = ""]) =>
          Effect.map(store.list(kind), (rows) =>
            page(
              rows
                .map(viewOf)
                .filter((row) => listAt({ all: request.body }, "all").every((filter) => holds(row, filter)))
            )
          )
      ],
      // These lists ignore filters, as the CRM's do.
      [
        "GET",
        /^\/(contacts|companies|deals)$/,
        ([kind = ""]) => Effect.map(store.list(kind), (rows) => page(rows.map(viewOf)))
      ],
      [
        "GET",
        /^\/(contacts|companies)\/(\d+)\/deals$/,
        ([kind = "", id = ""]) =>
          Effect.map(store.list("deals"), (rows) =>
            page(
              rows.filter(({ body: deal }) => listAt(deal, kind).some((each) => textAt(each, "id") === id)).map(viewOf)
            )
          )
      ],
      [
        "POST",
        /^\/deals\/(\d+)\/notes$/,
        ([id = ""]) =>
          textAt(body, "description") === "" || !isRef(body["user"])
            ? Effect.succeed(failed(400, "description", "O campo é obrigatório"))
            : Effect.map(store.insert("notes", { ...body, deal: Number(id) }), (made) => ok({ id: Number(made) }))
      ],
      [
        "POST",
        /^\/(contacts|companies|deals)$/,
        ([kind = ""]) => {
          const wrong = complaint(kind, body, true)
          return wrong === undefined
            ? Effect.map(store.insert(kind, body), (id) => ok({ ...body, id: Number(id) }))
            : Effect.succeed(wrong)
        }
      ],
      ["PUT", /^\/(contacts|companies|deals)\/(\d+)$/, ([kind = "", id = ""]) => put(kind, id)],
      [
        "GET",
        /^\/(contacts|companies|deals)\/(\d+)$/,
        ([kind = "", id = ""]) =>
          Effect.map(store.get(kind, id), (record) =>
            record === undefined ? failed(404, "id", "Não encontrado") : ok(viewOf(record))
          )
      ]
    ],
    () => Effect.succeed(failed(404, "path", "Não encontrado"))
  )
}

export const moskitSandbox: CrmSandbox = {
  name: "moskit",
  keyOf: ({ headers }) => headers["apikey"],
  dealKind: "deals",
  stages: stages.map(({ id, name }) => ({ id: `${id}`, name })),
  moved: ({ body }, stage) => ({ ...body, stage: { id: Number(stage) } }),
  answer,
  trouble: (trouble, seconds) =>
    trouble === "unauthorized"
      ? failed(401, "apikey", "Chave inválida")
      : { ...failed(429, "limit", "Limite excedido"), headers: { "retry-after": `${seconds}` } },
  standing: (body) => ({
    state: body["status"] === "WON" ? "won" : body["status"] === "LOST" ? "lost" : "open",
    value: (numberAt(body, "price") ?? 0) / 100
  }),
  close: ({ body }, { outcome, reason, value }) =>
    Effect.succeed({
      ...body,
      status: outcome === "won" ? "WON" : "LOST",
      ...(value === undefined ? {} : { price: value * 100 }),
      ...(outcome === "won"
        ? {}
        : { lostReason: { id: lostReasons.find(({ name }) => sameText(name, reason ?? ""))?.id ?? 1 } })
    })
}
