import { Clock, Effect, Option, Redacted } from "effect"
import { toMillis } from "../../../../Services/Core/Timestamp.ts"
import type { Fields } from "../../../../Services/Crm/CrmRules.ts"
import { cacheSuccess } from "../../../Platform/CacheSuccess.ts"
import type { Judgement } from "../../../Platform/Outbound/ProviderClient.ts"
import { brasiliaTime } from "../../Calling/BrasiliaTime.ts"
import {
  type ClosedDeal,
  type Credentials,
  type CrmAdapter,
  type CrmClient,
  CrmFailure,
  type SendToCrm
} from "../../Calling/CrmAdapter.ts"
import { allPages, madeId, noneIfMissing, orIfMissing } from "../../Calling/CrmPages.ts"
import {
  at,
  digitsOf,
  listAt,
  lowestId,
  namedReason,
  numberAt,
  present,
  sameText,
  textAt
} from "../../Calling/JsonPath.ts"

const largestPage = 100
const dayMillis = 86_400_000
/** The kind of task that is a note. */
const noteActivity = 7
const noReminder = 99_999

/**
 * For each kind of record: its path, the noun in its method names, and the fields with the CRM's number and the
 * gateway's code.
 */
const services = {
  company: { path: "/crm/contas/", noun: "Conta", number: "nCod", code: "cCodInt" },
  person: { path: "/crm/contatos/", noun: "Contato", number: "nCod", code: "cCodInt" },
  deal: { path: "/crm/oportunidades/", noun: "Oportunidade", number: "nCodOp", code: "cCodIntOp" }
}

/** Splits a Brazilian phone into area code and number. Another phone stays whole. */
const phoneOf = (phone: string) => {
  const digits = digitsOf(phone)
  return phone.startsWith("+55") && digits.length > 10
    ? { cDDDCel1: digits.slice(2, 4), cNumCel1: digits.slice(4) }
    : { cDDDCel1: "", cNumCel1: digits }
}

const wholePhone = (record: unknown): string => {
  const [area, number] = [textAt(record, "telefone_email", "cDDDCel1"), textAt(record, "telefone_email", "cNumCel1")]
  return number === "" ? "" : area === "" ? `+${digitsOf(number)}` : `+55${digitsOf(area)}${digitsOf(number)}`
}

const bodyOf = (kind: "company" | "person" | "deal", fields: Fields) => {
  if (kind === "deal") {
    return {
      identificacao: present({ cDesOp: fields["title"] }),
      ...(fields["stage"] === undefined ? {} : { fasesStatus: { nCodFase: Number(fields["stage"]) } }),
      ...(fields["value"] === undefined ? {} : { ticket: { nServicos: Number(fields["value"]) } })
    }
  }
  const [first = "", ...rest] = (fields["name"] ?? "").split(" ")
  const contact = {
    ...present({ cEmail: kind === "person" ? fields["email"] : undefined, cWebsite: fields["domain"] }),
    ...(fields["phone"] === undefined ? {} : phoneOf(fields["phone"]))
  }
  return {
    identificacao:
      kind === "company"
        ? present({ cNome: fields["name"] })
        : present({ cNome: first, cSobrenome: rest.join(" "), cCargo: fields["job_title"] }),
    ...(Object.keys(contact).length === 0 ? {} : { telefone_email: contact })
  }
}

const fieldsOf = (kind: "company" | "person" | "deal", record: unknown): Fields => {
  switch (kind) {
    case "deal":
      return present({
        title: textAt(record, "identificacao", "cDesOp"),
        stage: textAt(record, "fasesStatus", "nCodFase")
      })
    case "company":
      return present({
        name: textAt(record, "identificacao", "cNome"),
        domain: textAt(record, "telefone_email", "cWebsite")
      })
    case "person":
      return present({
        name: `${textAt(record, "identificacao", "cNome")} ${textAt(record, "identificacao", "cSobrenome")}`.trim(),
        job_title: textAt(record, "identificacao", "cCargo"),
        email: textAt(record, "telefone_email", "cEmail"),
        phone: wholePhone(record)
      })
  }
}

const dayOf = (millis: number): string => {
  const [year = "", month = "", day = ""] = brasiliaTime(millis).slice(0, 10).split("-")
  return `${day}/${month}/${year}`
}

const makeCalls = (send: SendToCrm, credentials: Credentials) => {
  const keys = Object.fromEntries([...credentials].map(([name, value]) => [name, Redacted.value(value)]))

  const call = (path: string, method: string, param: object, isRead: boolean) =>
    Effect.map(
      send({ method: "POST", path, json: { call: method, ...keys, param: [param] }, isRead }),
      ({ json }) => json
    )

  const list = (path: string, method: string, param: object = {}) =>
    allPages((cursor) => {
      const page = Number(cursor ?? 1)
      return call(path, method, { ...param, pagina: page, registros_por_pagina: largestPage }, true).pipe(
        Effect.map((body) => ({
          rows: listAt(body, "cadastros"),
          next: page < (numberAt(body, "total_de_paginas") ?? 1) ? `${page + 1}` : undefined
        })),
        // The CRM reports a page without records as an error.
        orIfMissing({ rows: [], next: undefined })
      )
    })

  /** Returns the record's number, or none. */
  const asked = (kind: keyof typeof services, method: string, param: object) =>
    call(services[kind].path, method, param, true).pipe(
      Effect.map((body) => {
        const { number } = services[kind]
        const id = textAt(body, number) || textAt(body, "identificacao", number)
        return id === "" || id === "0" ? [] : [id]
      }),
      orIfMissing([])
    )

  const users = cacheSuccess(list("/crm/usuarios/", "ListarUsuarios"))
  const statuses = cacheSuccess(
    Effect.map(list("/crm/status/", "ListarStatus"), (rows) => {
      const named = (meaning: RegExp) =>
        textAt(
          rows.find((status) => meaning.test(textAt(status, "cDescricao").toLowerCase())),
          "nCodigo"
        )
      return { won: named(/conquist|ganh/), lost: named(/perdid/) }
    })
  )

  const upsert = Effect.fnUntraced(function* (kind: keyof typeof services, key: string, body: object, more: object) {
    const { code, noun, number, path } = services[kind]
    const identification = at(body, "identificacao")
    const answer = yield* call(
      path,
      `Upsert${noun}`,
      {
        ...body,
        identificacao: { ...(typeof identification === "object" ? identification : {}), [code]: key, ...more }
      },
      false
    )
    return yield* madeId(textAt(answer, number))
  })

  const read: CrmClient["read"] = (kind, id) =>
    noneIfMissing(
      Effect.gen(function* () {
        const { noun, number, path } = services[kind]
        const record = yield* call(path, `Consultar${noun}`, { [number]: Number(id) }, true)
        if (textAt(record, "identificacao", number) !== id) return Option.none()
        const fields = fieldsOf(kind, record)
        if (kind !== "deal") return Option.some({ id, fields })
        const { lost, won } = yield* statuses
        const status = textAt(record, "fasesStatus", "nCodStatus")
        const state = status === "" ? "open" : status === won ? "won" : status === lost ? "lost" : "open"
        return Option.some({ id, fields, state })
      })
    )

  return { asked, call, list, read, statuses, upsert, users }
}
type Calls = ReturnType<typeof makeCalls>

/** Methods that read the account's settings: pipelines, owners, custom fields. */
const accountMethods = ({
  list,
  users
}: Calls): Pick<CrmClient, "check" | "pipelines" | "ownerByEmail" | "customFields"> => ({
  check: Effect.map(users, (rows) => ({ identity: lowestId(rows, "nCodigo") })),

  pipelines: Effect.map(list("/crm/fases/", "ListarFases"), (phases) => [
    {
      id: "all",
      name: "Oportunidades",
      stages: phases
        .toSorted((a, b) => (numberAt(a, "nOrdem") ?? 0) - (numberAt(b, "nOrdem") ?? 0))
        .map((phase) => ({
          id: textAt(phase, "nCodigo"),
          name: textAt(phase, "cDescrUsuario") || textAt(phase, "cDescrPadrao")
        }))
    }
  ]),

  ownerByEmail: (email) =>
    Effect.map(users, (rows) =>
      Option.map(Option.fromNullable(rows.find((user) => sameText(textAt(user, "cEmail"), email))), (user) =>
        textAt(user, "nCodigo")
      )
    ),

  // Only accounts have custom fields, and the interface does not list them. So all values go into the note.
  customFields: Effect.succeed([])
})

const recordMethods = ({
  asked,
  call,
  list,
  read,
  upsert,
  users
}: Calls): Pick<CrmClient, "find" | "findDeals" | "read" | "create" | "update" | "addNote"> => ({
  find: Effect.fnUntraced(function* (kind, { email, key, name }) {
    const { code, noun } = services[kind]
    const ours = key === undefined ? [] : yield* asked(kind, `Consultar${noun}`, { [code]: key })
    if (ours.length > 0) return ours
    if (kind === "company") return yield* asked(kind, "VerificarConta", { cNome: name })
    // The CRM has no search by phone.
    return email === undefined ? [] : yield* asked(kind, "VerificarContato", { cEmail: email })
  }),

  findDeals: Effect.fnUntraced(function* (title, { key }) {
    const ours = yield* asked("deal", "ConsultarOportunidade", { cCodIntOp: key })
    if (ours.length > 0) return ours
    const deals = yield* list("/crm/oportunidades/", "ListarOportunidades", { filtrar_por_descricao: title })
    return deals
      .filter((deal) => textAt(deal, "identificacao", "cDesOp") === title)
      .map((deal) => textAt(deal, "identificacao", "nCodOp"))
  }),

  read,

  create: Effect.fnUntraced(function* (kind, { companyId, fields, key, ownerId, personId }) {
    const seller = ownerId === undefined ? {} : { nCodVend: Number(ownerId) }
    if (kind === "company") return yield* upsert(kind, key, bodyOf(kind, fields), seller)
    if (kind === "deal") {
      const person =
        companyId !== undefined || personId === undefined
          ? undefined
          : yield* call(services.person.path, "ConsultarContato", { nCod: Number(personId) }, true)
      return yield* upsert(kind, key, bodyOf(kind, fields), {
        nCodConta: Number(companyId ?? textAt(person, "identificacao", "nCodConta")),
        ...(personId === undefined ? {} : { nCodContato: Number(personId) }),
        ...(ownerId === undefined ? {} : { nCodVendedor: Number(ownerId) })
      })
    }
    // A contact belongs to an account, so a person without a company becomes one.
    const account =
      companyId ?? (yield* upsert("company", key, { identificacao: present({ cNome: fields["name"] }) }, seller))
    return yield* upsert(kind, key, bodyOf(kind, fields), { nCodConta: Number(account), ...seller })
  }),

  update: Effect.fnUntraced(function* (kind, id, fields) {
    const { noun, number, path } = services[kind]
    const body = bodyOf(kind, fields)
    yield* call(
      path,
      `Alterar${noun}`,
      { ...body, identificacao: { ...body.identificacao, [number]: Number(id) } },
      false
    )
  }),

  // The CRM has only tasks, so a note is a completed task and a meeting an open one.
  addNote: Effect.fnUntraced(function* ({ key, meeting, of: { dealId }, text }) {
    const at = meeting === undefined ? yield* Clock.currentTimeMillis : toMillis(meeting.startsAt)
    const user = lowestId(yield* users, "nCodigo")
    const answer = yield* call(
      "/crm/tarefas/",
      "IncluirTarefa",
      {
        nCodOp: Number(dealId),
        cCodInt: key,
        nCodUsuario: Number(user),
        dData: dayOf(at),
        cHora: meeting === undefined ? "12:00" : brasiliaTime(at).slice(11, 16),
        nCodNotif: noReminder,
        nCodAtividade: noteActivity,
        cDescricao: text,
        cRealizada: meeting === undefined ? "S" : "N"
      },
      false
    )
    // If the CRM returns no number, the gateway's code identifies the task.
    return textAt(answer, "nCodTarefa") || key
  })
})

const dealMethods = ({ call, list, statuses }: Calls): Pick<CrmClient, "close" | "closedSince"> => ({
  close: Effect.fnUntraced(function* (dealId, { outcome, reason, value }) {
    const status = (yield* statuses)[outcome]
    if (status === "") return yield* new CrmFailure({ kind: "rejected" })
    const reasons = outcome === "won" || reason === undefined ? [] : yield* list("/crm/motivos/", "ListarMotivos")
    const named = namedReason(reasons, "cDescricao", reason)
    yield* call(
      services.deal.path,
      "AlterarOportunidade",
      {
        identificacao: { nCodOp: Number(dealId) },
        fasesStatus: {
          nCodStatus: Number(status),
          ...(named === undefined ? {} : { nCodMotivo: numberAt(named, "nCodigo") })
        },
        ...(value === undefined ? {} : { ticket: { nServicos: Number(value) } })
      },
      false
    )
  }),

  // Deals can be filtered by day only, so the day before is read too.
  closedSince: (since) =>
    Effect.map(
      Effect.forEach(
        [
          ["won", "V"],
          ["lost", "P"]
        ] as const,
        ([outcome, status]) =>
          Effect.map(
            list("/crm/oportunidades/", "ListarOportunidades", {
              status,
              data_alteracao_inicial: dayOf(Date.parse(since) - dayMillis)
            }),
            (deals) =>
              deals.map(
                (deal): ClosedDeal => ({
                  id: textAt(deal, "identificacao", "nCodOp"),
                  outcome,
                  reason: undefined,
                  value: numberAt(deal, "ticket", "nTicket") ?? numberAt(deal, "ticket", "nServicos")
                })
              )
          )
      ),
      (lists) => lists.flat()
    )
})

const client = (send: SendToCrm, credentials: Credentials): CrmClient => {
  const calls = makeCalls(send, credentials)
  return { ...accountMethods(calls), ...recordMethods(calls), ...dealMethods(calls) }
}

/** Interprets a failure. All failures have status 500, so only the code and the text distinguish them. */
const faultOf = (code: string, text: string): Judgement => {
  const number = /-(\d{1,6})$/.exec(code)?.[1] ?? ""
  const seconds = Number(/(\d{1,6}) segundo/.exec(text)?.[1] ?? Number.NaN)
  if (number === "5113" || /n[aã]o (?:encontrad|cadastrad|existe)|nenhum registro/i.test(text))
    return { kind: "not_found" }
  if (number === "101") return { kind: "unauthorized" }
  // A repetition within a minute, a method that is still running, or a temporary lock at the CRM.
  if (number === "6" || /bloquead|redundante|sendo executad/i.test(text))
    return { kind: "rate_limited", retryAfterMillis: 1000 * (Number.isFinite(seconds) ? seconds : 60) }
  // The call was already executed, or is still running.
  if (number === "8020") return { kind: "maybe_sent" }
  return { kind: "rejected" }
}

/**
 * The adapter for Omie. There is one address per kind of record, and every body contains the method and both keys.
 * Records are created or found by the gateway's code.
 */
export const omie: CrmAdapter = {
  name: "omie",
  needs: ["app_key", "app_secret"],
  baseUrl: () => "https://app.omie.com.br/api/v1",
  headers: () => ({}),
  // The limit for each key and method. The limit of the gateway's address, for all keys together, is four times as
  // high.
  limits: [{ bucket: "calls", allowance: { amount: 240, seconds: 60 } }],
  lanes: 4,
  judge: ({ json }) => {
    const [code, text] = [textAt(json, "faultcode"), textAt(json, "faultstring")]
    return code === "" && text === "" ? undefined : faultOf(code, text)
  },
  connect: client
}
