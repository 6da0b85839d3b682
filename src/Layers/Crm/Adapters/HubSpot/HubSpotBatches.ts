import { Effect, Either } from "effect"
import { now } from "../../../../Services/Core/Timestamp.ts"
import type { CrmKind } from "../../../../Services/Crm/Ids.ts"
import { isSamePhone, nationalNumbers } from "../../../../Services/Crm/PhoneForms.ts"
import { type CrmBatches, CrmFailure, type NewCrmRecord, type SendToCrm } from "../../Calling/CrmAdapter.ts"
import { allPages } from "../../Calling/CrmPages.ts"
import { listAt, textAt } from "../../Calling/JsonPath.ts"
import {
  activityOf,
  defaultProperties,
  idsOf,
  newRecord,
  objects,
  ofCompany,
  phoneProperties,
  propertiesOf,
  recordOf,
  searchedPhones,
  version
} from "./HubSpotRecords.ts"

/** Assigns the results of a batch call to its inputs, by the number that is sent with each. */
const perInput = <A>(
  body: unknown,
  count: number,
  valueOf: (result: unknown) => A | undefined
): ReadonlyArray<Either.Either<A, CrmFailure>> => {
  const results = new Map(listAt(body, "results").map((each) => [textAt(each, "objectWriteTraceId"), each]))
  const errors = new Map(
    listAt(body, "errors").flatMap((error) =>
      listAt(error, "context", "objectWriteTraceId").map(
        (trace) => [typeof trace === "string" ? trace : "", error] as const
      )
    )
  )
  return Array.from({ length: count }, (_, index) => {
    const result = results.get(`${index}`)
    const value = result === undefined ? undefined : valueOf(result)
    if (value !== undefined) return Either.right(value)
    switch (textAt(errors.get(`${index}`), "category")) {
      case "":
        return Either.left(new CrmFailure({ kind: "maybe_sent" }))
      case "CONFLICT":
        return Either.left(new CrmFailure({ kind: "conflict" }))
      case "OBJECT_NOT_FOUND":
        return Either.left(new CrmFailure({ kind: "not_found" }))
      default:
        return Either.left(new CrmFailure({ kind: "rejected" }))
    }
  })
}

const madeIn = (result: unknown): string | undefined => textAt(result, "id") || undefined

/** The CRM's limit of records in one call. */
const most = 100

const makeCalls = (send: SendToCrm) => {
  const post = (path: string, body: unknown, isRead = false) =>
    Effect.map(send({ method: "POST", path, json: body, isRead }), (answer) => answer.json)
  const traced = <A extends object>(inputs: ReadonlyArray<A>) =>
    inputs.map((input, index) => ({ ...input, objectWriteTraceId: `${index}` }))

  /** Searches records that have one of the values. Texts are compared in lower case. */
  const search = Effect.fnUntraced(function* (
    kind: CrmKind,
    values: { readonly [property: string]: ReadonlyArray<string> },
    properties: ReadonlyArray<string> = Object.keys(values)
  ) {
    const groups = Object.entries(values).filter(([, wanted]) => wanted.length > 0)
    if (groups.length === 0) return []
    return yield* allPages((after) =>
      Effect.map(
        post(
          `/crm/objects/${version}/${objects[kind]}/search`,
          {
            filterGroups: groups.map(([propertyName, wanted]) => ({
              filters: [
                { propertyName, operator: "IN", values: [...new Set(wanted.map((value) => value.toLowerCase()))] }
              ]
            })),
            properties,
            sorts: [],
            limit: 200,
            ...(after === undefined ? {} : { after })
          },
          true
        ),
        (body) => ({ rows: listAt(body, "results"), next: textAt(body, "paging", "next", "after") || undefined })
      )
    )
  })

  /** Contacts are read by their address. A contact may have several. */
  const byEmails = Effect.fnUntraced(function* (emails: ReadonlyArray<string>) {
    if (emails.length === 0) return []
    const body = yield* post(
      `/crm/objects/${version}/contacts/batch/read`,
      {
        idProperty: "email",
        properties: ["email", "hs_additional_emails"],
        propertiesWithHistory: [],
        inputs: [...new Set(emails.map((email) => email.toLowerCase()))].map((id) => ({ id }))
      },
      true
    )
    return listAt(body, "results").flatMap((each) =>
      [textAt(each, "properties", "email"), ...textAt(each, "properties", "hs_additional_emails").split(";")].map(
        (email) => [email.trim().toLowerCase(), textAt(each, "id")] as const
      )
    )
  })

  /** Contacts with an e-mail address are created or found by it in the same call. */
  const createPeople = Effect.fnUntraced(function* (records: ReadonlyArray<NewCrmRecord>) {
    const inputs = records.map((record) => ({ record, email: record.fields["email"] }))
    const body = yield* post(`/crm/objects/${version}/contacts/batch/upsert`, {
      inputs: traced(
        inputs.map(({ email, record }) => ({
          id: email,
          idProperty: "email",
          properties: newRecord("person", record).properties
        }))
      )
    })
    const made = perInput(body, records.length, madeIn)
    const pairs = made.flatMap((each, index) => {
      const companyId = records[index]?.companyId
      return Either.isRight(each) && companyId !== undefined
        ? [{ from: { id: each.right }, to: { id: companyId } }]
        : []
    })
    if (pairs.length > 0) {
      yield* post(`/crm/associations/${version}/contacts/companies/batch/associate/default`, { inputs: pairs })
    }
    return made
  })

  const create = Effect.fnUntraced(function* (kind: CrmKind, records: ReadonlyArray<NewCrmRecord>) {
    const body = yield* post(`/crm/objects/${version}/${objects[kind]}/batch/create`, {
      inputs: traced(records.map((record) => newRecord(kind, record)))
    })
    return perInput(body, records.length, madeIn)
  })

  return { byEmails, create, createPeople, post, search, traced }
}

/** Makes the batch operations for companies, people, deals and notes. */
export const batchesOf = (send: SendToCrm, currency: Effect.Effect<string, CrmFailure>): CrmBatches => {
  const { byEmails, create, createPeople, post, search, traced } = makeCalls(send)

  return {
    leads: most,
    find: {
      most,
      run: Effect.fnUntraced(function* (kind, all) {
        if (kind === "company") {
          const companies = yield* search("company", {
            domain: all.flatMap(({ domain }) => domain ?? []),
            name: all.map(({ name }) => name)
          })
          return all.map((keys) => Either.right(idsOf(ofCompany(companies, keys))))
        }
        const sameEmail = new Map(yield* byEmails(all.flatMap(({ email }) => email ?? [])))
        const idOf = (email: string | undefined) => sameEmail.get(email?.toLowerCase() ?? "")
        const others = all.filter(({ email }) => idOf(email) === undefined)
        const numbers = others.flatMap(({ phone }) => (phone === undefined ? [] : nationalNumbers(phone)))
        const samePhone = yield* search(
          "person",
          Object.fromEntries(searchedPhones.map((property) => [property, numbers])),
          phoneProperties
        )
        return all.map(({ email, phone }) => {
          const id = idOf(email)
          return Either.right(
            id !== undefined
              ? [id]
              : idsOf(
                  samePhone.filter(
                    (each) =>
                      phone !== undefined &&
                      phoneProperties.some((name) => isSamePhone(textAt(each, "properties", name), phone))
                  )
                )
          )
        })
      })
    },
    read: {
      most,
      run: Effect.fnUntraced(function* (kind, all) {
        const keys = all.flatMap(({ ownKeys }) => ownKeys)
        const homeCurrency = kind === "deal" ? yield* currency : ""
        const body = yield* post(
          `/crm/objects/${version}/${objects[kind]}/batch/read`,
          {
            properties: [...defaultProperties(kind).split(","), ...new Set(keys)],
            propertiesWithHistory: [],
            inputs: [...new Set(all.map(({ id }) => id))].map((id) => ({ id }))
          },
          true
        )
        const recordsById = new Map(listAt(body, "results").map((each) => [textAt(each, "id"), each]))
        return all.map(({ id, ownKeys }) =>
          Either.right(recordOf(kind, id, ownKeys, recordsById.get(id), homeCurrency))
        )
      })
    },
    create: {
      most,
      run: Effect.fnUntraced(function* (kind, records) {
        if (kind !== "person") return yield* create(kind, records)
        const [unnamed, named] = [
          records.filter(({ fields }) => fields["email"] === undefined),
          records.filter(({ fields }) => fields["email"] !== undefined)
        ]
        const made = new Map<NewCrmRecord, Either.Either<string, CrmFailure>>()
        const keep = (of: ReadonlyArray<NewCrmRecord>, results: ReadonlyArray<Either.Either<string, CrmFailure>>) =>
          results.forEach((result, index) => {
            const record = of[index]
            if (record !== undefined) made.set(record, result)
          })
        if (named.length > 0) keep(named, yield* createPeople(named))
        if (unnamed.length > 0) keep(unnamed, yield* create(kind, unnamed))
        return records.map((record) => made.get(record) ?? Either.left(new CrmFailure({ kind: "maybe_sent" })))
      })
    },
    update: {
      most,
      run: (kind, records) =>
        Effect.map(
          post(`/crm/objects/${version}/${objects[kind]}/batch/update`, {
            inputs: traced(records.map(({ fields, id }) => ({ id, properties: propertiesOf(kind, fields) })))
          }),
          (body) => perInput(body, records.length, () => null).map(Either.map(() => undefined))
        )
    },
    addNotes: {
      most,
      run: Effect.fnUntraced(function* (_, notes) {
        const time = yield* now
        const body = yield* post(`/crm/objects/${version}/notes/batch/create`, {
          inputs: traced(notes.map((note) => activityOf(note, time)))
        })
        return perInput(body, notes.length, madeIn)
      })
    }
  }
}
