import { Effect, Predicate } from "effect"
import { at, listAt, numberAt, textAt } from "../Calling/JsonPath.ts"
import type {
  CrmSandbox,
  SimulatedAnswer,
  SimulatedBody,
  SimulatedRecord,
  SimulatedRequest,
  SimulatedStore
} from "./CrmSandbox.ts"

const stages = ["Novo", "Contato confirmado", "Interessado", "Reunião"].map((name, index) => ({
  id: index + 1,
  name,
  is_won: false,
  sequence: index
}))
const lostReasons = [
  { id: 1, name: "Sem interesse" },
  { id: 2, name: "Sem verba" }
]
const tables: { readonly [model: string]: ReadonlyArray<SimulatedBody> } = {
  "crm.stage": [...stages, { id: 9, name: "Ganho", is_won: true, sequence: 9 }],
  "res.users": [{ id: 2, login: "owner@ondas.example" }],
  "crm.lost.reason": lostReasons
}
/** The fields of models that the adapter reads. The mobile phone was removed in version 19. */
const fieldsOf = (model: string, version: number): { readonly [field: string]: { readonly type: string } } =>
  model === "res.partner"
    ? {
        phone: { type: "char" },
        phone_sanitized: { type: "char" },
        ...(version < 19 ? { mobile: { type: "char" } } : {})
      }
    : { [version < 16 ? "lost_reason" : "lost_reason_id"]: { type: "many2one" } }
const own = {
  x_origem: { string: "Origem", type: "char" },
  x_pontuacao: { string: "Pontuação", type: "float" }
}

/** Python errors, which the server returns unchanged. */
const builtIn: ReadonlySet<string> = new Set(["IndexError", "TypeError", "ValueError"])

/** The form in which a version of the server wraps a method's result. */
interface Envelope {
  readonly ok: (result: unknown) => SimulatedAnswer
  readonly fault: (name: string, message: string) => SimulatedAnswer
}

/** The form up to version 18. A failure is a successful answer with an error in it. */
const jsonRpc: Envelope = {
  ok: (result) => ({ status: 200, body: { jsonrpc: "2.0", id: 1, result } }),
  fault: (name, message) => ({
    status: 200,
    body: {
      jsonrpc: "2.0",
      id: 1,
      error: {
        code: 200,
        message: "Odoo Server Error",
        data: { name: `${builtIn.has(name) ? "builtins" : "odoo.exceptions"}.${name}`, message, debug: "Traceback" }
      }
    }
  })
}

const statuses: { readonly [name: string]: number } = {
  AccessDenied: 401,
  AccessError: 403,
  MissingError: 404,
  UserError: 422,
  ValidationError: 422,
  TypeError: 422
}

/** The form from version 19 on: the bare result, and a failure as the status. */
const json2: Envelope = {
  ok: (result) => ({ status: 200, body: JSON.stringify(result) }),
  fault: (name, message) => ({
    status: statuses[name] ?? 500,
    body: { name: `odoo.exceptions.${name}`, message, arguments: [message], context: {}, debug: "Traceback" }
  })
}

/** The arguments of methods in JSON-2, which are all named. */
const argumentsOf: { readonly [method: string]: ReadonlyArray<string> } = {
  context_get: [],
  fields_get: ["allfields", "attributes"],
  search_read: ["domain", "fields", "offset", "limit", "order"],
  create: ["vals_list"],
  write: ["ids", "vals"],
  action_set_won: ["ids"],
  action_set_lost: ["ids", "lost_reason_id", "lost_reason"],
  message_post: ["ids", "body"]
}

const dateTime = (millis: number): string => new Date(millis).toISOString().slice(0, 19).replace("T", " ")

/** Empty values are false, and links are pairs of number and name. */
const viewOf = ({ body, id, updatedAt }: SimulatedRecord): SimulatedBody => {
  const stage = stages.find((each) => each.id === body["stage_id"])
  return {
    email: false,
    phone: false,
    phone_sanitized: false,
    mobile: false,
    function: false,
    website: false,
    active: true,
    ...body,
    id: Number(id),
    ...(stage === undefined ? {} : { stage_id: [stage.id, stage.name] }),
    ...(body["type"] === "opportunity" ? { company_currency: [1, body["company_currency"] ?? "BRL"] } : {}),
    write_date: dateTime(updatedAt)
  }
}

/** Rows that have one of the values in a field, or satisfy one of the other conditions. */
interface Condition {
  readonly values: Map<string, Set<unknown>>
  readonly others: Array<(row: SimulatedBody) => boolean>
}

const conditionOf = (term: unknown): Condition => {
  const field = textAt(term, 0)
  const has = (key: string, ...values: ReadonlyArray<unknown>): Condition => ({
    values: new Map([[key, new Set(values)]]),
    others: []
  })
  switch (textAt(term, 1)) {
    case "=ilike":
      return has(
        `~${field}`,
        textAt(term, 2)
          .replace(/\\([\\%_])/g, "$1")
          .trim()
          .toLowerCase()
      )
    case ">=":
      return { values: new Map(), others: [(row) => textAt(row, field) >= textAt(term, 2)] }
    case "in":
      return has(field, ...listAt(term, 2))
    default:
      return has(field, at(term, 2))
  }
}

const either = (one: Condition, other: Condition): Condition => {
  for (const [key, values] of other.values) {
    const known = one.values.get(key)
    if (known === undefined) one.values.set(key, values)
    else for (const value of values) known.add(value)
  }
  one.others.push(...other.others)
  return one
}

const holds = (row: SimulatedBody, { others, values }: Condition): boolean =>
  others.some((test) => test(row)) ||
  [...values].some(([key, wanted]) =>
    wanted.has(key.startsWith("~") ? textAt(row, key.slice(1)).trim().toLowerCase() : at(row, key))
  )

const both = (one: Condition, other: Condition): Condition => ({
  values: new Map(),
  others: [(row) => holds(row, one) && holds(row, other)]
})

/** Parses a domain. Terms are joined by "and", and an operator precedes the two terms that it joins. */
const conditionsOf = (domain: ReadonlyArray<unknown>): ReadonlyArray<Condition> => {
  const conditions: Array<Condition> = []
  for (const term of domain.toReversed()) {
    if (term !== "|" && term !== "&") {
      conditions.push(conditionOf(term))
      continue
    }
    const [first, second] = [conditions.pop(), conditions.pop()]
    // Operators are read from the end, so the terms that were joined last come last.
    if (first !== undefined && second !== undefined)
      conditions.push(term === "|" ? either(second, first) : both(second, first))
  }
  return conditions
}

/** Returns the phone in E.164, which the server stores in addition to the typed one. */
const sanitized = (values: unknown): SimulatedBody => {
  const typed = textAt(values, "phone")
  return typed.startsWith("+") ? { phone_sanitized: `+${typed.replace(/\D/g, "")}` } : {}
}

/** Returns the version that the server's host name begins with. */
const versionOf = (host: string): number => (host.startsWith("odoo20.") ? 20 : host.startsWith("odoo19.") ? 19 : 17)

const answer = (request: SimulatedRequest, store: SimulatedStore): ReturnType<CrmSandbox["answer"]> => {
  const version = versionOf(request.host)
  const notFound = Effect.succeed({ status: 404, body: "<html>Not found</html>" })
  const newer = /^\/json\/2\/([\w.]+)\/(\w+)$/.exec(request.path)
  if (newer !== null) {
    if (version < 19) return notFound
    const [, model = "", method = ""] = newer
    const named = Predicate.isRecord(request.body) ? request.body : {}
    const other = Object.keys(named).find((name) => name !== "context" && argumentsOf[method]?.includes(name) !== true)
    return other === undefined
      ? called(json2, { model, method, ids: listAt(named, "ids"), named, version }, store)
      : Effect.succeed(json2.fault("TypeError", `${method}() got an unexpected keyword argument '${other}'`))
  }
  if (request.path !== "/jsonrpc" || version >= 20) return notFound
  const args = listAt(request.body, "params", "args")
  const method = textAt(request.body, "params", "method")
  if (method === "version") {
    return Effect.succeed(
      jsonRpc.ok({ server_version: `${version}.0`, server_version_info: [version, 0, 0, "final", 0, ""] })
    )
  }
  if (method === "authenticate") return Effect.succeed(jsonRpc.ok(textAt(args, 1) === "" ? false : 2))
  const positional = listAt(args, 5)
  const named = at(args, 6)
  const call = { model: textAt(args, 3), method: textAt(args, 4), named, version }
  if (call.method !== "create") return called(jsonRpc, { ...call, ids: listAt(positional, 0) }, store)
  // The server reads its first positional argument, and fails if there is none.
  return positional.length === 0
    ? Effect.succeed(jsonRpc.fault("IndexError", "list index out of range"))
    : called(jsonRpc, { ...call, ids: [], named: { vals_list: listAt({ all: positional[0] }, "all") } }, store)
}

interface MethodCall {
  readonly model: string
  readonly method: string
  readonly ids: ReadonlyArray<unknown>
  readonly named: unknown
  readonly version: number
}

const called = (
  { fault, ok }: Envelope,
  { ids, method, model, named, version }: MethodCall,
  store: SimulatedStore
): ReturnType<CrmSandbox["answer"]> => {
  const wrong = (values: unknown): string | undefined => {
    const name = at(values, "name")
    if (name !== undefined && (typeof name !== "string" || name.trim() === "")) return "name"
    const stage = at(values, "stage_id")
    if (stage !== undefined && !stages.some(({ id }) => id === stage)) return "stage_id"
    const isKnown = (key: string): boolean => !key.startsWith("x_") || Object.hasOwn(own, key)
    return Predicate.isRecord(values) ? Object.keys(values).find((key) => !isKnown(key)) : "values"
  }

  /** Changes all records or none, since a call is a transaction. */
  const change = (values: SimulatedBody) =>
    Effect.gen(function* () {
      const records = yield* Effect.forEach(ids, (id) => store.get(model, `${typeof id === "number" ? id : 0}`))
      if (records.length === 0 || records.includes(undefined)) {
        return fault("MissingError", "Record does not exist or has been deleted.")
      }
      for (const record of records) {
        if (record !== undefined) yield* store.put(model, record.id, { ...record.body, ...values })
      }
      return ok(true)
    })

  switch (method) {
    case "context_get":
      return Effect.succeed(ok({ lang: "pt_BR", tz: "America/Sao_Paulo", uid: 2 }))
    case "fields_get":
      return Effect.succeed(
        ok(
          Array.isArray(at(named, "allfields"))
            ? Object.fromEntries(
                Object.entries(fieldsOf(model, version)).filter(([field]) => listAt(named, "allfields").includes(field))
              )
            : { name: { string: "Opportunity", type: "char" }, ...own }
        )
      )
    case "search_read":
      return Effect.gen(function* () {
        const table = tables[model]
        const rows = table ?? (yield* store.list(model)).map(viewOf)
        const wantedFields = listAt(named, "fields")
        const unknownField = wantedFields.find((field) => field === "mobile" && version >= 19)
        if (unknownField !== undefined) return fault("ValueError", "Invalid field 'mobile' on model 'res.partner'")
        const activeToo = at(named, "context", "active_test") === false
        const conditions = conditionsOf(listAt(named, "domain"))
        const matching = rows.filter(
          (row) => (activeToo || row["active"] !== false) && conditions.every((condition) => holds(row, condition))
        )
        const offset = numberAt(named, "offset") ?? 0
        return ok(matching.slice(offset, offset + (numberAt(named, "limit") ?? 80)))
      })
    case "create":
      return Effect.gen(function* () {
        const all = listAt(named, "vals_list")
        const isNote = model === "mail.message"
        const bad = all
          .map((values) => wrong(values) ?? (!isNote && textAt(values, "name") === "" ? "name" : undefined))
          .find((each) => each !== undefined)
        if (bad !== undefined) return fault("ValidationError", `Invalid field ${bad}`)
        const defaults = model === "crm.lead" ? { stage_id: 1, probability: 10, active: true, expected_revenue: 0 } : {}
        const made = yield* Effect.forEach(all, (values) =>
          store.insert(model, { ...defaults, ...sanitized(values), ...(Predicate.isRecord(values) ? values : {}) })
        )
        return ok(made.map(Number))
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
    case "action_set_lost": {
      const reason = at(named, "lost_reason_id") ?? at(named, "lost_reason")
      return reason === undefined || lostReasons.some(({ id }) => id === reason)
        ? change({ probability: 0, active: false, ...(reason === undefined ? {} : { lost_reason_id: reason }) })
        : Effect.succeed(fault("ValidationError", "Invalid field lost_reason_id"))
    }
    case "message_post":
      return Effect.map(
        store.insert("mail.message", { body: textAt(named, "body"), res_id: numberAt(ids, 0) ?? 0, model }),
        (id) => ok(version < 19 ? Number(id) : [Number(id)])
      )
    default:
      return Effect.succeed(fault("UserError", "No such method."))
  }
}

export const odooSandbox: CrmSandbox = {
  name: "odoo",
  keyOf: ({ body, headers, path }) => {
    if (path.startsWith("/json/2/")) return /^bearer (\S+)$/i.exec(headers["authorization"] ?? "")?.[1]
    const method = textAt(body, "params", "method")
    // Reading the version needs no credentials.
    return method === "version" ? "sandbox-version" : textAt(body, "params", "args", 2)
  },
  dealKind: "crm.lead",
  stages: stages.map(({ id, name }) => ({ id: `${id}`, name })),
  moved: ({ body }, stage) => ({ ...body, stage_id: Number(stage) }),
  answer,
  trouble: (trouble, seconds, { path }) =>
    trouble === "unauthorized"
      ? (path.startsWith("/json/2/") ? json2 : jsonRpc).fault("AccessDenied", "Access Denied")
      : { status: 429, headers: { "retry-after": `${seconds}` }, body: "<html>Too many requests</html>" },
  standing: (body) => ({
    state:
      body["probability"] === 100 ? "won" : body["active"] === false && body["probability"] === 0 ? "lost" : "open",
    value: numberAt(body, "expected_revenue")
  }),
  close: ({ body }, { outcome, value }) =>
    Effect.succeed({
      ...body,
      ...(outcome === "won" ? { probability: 100, active: true } : { probability: 0, active: false }),
      ...(value === undefined ? {} : { expected_revenue: value })
    })
}
