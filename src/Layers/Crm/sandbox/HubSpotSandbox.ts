import { Effect, Predicate } from "effect"
import { at, listAt, numberAt, sameText, textAt } from "../Calling/JsonPath.ts"
import {
  type CrmSandbox,
  pageOf,
  routed,
  type SimulatedAnswer,
  type SimulatedBody,
  type SimulatedRecord,
  type SimulatedRequest,
  type SimulatedStore
} from "./CrmSandbox.ts"

const usualMembers = { archived: false, createdAt: "2026-09-08T00:00:00.000Z", updatedAt: "2026-09-08T00:00:00.000Z" }

const stage = (id: string, label: string, order: number, closed?: "won" | "lost") => ({
  ...usualMembers,
  id,
  label,
  displayOrder: order,
  writePermissions: "CRM_PERMISSIONS_ENFORCEMENT",
  metadata: {
    isClosed: `${closed !== undefined}`,
    probability: closed === "won" ? "1.0" : closed === "lost" ? "0.0" : "0.4"
  }
})

const pipelines = [
  {
    ...usualMembers,
    id: "default",
    label: "Sales",
    displayOrder: 0,
    stages: [
      stage("new", "New", 0),
      stage("contactconfirmed", "Contact confirmed", 1),
      stage("qualified", "Qualified", 2),
      stage("appointmentscheduled", "Appointment scheduled", 3),
      stage("closedwon", "Closed won", 4, "won"),
      stage("closedlost", "Closed lost", 5, "lost")
    ]
  }
]

const accountInfo = {
  portalId: 62515,
  accountType: "STANDARD",
  companyCurrency: "BRL",
  additionalCurrencies: [],
  timeZone: "UTC",
  utcOffset: "+00:00",
  utcOffsetMilliseconds: 0,
  uiDomain: "app.hubspot.com",
  dataHostingLocation: "na1"
}

const batchEnds = {
  status: "COMPLETE",
  startedAt: "2026-09-08T00:00:00.000Z",
  completedAt: "2026-09-08T00:00:00.000Z"
}
const noAssociations = {
  status: "error",
  category: "OBJECT_NOT_FOUND",
  subCategory: "crm.associations.NO_ASSOCIATIONS_FOUND",
  message: "No associations found"
}

const owners = [{ ...usualMembers, id: "77", email: "owner@ondas.example", type: "PERSON" }]

const property = (name: string, label: string, type = "string") => ({
  name,
  label,
  type,
  fieldType: type === "number" ? "number" : "text",
  groupName: "information",
  description: "",
  options: [],
  calculated: false,
  archived: false
})

const properties: { readonly [object: string]: ReadonlyArray<ReturnType<typeof property>> } = {
  contacts: [
    property("email", "Email"),
    property("firstname", "First name"),
    property("lastname", "Last name"),
    property("phone", "Phone"),
    property("jobtitle", "Job title"),
    property("hubspot_owner_id", "Owner")
  ],
  companies: [property("name", "Name"), property("domain", "Domain"), property("hubspot_owner_id", "Owner")],
  deals: [
    property("dealname", "Deal name"),
    property("dealstage", "Stage"),
    property("pipeline", "Pipeline"),
    property("amount", "Amount", "number"),
    property("closed_won_reason", "Won because"),
    property("closed_lost_reason", "Lost because"),
    property("hubspot_owner_id", "Owner"),
    property("origem", "Origem"),
    property("pontuacao", "Pontuação", "number"),
    property("segmento", "Segmento", "enumeration")
  ],
  notes: [property("hs_note_body", "Body"), property("hs_timestamp", "Time")],
  meetings: ["title", "body", "start_time", "end_time"]
    .map((name) => property(`hs_meeting_${name}`, name))
    .concat(property("hs_timestamp", "Time"))
}

const failed = (status: number, category: string, message: string): SimulatedAnswer => ({
  status,
  body: {
    status: "error",
    message,
    correlationId: "00000000-0000-4000-8000-000000000000",
    category,
    errors: [],
    context: {}
  }
})

const stageOf = (record: SimulatedBody) =>
  pipelines[0]?.stages.find(({ id }) => id === textAt(record, "properties", "dealstage"))

const iso = (millis: number): string => new Date(millis).toISOString()

const viewOf = ({ body, createdAt, id, updatedAt }: SimulatedRecord) => {
  const own = Predicate.isRecord(body["properties"]) ? body["properties"] : {}
  const closed = stageOf(body)
  return {
    id,
    properties: {
      ...own,
      hs_object_id: id,
      ...(closed === undefined
        ? {}
        : {
            hs_is_closed: closed.metadata.isClosed,
            hs_is_closed_won: `${closed.metadata.isClosed === "true" && closed.metadata.probability === "1.0"}`
          }),
      hs_lastmodifieddate: iso(updatedAt)
    },
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
    archived: body["archived"] === true
  }
}

/** Operations on single records. */
const makeRecords = (request: SimulatedRequest, store: SimulatedStore) => {
  const { query } = request
  const given = at(request.body, "properties")
  const own: SimulatedBody = Predicate.isRecord(given) ? given : {}

  const complaint = (object: string, own: SimulatedBody): SimulatedAnswer | undefined => {
    const known = properties[object] ?? []
    for (const [name, value] of Object.entries(own)) {
      const definition = known.find((each) => each.name === name)
      if (definition === undefined) return failed(400, "VALIDATION_ERROR", `Property "${name}" does not exist`)
      if (definition.type === "number" && value !== "" && !Number.isFinite(Number(value))) {
        return failed(400, "VALIDATION_ERROR", `${name} was not a valid number.`)
      }
    }
    const wanted = own["dealstage"]
    if (wanted !== undefined && !pipelines[0]?.stages.some(({ id }) => id === wanted)) {
      return failed(400, "VALIDATION_ERROR", "dealstage is not valid")
    }
    const email = own["email"]
    if (email !== undefined && !/^\S+@\S+\.\S+$/.test(textAt(own, "email"))) {
      return failed(400, "VALIDATION_ERROR", "Email address is invalid")
    }
    return undefined
  }

  /** The record that already has a new record's e-mail address. */
  const holder = Effect.fnUntraced(function* (object: string, id: string | undefined, own: SimulatedBody) {
    const email = own["email"]
    if (object !== "contacts" || typeof email !== "string") return undefined
    const all = yield* store.list("contacts")
    return all.find((each) => each.id !== id && sameText(textAt(each.body, "properties", "email"), email))
  })
  const conflictWith = (id: string) => failed(409, "CONFLICT", `Contact already exists. Existing ID: ${id}`)

  const made = Effect.fnUntraced(function* (object: string, own: SimulatedBody, links: ReadonlyArray<unknown>) {
    const defaults = object === "deals" ? { pipeline: "default", dealstage: "new" } : {}
    const id = yield* store.insert(object, { properties: { ...defaults, ...own }, associations: links })
    return yield* store.get(object, id)
  })

  const created = Effect.fnUntraced(function* (object: string) {
    const wrong = complaint(object, own)
    if (wrong !== undefined) return wrong
    const other = yield* holder(object, undefined, own)
    if (other !== undefined) return conflictWith(other.id)
    const record = yield* made(object, own, listAt(request.body, "associations"))
    return { status: 201, body: record === undefined ? {} : viewOf(record) }
  })

  const put = Effect.fnUntraced(function* (object: string, record: SimulatedRecord, own: SimulatedBody) {
    const before = Predicate.isRecord(record.body["properties"]) ? record.body["properties"] : {}
    yield* store.put(object, record.id, { ...record.body, properties: { ...before, ...own } })
    return yield* store.get(object, record.id)
  })

  const changed = Effect.fnUntraced(function* (object: string, id: string) {
    const record = yield* store.get(object, id)
    if (record === undefined || record.body["archived"] === true)
      return failed(404, "OBJECT_NOT_FOUND", "Object not found.")
    const wrong = complaint(object, own)
    if (wrong !== undefined) return wrong
    const other = yield* holder(object, id, own)
    if (other !== undefined) return conflictWith(other.id)
    const now = yield* put(object, record, own)
    return { status: 200, body: now === undefined ? {} : viewOf(now) }
  })

  return { changed, complaint, created, holder, made, own, put, query, taken: conflictWith }
}

/** Up to a hundred records in a call. */
const makeBatches = (
  request: SimulatedRequest,
  store: SimulatedStore,
  { complaint, holder, made, put, taken }: ReturnType<typeof makeRecords>
) => {
  const inputs = listAt(request.body, "inputs")
  const propertiesIn = (input: unknown): SimulatedBody => {
    const own = at(input, "properties")
    return Predicate.isRecord(own) ? own : {}
  }
  const tooMany = failed(400, "VALIDATION_ERROR", "At most 100 inputs are taken.")
  const done = (results: ReadonlyArray<unknown>, errors: ReadonlyArray<unknown>, status = 200): SimulatedAnswer => ({
    status: errors.length === 0 ? status : 207,
    // The order is reversed, because callers must not rely on it.
    body: {
      ...batchEnds,
      results: results.toReversed(),
      ...(errors.length === 0 ? {} : { numErrors: errors.length, errors })
    }
  })
  const traced = (input: unknown, record: SimulatedRecord | undefined) => ({
    ...(record === undefined ? {} : viewOf(record)),
    objectWriteTraceId: textAt(input, "objectWriteTraceId")
  })
  const errorOf = (input: unknown, answer: SimulatedAnswer) => ({
    status: "error",
    category: textAt(answer.body, "category"),
    message: textAt(answer.body, "message"),
    context: { objectWriteTraceId: [textAt(input, "objectWriteTraceId")] }
  })

  /** Creates all or none: one wrong record makes the whole call fail. */
  const createdAll = Effect.fnUntraced(function* (object: string) {
    if (inputs.length > 100) return tooMany
    for (const input of inputs) {
      const wrong = complaint(object, propertiesIn(input))
      if (wrong !== undefined) return wrong
      const other = yield* holder(object, undefined, propertiesIn(input))
      if (other !== undefined) return taken(other.id)
    }
    const results = yield* Effect.forEach(inputs, (input) =>
      Effect.map(made(object, propertiesIn(input), listAt(input, "associations")), (record) => traced(input, record))
    )
    return done(results, [], 201)
  })

  /** Writes each record separately, identified by its e-mail address or its id. */
  const writtenAll = Effect.fnUntraced(function* (object: string, isUpsert: boolean) {
    if (inputs.length > 100) return tooMany
    const ids = inputs.map((input) => textAt(input, "id").toLowerCase())
    if (new Set(ids).size < ids.length) return failed(400, "VALIDATION_ERROR", "Duplicate IDs found in batch input")
    const all = new Map(
      (yield* store.list(object)).map((each) => [
        isUpsert ? textAt(each.body, "properties", "email").toLowerCase() : each.id,
        each
      ])
    )
    const results: Array<unknown> = []
    const errors: Array<unknown> = []
    for (const input of inputs) {
      const own = propertiesIn(input)
      const there = all.get(textAt(input, "id").toLowerCase())
      const wrong =
        complaint(object, own) ??
        (there === undefined && !isUpsert ? failed(404, "OBJECT_NOT_FOUND", "Object not found.") : undefined)
      if (wrong !== undefined) {
        errors.push(errorOf(input, wrong))
        continue
      }
      const record = there === undefined ? yield* made(object, own, []) : yield* put(object, there, own)
      results.push({ ...traced(input, record), new: there === undefined })
    }
    return done(results, errors)
  })

  const associatedAll = Effect.gen(function* () {
    if (inputs.length > 2000) return tooMany
    for (const input of inputs) {
      const id = textAt(input, "from", "id")
      const contact = yield* store.get("contacts", id)
      if (contact === undefined) return failed(404, "OBJECT_NOT_FOUND", "Object not found.")
      yield* store.put("contacts", id, {
        ...contact.body,
        associations: [...listAt(contact.body, "associations"), { to: { id: textAt(input, "to", "id") } }]
      })
    }
    return done([], [])
  })

  return { associatedAll, createdAll, inputs, tooMany, writtenAll }
}

const makeSearches = (
  request: SimulatedRequest,
  store: SimulatedStore,
  { query }: ReturnType<typeof makeRecords>,
  { inputs, tooMany }: ReturnType<typeof makeBatches>
) => {
  const readOne = Effect.fnUntraced(function* (object: string, id: string) {
    const byEmail = query.get("idProperty") === "email"
    const record = byEmail
      ? (yield* store.list(object)).find((each) => sameText(textAt(each.body, "properties", "email"), id))
      : yield* store.get(object, id)
    return record === undefined || record.body["archived"] === true
      ? failed(404, "OBJECT_NOT_FOUND", "resource not found")
      : { status: 200, body: viewOf(record) }
  })

  /** Returns a phone's digits without its country code, as the CRM indexes them. */
  const calculated = (name: string, record: ReturnType<typeof viewOf>): string | undefined => {
    const member = /^hs_searchable_calculated_(phone|mobile)_number$/.exec(name)?.[1]
    if (member === undefined) return undefined
    const typed = textAt(record, "properties", member === "phone" ? "phone" : "mobilephone")
    return typed.replace(/\D/g, "").replace(/^55(?=\d{10,11}$)/, "")
  }

  const passes = (
    record: ReturnType<typeof viewOf>,
    filter: unknown,
    among: ReadonlySet<unknown> | undefined
  ): boolean => {
    const name = textAt(filter, "propertyName")
    const there = calculated(name, record) ?? textAt(record, "properties", name)
    const value = textAt(filter, "value")
    switch (textAt(filter, "operator")) {
      case "GTE":
        return Date.parse(there) >= Number(value)
      // The operator IN compares in lower case.
      case "IN":
        return among?.has(there.toLowerCase()) === true
      default:
        return sameText(there, value)
    }
  }

  const searched = Effect.fnUntraced(function* (object: string) {
    const groups = listAt(request.body, "filterGroups").map((group) => listAt(group, "filters"))
    const among = new Map(groups.flat().map((filter) => [filter, new Set(listAt(filter, "values"))]))
    if ([...among.values()].some(({ size }) => size > 100)) {
      return failed(400, "VALIDATION_ERROR", "At most 100 values are taken.")
    }
    const rows = (yield* store.list(object)).map(viewOf).filter((record) => !record.archived)
    const matching = rows.filter((record) =>
      groups.some((filters) => filters.every((filter) => passes(record, filter, among.get(filter))))
    )
    const size = Math.min(200, Number(textAt(request.body, "limit")) || 10)
    const page = pageOf(
      matching.toSorted((a, b) => (a.updatedAt < b.updatedAt ? -1 : 1)),
      Number(textAt(request.body, "after")),
      size
    )
    return {
      status: 200,
      body: {
        total: matching.length,
        results: page.rows,
        ...(page.next === undefined ? {} : { paging: { next: { after: `${page.next}` } } })
      }
    }
  })

  const associated = Effect.fnUntraced(function* (id: string) {
    const deals = (yield* store.list("deals")).filter((deal) =>
      listAt(deal.body, "associations").some((association) => textAt(association, "to", "id") === id)
    )
    const to = deals.map((deal) => ({
      toObjectId: deal.id,
      associationTypes: [{ category: "HUBSPOT_DEFINED", typeId: 4, label: null }]
    }))
    // A record without associations is reported as an error, in an answer that succeeds.
    return to.length === 0
      ? { status: 207, body: { ...batchEnds, results: [], numErrors: 1, errors: [noAssociations] } }
      : { status: 200, body: { ...batchEnds, results: [{ from: { id }, to }] } }
  })

  const readAll = Effect.fnUntraced(function* (object: string) {
    if (inputs.length > 100) return tooMany
    const wanted = new Set(inputs.map((input) => textAt(input, "id").toLowerCase()))
    const isByEmail = textAt(request.body, "idProperty") === "email"
    const rows = (yield* store.list(object)).filter(
      ({ body, id }) =>
        body["archived"] !== true && wanted.has(isByEmail ? textAt(body, "properties", "email").toLowerCase() : id)
    )
    return { status: rows.length < wanted.size ? 207 : 200, body: { ...batchEnds, results: rows.map(viewOf) } }
  })

  const listed = Effect.fnUntraced(function* (object: string) {
    const rows = (yield* store.list(object)).filter(({ body }) => body["archived"] !== true)
    const page = pageOf(rows, Number(query.get("after") ?? 0), Number(query.get("limit") ?? 10) || 10)
    return {
      status: 200,
      body: {
        results: page.rows.map(viewOf),
        ...(page.next === undefined ? {} : { paging: { next: { after: `${page.next}` } } })
      }
    }
  })

  const objects = "(contacts|companies|deals|notes|meetings)"

  return { associated, found: readOne, listed, objects, readAll, searched }
}

const answer = (request: SimulatedRequest, store: SimulatedStore) => {
  const records = makeRecords(request, store)
  const { changed, created, query } = records
  const batches = makeBatches(request, store, records)
  const { associatedAll, createdAll, writtenAll } = batches
  const { associated, found, listed, objects, readAll, searched } = makeSearches(request, store, records, batches)

  return routed(
    request,
    [
      [
        "GET",
        /^\/account-info\/2026-09\/details$/,
        () =>
          Effect.succeed({
            status: 200,
            body: accountInfo
          })
      ],
      [
        "GET",
        /^\/crm\/pipelines\/2026-09\/deals$/,
        () => Effect.succeed({ status: 200, body: { results: pipelines } })
      ],
      [
        "GET",
        /^\/crm\/owners\/2026-09$/,
        () => {
          const email = query.get("email")
          const results = owners.filter((owner) => email === null || sameText(owner.email, email))
          return Effect.succeed({ status: 200, body: { results } })
        }
      ],
      [
        "GET",
        new RegExp(`^/crm/properties/2026-09/${objects}$`),
        ([object = ""]) => Effect.succeed({ status: 200, body: { results: properties[object] ?? [] } })
      ],
      ["POST", new RegExp(`^/crm/objects/2026-09/${objects}/search$`), ([object = ""]) => searched(object)],
      ["POST", new RegExp(`^/crm/objects/2026-09/${objects}/batch/read$`), ([object = ""]) => readAll(object)],
      ["POST", new RegExp(`^/crm/objects/2026-09/${objects}/batch/create$`), ([object = ""]) => createdAll(object)],
      ["POST", /^\/crm\/objects\/2026-09\/contacts\/batch\/upsert$/, () => writtenAll("contacts", true)],
      [
        "POST",
        new RegExp(`^/crm/objects/2026-09/${objects}/batch/update$`),
        ([object = ""]) => writtenAll(object, false)
      ],
      ["POST", /^\/crm\/associations\/2026-09\/contacts\/companies\/batch\/associate\/default$/, () => associatedAll],
      [
        "POST",
        /^\/crm\/associations\/2026-09\/(?:contacts|companies)\/deals\/batch\/read$/,
        () => associated(textAt(request.body, "inputs", 0, "id"))
      ],
      ["POST", new RegExp(`^/crm/objects/2026-09/${objects}$`), ([object = ""]) => created(object)],
      ["GET", new RegExp(`^/crm/objects/2026-09/${objects}$`), ([object = ""]) => listed(object)],
      ["GET", new RegExp(`^/crm/objects/2026-09/${objects}/([^/]+)$`), ([object = "", id = ""]) => found(object, id)],
      ["PATCH", new RegExp(`^/crm/objects/2026-09/${objects}/(\\d+)$`), ([object = "", id = ""]) => changed(object, id)]
    ],
    () => Effect.succeed(failed(404, "OBJECT_NOT_FOUND", "Not found."))
  )
}

export const hubSpotSandbox: CrmSandbox = {
  name: "hubspot",
  keyOf: ({ headers }) => /^Bearer (\S+)$/.exec(headers["authorization"] ?? "")?.[1],
  dealKind: "deals",
  stages: (pipelines[0]?.stages ?? []).map(({ id, label }) => ({ id, name: label })),
  moved: ({ body }, dealstage) => ({
    ...body,
    properties: { ...(Predicate.isRecord(body["properties"]) ? body["properties"] : {}), dealstage }
  }),
  answer,
  trouble: (trouble, seconds) =>
    trouble === "unauthorized"
      ? failed(401, "INVALID_AUTHENTICATION", "Authentication credentials not found.")
      : {
          status: 429,
          headers: { "retry-after": `${seconds}`, "x-hubspot-ratelimit-remaining": "0" },
          body: {
            status: "error",
            message: "You have reached your ten_secondly_rolling limit.",
            policyName: "TEN_SECONDLY_ROLLING"
          }
        },
  standing: (body) => ({
    state: stageOf(body)?.metadata.isClosed !== "true" ? "open" : stageOf(body)?.id === "closedwon" ? "won" : "lost",
    value: numberAt(body, "properties", "amount")
  }),
  close: ({ body }, { outcome, reason, value }) => {
    const before = Predicate.isRecord(body["properties"]) ? body["properties"] : {}
    return Effect.succeed({
      ...body,
      properties: {
        ...before,
        dealstage: outcome === "won" ? "closedwon" : "closedlost",
        ...(value === undefined ? {} : { amount: `${value}` }),
        ...(reason === undefined ? {} : { [`closed_${outcome}_reason`]: reason })
      }
    })
  }
}
