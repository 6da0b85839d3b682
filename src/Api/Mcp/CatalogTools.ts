import { Cause, Effect, Option } from "effect"
import { defectAnswer, failureAnswer } from "../../Api.ts"
import { badRequest } from "../../Errors.ts"
import type { Need } from "../../Services/Accounts/Tokens/TokenBounds.ts"
import type { Caller } from "../../Services/Core/Calls/Caller.ts"
import type { CallMode } from "../../Services/Core/Calls/CallMode.ts"
import type { RawArguments } from "../../Tools/Core/ArgumentCoercion.ts"
import type { CallError, Catalog } from "../../Tools/Core/Catalog.ts"
import type { Kind, Tool } from "../../Tools/Core/Tool.ts"
import { inputSchema, outputSchema } from "../../Tools/Core/ToolSchema.ts"
import { fromObjectSource, isRefused } from "../RequestArguments.ts"
import { lengthAdvice } from "./LongAnswers.ts"
import type { JsonObject } from "./Protocol.ts"
import { answered, type CallByName, failed, type McpTool, type Outcome, type ToolInput } from "./Toolbox.ts"
import { lockedDown, markUntrustedContent } from "./UntrustedContent.ts"

/** Hints by which hosts decide whether to ask a person and whether to retry. */
export const annotationsOf = (kind: Kind, idempotent: boolean, openWorld: boolean): JsonObject =>
  kind === "read"
    ? { readOnlyHint: true, openWorldHint: openWorld }
    : {
        readOnlyHint: false,
        destructiveHint: kind === "destructive",
        idempotentHint: idempotent,
        openWorldHint: openWorld
      }

const none: RawArguments = new Map()

/** Converts a failed call to an outcome with the same body as REST. */
export const failedBy = (failure: CallError): Outcome => {
  const { body, reason, status } = failureAnswer({
    prefix: "/rest/v1",
    failure,
    reachedTool: true,
    requestId: "",
    baseUrl: ""
  })
  return failed({ body, status, ...(reason === undefined ? {} : { reason }) })
}

const notAnObject = badRequest(
  "InvalidRequestBody",
  "The arguments are not an object of named parameters.",
  'Send an object such as {"lead_id": 12}; leave it out where there are no arguments.'
)

/** The arguments of a call, from their source text. */
const rawArguments = ({ isMisshapen = false, source }: ToolInput) =>
  isMisshapen ? notAnObject : source === undefined ? none : fromObjectSource(source)

/** Calls a tool of the catalog as REST does, with a byte-identical answer. */
export const callCatalog = <R>(
  catalog: Catalog<R>,
  name: string,
  input: ToolInput,
  lockdown: boolean,
  mode?: CallMode
): Effect.Effect<Outcome, never, R | Caller> => {
  const raw = rawArguments(input)
  if (isRefused(raw)) return Effect.succeed(failedBy(raw))
  return Effect.matchCauseEffect(catalog.call(name, raw, mode), {
    onSuccess: (value) => {
      const json = JSON.stringify(lockdown ? lockedDown(name, value) : value)
      const tool = Option.getOrUndefined(catalog.get(name))
      const advice = tool === undefined ? undefined : lengthAdvice(tool, json)
      const texts = [mode?.notice(), advice].filter((text) => text !== undefined)
      return Effect.succeed(answered(json, texts.length === 0 ? undefined : texts.join("\n")))
    },
    onFailure: (cause) => {
      const failure = Cause.failureOption(cause)
      if (Option.isSome(failure)) return Effect.succeed(failedBy(failure.value))
      return Cause.isInterrupted(cause) ? Effect.interrupt : Effect.succeed(failed(defectAnswer("")))
    }
  })
}

/**
 * Returns a tool's entry in a list. A short list leaves out the answers' schemas, which are much longer than everything
 * else.
 */
export const definitionOf = (tool: Tool<unknown>, options: { readonly withOutput: boolean }): JsonObject => ({
  name: tool.name,
  description: tool.description,
  inputSchema: inputSchema(tool),
  ...(options.withOutput ? { outputSchema: markUntrustedContent(tool.name, outputSchema(tool)) } : {}),
  annotations: annotationsOf(tool.kind, tool.idempotent, tool.openWorld)
})

/**
 * A tool of the catalog under its own name, defined when it is first listed. `run` calls it, so that a confirmation can
 * be put in front.
 */
export const catalogTool = <R>(
  tool: Tool<unknown>,
  options: { readonly withOutput: boolean; readonly need: Need },
  run: CallByName<R>
): McpTool<R> => {
  let definition: JsonObject | undefined
  return {
    name: tool.name,
    need: options.need,
    get definition() {
      definition ??= definitionOf(tool, options)
      return definition
    },
    call: (input, scope) => run(tool.name, input, scope)
  }
}
