import { Effect, Predicate } from "effect"
import { at, listAt, numberAt, sameText, textAt } from "./Answers.ts"
import type {
  CrmSimulator,
  SimulatedAnswer,
  SimulatedBody,
  SimulatedRecord,
  SimulatedRequest,
  SimulatedStore
} from "./CrmSimulator.ts"

const stages = ["Novo", "Contato confirmado", "Interessado", "Reunião"].map((name, index) => ({
  id: index + 1,
  name,
  is_won: false,
  sequence: index
}))
const tables: { readonly [model: string]: ReadonlyArray<SimulatedBody> } = {
  "crm.stage": [...stages, { id: 9, name: "Ganho", is_won: true, sequence: 9 }],
  "res.users": [{ id: 2, login: "owner@ondas.example" }]
}
const own = {
  x_origem: { string: "Origem", type: "char" },
  x_pontuacao: { string: "Pontuação", type: "float" }
}

const ok = (result: unknown): SimulatedAnswer => ({ status: 200, body: { jsonrpc: "2.0", id: 1, result } })
/** Whatever is wrong, the answer is a success that holds an error. */
const fault = (name: string, message: string): SimulatedAnswer => ({
  status: 200,
  body: {
    jsonrpc: "2.0",
    id: 1,
    error: {
      code: 200,
      message: "Odoo Server Error",
      data: { name: `odoo.exceptions.${name}`, message, debug: "Traceback" }
    }
  }
})

const dateTime = (millis: number): string => new Date(millis).toISOString().slice(0, 19).replace("T", " ")

/** Empty values are false, and links are pairs of number and name. */
const shown = ({ body, id, updatedAt }: SimulatedRecord): SimulatedBody => {
  const stage = stages.find((each) => each.id === body["stage_id"])
  return {
    email: false,
    phone: false,
    function: false,
    website: false,
    active: true,
    ...body,
    id: Number(id),
    ...(stage === undefined ? {} : { stage_id: [stage.id, stage.name] }),
    write_date: dateTime(updatedAt)
  }
}

const holds = (record: SimulatedBody, term: unknown): boolean => {
  const field = textAt(term, 0)
  switch (textAt(term, 1)) {
    case "=ilike":
      return sameText(textAt(record, field), textAt(term, 2).replace(/\\([\\%_])/g, "$1"))
    case ">=":
      return textAt(record, field) >= textAt(term, 2)
    default:
      return at(record, field) === at(term, 2)
  }
}

/** Terms are joined by "and"; an "or" stands before the two that it joins. */
const passes = (record: SimulatedBody, domain: ReadonlyArray<unknown>): boolean => {
  const or = domain.indexOf("|")
  if (or < 0) return domain.every((term) => holds(record, term))
  const rest = domain.filter((_, index) => index < or || index > or + 2)
  return passes(record, rest) && (holds(record, domain[or + 1]) || holds(record, domain[or + 2]))
}

const answer = (request: SimulatedRequest, store: SimulatedStore): ReturnType<CrmSimulator["answer"]> => {
  const args = listAt(request.body, "params", "args")
  const method = textAt(request.body, "params", "method")
  if (request.path !== "/jsonrpc") return Effect.succeed({ status: 404, body: "<html>Not found</html>" })
  if (method === "version")
    return Effect.succeed(ok({ server_version: "17.0", server_version_info: [17, 0, 0, "final", 0, ""] }))
  if (method === "authenticate") return Effect.succeed(ok(textAt(args, 1) === "" ? false : 2))

  const model = textAt(args, 3)
  const named = at(args, 6)
  const ids = listAt(args, 5, 0)

  const wrong = (values: unknown): string | undefined => {
    const name = at(values, "name")
    if (name !== undefined && (typeof name !== "string" || name.trim() === "")) return "name"
    const stage = at(values, "stage_id")
    if (stage !== undefined && !stages.some(({ id }) => id === stage)) return "stage_id"
    const isKnown = (key: string): boolean => !key.startsWith("x_") || Object.hasOwn(own, key)
    return Predicate.isRecord(values) ? Object.keys(values).find((key) => !isKnown(key)) : "values"
  }

  const change = (values: SimulatedBody) =>
    Effect.gen(function* () {
      const id = `${numberAt(ids, 0) ?? 0}`
      const record = yield* store.get(model, id)
      if (record === undefined) return fault("MissingError", "Record does not exist or has been deleted.")
      yield* store.put(model, id, { ...record.body, ...values })
      return ok(true)
    })

  switch (textAt(args, 4)) {
    case "fields_get":
      return Effect.succeed(ok({ name: { string: "Opportunity", type: "char" }, ...own }))
    case "search_read":
      return Effect.gen(function* () {
        const table = tables[model]
        const rows = table ?? (yield* store.list(model)).map(shown)
        const activeToo = at(named, "context", "active_test") === false
        const matching = rows.filter(
          (row) => (activeToo || row["active"] !== false) && passes(row, listAt(named, "domain"))
        )
        const offset = numberAt(named, "offset") ?? 0
        return ok(matching.slice(offset, offset + (numberAt(named, "limit") ?? 80)))
      })
    case "create":
      return Effect.gen(function* () {
        const values = listAt(named, "vals_list")[0]
        const bad = wrong(values) ?? (textAt(values, "name") === "" ? "name" : undefined)
        if (bad !== undefined) return fault("ValidationError", `Invalid field ${bad}`)
        const defaults = model === "crm.lead" ? { stage_id: 1, probability: 10, active: true, expected_revenue: 0 } : {}
        const id = yield* store.insert(model, { ...defaults, ...(Predicate.isRecord(values) ? values : {}) })
        return ok([Number(id)])
      })
    case "write": {
      const values = at(named, "vals")
      const bad = wrong(values)
      return bad === undefined
        ? change(Predicate.isRecord(values) ? values : {})
        : Effect.succeed(fault("ValidationError", `Invalid field ${bad}`))
    }
    case "action_set_won":
      return change({ probability: 100, active: true })
    case "action_set_lost":
      return change({ probability: 0, active: false })
    case "message_post":
      return Effect.map(
        store.insert("mail.message", { body: textAt(named, "body"), res_id: numberAt(ids, 0) ?? 0, model }),
        (id) => ok(Number(id))
      )
    default:
      return Effect.succeed(fault("UserError", "No such method."))
  }
}

export const odooSimulator: CrmSimulator = {
  name: "odoo",
  keyOf: ({ body }) => {
    const method = textAt(body, "params", "method")
    // The version is told to anybody.
    return method === "version" ? "sandbox-version" : textAt(body, "params", "args", 2)
  },
  dealKind: "crm.lead",
  stages: stages.map(({ id, name }) => ({ id: `${id}`, name })),
  moved: ({ body }, stage) => ({ ...body, stage_id: Number(stage) }),
  answer,
  trouble: (trouble, seconds) =>
    trouble === "unauthorized"
      ? fault("AccessDenied", "Access Denied")
      : { status: 429, headers: { "retry-after": `${seconds}` }, body: "<html>Too many requests</html>" },
  close: ({ body }, { outcome, value }) =>
    Effect.succeed({
      ...body,
      ...(outcome === "won" ? { probability: 100, active: true } : { probability: 0, active: false }),
      ...(value === undefined ? {} : { expected_revenue: value })
    })
}
