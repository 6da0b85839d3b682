import { Effect, Either, Option } from "effect"
import type { FieldDefinition } from "../../../../Services/Crm/CrmRules.ts"
import type { CrmKind } from "../../../../Services/Crm/Ids.ts"
import { isSamePhone, phoneForms } from "../../../../Services/Crm/PhoneForms.ts"
import { cacheSuccess } from "../../../Platform/CacheSuccess.ts"
import {
  type Credentials,
  type CrmAdapter,
  type CrmClient,
  CrmFailure,
  type SearchKeys,
  type SendToCrm
} from "../../Calling/CrmAdapter.ts"
import { madeId, numberedPages } from "../../Calling/CrmPages.ts"
import { at, closedDeal, htmlNote, listAt, numberAt, sameText, textAt } from "../../Calling/JsonPath.ts"
import { newRecord, recordOf, requestedFields, stateOf, valuesOf } from "./OdooRecords.ts"
import { type Domain, largestPage, makeOdooSession, type Term, urlOf } from "./OdooSession.ts"

const models: { readonly [K in CrmKind]: string } = { company: "res.partner", person: "res.partner", deal: "crm.lead" }
/** The most records in one call, and the most matches that are read for each. */
const most = 100
const mostMatches = 5

/** Converts a time to the CRM's format: UTC, without a zone or a fraction. */
const odooTime = (time: string): string => time.slice(0, 19).replace("T", " ")

/** Combines terms with "or", which the query language writes before each pair of terms. */
const anyOf = (terms: ReadonlyArray<Term>): Domain => [...terms.slice(1).map(() => "|"), ...terms]

/** A text with wildcards escaped. */
const exactly = (text: string): string => text.replace(/[\\%_]/g, "\\$&")

/** Fields that depend on the version and the installed modules. */
interface OptionalFields {
  /** The fields of a person with phones. `phone_sanitized` is in E.164. */
  readonly phones: ReadonlyArray<string>
  /** The field with the reason why a deal was lost. Only deals have it. */
  readonly lostReason: string | undefined
}

const makeCalls = (send: SendToCrm, credentials: Credentials) => {
  const { call, createAll, database, searchRead } = makeOdooSession(send, credentials)

  const fieldNames = (model: string, wanted: ReadonlyArray<string>) =>
    Effect.map(call(model, "fields_get", undefined, { allfields: wanted, attributes: ["type"] }, true), (definitions) =>
      wanted.filter((name) => typeof at(definitions, name) === "object")
    )

  /** The optional fields that the server has. They are read once. */
  const optionalFields: Effect.Effect<OptionalFields, CrmFailure> = cacheSuccess(
    Effect.gen(function* () {
      const phones = yield* fieldNames("res.partner", ["phone_sanitized", "mobile"])
      const [lostReason] = yield* fieldNames("crm.lead", ["lost_reason_id", "lost_reason"])
      return { phones: ["phone", ...phones], lostReason }
    })
  )

  /** A text field may contain the number in any notation, so all are searched. The sanitized field has only one. */
  const phoneTerms = (fields: ReadonlyArray<string>, phone: string): ReadonlyArray<Term> =>
    fields.map((field) => (field === "phone_sanitized" ? [field, "=", phone] : [field, "in", phoneForms(phone)]))

  const hasPhone = (fields: ReadonlyArray<string>, row: unknown, phone: string): boolean =>
    fields.some((field) => isSamePhone(textAt(row, field), phone))

  const ids = (rows: ReadonlyArray<unknown>) => rows.map((row) => textAt(row, "id"))
  const archivedToo = { context: { active_test: false } }

  /** Assigns ids to records. The server returns them in the order of the records. */
  const eachMade = (made: unknown, count: number): ReadonlyArray<Either.Either<string, CrmFailure>> => {
    const numbers = listAt({ made }, "made")
    return Array.from({ length: count }, (_, index) => {
      const id = numbers.length === count ? textAt(numbers, index) : ""
      return id === "" ? Either.left(new CrmFailure({ kind: "maybe_sent" })) : Either.right(id)
    })
  }

  const findAll = Effect.fnUntraced(function* (kind: CrmKind, all: ReadonlyArray<SearchKeys>) {
    const isPhoneKnown = all.some(({ phone }) => phone !== undefined)
    const phones = kind === "person" && isPhoneKnown ? (yield* optionalFields).phones : []
    const terms = all.flatMap(
      ({ email, name, phone }): ReadonlyArray<Term> =>
        kind === "company"
          ? [["name", "=ilike", exactly(name)]]
          : [
              ...(email === undefined ? [] : [["email", "=ilike", exactly(email)] as const]),
              ...(phone === undefined ? [] : phoneTerms(phones, phone))
            ]
    )
    const limit = all.length * mostMatches
    const rows =
      terms.length === 0
        ? []
        : yield* searchRead(
            "res.partner",
            [["is_company", "=", kind === "company"], ...anyOf(terms)],
            ["id", "name", "email", ...phones],
            { limit }
          )
    // Some rows may be missing, so the caller must search for fewer records at a time.
    if (rows.length >= limit) return yield* new CrmFailure({ kind: "rejected" })
    return all.map(({ email, name, phone }) => {
      const has = (member: string, value: string | undefined) =>
        rows.filter((row) => value !== undefined && sameText(textAt(row, member), value))
      const strongest = kind === "company" ? has("name", name) : has("email", email)
      if (kind === "company" || strongest.length > 0) return Either.right(ids(strongest))
      return Either.right(ids(phone === undefined ? [] : rows.filter((row) => hasPhone(phones, row, phone))))
    })
  })

  return {
    archivedToo,
    call,
    createAll,
    credentials,
    database,
    eachMade,
    findAll,
    hasPhone,
    ids,
    optionalFields,
    phoneTerms,
    searchRead
  }
}
type Calls = ReturnType<typeof makeCalls>

/** Methods that read the account's settings: pipelines, owners, custom fields. */
const accountMethods = ({
  call,
  credentials,
  database,

  searchRead
}: Calls): Pick<CrmClient, "check" | "pipelines" | "ownerByEmail" | "customFields"> => ({
  // The identity is the database on the server. It is the same for every user's key.
  check: Effect.gen(function* () {
    const stages = yield* call("crm.stage", "search_read", undefined, { domain: [], fields: ["name"], limit: 1 }, true)
    return { identity: !Array.isArray(stages) ? "" : `${urlOf(credentials).toLowerCase()} ${database}` }
  }),

  pipelines: Effect.map(
    searchRead("crm.stage", [], ["name", "is_won", "sequence"], { order: "sequence, id" }),
    (stages) => [
      {
        id: "all",
        name: "All",
        stages: stages
          .filter((stage) => at(stage, "is_won") !== true)
          .map((stage) => ({ id: textAt(stage, "id"), name: textAt(stage, "name") }))
      }
    ]
  ),

  ownerByEmail: (email) =>
    Effect.map(searchRead("res.users", [["login", "=ilike", exactly(email)]], ["id"], { limit: 1 }), ([user]) =>
      Option.filter(Option.some(textAt(user, "id")), (id) => id !== "")
    ),

  customFields: Effect.map(
    call("crm.lead", "fields_get", undefined, { attributes: ["string", "type"] }, true),
    (definitions) =>
      typeof definitions !== "object" || definitions === null
        ? []
        : Object.entries(definitions).flatMap(([key, definition]): ReadonlyArray<FieldDefinition> => {
            if (!key.startsWith("x_")) return []
            const type = textAt(definition, "type")
            const isNumber = type === "integer" || type === "float" || type === "monetary"
            return [
              {
                key,
                label: textAt(definition, "string"),
                kind: "deal",
                type: type === "char" || type === "text" ? "text" : isNumber ? "number" : "other"
              }
            ]
          })
  )
})

const recordMethods = ({
  archivedToo,
  call,
  createAll,
  hasPhone,
  ids,
  optionalFields,
  phoneTerms,
  searchRead
}: Calls): Pick<CrmClient, "find" | "findDeals" | "read" | "create" | "update" | "addNote"> => ({
  find: Effect.fnUntraced(function* (kind, { email, name, phone }) {
    const isKind = ["is_company", "=", kind === "company"] as const
    if (kind === "company") {
      return ids(yield* searchRead("res.partner", [isKind, ["name", "=ilike", exactly(name)]], ["id"], { limit: 5 }))
    }
    const sameEmail =
      email === undefined
        ? []
        : yield* searchRead("res.partner", [isKind, ["email", "=ilike", exactly(email)]], ["id"], { limit: 5 })
    if (sameEmail.length > 0 || phone === undefined) return ids(sameEmail)
    const { phones } = yield* optionalFields
    const rows = yield* searchRead("res.partner", [isKind, ...anyOf(phoneTerms(phones, phone))], ["id", ...phones], {
      limit: 5
    })
    return ids(rows.filter((row) => hasPhone(phones, row, phone)))
  }),

  findDeals: Effect.fnUntraced(function* (title) {
    return ids(yield* searchRead("crm.lead", [["name", "=", title]], ["id"], { limit: 5, ...archivedToo }))
  }),

  read: Effect.fnUntraced(function* (kind, id, ownKeys) {
    const [record] = yield* searchRead(
      models[kind],
      [["id", "=", Number(id)]],
      [...requestedFields[kind], ...ownKeys],
      archivedToo
    )
    return Option.map(Option.fromNullable(record), (row) => recordOf(kind, id, ownKeys, row))
  }),

  create: Effect.fnUntraced(function* (kind, record) {
    const answer = yield* createAll(models[kind], [newRecord(kind, record)])
    const id = textAt({ answer }, "answer", 0) || textAt({ answer }, "answer")
    return yield* madeId(id)
  }),

  update: (kind, id, fields) =>
    Effect.asVoid(call(models[kind], "write", [Number(id)], { vals: valuesOf(kind, fields) }, false)),

  // Older versions read the text as HTML, newer ones as plain text. Without angle brackets both give the same result.
  addNote: ({ meeting, of: { dealId }, text }) => {
    const body = text.replaceAll("<", "‹").replaceAll(">", "›")
    return Effect.flatMap(
      meeting === undefined
        ? call("crm.lead", "message_post", [Number(dealId)], { body }, false)
        : createAll("calendar.event", [
            {
              name: meeting.title,
              start: odooTime(meeting.startsAt),
              stop: odooTime(meeting.endsAt),
              description: body,
              opportunity_id: Number(dealId)
            }
          ]),
      // Up to version 18, the answer is the note's id. Later it is a list with the id.
      (answer) => madeId(textAt({ answer }, "answer", 0) || textAt({ answer }, "answer"))
    )
  }
})

const dealMethods = ({
  archivedToo,
  call,
  optionalFields,
  searchRead
}: Calls): Pick<CrmClient, "close" | "closedSince"> => ({
  close: Effect.fnUntraced(function* (dealId, { outcome, reason, value }) {
    const deal = [Number(dealId)]
    if (value !== undefined)
      yield* call("crm.lead", "write", deal, { vals: { expected_revenue: Number(value) } }, false)
    if (outcome === "won") return yield* Effect.asVoid(call("crm.lead", "action_set_won", deal, {}, false))
    const [named, ...others] =
      reason === undefined
        ? []
        : yield* searchRead("crm.lost.reason", [["name", "=ilike", exactly(reason)]], ["id"], { limit: 2 })
    const { lostReason } = yield* optionalFields
    const because =
      named === undefined || others.length > 0 || lostReason === undefined ? {} : { [lostReason]: at(named, "id") }
    yield* call("crm.lead", "action_set_lost", deal, because, false)
  }),

  closedSince: (since) => {
    const from = odooTime(since)
    const isClosed: Domain = [
      ["write_date", ">=", from],
      "|",
      ["probability", "=", 100],
      "&",
      ["active", "=", false],
      ["probability", "=", 0]
    ]
    const page = (number: number) =>
      searchRead("crm.lead", isClosed, ["active", "probability", "expected_revenue", "company_currency"], {
        order: "write_date, id",
        offset: number * largestPage,
        ...archivedToo
      })
    return Effect.map(numberedPages(page, largestPage), (deals) =>
      deals.flatMap((deal) =>
        closedDeal(stateOf(deal), {
          id: textAt(deal, "id"),
          value: numberAt(deal, "expected_revenue"),
          currency: textAt(deal, "company_currency", 1)
        })
      )
    )
  }
})

const batchMethods = ({
  archivedToo,
  call,
  createAll,
  eachMade,
  findAll,
  searchRead
}: Calls): Pick<CrmClient, "batches"> => ({
  batches: {
    leads: most,
    find: { most, run: findAll },
    read: {
      most,
      run: Effect.fnUntraced(function* (kind, all) {
        const keys = new Set(all.flatMap(({ ownKeys }) => ownKeys))
        const rows = yield* searchRead(
          models[kind],
          [["id", "in", all.map(({ id }) => Number(id))]],
          ["id", ...requestedFields[kind], ...keys],
          archivedToo
        )
        const rowsById = new Map(rows.map((row) => [textAt(row, "id"), row]))
        return all.map(({ id, ownKeys }) => {
          const record = rowsById.get(id)
          return Either.right(record === undefined ? Option.none() : Option.some(recordOf(kind, id, ownKeys, record)))
        })
      })
    },
    create: {
      most,
      // Creates all records or none, because the CRM executes a call in one transaction.
      run: (kind, records) =>
        Effect.map(
          createAll(
            models[kind],
            records.map((record) => newRecord(kind, record))
          ),
          (answer) => eachMade(answer, records.length)
        )
    },
    update: {
      most,
      // Makes one call for all records that get the same values.
      run: Effect.fnUntraced(function* (kind, records) {
        const same = new Map<string, Array<number>>()
        for (const { fields, id } of records) {
          const values = JSON.stringify(valuesOf(kind, fields))
          same.set(values, [...(same.get(values) ?? []), Number(id)])
        }
        for (const [values, of] of same) {
          yield* call(models[kind], "write", of, { vals: JSON.parse(values) as unknown }, false)
        }
        return records.map(() => Either.void)
      })
    },
    addNotes: {
      most,
      // The method for notes of a deal takes one at a time. Created as records, many can be sent in one call, with
      // their text as HTML.
      run: (_, notes) =>
        Effect.map(
          createAll(
            "mail.message",
            notes.map(({ of, text }) => ({
              model: "crm.lead",
              res_id: Number(of.dealId),
              message_type: "comment",
              body: htmlNote(text)
            }))
          ),
          (answer) => eachMade(answer, notes.length)
        )
    }
  }
})

const client = (send: SendToCrm, credentials: Credentials): CrmClient => {
  const calls = makeCalls(send, credentials)
  return { ...accountMethods(calls), ...recordMethods(calls), ...dealMethods(calls), ...batchMethods(calls) }
}

/**
 * The adapter for Odoo. It uses `/jsonrpc` up to version 18 and JSON-2 from version 19 on, depending on the version
 * that the server reports.
 */
export const odoo: CrmAdapter = {
  name: "odoo",
  needs: ["url", "database", "username", "api_key"],
  baseUrl: urlOf,
  headers: () => ({}),
  limits: [{ bucket: "calls", allowance: { amount: 40, seconds: 10 } }],
  lanes: 4,
  judge: ({ json, status }) => {
    if (status !== 200 || at(json, "error") === undefined) return undefined
    // Only the error's name is read, because the rest contains a stack trace of the server.
    switch (textAt(json, "error", "data", "name").split(".").at(-1)) {
      case "AccessDenied":
        return { kind: "unauthorized" }
      case "AccessError":
        return { kind: "forbidden" }
      case "MissingError":
        return { kind: "not_found" }
      case "UserError":
      case "ValidationError":
      case "TypeError":
      case "ValueError":
      // Errors of the server's code. The call was rolled back, and a retry would fail in the same way.
      case "IndexError":
      case "KeyError":
      case "AttributeError":
        return { kind: "rejected" }
      default:
        return { kind: "maybe_sent" }
    }
  },
  connect: client
}
