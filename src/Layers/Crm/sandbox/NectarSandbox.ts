import { Effect, Predicate } from "effect"
import { at, digitsOf, listAt, numberAt, sameText, textAt } from "../Calling/JsonPath.ts"
import {
  type CrmSandbox,
  routed,
  type SimulatedAnswer,
  type SimulatedBody,
  type SimulatedRecord,
  type SimulatedRequest,
  type SimulatedStore
} from "./CrmSandbox.ts"

const pipelines = [
  {
    ativo: true,
    id: 5,
    nome: "Funil de venda",
    padrao: true,
    tipo: 0,
    sequencias: ["Gerar interesse", "Contato confirmado", "Interessado", "Reunião", "Proposta"].map((nome, index) => ({
      id: 50 + index,
      nome,
      sequencia: index + 1
    }))
  }
]
const users = [{ ativo: true, id: 31, nome: "Helena Prado", login: "helena", email: "owner@ondas.example" }]
const customFields = [
  { id: 180, nome: "Origem", alias: "origem", tipo: 1, relacionado: "Oportunidade" },
  { id: 181, nome: "Pontuação", alias: "pontuacao", tipo: 0, relacionado: "Oportunidade" }
]

const ok = (body: unknown): SimulatedAnswer => ({ status: 200, body })
/** Errors are plain texts. */
const failed = (status: number, text: string): SimulatedAnswer => ({ status, body: text })

const viewOf = ({ body, id, updatedAt }: SimulatedRecord): SimulatedBody => ({
  ...body,
  id: Number(id),
  dataAtualizacao: new Date(updatedAt).toISOString()
})

/** Returns the beginning of the day in a list's filter. */
const dayAt = (text: string | null): number => {
  const [day, month, year] = (text ?? "").split("/")
  return Date.parse(`${year ?? ""}-${month ?? ""}-${day ?? ""}T00:00:00Z`)
}

const makeOperations = (request: SimulatedRequest, store: SimulatedStore) => {
  const { query } = request
  const path = request.path.replace(/^\/crm\/api\/1/, "")
  const body: SimulatedBody = Predicate.isRecord(request.body) ? { ...request.body } : {}

  const page = (rows: ReadonlyArray<unknown>): SimulatedAnswer => {
    const asked = Number(query.get("page") ?? 1)
    const size = asked === -1 ? 200 : Math.min(50, Number(query.get("displayLength") ?? 20) || 20)
    const from = (Math.max(1, asked) - 1) * size
    return ok(rows.slice(from, from + size))
  }

  const listAnswer = (rows: ReadonlyArray<unknown>): SimulatedAnswer =>
    rows.length === 0 ? failed(404, "Nenhum registro encontrado") : ok(rows)

  /** The CRM returns the same error for an invalid value as for a wrong key. */
  const complaint = (kind: string, isNew: boolean): SimulatedAnswer | undefined => {
    if ((isNew || body["nome"] !== undefined) && textAt(body, "nome").trim() === "") return failed(401, "nome")
    if (kind === "oportunidades" && isNew && textAt(body, "cliente", "id") === "") return failed(401, "cliente")
    const stage = body["etapa"]
    if (stage !== undefined && !pipelines[0]?.sequencias.some(({ sequencia }) => sequencia === stage))
      return failed(401, "etapa")
    const own = body["camposPersonalizados"]
    return Predicate.isRecord(own) && Object.keys(own).some((name) => !customFields.some(({ nome }) => nome === name))
      ? failed(401, "camposPersonalizados")
      : undefined
  }

  const create = Effect.fnUntraced(function* (kind: string) {
    const wrong = complaint(kind, true)
    if (wrong !== undefined) return wrong
    const emails = listAt(body, "emails")
    const taken =
      kind === "contatos" && emails.length > 0
        ? (yield* store.list(kind)).some((each) => listAt(each.body, "emails").some((email) => emails.includes(email)))
        : false
    if (taken) return failed(409, "E-mail já cadastrado")
    const defaults = kind === "oportunidades" ? { status: 1, etapa: 1, funilVenda: { id: 5 }, valorAvulso: 0 } : {}
    const id = yield* store.insert(kind, { ...defaults, ...body })
    return ok({ ...defaults, ...body, id: Number(id) })
  })

  const put = Effect.fnUntraced(function* (kind: string, id: string) {
    const record = yield* store.get(kind, id)
    if (record === undefined) return failed(404, "Não encontrado")
    const wrong = complaint(kind, false)
    if (wrong !== undefined) return wrong
    yield* store.put(kind, id, { ...record.body, ...body })
    return ok({ ...record.body, ...body, id: Number(id) })
  })

  /** Refuses a request that lacks a member. */
  const lacks = (...members: ReadonlyArray<string>): Effect.Effect<SimulatedAnswer> | undefined => {
    const missing = members.find((member) => body[member] === undefined || body[member] === "")
    return missing === undefined ? undefined : Effect.succeed(failed(401, missing))
  }

  return { body, create, found: listAnswer, lacks, page, path, put, query }
}

const answer = (request: SimulatedRequest, store: SimulatedStore) => {
  const { body, create, found, lacks, page, path, put, query } = makeOperations(request, store)

  return routed(
    { ...request, path },
    [
      ["GET", /^\/usuario\/$/, () => Effect.succeed(page(users))],
      ["GET", /^\/pipelines\/$/, () => Effect.succeed(page(pipelines))],
      ["GET", /^\/campoPersonalizado\/$/, () => Effect.succeed(page(customFields))],
      [
        "GET",
        /^\/contatos\/$/,
        () =>
          Effect.map(store.list("contatos"), (rows) => {
            const wanted = query.get("nome")
            return page(
              rows
                .filter(
                  ({ body: each }) =>
                    wanted === null || sameText(textAt(each, "nome"), wanted) || textAt(each, "codigo") === wanted
                )
                .map(viewOf)
            )
          })
      ],
      [
        "GET",
        /^\/contatos\/email\/([^/]+)$/,
        ([email = ""]) =>
          Effect.map(store.list("contatos"), (rows) =>
            found(
              rows
                .filter(({ body: each }) =>
                  listAt(each, "emails").some((one) => typeof one === "string" && sameText(one, email))
                )
                .map(viewOf)
            )
          )
      ],
      [
        "GET",
        /^\/contatos\/telefone\/([^/]+)$/,
        ([phone = ""]) =>
          Effect.map(store.list("contatos"), (rows) =>
            found(
              rows
                .filter(({ body: each }) =>
                  listAt(each, "telefones").some((one) => digitsOf(`${String(one)}`) === phone)
                )
                .map(viewOf)
            )
          )
      ],
      [
        "GET",
        /^\/oportunidades\/contatoId\/(\d+)$/,
        ([id = ""]) =>
          Effect.map(store.list("oportunidades"), (rows) =>
            found(
              rows
                .filter(
                  ({ body: deal }) => textAt(deal, "contato", "id") === id || textAt(deal, "cliente", "id") === id
                )
                .map(viewOf)
            )
          )
      ],
      [
        "GET",
        /^\/oportunidades\/$/,
        () =>
          Effect.map(store.list("oportunidades"), (rows) => {
            const status = query.get("status") ?? "1"
            const since = dayAt(query.get("dataInicioAtualizacao"))
            return page(
              rows.filter((deal) => textAt(deal.body, "status") === status && !(deal.updatedAt < since)).map(viewOf)
            )
          })
      ],
      ["POST", /^\/(contatos|oportunidades)\/$/, ([kind = ""]) => create(kind)],
      ["PUT", /^\/(contatos|oportunidades)\/(\d+)$/, ([kind = "", id = ""]) => put(kind, id)],
      [
        "GET",
        /^\/(contatos|oportunidades)\/(\d+)$/,
        ([kind = "", id = ""]) =>
          Effect.map(store.get(kind, id), (record) =>
            record === undefined ? failed(404, "Não encontrado") : ok(viewOf(record))
          )
      ],
      [
        "POST",
        /^\/tarefas\/$/,
        () =>
          lacks("titulo", "dataLimite", "cliente") ??
          Effect.map(store.insert("tarefas", body), (id) => ok({ ...body, id: Number(id) }))
      ],
      [
        "POST",
        /^\/compromissos\/$/,
        () =>
          lacks("assunto", "dataInicio", "cliente") ??
          Effect.map(store.insert("compromissos", body), (id) => ok({ ...body, id: Number(id) }))
      ]
    ],
    () => Effect.succeed(failed(404, "Não encontrado"))
  )
}

export const nectarSandbox: CrmSandbox = {
  name: "nectar",
  keyOf: ({ headers }) => headers["access-token"],
  dealKind: "oportunidades",
  webhooks: { path: /^\/crm\/api\/1\/webhook\/(\d+)?$/, made: (id) => ({ id: Number(id) }) },
  stages: (pipelines[0]?.sequencias ?? []).map(({ nome, sequencia }) => ({ id: `${sequencia}`, name: nome })),
  moved: ({ body }, stage) => ({ ...body, etapa: Number(stage) }),
  answer,
  trouble: (trouble, seconds) =>
    trouble === "unauthorized"
      ? failed(401, "Token inválido")
      : { ...failed(429, "Limite de requisições"), headers: { "retry-after": `${seconds}` } },
  standing: (body) => ({
    state: body["status"] === 2 ? "won" : body["status"] === 3 ? "lost" : "open",
    value: numberAt(body, "valorAvulso")
  }),
  close: ({ body }, { outcome, reason, value }) =>
    Effect.succeed({
      ...body,
      status: outcome === "won" ? 2 : 3,
      ...(value === undefined ? {} : { valorAvulso: value }),
      justificativas: reason === undefined ? at(body, "justificativas") : [{ nome: reason }]
    })
}
