import { Effect, Predicate } from "effect"
import { listAt, numberAt, sameText, textAt } from "../Calling/JsonPath.ts"
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

const stages = (
  [
    ["NEW", "New"],
    ["CONFIRMED", "Contato confirmado"],
    ["SCREENING", "Interessado"],
    ["MEETING", "Meeting"],
    ["PROPOSAL", "Proposal"],
    ["CUSTOMER", "Customer"],
    ["LOST", "Lost"]
  ] as const
).map(([value, label], position) => ({ value, label, position }))
const members = [{ id: "00000000-0000-4000-9000-000000000061", userEmail: "owner@ondas.example" }]
const objects = [
  { nameSingular: "company", fields: [{ name: "name", type: "TEXT", isCustom: false }] },
  { nameSingular: "person", fields: [{ name: "name", type: "FULL_NAME", isCustom: false }] },
  {
    nameSingular: "opportunity",
    fields: [
      { name: "stage", type: "SELECT", isCustom: false, options: stages },
      { name: "owner", type: "RELATION", isCustom: false },
      { name: "origem", label: "Origem", type: "TEXT", isCustom: true },
      { name: "pontuacao", label: "Pontuação", type: "NUMBER", isCustom: true }
    ]
  },
  // The target objects as of version 1.17.
  ...["note", "task"].map((one) => ({
    nameSingular: `${one}Target`,
    fields: ["Person", "Company", "Opportunity"].map((target) => ({
      name: `target${target}`,
      type: "MORPH_RELATION",
      isCustom: false
    }))
  }))
]
const singular: { readonly [many: string]: string } = {
  companies: "company",
  people: "person",
  opportunities: "opportunity"
}
const own: ReadonlySet<string> = new Set(["origem", "pontuacao"])
const plain: ReadonlySet<string> = new Set([
  "name",
  "emails",
  "phones",
  "jobTitle",
  "domainName",
  "companyId",
  "pointOfContactId",
  "ownerId",
  "stage",
  "amount"
])

const uuid = (id: string): string => `00000000-0000-4000-8000-${id.padStart(12, "0")}`
const storedId = (viewOf: string): string => viewOf.slice(-12).replace(/^0+/, "")

const ok = (data: unknown, more: object = {}): SimulatedAnswer => ({ status: 200, body: { data, ...more } })
const failed = (status: number, error: string, message: string): SimulatedAnswer => ({
  status,
  body: { statusCode: status, error, messages: [message] }
})

const shown = ({ body, id, updatedAt }: SimulatedRecord): SimulatedBody => ({
  ...body,
  id: uuid(id),
  updatedAt: new Date(updatedAt).toISOString(),
  deletedAt: null
})

/** `a.b[eq]:"text"`, joined by commas. */
const holds = (row: SimulatedBody, filter: string): boolean => {
  const match = /^([\w.]+)\[(\w+)\]:(.*)$/s.exec(filter)
  const value = textAt(row, ...(match?.[1] ?? "").split("."))
  const wanted = (match?.[3] ?? "").replace(/^"|"$/g, "").replace(/\\([\\"%_])/g, "$1")
  switch (match?.[2]) {
    case "eq":
      return value === wanted
    case "ilike":
      return sameText(value, wanted.replace(/\\([%_])/g, "$1"))
    case "gte":
      return value >= wanted
    case "in":
      return (match[3] ?? "").includes(`"${value}"`)
    default:
      return false
  }
}

const makeOperations = (request: SimulatedRequest, store: SimulatedStore) => {
  const { query } = request
  const body: SimulatedBody = Predicate.isRecord(request.body) ? { ...request.body } : {}

  const complaint = (many: string, isNew: boolean, body: SimulatedBody): string | undefined => {
    const name = many === "people" ? textAt(body, "name", "firstName") : textAt(body, "name")
    if (many !== "people" && (isNew || body["name"] !== undefined) && name.trim() === "") return "name is required"
    const unknown = Object.keys(body).find((key) => !plain.has(key) && !(many === "opportunities" && own.has(key)))
    if (unknown !== undefined) return `Field ${unknown} does not exist`
    const stage = body["stage"]
    return stage === undefined || stages.some(({ value }) => value === stage) ? undefined : "Invalid stage"
  }

  const listed = (many: string, rows: ReadonlyArray<SimulatedBody>): SimulatedAnswer => {
    const filters = (query.get("filter") ?? "").split(/,(?=[\w.]+\[)/).filter((each) => each !== "")
    const matching = rows.filter((row) => filters.every((filter) => holds(row, filter)))
    const size = Math.min(60, Number(query.get("limit") ?? 60) || 60)
    const page = pageOf(matching, Number(query.get("starting_after") ?? 0), size)
    return ok(
      { [many]: page.rows },
      {
        totalCount: matching.length,
        pageInfo: { hasNextPage: page.next !== undefined, endCursor: `${page.next ?? ""}` }
      }
    )
  }

  const capitalized = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`

  /** Inserts all records or none. */
  const insert = Effect.fnUntraced(function* (many: string, all: ReadonlyArray<SimulatedBody>) {
    const emailOf = (each: SimulatedBody) => textAt(each, "emails", "primaryEmail").toLowerCase()
    const there = (yield* store.list(many)).map((each) => emailOf(each.body))
    const emails = [...there, ...all.map(emailOf)].filter((email) => email !== "")
    const wrong =
      all.map((each) => complaint(many, true, each)).find((each) => each !== undefined) ??
      (new Set(emails).size < emails.length ? "A duplicate entry was detected" : undefined)
    if (wrong !== undefined) return failed(400, "BadRequestException", wrong)
    return yield* Effect.forEach(all, (each) =>
      Effect.map(store.insert(many, { ...(many === "opportunities" ? { stage: "NEW" } : {}), ...each }), (id) => ({
        ...each,
        id: uuid(id)
      }))
    )
  })

  const create = Effect.fnUntraced(function* (many: string) {
    const made = yield* insert(many, [body])
    return "status" in made ? made : { ...ok({ [`create${capitalized(singular[many] ?? "")}`]: made[0] }), status: 201 }
  })

  const createAll = Effect.fnUntraced(function* (many: string) {
    const all = listAt({ rows: request.body }, "rows").map((row): SimulatedBody => (Predicate.isRecord(row) ? row : {}))
    if (all.length > 60) return failed(400, "BadRequestException", "Maximum number of records is 60")
    const made = yield* insert(many, all)
    return "status" in made ? made : { ...ok({ [`create${capitalized(many)}`]: made }), status: 201 }
  })

  const patch = Effect.fnUntraced(function* (many: string, id: string) {
    const record = yield* store.get(many, storedId(id))
    if (record === undefined) return failed(404, "NotFoundException", "Record not found")
    const wrong = complaint(many, false, body)
    if (wrong !== undefined) return failed(400, "BadRequestException", wrong)
    yield* store.put(many, storedId(id), { ...record.body, ...body })
    return ok({ [`update${capitalized(singular[many] ?? "")}`]: { id } })
  })

  const misused = ok(null, { errors: [{ message: "Invalid input", extensions: { code: "BAD_USER_INPUT" } }] })

  /** Notes or tasks, each with its target. */
  const notes = Effect.gen(function* () {
    const kind = listAt(body, "variables", "tasks").length > 0 ? "tasks" : "notes"
    const given = listAt(body, "variables", kind)
    const targets = listAt(body, "variables", "targets")
    const isTargeted = targets.every((target) => textAt(target, "targetOpportunityId") !== "")
    if (targets.length !== given.length || !isTargeted) return misused
    const there = (yield* store.list("notes")).map((each) => textAt(each.body, "id"))
    const ids = [...there, ...given.map((each) => textAt(each, "id"))]
    const isEmpty = given.some((each) => textAt(each, "bodyV2", "markdown") === "")
    if (given.length > 60 || isEmpty || new Set(ids).size < ids.length) return misused
    yield* Effect.forEach(given, (each) => store.insert("notes", Predicate.isRecord(each) ? each : {}))
    return ok({ [kind === "notes" ? "createNotes" : "createTasks"]: given.map((each) => ({ id: textAt(each, "id") })) })
  })

  const search = Effect.fnUntraced(function* (many: string) {
    const filters = listAt(body, "variables", "filter", "or")
    const plainly = (text: string) =>
      text
        .replace(/\\([\\%_])/g, "$1")
        .trim()
        .toLowerCase()
    const wanted = (...path: ReadonlyArray<string>) =>
      new Set(filters.map((filter) => plainly(textAt(filter, ...path))).filter((text) => text !== ""))
    const names = wanted("name", "ilike")
    const emails = wanted("emails", "primaryEmail", "ilike")
    const phones = new Set(filters.flatMap((filter) => listAt(filter, "phones", "primaryPhoneNumber", "in")))
    const rows = (yield* store.list(many)).filter(
      (row) =>
        names.has(textAt(row.body, "name").trim().toLowerCase()) ||
        emails.has(textAt(row.body, "emails", "primaryEmail").trim().toLowerCase()) ||
        phones.has(textAt(row.body, "phones", "primaryPhoneNumber"))
    )
    return ok({
      [many]: {
        edges: rows.slice(0, 60).map((row) => ({ node: shown(row) })),
        pageInfo: { hasNextPage: rows.length > 60 }
      }
    })
  })

  const graph = Effect.suspend(() => {
    const query = textAt(body, "query")
    const many = /\b(companies|people)\(filter:/.exec(query)?.[1]
    return many === undefined ? notes : search(many)
  })

  return { create, createAll, graph, listed, patch }
}

const answer = (request: SimulatedRequest, store: SimulatedStore) => {
  const { create, createAll, graph, listed, patch } = makeOperations(request, store)

  return routed(
    request,
    [
      ["GET", /^\/rest\/metadata\/objects$/, () => Effect.succeed(ok({ objects }))],
      ["GET", /^\/rest\/workspaceMembers$/, () => Effect.succeed(listed("workspaceMembers", members))],
      ["POST", /^\/graphql$/, () => graph],
      ["POST", /^\/rest\/batch\/(companies|people|opportunities)$/, ([many = ""]) => createAll(many)],
      [
        "GET",
        /^\/rest\/(companies|people|opportunities)$/,
        ([many = ""]) => Effect.map(store.list(many), (rows) => listed(many, rows.map(shown)))
      ],
      ["POST", /^\/rest\/(companies|people|opportunities)$/, ([many = ""]) => create(many)],
      [
        "GET",
        /^\/rest\/(companies|people|opportunities)\/([0-9a-f-]{36})$/,
        ([many = "", id = ""]) =>
          Effect.map(store.get(many, storedId(id)), (record) =>
            record === undefined
              ? failed(404, "NotFoundException", "Record not found")
              : ok({ [singular[many] ?? ""]: shown(record) })
          )
      ],
      [
        "PATCH",
        /^\/rest\/(companies|people|opportunities)\/([0-9a-f-]{36})$/,
        ([many = "", id = ""]) => patch(many, id)
      ]
    ],
    () => Effect.succeed(failed(404, "NotFoundException", "Not found"))
  )
}

export const twentySandbox: CrmSandbox = {
  name: "twenty",
  keyOf: ({ headers }) => /^Bearer (\S+)$/.exec(headers["authorization"] ?? "")?.[1],
  dealKind: "opportunities",
  storedId,
  webhooks: { path: /^\/rest\/metadata\/webhooks(?:\/(\d+))?$/, made: (id) => ({ data: { createWebhook: { id } } }) },
  stages: stages.map(({ label, value }) => ({ id: value, name: label })),
  moved: ({ body }, stage) => ({ ...body, stage }),
  answer,
  trouble: (trouble, seconds) =>
    trouble === "unauthorized"
      ? failed(401, "UnauthorizedException", "Token invalid")
      : { ...failed(429, "TooManyRequests", "Limit reached"), headers: { "retry-after": `${seconds}` } },
  standing: (body) => ({
    state: body["stage"] === "CUSTOMER" ? "won" : body["stage"] === "LOST" ? "lost" : "open",
    value: (numberAt(body, "amount", "amountMicros") ?? 0) / 1_000_000
  }),
  close: ({ body }, { outcome, value }) =>
    Effect.succeed({
      ...body,
      stage: outcome === "won" ? "CUSTOMER" : "LOST",
      ...(value === undefined ? {} : { amount: { amountMicros: value * 1_000_000, currencyCode: "BRL" } })
    })
}
