import { Effect, Predicate } from "effect"
import { at, numberAt, sameText, textAt } from "../Calling/JsonPath.ts"
import {
  type CrmSandbox,
  type SimulatedAnswer,
  type SimulatedBody,
  type SimulatedRecord,
  type SimulatedRequest,
  type SimulatedStore
} from "./CrmSandbox.ts"

const phases = ["Novo Lead", "Contato confirmado", "Interessado", "Reunião", "Proposta"].map((name, index) => ({
  nCodigo: 61 + index,
  cDescrPadrao: `Fase ${index + 1}`,
  cDescrUsuario: name,
  nOrdem: index + 1
}))
const statuses = ["Ativo", "Cancelado", "Perdido", "Suspenso", "Conquistado"].map((cDescricao, index) => ({
  nCodigo: 1 + index,
  cDescricao,
  letter: cDescricao === "Conquistado" ? "V" : cDescricao.charAt(0)
}))
const reasons = [
  { nCodigo: 1, cDescricao: "Outro" },
  { nCodigo: 2, cDescricao: "Sem verba" }
]
const users = [{ nCodigo: 51, cNome: "Helena Prado", cEmail: "owner@ondas.example" }]

const collections: { readonly [path: string]: string } = {
  contas: "contas",
  contatos: "contatos",
  oportunidades: "oportunidades",
  tarefas: "tarefas"
}

/** Omie answers every error with status 500 and a code. */
const fault = (code: number | string, text: string): SimulatedAnswer => ({
  status: 500,
  body: { faultcode: `SOAP-ENV:Client-${code}`, faultstring: text }
})
const ok = (body: unknown): SimulatedAnswer => ({ status: 200, body })

const numberName = (kind: string): string => (kind === "oportunidades" ? "nCodOp" : "nCod")
const codeName = (kind: string): string => (kind === "oportunidades" ? "cCodIntOp" : "cCodInt")

const viewOf = (kind: string, { body, id }: SimulatedRecord): SimulatedBody => {
  const identification = body["identificacao"]
  return {
    ...body,
    identificacao: { ...(Predicate.isRecord(identification) ? identification : {}), [numberName(kind)]: Number(id) }
  }
}

/** Merges the sent values into the existing ones, member by member. */
const merged = (before: SimulatedBody, change: SimulatedBody): SimulatedBody => ({
  ...before,
  ...Object.fromEntries(
    Object.entries(change).map(([name, part]) => {
      const old = before[name]
      return [name, Predicate.isRecord(part) && Predicate.isRecord(old) ? { ...old, ...part } : part]
    })
  )
})

const complaint = (kind: string, body: SimulatedBody): string | undefined => {
  const name = kind === "oportunidades" ? "cDesOp" : "cNome"
  if (textAt(body, "identificacao", name).trim() === "") return `O preenchimento da tag [${name}] é obrigatório.`
  if (kind !== "contas" && numberAt(body, "identificacao", "nCodConta") === undefined)
    return "O preenchimento da tag [nCodConta] é obrigatório."
  const phase = at(body, "fasesStatus", "nCodFase")
  return phase === undefined || phases.some(({ nCodigo }) => nCodigo === phase) ? undefined : "Fase inválida."
}

const dayAt = (text: string): number => {
  const [day, month, year] = text.split("/")
  return Date.parse(`${year ?? ""}-${month ?? ""}-${day ?? ""}T00:00:00Z`)
}

const answer = (request: SimulatedRequest, store: SimulatedStore): ReturnType<CrmSandbox["answer"]> => {
  const service = /^\/api\/v1\/crm\/([a-z]+)\/$/.exec(request.path)?.[1] ?? ""
  const method = textAt(request.body, "call")
  const given = at(request.body, "param", 0)
  const body: SimulatedBody = Predicate.isRecord(given) ? given : {}
  const kind = collections[service]

  const page = (rows: ReadonlyArray<unknown>): SimulatedAnswer => {
    const size = Math.min(100, numberAt(body, "registros_por_pagina") ?? 20)
    const number = numberAt(body, "pagina") ?? 1
    const pages = Math.ceil(rows.length / size)
    return number > pages
      ? fault(5113, "Não existem registros para a página [1]!")
      : ok({
          pagina: number,
          total_de_paginas: pages,
          total_de_registros: rows.length,
          cadastros: rows.slice((number - 1) * size, number * size)
        })
  }

  if (method === "ListarUsuarios") return Effect.succeed(page(users))
  if (method === "ListarFases") return Effect.succeed(page(phases))
  if (method === "ListarStatus")
    return Effect.succeed(page(statuses.map(({ cDescricao, nCodigo }) => ({ cDescricao, nCodigo }))))
  if (method === "ListarMotivos") return Effect.succeed(page(reasons))
  if (kind === undefined) return Effect.succeed(fault(1, "Serviço não encontrado."))
  const number = numberName(kind)
  const code = codeName(kind)

  const known = (identification: unknown) =>
    Effect.map(store.list(kind), (rows) =>
      rows.find(
        (row) =>
          (textAt(identification, number) !== "" && row.id === textAt(identification, number)) ||
          (textAt(identification, code) !== "" &&
            textAt(row.body, "identificacao", code) === textAt(identification, code))
      )
    )

  return Effect.gen(function* () {
    if (method === "IncluirTarefa") {
      if (textAt(body, "cDescricao") === "") return fault(5001, "cDescricao")
      const code = textAt(body, "cCodInt")
      const same = (yield* store.list(kind)).find((each) => textAt(each.body, "cCodInt") === code)
      return same === undefined
        ? ok({ nCodTarefa: Number(yield* store.insert(kind, body)), cCodInt: code, cCodStatus: "0" })
        : fault(8020, "Tarefa já cadastrada.")
    }
    if (method.startsWith("Verificar")) {
      const rows = yield* store.list(kind)
      const [name, email] = [textAt(body, "cNome"), textAt(body, "cEmail")]
      const match = rows.find(
        (row) =>
          (name === "" || sameText(textAt(row.body, "identificacao", "cNome"), name)) &&
          (email === "" || sameText(textAt(row.body, "telefone_email", "cEmail"), email))
      )
      return match === undefined
        ? fault(5113, "Registro não encontrado.")
        : ok({ nCod: Number(match.id), cCodStatus: "0" })
    }
    if (method.startsWith("Listar")) {
      const since = dayAt(textAt(body, "data_alteracao_inicial"))
      const title = textAt(body, "filtrar_por_descricao")
      const letters = textAt(body, "status")
      const rows = (yield* store.list(kind)).filter((row) => {
        const status = statuses.find(({ nCodigo }) => nCodigo === at(row.body, "fasesStatus", "nCodStatus"))
        return (
          !(row.updatedAt < since) &&
          (letters === "" || letters.split(",").includes(status?.letter ?? "A")) &&
          (title === "" || textAt(row.body, "identificacao", "cDesOp") === title)
        )
      })
      return page(rows.map((row) => viewOf(kind, row)))
    }
    const record = yield* known(method.startsWith("Consultar") ? body : body["identificacao"])
    if (method.startsWith("Consultar")) {
      return record === undefined ? fault(5113, "Registro não encontrado.") : ok(viewOf(kind, record))
    }
    if (method.startsWith("Alterar") && record === undefined) return fault(5113, "Registro não encontrado.")
    const now = merged(record?.body ?? {}, body)
    const wrong = complaint(kind, now)
    if (wrong !== undefined) return fault(5001, wrong)
    const id = record?.id ?? (yield* store.insert(kind, now))
    if (record !== undefined) yield* store.put(kind, id, now)
    return ok({ [number]: Number(id), [code]: textAt(now, "identificacao", code), cCodStatus: "0", cDesStatus: "OK" })
  })
}

export const omieSandbox: CrmSandbox = {
  name: "omie",
  keyOf: ({ body }) => textAt(body, "app_key"),
  dealKind: "oportunidades",
  stages: phases.map(({ cDescrUsuario, nCodigo }) => ({ id: `${nCodigo}`, name: cDescrUsuario })),
  moved: ({ body }, stage) => merged(body, { fasesStatus: { nCodFase: Number(stage) } }),
  answer,
  trouble: (trouble, seconds) =>
    trouble === "unauthorized"
      ? fault(101, "A chave de acesso não está preenchida ou não é válida.")
      : fault(6, `Consumo redundante detectado. Aguarde ${seconds} segundos para tentar novamente.`),
  standing: (body) => ({
    state:
      at(body, "fasesStatus", "nCodStatus") === 5
        ? "won"
        : at(body, "fasesStatus", "nCodStatus") === 3
          ? "lost"
          : "open",
    value: numberAt(body, "ticket", "nTicket")
  }),
  close: ({ body }, { outcome, reason, value }) =>
    Effect.succeed(
      merged(body, {
        fasesStatus: {
          nCodStatus: outcome === "won" ? 5 : 3,
          ...(outcome === "won"
            ? {}
            : { nCodMotivo: reasons.find(({ cDescricao }) => sameText(cDescricao, reason ?? ""))?.nCodigo ?? 1 })
        },
        ...(value === undefined ? {} : { ticket: { nTicket: value } })
      })
    )
}
