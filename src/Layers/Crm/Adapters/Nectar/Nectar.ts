import { Effect, Option, Redacted } from "effect"
import { now } from "../../../../Services/Core/Timestamp.ts"
import type { FieldDefinition, Fields } from "../../../../Services/Crm/CrmRules.ts"
import type { CrmKind } from "../../../../Services/Crm/Ids.ts"
import { isSamePhone, nationalNumbers } from "../../../../Services/Crm/PhoneForms.ts"
import { type CrmAdapter, type CrmClient, CrmFailure, type SendToCrm } from "../../Calling/CrmAdapter.ts"
import { allPages, madeId, noneIfMissing, orIfMissing } from "../../Calling/CrmPages.ts"
import {
  at,
  closedDeal,
  digitsOf,
  listAt,
  lowestId,
  numberAt,
  ownFields,
  ownNamed,
  present,
  sameText,
  textAt
} from "../../Calling/JsonPath.ts"
import { idIn, isSame } from "../../Connecting/CrmWebhooks.ts"

const largestPage = 50
const won = 2
/** The statuses of lost and of discarded deals. */
const lost: ReadonlyArray<number> = [3, 4]
/** The contact type for a lead. */
const asLead = 3
const asProspect = 1
const doneTask = 1
const plainTask = 0
const openAppointment = 0
/** The type of authorization for webhook deliveries: a bearer token. */
const bearer = 2

/** Stages have no ids: a stage is identified by its funnel and its position in it. */
const stageId = (funnel: string, place: string): string => `${funnel}:${place}`

const pathOf = (kind: CrmKind): string => (kind === "deal" ? "/oportunidades" : "/contatos")

const bodyOf = (kind: CrmKind, fields: Fields) => {
  const [funnel, place] = (fields["stage"] ?? "").split(":")
  const own = ownFields(fields)
  return {
    ...present({
      nome: kind === "deal" ? fields["title"] : fields["name"],
      site: fields["domain"],
      cargo: fields["job_title"]
    }),
    ...(fields["email"] === undefined ? {} : { emails: [fields["email"]] }),
    ...(fields["phone"] === undefined ? {} : { telefones: [fields["phone"]] }),
    ...(place === undefined ? {} : { funilVenda: { id: Number(funnel) }, etapa: Number(place) }),
    ...(fields["value"] === undefined ? {} : { valorAvulso: Number(fields["value"]) }),
    ...(Object.keys(own).length === 0 ? {} : { camposPersonalizados: own })
  }
}

const fieldsOf = (kind: CrmKind, record: unknown): Fields =>
  kind === "deal"
    ? present({
        title: textAt(record, "nome"),
        stage: stageId(textAt(record, "funilVenda", "id"), textAt(record, "etapa"))
      })
    : present({
        name: textAt(record, "nome"),
        email: textAt(record, "emails", 0),
        phone: textAt(record, "telefones", 0),
        job_title: textAt(record, "cargo"),
        domain: textAt(record, "site")
      })

const stateOf = (record: unknown): "open" | "won" | "lost" => {
  const status = numberAt(record, "status") ?? 0
  return status === won ? "won" : lost.includes(status) ? "lost" : "open"
}

const isCompany = (record: unknown): boolean => at(record, "empresa") === true

/** Lists can be filtered by day only. */
const dayOf = (millis: number): string => {
  const [year = "", month = "", day = ""] = new Date(millis).toISOString().slice(0, 10).split("-")
  return `${day}/${month}/${year}`
}

const makeCalls = (sendAsIs: SendToCrm) => {
  const users = (send: SendToCrm) =>
    Effect.map(send({ method: "GET", path: "/usuario/", query: { page: -1 } }), ({ json }) => listAt(json))

  /** The CRM answers 401 to a wrong value too. The key is at fault only if another call fails with it as well. */
  const send: SendToCrm = (request) =>
    Effect.catchIf(
      sendAsIs(request),
      ({ kind }) => kind === "unauthorized",
      (failure) =>
        Effect.zipRight(
          Effect.mapError(users(sendAsIs), (other) => (other.kind === "unauthorized" ? failure : other)),
          Effect.fail(new CrmFailure({ kind: "rejected" }))
        )
    )

  const list = (path: string, query: { readonly [name: string]: string | number } = {}) =>
    allPages((cursor) =>
      Effect.map(
        send({ method: "GET", path, query: { ...query, page: cursor ?? 1, displayLength: largestPage } }),
        ({ json }) => {
          const rows = listAt(json)
          return { rows, next: rows.length < largestPage ? undefined : `${Number(cursor ?? 1) + 1}` }
        }
      )
    )
  /** A search without a match answers 404 or an empty list. */
  const search = (path: string) =>
    send({ method: "GET", path }).pipe(
      Effect.map(({ json }) => (Array.isArray(json) ? listAt(json) : json === undefined ? [] : [json])),
      orIfMissing([])
    )
  const ids = (rows: ReadonlyArray<unknown>) => rows.map((row) => textAt(row, "id"))

  const find: CrmClient["find"] = Effect.fnUntraced(function* (kind, { email, key, name, phone }) {
    if (key !== undefined) {
      const ours = yield* list("/contatos/", { nome: key, exato: "true" })
      const made = ours.filter((row) => textAt(row, "codigo") === key)
      if (made.length > 0) return ids(made)
    }
    if (kind === "company") {
      const companies = yield* list("/contatos/", { nome: name, exato: "true" })
      return ids(companies.filter((row) => isCompany(row) && sameText(textAt(row, "nome"), name)))
    }
    if (email !== undefined) {
      const sameEmail = yield* search(`/contatos/email/${encodeURIComponent(email)}`)
      const exact = sameEmail.filter(
        (row) =>
          !isCompany(row) && listAt(row, "emails").some((each) => typeof each === "string" && sameText(each, email))
      )
      if (exact.length > 0) return ids(exact)
    }
    if (phone === undefined) return []
    const isSame = (each: unknown): boolean => typeof each === "string" && isSamePhone(each, phone)
    for (const digits of [digitsOf(phone), ...nationalNumbers(phone)]) {
      const samePhone = yield* search(`/contatos/telefone/${encodeURIComponent(digits)}`)
      const people = samePhone.filter((row) => !isCompany(row) && listAt(row, "telefones").some(isSame))
      if (people.length > 0) return ids(people)
    }
    return []
  })

  return { find, ids, list, search, send, sendAsIs, users }
}
type Calls = ReturnType<typeof makeCalls>

/** Methods that read the account's settings: pipelines, owners, custom fields. */
const accountMethods = ({
  send,
  sendAsIs,
  users
}: Calls): Pick<CrmClient, "check" | "pipelines" | "ownerByEmail" | "customFields"> => ({
  check: Effect.map(users(sendAsIs), (rows) => ({ identity: lowestId(rows) })),

  pipelines: Effect.map(
    Effect.map(send({ method: "GET", path: "/pipelines/", query: { type: 0, page: -1 } }), ({ json }) => listAt(json)),
    (pipelines) =>
      pipelines
        .filter((pipeline) => at(pipeline, "ativo") !== false)
        .toSorted((a, b) => Number(at(b, "padrao") === true) - Number(at(a, "padrao") === true))
        .map((pipeline) => ({
          id: textAt(pipeline, "id"),
          name: textAt(pipeline, "nome"),
          stages: listAt(pipeline, "sequencias")
            .toSorted((a, b) => (numberAt(a, "sequencia") ?? 0) - (numberAt(b, "sequencia") ?? 0))
            .map((stage) => ({
              id: stageId(textAt(pipeline, "id"), textAt(stage, "sequencia")),
              name: textAt(stage, "nome")
            }))
        }))
  ),

  ownerByEmail: (email) =>
    Effect.map(users(send), (rows) =>
      Option.map(
        Option.fromNullable(
          rows.find((user) => [textAt(user, "email"), textAt(user, "login")].some((each) => sameText(each, email)))
        ),
        (user) => textAt(user, "id")
      )
    ),

  customFields: Effect.map(send({ method: "GET", path: "/campoPersonalizado/", query: { page: -1 } }), ({ json }) =>
    listAt(json).flatMap((field): ReadonlyArray<FieldDefinition> => {
      const belongs = textAt(field, "relacionado")
      const type = numberAt(field, "tipo") ?? -1
      return belongs !== "Contato" && belongs !== "Oportunidade"
        ? []
        : [
            {
              // Custom fields are written by name.
              key: textAt(field, "nome"),
              label: textAt(field, "nome"),
              kind: belongs === "Contato" ? "person" : "deal",
              type: [1, 6, 8].includes(type) ? "text" : [0, 3, 12].includes(type) ? "number" : "other"
            }
          ]
    })
  )
})

const recordMethods = ({
  find,
  ids,
  search,
  send
}: Calls): Pick<CrmClient, "find" | "findDeals" | "read" | "create" | "update" | "addNote"> => ({
  find,

  findDeals: (title, { companyId, personId }) =>
    Effect.map(search(`/oportunidades/contatoId/${encodeURIComponent(personId ?? companyId ?? "")}`), (deals) =>
      ids(deals.filter((deal) => textAt(deal, "nome") === title))
    ),

  read: (kind, id, ownKeys) =>
    noneIfMissing(
      Effect.map(send({ method: "GET", path: `${pathOf(kind)}/${encodeURIComponent(id)}` }), ({ json }) =>
        textAt(json, "id") !== id || (kind !== "deal" && at(json, "ativo") === false)
          ? Option.none()
          : Option.some({
              id,
              fields: {
                ...fieldsOf(kind, json),
                ...ownNamed(ownKeys, (key) => textAt(json, "camposPersonalizados", key))
              },
              ...(kind === "deal" ? { state: stateOf(json) } : {})
            })
      )
    ),

  create: (kind, { companyId, fields, key, ownerId, personId, pipelineId }) =>
    send({
      method: "POST",
      path: `${pathOf(kind)}/`,
      json:
        kind === "deal"
          ? {
              ...(pipelineId === undefined ? {} : { funilVenda: { id: Number(pipelineId) } }),
              ...bodyOf(kind, fields),
              // The customer of the deal: the company, if there is one.
              cliente: { id: Number(companyId ?? personId) },
              ...(personId === undefined ? {} : { contato: { id: Number(personId) } }),
              ...(ownerId === undefined ? {} : { responsavel: { id: Number(ownerId) } })
            }
          : {
              ...bodyOf(kind, fields),
              ativo: true,
              empresa: kind === "company",
              constante: kind === "company" ? asProspect : asLead,
              codigo: key,
              ...(companyId === undefined ? {} : { empresaAtual: { id: Number(companyId) } }),
              ...(ownerId === undefined ? {} : { responsavel: { id: Number(ownerId) } })
            }
    }).pipe(
      Effect.flatMap(({ json }) => madeId(textAt(json, "id"))),
      // Another contact has the same e-mail address or phone. The CRM does not report which one.
      Effect.catchIf(
        (failure) => failure.kind === "conflict" && failure.existingId === undefined && kind !== "deal",
        (failure) =>
          Effect.flatMap(
            find(kind === "company" ? "company" : "person", {
              name: fields["name"] ?? "",
              email: fields["email"],
              phone: fields["phone"]
            }),
            ([existingId, ...others]) =>
              existingId === undefined || others.length > 0
                ? Effect.fail(failure)
                : Effect.fail(new CrmFailure({ kind: "conflict", existingId }))
          )
      )
    ),

  update: (kind, id, fields) =>
    Effect.asVoid(
      send({ method: "PUT", path: `${pathOf(kind)}/${encodeURIComponent(id)}`, json: bodyOf(kind, fields) })
    ),

  // The CRM has no notes, so a note is a completed task. A meeting is an appointment.
  addNote: Effect.fnUntraced(function* ({ meeting, of: { companyId, dealId, personId }, text }) {
    const links = { cliente: { id: Number(companyId ?? personId) }, oportunidade: { id: Number(dealId) } }
    const { json } = yield* send(
      meeting === undefined
        ? {
            method: "POST",
            path: "/tarefas/",
            json: {
              titulo: text.split("\n")[0],
              descricao: text,
              dataLimite: yield* now,
              status: doneTask,
              tipo: plainTask,
              ...links
            }
          }
        : {
            method: "POST",
            path: "/compromissos/",
            json: {
              assunto: meeting.title,
              descricao: text,
              dataInicio: meeting.startsAt,
              dataFim: meeting.endsAt,
              status: openAppointment,
              ...links
            }
          }
    )
    return yield* madeId(textAt(json, "id"))
  })
})

const dealMethods = ({ list, send }: Calls): Pick<CrmClient, "close" | "closedSince"> => ({
  close: (dealId, { outcome, reason, value }) =>
    Effect.asVoid(
      send({
        method: "PUT",
        path: `/oportunidades/${encodeURIComponent(dealId)}`,
        json: {
          status: outcome === "won" ? won : lost[0],
          ...(reason === undefined ? {} : { justificativas: [{ nome: reason }] }),
          ...(value === undefined ? {} : { valorAvulso: Number(value) })
        }
      })
    ),

  closedSince: (since) =>
    Effect.map(
      // Lists contain only open deals by default, and can be filtered by day only.
      Effect.forEach([won, ...lost], (status) =>
        list("/oportunidades/", { status, dataInicioAtualizacao: dayOf(Date.parse(since) - 86_400_000) })
      ),
      (lists) =>
        lists.flat().flatMap((deal) =>
          closedDeal(stateOf(deal), {
            id: textAt(deal, "id"),
            reason: textAt(deal, "justificativas", 0, "nome"),
            value: numberAt(deal, "valorTotal") ?? numberAt(deal, "valorAvulso")
          })
        )
    )
})

const client = (sendAsIs: SendToCrm): CrmClient => {
  const calls = makeCalls(sendAsIs)
  return { ...accountMethods(calls), ...recordMethods(calls), ...dealMethods(calls) }
}

/** The adapter for Nectar. Persons and companies are one collection, and a deal belongs to one of them. */
export const nectar: CrmAdapter = {
  name: "nectar",
  needs: ["api_token"],
  baseUrl: () => "https://app.nectarcrm.com.br/crm/api/1",
  headers: (credentials) => {
    const token = credentials.get("api_token")
    return token === undefined ? {} : { "access-token": Redacted.value(token) }
  },
  limits: [{ bucket: "calls", allowance: { amount: 2, seconds: 1 } }],
  connect: client,
  webhooks: {
    register: (send, { address, secret }) =>
      Effect.forEach([1001, 1008], (eventNumber) =>
        Effect.map(
          send({
            method: "POST",
            path: "/webhook/",
            json: {
              nome: "prospecting gateway",
              url: address,
              eventNumber,
              authType: bearer,
              tokenBearer: secret,
              isAtivo: true
            }
          }),
          ({ json }) => textAt(json, "id")
        )
      ),
    remove: (send, id) => Effect.asVoid(send({ method: "DELETE", path: `/webhook/${encodeURIComponent(id)}` })),
    // It is unknown whether the CRM sends the token in this header. Without it, the secret address is the only proof.
    isGenuine: ({ headers, secret }) => {
      const given = headers["authorization"] ?? ""
      return given === "" || isSame(given.replace(/^Bearer /i, ""), secret)
    },
    dealOf: (body) => (textAt(body, "status") === "1" ? undefined : idIn(body, "id"))
  }
}
