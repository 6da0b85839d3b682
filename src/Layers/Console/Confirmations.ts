import { Effect, Option, Schema } from "effect"
import { memberSource, overloadOf } from "../../Api/JsonSource.ts"
import { fromObjectSource, isRefused } from "../../Api/RequestArguments.ts"
import { badRequest, refused } from "../../Errors.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { ClientQuestions } from "../../Services/Mcp/ClientQuestions.ts"
import { NestedValue } from "../../Tools/Core/ArgumentCoercion.ts"
import { readBody } from "../Platform/Http/Bodies/RequestBody.ts"
import type { LaneOptions, ServedTools } from "../Platform/Http/Server.ts"
import { Settings } from "../Platform/Settings.ts"
import { askedCall } from "./ConsoleAccess.ts"
import type { ConsoleRoute, ConsoleRoutes } from "./ConsoleRequest.ts"
import { makeSessionHolder } from "./SessionHolder.ts"

const Asked = Schema.parseJson(
  Schema.Struct({
    tool: Schema.String,
    arguments: Schema.Object.pipe(Schema.filter((value) => !Array.isArray(value)))
  })
)

const notACall = badRequest(
  "InvalidRequestBody",
  "The body is not a call to confirm.",
  'Send a JSON object such as {"tool": "stop_lead", "arguments": {"lead_id": 12}}.'
)

const notNeeded = (tool: string) =>
  refused("confirmation_not_needed", `${tool} takes nothing away, so that no one has to confirm it.`, "Call it.")

/** Creates the function that issues a confirmation value for one destructive call, after a person has confirmed it. */
export const makeConfirmations = <R>({ platform, product }: ServedTools<R>, { bodyBudget, needs }: LaneOptions) =>
  Effect.gen(function* () {
    const { bodyLimit } = yield* Settings
    const questions = yield* ClientQuestions
    const { ofSession } = yield* makeSessionHolder

    const ask: ConsoleRoute<never> = (call) =>
      Effect.gen(function* () {
        const { request, requestId, response } = call
        const { holder, key } = yield* ofSession(call)
        const body = yield* readBody(request, response, {
          limit: bodyLimit,
          budget: bodyBudget,
          tenant: holder.accountId
        })
        const json = body.toString("utf8")
        // Decoding millions of values would delay all other calls.
        if (overloadOf(json) !== undefined) return yield* Effect.fail(notACall)
        const { arguments: args, tool: name } = yield* Effect.mapError(
          Schema.decodeUnknown(Asked)(json),
          () => notACall
        )
        const raw = fromObjectSource(memberSource(json, "arguments") ?? "{}")
        if (isRefused(raw)) return yield* Effect.fail(raw)
        if ([...raw.values()].some((value) => value instanceof NestedValue)) return yield* Effect.fail(notACall)
        const tool = Option.orElse(product.get(name), () => platform.get(name))
        if (Option.isNone(tool)) return yield* Effect.fail(product.unknownTool(name))
        const lack = needs.refusalOf(holder.bounds, name)
        if (lack !== undefined) return yield* Effect.fail(lack)
        if (tool.value.kind !== "destructive") return yield* notNeeded(name)
        const { expiresAt, id } = yield* Effect.provideService(questions.open(askedCall(key, name, raw)), Caller, {
          ...holder,
          requestId
        })
        const { description } = tool.value
        const summary = { tool: name, description, arguments: args }
        return { status: 200, body: JSON.stringify({ confirmation: id, expires_at: expiresAt, summary }) }
      })

    const routes: ConsoleRoutes<never> = { POST: ask }
    return routes
  })
