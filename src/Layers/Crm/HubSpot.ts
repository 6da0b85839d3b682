import { Effect, Either, Option, Redacted } from "effect"
import { now } from "../../Services/Core/Timestamp.ts"
import type { FieldDefinition, Fields } from "../../Services/Crm/CrmRules.ts"
import type { CrmKind } from "../../Services/Crm/Ids.ts"
import {
  at,
  closedDeal,
  htmlNote,
  listAt,
  numberAt,
  ownFields,
  ownNamed,
  present,
  sameText,
  textAt
} from "./Answers.ts"
import {
  type ClosedDeal,
  type CrmAdapter,
  type CrmBatches,
  type CrmClient,
  CrmFailure,
  type CrmRecord,
  type NewCrmRecord,
  type SearchKeys,
  type SendToCrm
} from "./CrmAdapter.ts"
import { allPages } from "./CrmPages.ts"

const objects: { readonly [K in CrmKind]: string } = { company: "companies", person: "contacts", deal: "deals" }

/** The neutral names of fields, and theirs. */
const names: { readonly [K in CrmKind]: { readonly [field: string]: string } } = {
  company: { name: "name", domain: "domain" },
  person: { email: "email", phone: "phone", job_title: "jobtitle" },
  deal: { title: "dealname", stage: "dealstage", value: "amount" }
}

/** Of the kinds of associations that the CRM defines. */
const associations = { personToCompany: 279, dealToPerson: 3, dealToCompany: 341, noteToDeal: 214 }

/** A last name of several words stays one. */
const splitName = (name: string): { readonly firstname: string; readonly lastname: string } => {
  const [first = "", ...rest] = name.trim().split(/\s+/)
  return { firstname: first, lastname: rest.join(" ") }
}

const propertiesOf = (kind: CrmKind, fields: Fields): Fields => ({
  ...Object.fromEntries(
    Object.entries(names[kind]).flatMap(([neutral, own]) => {
      const value = fields[neutral]
      return value === undefined ? [] : [[own, value]]
    })
  ),
  ...(kind === "person" && fields["name"] !== undefined ? splitName(fields["name"]) : {}),
  ...ownFields(fields)
})

const asked = (kind: CrmKind): string =>
  [
    ...Object.values(names[kind]),
    ...(kind === "person" ? ["firstname", "lastname"] : []),
    ...(kind === "deal" ? ["hs_is_closed", "hs_is_closed_won"] : [])
  ].join(",")

const fieldsOf = (kind: CrmKind, record: unknown): Fields => {
  const property = (name: string) => textAt(record, "properties", name)
  const fields = Object.entries(names[kind]).map(([neutral, own]) => [neutral, property(own)] as const)
  const name = kind === "person" ? `${property("firstname")} ${property("lastname")}`.trim() : undefined
  return present({ ...Object.fromEntries(fields), ...(name === undefined ? {} : { name }) })
}

const isTrue = (record: unknown, property: string): boolean => textAt(record, "properties", property) === "true"

const stateOf = (record: unknown): "open" | "won" | "lost" =>
  !isTrue(record, "hs_is_closed") ? "open" : isTrue(record, "hs_is_closed_won") ? "won" : "lost"

const association = (id: string | undefined, type: number) =>
  id === undefined ? [] : [{ to: { id }, types: [{ associationCategory: "HUBSPOT_DEFINED", associationTypeId: type }] }]

const newRecord = (kind: CrmKind, { companyId, fields, ownerId, personId, pipelineId }: NewCrmRecord) => ({
  properties: {
    ...propertiesOf(kind, fields),
    ...(ownerId === undefined ? {} : { hubspot_owner_id: ownerId }),
    ...(kind === "deal" && pipelineId !== undefined ? { pipeline: pipelineId } : {})
  },
  associations:
    kind === "person"
      ? association(companyId, associations.personToCompany)
      : kind === "deal"
        ? [...association(personId, associations.dealToPerson), ...association(companyId, associations.dealToCompany)]
        : []
})

/** A record that was merged into another is answered under the other's number. */
const recordOf = (
  kind: CrmKind,
  id: string,
  ownKeys: ReadonlyArray<string>,
  body: unknown
): Option.Option<CrmRecord> =>
  at(body, "archived") === true || textAt(body, "id") !== id
    ? Option.none()
    : Option.some({
        id,
        fields: { ...fieldsOf(kind, body), ...ownNamed(ownKeys, (key) => textAt(body, "properties", key)) },
        ...(kind === "deal" ? { state: stateOf(body) } : {})
      })

const idsOf = (rows: ReadonlyArray<unknown>): ReadonlyArray<string> => rows.map((row) => textAt(row, "id"))

/** What a company's look-up found: those of its domain, else those of its name. */
const ofCompany = (found: ReadonlyArray<unknown>, { domain, name }: SearchKeys): ReadonlyArray<unknown> => {
  const has = (property: string, value: string | undefined) =>
    found.filter((each) => value !== undefined && sameText(textAt(each, "properties", property), value))
  const sameDomain = has("domain", domain)
  return sameDomain.length > 0 ? sameDomain : has("name", name)
}

/** What a call for many answers of each: by the number that went along with it. */
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
        return Either.left(new CrmFailure({ reason: "unknown" }))
      case "CONFLICT":
        return Either.left(new CrmFailure({ reason: "conflict" }))
      case "OBJECT_NOT_FOUND":
        return Either.left(new CrmFailure({ reason: "not_found" }))
      default:
        return Either.left(new CrmFailure({ reason: "refused_by_crm" }))
    }
  })
}

const madeIn = (result: unknown): string | undefined => textAt(result, "id") || undefined

/** A hundred records in a call, which is what the CRM takes. */
const most = 100

const batchesOf = (send: SendToCrm): CrmBatches => {
  const post = (path: string, body: unknown, isRead = false) =>
    Effect.map(send({ method: "POST", path, body, isRead }), (answer) => answer.body)
  const traced = <A extends object>(inputs: ReadonlyArray<A>) =>
    inputs.map((input, index) => ({ ...input, objectWriteTraceId: `${index}` }))

  /** Records that have one of the values; texts are compared in small letters. */
  const search = Effect.fnUntraced(function* (
    kind: CrmKind,
    values: { readonly [property: string]: ReadonlyArray<string> }
  ) {
    const groups = Object.entries(values).filter(([, wanted]) => wanted.length > 0)
    if (groups.length === 0) return []
    return yield* allPages((after) =>
      Effect.map(
        post(
          `/crm/v3/objects/${objects[kind]}/search`,
          {
            filterGroups: groups.map(([propertyName, wanted]) => ({
              filters: [
                { propertyName, operator: "IN", values: [...new Set(wanted.map((value) => value.toLowerCase()))] }
              ]
            })),
            properties: Object.keys(values),
            limit: 200,
            ...(after === undefined ? {} : { after })
          },
          true
        ),
        (body) => ({ rows: listAt(body, "results"), next: textAt(body, "paging", "next", "after") || undefined })
      )
    )
  })

  /** Contacts are read by their address, of which they may have more than one. */
  const byEmails = Effect.fnUntraced(function* (emails: ReadonlyArray<string>) {
    if (emails.length === 0) return []
    const body = yield* post(
      "/crm/v3/objects/contacts/batch/read",
      {
        idProperty: "email",
        properties: ["email", "hs_additional_emails"],
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

  /** Contacts with an address are made or found by it in the same step. */
  const createPeople = Effect.fnUntraced(function* (records: ReadonlyArray<NewCrmRecord>) {
    const inputs = records.map((record) => ({ record, email: record.fields["email"] }))
    const body = yield* post("/crm/v3/objects/contacts/batch/upsert", {
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
      yield* post("/crm/v4/associations/contacts/companies/batch/associate/default", { inputs: pairs })
    }
    return made
  })

  const create = Effect.fnUntraced(function* (kind: CrmKind, records: ReadonlyArray<NewCrmRecord>) {
    const body = yield* post(`/crm/v3/objects/${objects[kind]}/batch/create`, {
      inputs: traced(records.map((record) => newRecord(kind, record)))
    })
    return perInput(body, records.length, madeIn)
  })

  return {
    leads: most,
    find: {
      most,
      run: Effect.fnUntraced(function* (kind, all) {
        if (kind === "company") {
          const found = yield* search("company", {
            domain: all.flatMap(({ domain }) => domain ?? []),
            name: all.map(({ name }) => name)
          })
          return all.map((keys) => Either.right(idsOf(ofCompany(found, keys))))
        }
        const sameEmail = new Map(yield* byEmails(all.flatMap(({ email }) => email ?? [])))
        const idOf = (email: string | undefined) => sameEmail.get(email?.toLowerCase() ?? "")
        const others = all.filter(({ email }) => idOf(email) === undefined)
        const samePhone = yield* search("person", { phone: others.flatMap(({ phone }) => phone ?? []) })
        return all.map(({ email, phone }) => {
          const id = idOf(email)
          return Either.right(
            id !== undefined
              ? [id]
              : idsOf(samePhone.filter((each) => phone !== undefined && textAt(each, "properties", "phone") === phone))
          )
        })
      })
    },
    read: {
      most,
      run: Effect.fnUntraced(function* (kind, all) {
        const keys = all.flatMap(({ ownKeys }) => ownKeys)
        const body = yield* post(
          `/crm/v3/objects/${objects[kind]}/batch/read`,
          {
            properties: [...asked(kind).split(","), ...new Set(keys)],
            inputs: [...new Set(all.map(({ id }) => id))].map((id) => ({ id }))
          },
          true
        )
        const found = new Map(listAt(body, "results").map((each) => [textAt(each, "id"), each]))
        return all.map(({ id, ownKeys }) => Either.right(recordOf(kind, id, ownKeys, found.get(id))))
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
        return records.map((record) => made.get(record) ?? Either.left(new CrmFailure({ reason: "unknown" })))
      })
    },
    update: {
      most,
      run: (kind, records) =>
        Effect.map(
          post(`/crm/v3/objects/${objects[kind]}/batch/update`, {
            inputs: traced(records.map(({ fields, id }) => ({ id, properties: propertiesOf(kind, fields) })))
          }),
          (body) => perInput(body, records.length, () => null).map(Either.map(() => undefined))
        )
    },
    addNotes: {
      most,
      run: Effect.fnUntraced(function* (_, notes) {
        const time = yield* now
        const body = yield* post("/crm/v3/objects/notes/batch/create", {
          inputs: traced(
            notes.map(({ of, text }) => ({
              properties: { hs_note_body: htmlNote(text), hs_timestamp: time },
              associations: association(of.dealId, associations.noteToDeal)
            }))
          )
        })
        return perInput(body, notes.length, () => null).map(Either.map(() => undefined))
      })
    }
  }
}

const client = (send: SendToCrm): CrmClient => {
  /** Records that have any of the values; all in one call, for the search has a narrow limit of its own. */
  const search = Effect.fnUntraced(function* (kind: CrmKind, values: Fields) {
    const { body } = yield* send({
      method: "POST",
      path: `/crm/v3/objects/${objects[kind]}/search`,
      body: {
        filterGroups: Object.entries(values).map(([propertyName, value]) => ({
          filters: [{ propertyName, operator: "EQ", value }]
        })),
        properties: Object.keys(values),
        limit: 10
      },
      isRead: true
    })
    return listAt(body, "results")
  })

  /** Contacts are unique by their address, which is read from the records themselves: the search lags behind. */
  const byEmail = (email: string) =>
    send({
      method: "GET",
      path: `/crm/v3/objects/contacts/${encodeURIComponent(email)}`,
      query: { idProperty: "email" }
    }).pipe(
      Effect.map(({ body }) => [textAt(body, "id")].filter((id) => id !== "")),
      Effect.catchIf(
        ({ reason }) => reason === "not_found",
        () => Effect.succeed([])
      )
    )

  const pipelines = Effect.map(send({ method: "GET", path: "/crm/v3/pipelines/deals" }), ({ body }) =>
    listAt(body, "results").toSorted((a, b) => (numberAt(a, "displayOrder") ?? 0) - (numberAt(b, "displayOrder") ?? 0))
  )

  const stagesOf = (pipeline: unknown) =>
    listAt(pipeline, "stages").toSorted(
      (a, b) => (numberAt(a, "displayOrder") ?? 0) - (numberAt(b, "displayOrder") ?? 0)
    )

  const isClosing = (stage: unknown): boolean => textAt(stage, "metadata", "isClosed") === "true"

  const fieldsFor = (kind: CrmKind) =>
    Effect.map(send({ method: "GET", path: `/crm/v3/properties/${objects[kind]}` }), ({ body }) =>
      listAt(body, "results").flatMap((property): ReadonlyArray<FieldDefinition> => {
        const isReadOnly = at(property, "modificationMetadata", "readOnlyValue") === true
        if (isReadOnly || at(property, "calculated") === true || at(property, "archived") === true) return []
        const type = textAt(property, "type")
        return [
          {
            key: textAt(property, "name"),
            label: textAt(property, "label"),
            kind,
            type: type === "string" ? "text" : type === "number" ? "number" : "other"
          }
        ]
      })
    )

  return {
    check: Effect.map(send({ method: "GET", path: "/account-info/v3/details" }), ({ body }) => ({
      identity: textAt(body, "portalId")
    })),

    find: Effect.fnUntraced(function* (kind, { domain, email, name, phone }) {
      if (kind === "company") {
        return idsOf(ofCompany(yield* search("company", present({ domain, name })), { domain, name }))
      }
      const sameEmail = email === undefined ? [] : yield* byEmail(email)
      if (sameEmail.length > 0 || phone === undefined) return sameEmail
      return idsOf(yield* search("person", { phone }))
    }),

    findDeals: Effect.fnUntraced(function* (title, { companyId, personId }) {
      const [kind, id] = personId === undefined ? ["companies", companyId] : ["contacts", personId]
      if (id === undefined) return []
      const linked = yield* send({ method: "GET", path: `/crm/v3/objects/${kind}/${id}/associations/deals` })
      const inputs = listAt(linked.body, "results").map((deal) => ({ id: textAt(deal, "id") }))
      if (inputs.length === 0) return []
      const { body } = yield* send({
        method: "POST",
        path: "/crm/v3/objects/deals/batch/read",
        body: { properties: ["dealname"], inputs },
        isRead: true
      })
      return listAt(body, "results")
        .filter((deal) => textAt(deal, "properties", "dealname") === title)
        .map((deal) => textAt(deal, "id"))
    }),

    read: (kind, id, ownKeys) =>
      send({
        method: "GET",
        path: `/crm/v3/objects/${objects[kind]}/${encodeURIComponent(id)}`,
        query: { properties: [asked(kind), ...ownKeys].join(",") }
      }).pipe(
        Effect.map(({ body }) => recordOf(kind, id, ownKeys, body)),
        Effect.catchIf(
          ({ reason }) => reason === "not_found",
          () => Effect.succeedNone
        )
      ),

    create: Effect.fnUntraced(function* (kind, record) {
      const { body } = yield* send({
        method: "POST",
        path: `/crm/v3/objects/${objects[kind]}`,
        body: newRecord(kind, record)
      })
      const id = textAt(body, "id")
      return id === "" ? yield* new CrmFailure({ reason: "unknown" }) : id
    }),

    update: (kind, id, fields) =>
      Effect.asVoid(
        send({
          method: "PATCH",
          path: `/crm/v3/objects/${objects[kind]}/${encodeURIComponent(id)}`,
          body: { properties: propertiesOf(kind, fields) }
        })
      ),

    addNote: Effect.fnUntraced(function* (text, { dealId }) {
      yield* send({
        method: "POST",
        path: "/crm/v3/objects/notes",
        body: {
          properties: { hs_note_body: htmlNote(text), hs_timestamp: yield* now },
          associations: association(dealId, associations.noteToDeal)
        }
      })
    }),

    pipelines: Effect.map(pipelines, (found) =>
      found.map((pipeline) => ({
        id: textAt(pipeline, "id"),
        name: textAt(pipeline, "label"),
        stages: stagesOf(pipeline)
          .filter((stage) => !isClosing(stage))
          .map((stage) => ({ id: textAt(stage, "id"), name: textAt(stage, "label") }))
      }))
    ),

    ownerByEmail: (email) =>
      Effect.map(send({ method: "GET", path: "/crm/v3/owners", query: { email } }), ({ body }) =>
        Option.filter(Option.some(textAt(body, "results", 0, "id")), (id) => id !== "")
      ),

    customFields: Effect.map(Effect.all([fieldsFor("deal"), fieldsFor("person"), fieldsFor("company")]), (found) =>
      found.flat()
    ),

    close: Effect.fnUntraced(function* (dealId, { outcome, pipelineId, reason, value }) {
      const found = yield* pipelines
      const pipeline = found.find((each) => textAt(each, "id") === pipelineId) ?? found[0]
      const wanted = outcome === "won" ? 1 : 0
      const stage = stagesOf(pipeline).find(
        (each) => isClosing(each) && numberAt(each, "metadata", "probability") === wanted
      )
      if (stage === undefined) return yield* new CrmFailure({ reason: "refused_by_crm" })
      yield* send({
        method: "PATCH",
        path: `/crm/v3/objects/deals/${encodeURIComponent(dealId)}`,
        body: {
          properties: {
            dealstage: textAt(stage, "id"),
            ...(value === undefined ? {} : { amount: value }),
            ...(reason === undefined
              ? {}
              : { [outcome === "won" ? "closed_won_reason" : "closed_lost_reason"]: reason.slice(0, 1000) })
          }
        }
      })
    }),

    closedSince: Effect.fnUntraced(function* (since) {
      const closed: Array<ClosedDeal> = []
      let after: string | undefined
      do {
        const { body } = yield* send({
          method: "POST",
          path: "/crm/v3/objects/deals/search",
          isRead: true,
          body: {
            filterGroups: [
              {
                filters: [
                  { propertyName: "hs_lastmodifieddate", operator: "GTE", value: `${Date.parse(since)}` },
                  { propertyName: "hs_is_closed", operator: "EQ", value: "true" }
                ]
              }
            ],
            sorts: [{ propertyName: "hs_lastmodifieddate", direction: "ASCENDING" }],
            properties: ["hs_is_closed", "hs_is_closed_won", "amount", "closed_lost_reason", "closed_won_reason"],
            limit: 200,
            ...(after === undefined ? {} : { after })
          }
        })
        for (const deal of listAt(body, "results"))
          closed.push(
            ...closedDeal(stateOf(deal), {
              id: textAt(deal, "id"),
              reason: textAt(deal, "properties", `closed_${stateOf(deal)}_reason`),
              value: numberAt(deal, "properties", "amount")
            })
          )
        after = textAt(body, "paging", "next", "after")
        // The search ends at its ten thousandth row; the next look goes on behind what this one saw.
      } while (after !== "" && Number(after) < 10_000)
      return closed
    }),

    batches: batchesOf(send)
  }
}

/** HubSpot, with the token of a private app. */
export const hubSpot: CrmAdapter = {
  name: "hubspot",
  needs: ["access_token"],
  baseUrl: () => "https://api.hubapi.com",
  headers: (credentials) => {
    const token = credentials.get("access_token")
    return token === undefined ? {} : { authorization: `Bearer ${Redacted.value(token)}` }
  },
  // Companies are unique by nothing of their own; the vendor says of its search only that it lags behind.
  indexLagSeconds: 300,
  limits: [
    { bucket: "calls", allowance: { amount: 100, seconds: 10 } },
    { bucket: "day", allowance: { amount: 250_000, seconds: 86_400 } }
  ],
  left: (headers) => {
    const told = headers["x-hubspot-ratelimit-remaining"]
    const left = Number(told ?? "")
    return told === undefined || !Number.isFinite(left) ? undefined : { bucket: "calls", left }
  },
  judge: ({ body, status }) => {
    if (status !== 409) return undefined
    // The text names the record that has the address: the one fact of it that is read.
    const existingId = /Existing ID: (\d+)/.exec(textAt(body, "message"))?.[1]
    return new CrmFailure({ reason: "conflict", existingId })
  },
  connect: client
}
