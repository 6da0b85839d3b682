import { Effect, Predicate } from "effect"
import { at, sameText, textAt } from "./Answers.ts"
import {
  type CrmSimulator,
  pageOf,
  routed,
  type SimulatedAnswer,
  type SimulatedBody,
  type SimulatedRecord,
  type SimulatedRequest,
  type SimulatedStore
} from "./CrmSimulator.ts"

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
  }
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
const storedId = (shown: string): string => shown.slice(-12).replace(/^0+/, "")

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

const answer = (request: SimulatedRequest, store: SimulatedStore) => {
  const { query } = request
  const body: SimulatedBody = Predicate.isRecord(request.body) ? { ...request.body } : {}

  const complaint = (many: string, isNew: boolean): string | undefined => {
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
    const found = pageOf(matching, Number(query.get("starting_after") ?? 0), size)
    return ok(
      { [many]: found.rows },
      {
        totalCount: matching.length,
        pageInfo: { hasNextPage: found.next !== undefined, endCursor: `${found.next ?? ""}` }
      }
    )
  }

  const create = Effect.fnUntraced(function* (many: string) {
    const wrong = complaint(many, true)
    if (wrong !== undefined) return failed(400, "BadRequestException", wrong)
    const email = textAt(body, "emails", "primaryEmail")
    const taken =
      email !== "" &&
      (yield* store.list(many)).some((each) => sameText(textAt(each.body, "emails", "primaryEmail"), email))
    if (taken) return failed(400, "BadRequestException", "A duplicate entry was detected")
    const one = singular[many] ?? ""
    const id = yield* store.insert(many, { ...(many === "opportunities" ? { stage: "NEW" } : {}), ...body })
    return {
      ...ok({ [`create${one.charAt(0).toUpperCase()}${one.slice(1)}`]: { ...body, id: uuid(id) } }),
      status: 201
    }
  })

  const patch = Effect.fnUntraced(function* (many: string, id: string) {
    const record = yield* store.get(many, storedId(id))
    if (record === undefined) return failed(404, "NotFoundException", "Record not found")
    const wrong = complaint(many, false)
    if (wrong !== undefined) return failed(400, "BadRequestException", wrong)
    yield* store.put(many, storedId(id), { ...record.body, ...body })
    return ok({ [`update${many}`]: { id } })
  })

  const note = Effect.gen(function* () {
    const given = at(body, "variables", "note")
    const same = (yield* store.list("notes")).some((each) => textAt(each.body, "id") === textAt(given, "id"))
    if (textAt(given, "bodyV2", "markdown") === "" || same)
      return ok(null, { errors: [{ message: "Invalid note", extensions: { code: "BAD_USER_INPUT" } }] })
    yield* store.insert("notes", Predicate.isRecord(given) ? given : {})
    return ok({ createNote: { id: textAt(given, "id") } })
  })

  return routed(
    request,
    [
      ["GET", /^\/rest\/metadata\/objects$/, () => Effect.succeed(ok({ objects }))],
      ["GET", /^\/rest\/workspaceMembers$/, () => Effect.succeed(listed("workspaceMembers", members))],
      ["POST", /^\/graphql$/, () => note],
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

export const twentySimulator: CrmSimulator = {
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
  close: ({ body }, { outcome, value }) =>
    Effect.succeed({
      ...body,
      stage: outcome === "won" ? "CUSTOMER" : "LOST",
      ...(value === undefined ? {} : { amount: { amountMicros: value * 1_000_000, currencyCode: "BRL" } })
    })
}
