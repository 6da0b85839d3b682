import type { Prefix } from "../../Api.ts"
import type { ToolErrorTag } from "../../Errors.ts"
import type { ParamSpec } from "../../Tools/Core/Param.ts"
import type { Tool } from "../../Tools/Core/Tool.ts"
import { parameterSchema } from "../../Tools/Core/ToolSchema.ts"
import { jsonResponse, modeHeaders, type Node, responsesFor, schemaRef } from "./ErrorResponses.ts"

export const argumentsName = (tool: Tool<unknown>): string => `${tool.name}_arguments`
export const answerName = (tool: Tool<unknown>): string => `${tool.name}_answer`

/** Distinguishes the operations of the prefixes, because generated clients put them in one namespace. */
export const idUnder = (prefix: Prefix, id: string): string => (prefix === "/api/v1" ? `${id}_always_200` : id)

/** Errors of every tool route, in addition to the tool's own. */
export const dispatchFailures = (prefix: Prefix): Node =>
  prefix === "/api/v1"
    ? responsesFor({ 401: "Unauthorized", 500: "DispatcherFailed" })
    : responsesFor({ 401: "Unauthorized", 429: "RateLimited", 500: "Permanent", 503: "Transient" })

export const bodyFailures: Node = responsesFor({ 400: "UnusableArguments", 413: "TooLarge", 415: "Encoded" })
/** Returns the failures of a write, which may have an idempotency key. */
export const writeFailures = (prefix: Prefix): Node => ({
  ...bodyFailures,
  ...(prefix === "/api/v1"
    ? responsesFor({ 400: "UnusableWriteAlways200" })
    : responsesFor({ 400: "UnusableWrite", 409: "IdempotencyKeyInUse", 422: "RefusedWrite" }))
})

const idempotencyKey: Node = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "Names the call, so that it is done once however often it is sent. For 24 hours the same call with the same key gets the first answer. 1 to 255 visible ASCII characters, bare or in double quotes.",
  schema: { type: "string", minLength: 1, maxLength: 514 },
  example: "8e03978e-40d5-43dd-bc93-6894a57f9324"
}

const dryRun: Node = {
  name: "Dry-Run",
  in: "header",
  required: false,
  description: "With the value true the call runs, answers and is undone. It takes no Idempotency-Key.",
  schema: { type: "string", enum: ["true"] }
}

/** Headers of a write that select its mode. */
export const writeHeaders: ReadonlyArray<Node> = [idempotencyKey, dryRun]

export const queryFailures: Node = responsesFor({ 400: "UnusableQuery" })

/** The answer under `/api/v1`, where a tool's errors also have status 200. */
export const answerOrError = (answer: Node, errors: ReadonlyArray<ToolErrorTag>): Node => ({
  anyOf: [answer, ...errors.map((tag) => schemaRef(`${tag}Error`))]
})

const ownAnswers = (tool: Tool<unknown>, prefix: Prefix): Node => {
  const answer = schemaRef(answerName(tool))
  const ofWrite = tool.kind === "read" ? {} : modeHeaders
  if (prefix === "/api/v1") {
    return {
      200: jsonResponse(
        "The tool's answer, or its error: a body with `error`.",
        answerOrError(answer, tool.errors),
        ofWrite
      ),
      ...responsesFor({ 404: "UnknownTool", 405: "MethodNotAllowed" })
    }
  }
  const can = (tag: ToolErrorTag): boolean => tool.errors.includes(tag)
  return {
    200: jsonResponse("The tool's answer.", answer, ofWrite),
    ...responsesFor({
      404: can("NotFound") ? "NotFound" : "UnknownTool",
      405: "MethodNotAllowed",
      403: can("PlanRequired") ? "PlanOrScopeRequired" : "ScopeRequired",
      ...(can("Refused") ? { 422: "Refused" } : {})
    })
  }
}

const longestSummary = 120

/** The first sentence without its full stop. */
const firstSentence = (text: string): string => {
  const sentence = /^.*?(?=[.:;](?:\s|$))/.exec(text)?.[0] ?? text
  if (sentence.length <= longestSummary) return sentence
  return `${sentence.slice(0, sentence.lastIndexOf(" ", longestSummary))} …`
}

const descriptionOf = (tool: Tool<unknown>): string =>
  [
    tool.description,
    ...(tool.requiresPaidPlan ? ["Needs the paid plan."] : []),
    ...(tool.runsInBackground ? ["Starts a background job and answers at once; poll for its end."] : [])
  ].join(" ")

const common = (tool: Tool<unknown>, group: string, prefix: Prefix, id: string): Node => ({
  operationId: idUnder(prefix, id),
  summary: firstSentence(tool.description),
  description: descriptionOf(tool),
  tags: [group],
  "x-tool-kind": tool.kind,
  "x-error-reasons": tool.reasons
})

const exampleOf = (tool: Tool<unknown>): Node =>
  Object.fromEntries(Object.entries(tool.example).filter(([, value]) => value !== undefined))

const byBody = (tool: Tool<unknown>, group: string, prefix: Prefix): Node => ({
  ...common(tool, group, prefix, tool.name),
  ...(tool.kind === "read" ? {} : { parameters: writeHeaders }),
  requestBody: {
    required: Object.values(tool.parameters).some((spec) => spec.required),
    content: { "application/json": { schema: schemaRef(argumentsName(tool)), example: exampleOf(tool) } }
  },
  responses: {
    ...ownAnswers(tool, prefix),
    ...(tool.kind === "read" ? bodyFailures : writeFailures(prefix)),
    ...dispatchFailures(prefix)
  }
})

const queryParameter = (name: string, spec: ParamSpec, example: unknown): Node => {
  const { description, ...schema } = parameterSchema(spec, { nullable: false })
  return {
    name,
    in: "query",
    required: spec.required,
    description,
    schema,
    ...(example === undefined ? {} : { example })
  }
}

const byQuery = (tool: Tool<unknown>, group: string, prefix: Prefix): Node => ({
  ...common(tool, group, prefix, `${tool.name}_by_query`),
  parameters: Object.entries(tool.parameters).map(([name, spec]) => queryParameter(name, spec, tool.example[name])),
  responses: { ...ownAnswers(tool, prefix), ...queryFailures, ...dispatchFailures(prefix) }
})

/** The paths of a tool under a prefix. */
export const toolPaths = (tool: Tool<unknown>, group: string, prefix: Prefix): Node => ({
  [`${prefix}/tools/${tool.name}`]: { post: byBody(tool, group, prefix) },
  ...(tool.kind === "read" ? { [`${prefix}/call/${tool.name}`]: { get: byQuery(tool, group, prefix) } } : {})
})
