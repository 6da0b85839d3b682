import { createHash } from "node:crypto"
import { Effect } from "effect"
import { confirmationRequired, refused } from "../../Errors.ts"
import type { Caller } from "../../Services/Core/Calls/Caller.ts"
import { ClientQuestions } from "../../Services/Mcp/ClientQuestions.ts"
import type { Tool } from "../../Tools/Core/Tool.ts"
import { failedBy } from "./CatalogTools.ts"
import { codes, isObject, type JsonObject, membersOf, objectOf, type Problem, problem } from "./Protocol.ts"
import type { CallScope, Outcome } from "./Toolbox.ts"

/** A digest of the arguments that does not depend on their order. */
export const digestOf = (args: JsonObject): string =>
  createHash("sha256")
    .update(JSON.stringify(Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest("base64url")

const longestValue = 300

const shownArguments = (args: JsonObject): string =>
  Object.entries(args)
    .map(([name, value]) => `${name} = ${JSON.stringify(value).slice(0, longestValue)}`)
    .join("\n")

/** Returns the question to a person before a destructive call: what will happen, and to what. */
const questionOf = (tool: Tool<unknown>, args: JsonObject): JsonObject => ({
  mode: "form",
  message: [`Run ${tool.name}?`, tool.description, shownArguments(args)].filter((line) => line !== "").join("\n\n"),
  requestedSchema: {
    type: "object",
    properties: { confirm: { type: "boolean", title: "Yes, do it", default: false } },
    required: ["confirm"]
  }
})

const questionKey = "confirmation"

const isYes = (answer: unknown): boolean =>
  isObject(answer) && answer["action"] === "accept" && objectOf(answer["content"])["confirm"] === true

const declined = (tool: string): Outcome =>
  failedBy(
    refused(
      "not_confirmed",
      `${tool} was not confirmed, and nothing was done.`,
      "Do not repeat it unless you are asked to."
    )
  )

/** The refusal for a program that cannot ask a person, if the token always requires confirmation. */
export const cannotConfirm = (tool: string): Outcome => failedBy(confirmationRequired(tool))

const unavailable = problem(503, codes.internalError, "The question cannot be kept for now. Repeat the call.")

/** True if the client can show a form to a person. */
export const canAsk = ({ capabilities }: CallScope): boolean => isObject(capabilities["elicitation"])

/**
 * Allows a destructive call only after a person has confirmed this call. In the newer revision, the response is the
 * question, and the client repeats the call with the answer. In older ones, the question is sent on the call's stream.
 */
export const confirmed = <R>(
  tool: Tool<unknown>,
  args: JsonObject,
  scope: CallScope,
  run: Effect.Effect<Outcome, Problem, R>
): Effect.Effect<Outcome, Problem, R | ClientQuestions | Caller> =>
  Effect.gen(function* () {
    const questions = yield* ClientQuestions
    const call = { tool: tool.name, digest: digestOf(args) }
    if (scope.era === "legacy") {
      const answer = yield* scope.ask("elicitation/create", questionOf(tool, args), call)
      return yield* isYes(answer) ? run : Effect.succeed(declined(tool.name))
    }
    const answer = scope.inputResponses?.[questionKey]
    if (scope.requestState !== undefined && answer !== undefined) {
      const isOurs = yield* Effect.mapError(questions.use(scope.requestState, call), () => unavailable)
      if (isOurs) return yield* isYes(answer) ? run : Effect.succeed(declined(tool.name))
    }
    const { id: requestState } = yield* Effect.mapError(questions.open(call), () => unavailable)
    return {
      type: "input_required",
      members: membersOf({
        inputRequests: { [questionKey]: { method: "elicitation/create", params: questionOf(tool, args) } },
        requestState
      })
    }
  })
