import * as fs from "node:fs"
import * as path from "node:path"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Schema } from "effect"

/**
 * Holds requests and answers against excerpts of the vendors' own files: methods, paths, names, types, what is required
 * and what is enumerated. An excerpt states its version, date and source, and where it deviates from the file and why.
 */

const Rules = Schema.Record({ key: Schema.String, value: Schema.Unknown })

const Operation = Schema.Struct({
  method: Schema.String,
  path: Schema.String,
  /** The parameters that are taken. Without it the query is not judged. */
  query: Schema.optional(Rules),
  request: Schema.optional(Rules),
  answer: Schema.optional(Rules)
})

const Excerpt = Schema.Struct({
  version: Schema.String,
  date: Schema.String,
  source: Schema.String,
  deviations: Schema.Array(Schema.String),
  $defs: Rules,
  operations: Schema.Array(Operation)
})
export type Excerpt = typeof Excerpt.Type

export interface JudgedRequest {
  readonly method: string
  readonly url: string
  readonly body: unknown
}

export interface JudgedAnswer {
  readonly status: number
  readonly body: unknown
}

interface Judge {
  readonly excerpt: Excerpt
  readonly request: (request: JudgedRequest) => ReadonlyArray<string>
  /** Only answers that succeed: the shape of errors is not part of most vendors' files. */
  readonly answer: (request: JudgedRequest, answer: JudgedAnswer) => ReadonlyArray<string>
  /** Compiles the rules of all operations. Fails if any cannot be. */
  readonly compileAll: () => void
}

type Validate = ReturnType<Ajv2020["compile"]>

/** Rules are compiled when they are first needed, since most tests need those of few operations. */
const compiledOnce = (compile: () => Validate): (() => Validate) => {
  let validate: Validate | undefined
  return () => (validate ??= compile())
}

const patternOf = (template: string): RegExp =>
  new RegExp(`^${template.replace(/[.()]/g, "\\$&").replace(/\{\w+\}/g, "[^/]+")}$`)

export const judgeOf = (excerpt: Excerpt): Judge => {
  const ajv = new Ajv2020({ allErrors: true, strict: false })
  const operations = excerpt.operations.map((operation) => {
    const compiled = (rules: typeof Rules.Type | undefined) =>
      rules === undefined ? undefined : compiledOnce(() => ajv.compile({ ...rules, $defs: excerpt.$defs }))
    return {
      ...operation,
      pattern: patternOf(operation.path),
      // A path with a name in place of a number is the more exact one.
      places: operation.path.split("{").length,
      request: compiled(operation.request),
      answer: compiled(operation.answer),
      query:
        operation.query === undefined
          ? undefined
          : compiledOnce(() =>
              ajv.compile({ type: "object", properties: operation.query, additionalProperties: false })
            )
    }
  })
  const operationOf = ({ method, url }: JudgedRequest) => {
    const { pathname } = new URL(url)
    const fitting = operations.filter(
      (each) => each.method === method && each.pattern.test(decodeURIComponent(pathname))
    )
    return fitting.toSorted((one, other) => one.places - other.places)[0]
  }
  const lineOf = ({ method, url }: JudgedRequest): string => `${method} ${new URL(url).pathname}`
  const findings = (what: string, validator: (() => Validate) | undefined, value: unknown) => {
    const validate = validator?.()
    return validate === undefined || validate(value) === true ? [] : [`${what}: ${ajv.errorsText(validate.errors)}`]
  }

  return {
    excerpt,
    request: (request) => {
      // An address that the gateway refuses to call.
      if (!URL.canParse(request.url)) return []
      const operation = operationOf(request)
      if (operation === undefined) return [`${lineOf(request)}: the vendor has no such operation`]
      const parameters = Object.fromEntries(new URL(request.url).searchParams)
      return [
        ...findings(`${lineOf(request)} query`, operation.query, parameters),
        ...(operation.request === undefined
          ? request.body === undefined
            ? []
            : [`${lineOf(request)}: the vendor takes no body`]
          : findings(`${lineOf(request)} body`, operation.request, request.body))
      ]
    },
    answer: (request, { body, status }) =>
      status >= 300 || !URL.canParse(request.url)
        ? []
        : findings(`${lineOf(request)} answer`, operationOf(request)?.answer, body),
    compileAll: () => {
      for (const { answer, query, request } of operations) for (const each of [answer, query, request]) each?.()
    }
  }
}

const folder = import.meta.dirname
const decoded = Schema.decodeUnknownSync(Schema.parseJson(Excerpt))

/** By the names of the CRMs. */
export const judges: ReadonlyMap<string, Judge> = new Map(
  fs
    .readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .map((file) => [path.basename(file, ".json"), judgeOf(decoded(fs.readFileSync(path.join(folder, file), "utf8")))])
)

/** A body as it is judged; undefined where there is none. */
export const parsedBody = (body: string | Uint8Array | undefined): unknown => {
  if (body === undefined || body.length === 0) return undefined
  const text = typeof body === "string" ? body : Buffer.from(body).toString("utf8")
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    return text
  }
}
