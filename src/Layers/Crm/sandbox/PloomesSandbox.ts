import { Effect, Predicate } from "effect"
import type { Transient } from "../../../Errors.ts"
import { digitsOf, listAt, numberAt, sameText, textAt } from "../Calling/JsonPath.ts"
import {
  type CrmSandbox,
  routed,
  type SimulatedAnswer,
  type SimulatedBody,
  type SimulatedRecord,
  type SimulatedRequest,
  type SimulatedStore
} from "./CrmSandbox.ts"

const stages = ["Novo", "Contato confirmado", "Interessado", "Reunião"].map((Name, index) => ({
  Id: index + 31,
  Name,
  PipelineId: 3,
  Ordination: index
}))

const tables: { readonly [path: string]: ReadonlyArray<SimulatedBody> } = {
  "/Account": [{ Id: 90210 }],
  "/Users": [{ Id: 8, Name: "Helena Prado", Email: "owner@ondas.example" }],
  "/Webhooks@Actions": ["Create", "Update", "Delete", "Win", "Lose"].map((Name, index) => ({ Id: index + 1, Name })),
  "/Deals@Pipelines": [{ Id: 3, Name: "Vendas" }],
  "/Deals@Stages": stages,
  "/Deals@LossReasons": [
    { Id: 5, Name: "Sem interesse" },
    { Id: 6, Name: "Outros" }
  ],
  "/Fields": [
    { Key: "deal_0A", Name: "Origem", EntityId: 2, Dynamic: true, TypeId: 1 },
    { Key: "deal_0B", Name: "Pontuação", EntityId: 2, Dynamic: true, TypeId: 4 }
  ]
}

const failed = (status: number, message: string): SimulatedAnswer => ({ status, body: { error: { message } } })
const ok = (value: ReadonlyArray<unknown>, status = 200): SimulatedAnswer => ({ status, body: { value } })

const viewOf = ({ body, createdAt, id, updatedAt }: SimulatedRecord): SimulatedBody => ({
  Id: Number(id),
  ...body,
  CreateDate: new Date(createdAt).toISOString(),
  LastUpdateDate: new Date(updatedAt).toISOString()
})

/** Evaluates one condition, in the part of the query language that the adapter uses. */
const holds = (record: SimulatedBody, condition: string): boolean => {
  const phones = /^Phones\/any\(p: (.*)\)$/.exec(condition)?.[1]?.split(" or ")
  if (phones !== undefined) {
    const numbers = new Set(phones.map((each) => /^p\/SearchPhoneNumber eq (\d+)$/.exec(each)?.[1]))
    return listAt(record, "Phones").some((each) =>
      numbers.has(digitsOf(textAt(each, "PhoneNumber")).replace(/^0+/, ""))
    )
  }
  const [, member = "", operator = "", quoted, bare = ""] = /^(\w+) (eq|ne|ge) (?:'(.*)'|(\S+))$/.exec(condition) ?? []
  const there = member === "Dynamic" ? `${String(record["Dynamic"] === true)}` : textAt(record, member)
  const value = quoted === undefined ? bare : quoted.replaceAll("''", "'")
  if (operator === "eq") return sameText(there, value)
  if (operator === "ne") return !sameText(there, value)
  return Date.parse(there) >= Date.parse(value)
}

const answer = (request: SimulatedRequest, store: SimulatedStore) => {
  const body: SimulatedBody = Predicate.isRecord(request.body) ? { ...request.body } : {}

  const listed = (rows: ReadonlyArray<SimulatedBody>): SimulatedAnswer => {
    const conditions = request.query.get("$filter")?.split(" and ") ?? []
    const matching = rows.filter((row) => conditions.every((condition) => holds(row, condition)))
    const skip = Number(request.query.get("$skip") ?? 0)
    return ok(matching.slice(skip, skip + Math.min(300, Number(request.query.get("$top") ?? 300))))
  }

  const wrong = (kind: string, isNew: boolean): string | undefined => {
    const required = kind === "Deals" ? "Title" : "Name"
    if ((isNew || body[required] !== undefined) && textAt(body, required).trim() === "")
      return `${required}: obrigatório`
    if (body["StageId"] !== undefined && !stages.some(({ Id }) => Id === body["StageId"])) return "StageId inválido"
    const unknown = listAt(body, "OtherProperties").find(
      (each) => !(tables["/Fields"] ?? []).some((field) => field["Key"] === textAt(each, "FieldKey"))
    )
    return unknown === undefined ? undefined : "FieldKey inválido"
  }

  const created = Effect.fnUntraced(function* (kind: string) {
    const message = kind === "InteractionRecords" || kind === "Tasks" ? undefined : wrong(kind, true)
    if (message !== undefined) return failed(400, message)
    const id = yield* store.insert(kind, {
      ...(kind === "Deals" ? { StatusId: 1, StageId: stages[0]?.Id, PipelineId: 3, Amount: 0 } : {}),
      ...body
    })
    const made = yield* store.get(kind, id)
    return ok(made === undefined ? [] : [viewOf(made)])
  })

  const changed = (kind: string, id: string, change: SimulatedBody): Effect.Effect<SimulatedAnswer, Transient> =>
    Effect.gen(function* () {
      const record = yield* store.get(kind, id)
      if (record === undefined) return failed(404, "Registro não encontrado")
      const message = wrong(kind, false)
      if (message !== undefined) return failed(400, message)
      yield* store.put(kind, id, { ...record.body, ...change })
      const now = yield* store.get(kind, id)
      return ok(now === undefined ? [] : [viewOf(now)])
    })

  const table = tables[request.path]
  if (request.method === "GET" && table !== undefined) return Effect.succeed(listed(table))
  return routed(
    request,
    [
      [
        "GET",
        /^\/(Contacts|Deals)$/,
        ([kind = ""]) => Effect.map(store.list(kind), (rows) => listed(rows.map(viewOf)))
      ],
      ["POST", /^\/(Contacts|Deals|InteractionRecords|Tasks)$/, ([kind = ""]) => created(kind)],
      ["PATCH", /^\/(Contacts|Deals)\((\d+)\)$/, ([kind = "", id = ""]) => changed(kind, id, body)],
      ["POST", /^\/Deals\((\d+)\)\/Win$/, ([id = ""]) => changed("Deals", id, { StatusId: 2 })],
      [
        "POST",
        /^\/Deals\((\d+)\)\/Lose$/,
        ([id = ""]) =>
          body["LossReasonId"] === 5 || body["LossReasonId"] === 6
            ? changed("Deals", id, {
                StatusId: 3,
                LossReason: { Id: body["LossReasonId"], Name: body["LossReasonId"] === 5 ? "Sem interesse" : "Outros" }
              })
            : Effect.succeed(failed(400, "LossReasonId: obrigatório"))
      ]
    ],
    () => Effect.succeed(failed(404, "Recurso não encontrado"))
  )
}

export const ploomesSandbox: CrmSandbox = {
  name: "ploomes",
  keyOf: ({ headers }) => headers["user-key"],
  dealKind: "Deals",
  webhooks: { path: /^\/Webhooks(?:\((\d+)\))?$/, made: (id) => ({ value: [{ Id: Number(id) }] }) },
  stages: stages.map(({ Id, Name }) => ({ id: `${Id}`, name: Name })),
  moved: ({ body }, stage) => ({ ...body, StageId: Number(stage) }),
  answer,
  trouble: (trouble) =>
    trouble === "unauthorized" ? failed(401, "User-Key inválida") : failed(429, "Muitas requisições"),
  standing: (body) => ({
    state: body["StatusId"] === 2 ? "won" : body["StatusId"] === 3 ? "lost" : "open",
    value: numberAt(body, "Amount")
  }),
  close: ({ body }, { outcome, reason, value }) =>
    Effect.succeed({
      ...body,
      StatusId: outcome === "won" ? 2 : 3,
      ...(value === undefined ? {} : { Amount: value }),
      ...(outcome === "lost" ? { LossReason: { Id: 5, Name: reason ?? "Sem interesse" } } : {})
    })
}
