import { readFileSync } from "node:fs"
import type { RequestListener } from "node:http"
import { assert } from "@effect/vitest"
import { Ajv2020, type AnySchemaObject, type ValidateFunction } from "ajv/dist/2020.js"
import { Effect, Either, Schema } from "effect"
import type { OutboundRequest, OutboundResponse } from "../../src/Services/Outbound/OutboundHttp.ts"

/*
 * Holds requests of adapters and answers of simulators against excerpts of the vendors' own files. An excerpt has
 * methods, paths, field names, types, required fields and enumerations, with the version, the source and the date of
 * reading. It closes its objects (`additionalProperties: false`), so that a misspelt field is a fault.
 */

const JsonSchema = Schema.Union(Schema.Boolean, Schema.Record({ key: Schema.String, value: Schema.Unknown }))
type JsonSchema = typeof JsonSchema.Type

const Operation = Schema.Struct({
  method: Schema.Literal("GET", "POST", "PUT", "PATCH", "DELETE"),
  /** With `{name}` for one segment, and `{name+}` for the rest of the path. */
  path: Schema.String,
  /** Headers that a request must carry, in small letters. */
  headers: Schema.optional(Schema.Array(Schema.String)),
  /** Of the query's parameters as an object of texts. None may be sent if it is left out. */
  query: Schema.optional(JsonSchema),
  /** Of the body. There may be none if it is left out. */
  request: Schema.optional(JsonSchema),
  /** By status, `4XX` or `default`. Left out where the vendor's file describes none. */
  answers: Schema.optional(Schema.Record({ key: Schema.String, value: JsonSchema }))
})

const Excerpt = Schema.Struct({
  vendor: Schema.String,
  version: Schema.String,
  source: Schema.String,
  read_on: Schema.String.pipe(Schema.pattern(/^\d{4}-\d{2}-\d{2}$/)),
  /** Where the excerpt says something else than the source, and why. */
  deviations: Schema.optional(Schema.Array(Schema.String)),
  /** Before the paths of operations in the adapters' addresses. */
  base: Schema.String,
  operations: Schema.Array(Operation),
  $defs: Schema.optional(Schema.Record({ key: Schema.String, value: JsonSchema }))
})

/** A request as the vendor's server receives it. `body` is parsed. */
export interface JudgedRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: { readonly [name: string]: string | ReadonlyArray<string> | undefined }
  readonly body?: unknown
}

export interface JudgedAnswer {
  readonly status: number
  readonly body: unknown
}

export interface VendorJudge {
  /** As the list of vendors names it. */
  readonly vendor: string
  /** What the vendor would not accept, empty if it would. */
  readonly faultsOfRequest: (request: JudgedRequest) => ReadonlyArray<string>
  /** What the vendor would not answer. */
  readonly faultsOfAnswer: (
    request: Pick<JudgedRequest, "method" | "path">,
    answer: JudgedAnswer
  ) => ReadonlyArray<string>
}

const pathPattern = (path: string): RegExp => {
  const parts = path.split(/(\{\w+\+?\})/).map((part) => {
    if (/^\{\w+\+\}$/.test(part)) return ".+"
    return /^\{\w+\}$/.test(part) ? "[^/]+" : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
  })
  return new RegExp(`^${parts.join("")}$`)
}

const noBody: JsonSchema = { type: "null" }
const noQuery: JsonSchema = { type: "object", additionalProperties: false }

/** The judge of an excerpt in `test/support/vendors`. */
export const vendorJudge = (name: string): VendorJudge => {
  const file = new URL(`vendors/${name}.json`, import.meta.url)
  const excerpt = Schema.decodeUnknownSync(Excerpt)(JSON.parse(readFileSync(file, "utf8")), {
    onExcessProperty: "error"
  })
  const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true, strictRequired: false })
  const compile = (schema: JsonSchema): ValidateFunction =>
    ajv.compile(
      typeof schema === "boolean" ? schema : ({ ...schema, $defs: excerpt.$defs ?? {} } satisfies AnySchemaObject)
    )
  const operations = excerpt.operations.map((operation) => ({
    ...operation,
    pattern: pathPattern(`${excerpt.base}${operation.path}`),
    query: compile(operation.query ?? noQuery),
    request: compile(operation.request ?? noBody),
    answers: Object.entries(operation.answers ?? {}).map(([status, schema]) => [status, compile(schema)] as const)
  }))

  const faultsOf = (validate: ValidateFunction, value: unknown, where: string): ReadonlyArray<string> =>
    validate(value)
      ? []
      : (validate.errors ?? []).map(
          ({ instancePath, message, params }) => `${where}${instancePath}: ${message ?? ""} ${JSON.stringify(params)}`
        )

  const operationOf = (method: string, path: string) =>
    operations.find((operation) => operation.method === method && operation.pattern.test(path))

  const splitPath = (path: string) => new URL(path, "http://vendor.invalid")

  return {
    vendor: excerpt.vendor,
    faultsOfRequest: ({ body, headers, method, path }) => {
      const { pathname, searchParams } = splitPath(path)
      const operation = operationOf(method, pathname)
      if (operation === undefined) return [`${method} ${pathname}: not in ${excerpt.version}`]
      return [
        ...(operation.headers ?? []).flatMap((header) =>
          headers[header] === undefined ? [`header ${header}: missing`] : []
        ),
        ...faultsOf(operation.query, Object.fromEntries(searchParams), "query"),
        ...faultsOf(operation.request, body ?? null, "body")
      ]
    },
    faultsOfAnswer: ({ method, path }, { body, status }) => {
      const { pathname } = splitPath(path)
      const operation = operationOf(method, pathname)
      if (operation === undefined) return [`${method} ${pathname}: not in ${excerpt.version}`]
      const statusKeys = [String(status), `${Math.floor(status / 100)}XX`, "default"]
      const answer = statusKeys.flatMap((key) => operation.answers.filter(([name]) => name === key))[0]
      return answer === undefined ? [`status ${status}: not described`] : faultsOf(answer[1], body, "answer")
    }
  }
}

/** Fails with all faults if there is one. */
export const assertNoFaults = (faults: ReadonlyArray<string>): void => {
  assert.deepStrictEqual(faults, [])
}

const formType = "application/x-www-form-urlencoded"

/** The fields of a form. A field that is repeated is a list. */
const formBody = (text: string): unknown => {
  const form = new URLSearchParams(text)
  const fields = [...new Set(form.keys())].map((name) => {
    const values = form.getAll(name)
    return [name, values.length === 1 ? values[0] : values] as const
  })
  return Object.fromEntries(fields)
}

/** A body that is no file, as judges read it. */
export const judgedBody = (contentType: string, text: string): unknown => {
  if (text === "") return undefined
  return contentType.startsWith(formType) ? formBody(text) : (JSON.parse(text) as unknown)
}

const parsedBody = async (contentType: string, body: Buffer): Promise<unknown> => {
  if (!contentType.startsWith("multipart/form-data")) return judgedBody(contentType, body.toString("utf8"))
  const form = await new Response(body, { headers: { "content-type": contentType } }).formData()
  const fields = new Map<string, unknown>()
  for (const [name, value] of form) {
    const earlier = fields.get(name)
    if (typeof value === "string") fields.set(name, value)
    else fields.set(name, [...(Array.isArray(earlier) ? (earlier as ReadonlyArray<unknown>) : []), value.type])
  }
  return Object.fromEntries(fields)
}

/**
 * A server whose requests are judged before `handler` sees them. `isJudged` selects the paths of the vendor's
 * interface. Files of a form are judged as a list of their media types.
 */
export const judgedListener = (
  judge: VendorJudge,
  isJudged: (path: string) => boolean,
  handler: RequestListener
): { readonly listener: RequestListener; readonly faults: ReadonlyArray<string> } => {
  const faults: Array<string> = []
  return {
    faults,
    listener: (request, response) => {
      const { headers, method = "", url: path = "" } = request
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        void parsedBody(headers["content-type"] ?? "", Buffer.concat(chunks)).then((body) => {
          if (isJudged(path)) faults.push(...judge.faultsOfRequest({ method, path, headers, body }))
          handler(request, response)
        })
      })
    }
  }
}

/** A place where faults are collected. The scope fails at its end if there are any. */
export const collectedFaults = Effect.acquireRelease(
  Effect.sync(() => new Set<string>()),
  (faults) => Effect.sync(() => assertNoFaults([...faults]))
)

const lowerCaseNames = (headers: OutboundRequest["headers"] = {}) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** Some vendors answer a refusal in plain words. */
const jsonOrText = (text: string): unknown =>
  Either.getOrElse(Schema.decodeEither(Schema.parseJson())(text), () => text)

/** What a judge finds in a request of an adapter, and in the simulator's answer where there is one. */
export const faultsOfExchange = (
  judge: VendorJudge,
  request: OutboundRequest,
  answer: OutboundResponse
): ReadonlyArray<string> => {
  const { hash, pathname, search } = new URL(request.url)
  const target = { method: request.method, path: `${pathname}${search}${hash}` }
  const headers = lowerCaseNames(request.headers)
  const text = typeof request.body === "string" ? request.body : Buffer.from(request.body ?? []).toString("utf8")
  const answerText = Buffer.from(answer.body).toString("utf8")
  return [
    ...judge.faultsOfRequest({ ...target, headers, body: judgedBody(headers["content-type"] ?? "", text) }),
    ...judge.faultsOfAnswer(target, {
      status: answer.status,
      body: answerText === "" ? null : jsonOrText(answerText)
    })
  ].map((fault) => `${judge.vendor} ${target.method} ${pathname}: ${fault}`)
}
