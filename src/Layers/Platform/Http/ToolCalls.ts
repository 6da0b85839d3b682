import { randomUUID } from "node:crypto"
import { Cause, type Clock, type Context, Effect, Exit, Option, type Scheduler } from "effect"
import { fromJsonBody, fromQueryString, isRefused } from "../../../Api/RequestArguments.ts"
import {
  type CallModes,
  callModeOf,
  dryRunHeader,
  type ModeHeaders,
  type RequestedMode,
  requestedMode
} from "../../../Api/RequestedMode.ts"
import type { ToolNeeds } from "../../../Api/ToolNeeds.ts"
import {
  type Answer,
  defectAnswer,
  failureAnswer,
  notReadOnly,
  type Prefix,
  type Route,
  routeTemplate
} from "../../../Api.ts"
import {
  badRequest,
  confirmationRequired,
  RequestRefused,
  type ToolDefect,
  type ToolError,
  type Transient,
  type Unauthorized
} from "../../../Errors.ts"
import type { CallLimits } from "../../../Services/Accounts/CallLimits.ts"
import { idempotencyKeyHeader } from "../../../Services/Accounts/IdempotencyKey.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import type { TokenHolder, TokenUse } from "../../../Services/Accounts/Tokens/AccessTokens.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import type { CallMode } from "../../../Services/Core/Calls/CallMode.ts"
import type { LoggedArguments, RequestLog } from "../../../Services/Core/RequestLog.ts"
import type { RawArguments } from "../../../Tools/Core/ArgumentCoercion.ts"
import type { Catalog } from "../../../Tools/Core/Catalog.ts"
import { loggedArguments } from "../../../Tools/Core/LoggedArguments.ts"
import type { Tool } from "../../../Tools/Core/Tool.ts"
import type { DatabasePools } from "../Postgres/Database.ts"
import { overloaded } from "../Postgres/Sql.ts"
import type { BodyBudget } from "./Admission/BodyBudget.ts"
import type { CallSchedulers } from "./Admission/CallSchedulers.ts"
import { sendAnswer } from "./Answers/SendAnswer.ts"
import { noRoom, readBody } from "./Bodies/RequestBody.ts"
import type { CallerAccess } from "./CallerAccess.ts"
import { clientAddress, type TrustedProxies } from "./ClientAddress.ts"
import { type Incoming, singleHeader } from "./Incoming.ts"
import { answersTogether, type CallRoute, type RequestedRead } from "./ReadTogether.ts"
import { recordRequest } from "./RequestRecords.ts"

/** The tools that are served below a prefix, with their documents. */
export interface ServedCatalog<R> {
  readonly catalog: Catalog<R | Caller>
  /** The JSON of `GET /tools` and `GET /tools/{name}`. */
  readonly documents: {
    readonly list: (prefix: Prefix) => Effect.Effect<string>
    readonly one: (prefix: Prefix, name: string) => string
  }
}

export interface FastLaneOptions<R> {
  readonly access: CallerAccess
  readonly catalogs: { readonly [P in Prefix]: ServedCatalog<R> }
  readonly needs: ToolNeeds
  readonly baseUrl: string
  readonly trustedProxies: TrustedProxies
  /** The size limit of a request's body, in bytes. */
  readonly bodyLimit: number
  readonly bodyBudget: BodyBudget["Type"]
  readonly schedulerOf: CallSchedulers
  /** Returns whether the next request is traced. A request that continues a sampled trace always is. */
  readonly isSampled: () => boolean
  readonly isDraining: () => boolean
  /** Counts and logs a call that failed outside its tool. Failures inside a tool are counted by the catalog. */
  readonly onDefect: (requestId: string, cause: Cause.Cause<unknown>) => void
}

type Failure = ToolError | RequestRefused | ToolDefect | Unauthorized

export type Body = Effect.Effect<Buffer, RequestRefused | Transient>

/** The facts about a call that are collected until it is answered, for the log of requests. */
export interface CallRecord {
  /** Unix milliseconds. */
  readonly startedAt: number
  holder?: TokenHolder
  tool?: string
  arguments?: LoggedArguments
}

/** A request for a tool route. */
export interface Call extends Incoming {
  readonly route: CallRoute | RequestRefused
  readonly record: CallRecord
}

/** The services that calls share. */
export interface CallServices {
  readonly limits: CallLimits["Type"]
  readonly turns: DatabasePools["Type"]["turns"]
  readonly modes: Context.Context<CallModes>
  readonly requests: RequestLog["Type"]
  readonly clock: Clock.Clock
}

/** The status that is recorded if the caller closed the connection before the answer. */
const closedByCaller = { status: 499, reason: "closed_by_caller" }

const queryOnPost = badRequest(
  "UnknownParameter",
  "A POST takes no parameters in its query string.",
  "Send the parameters as a JSON object in the body."
)

const modeHeaders = ({ request: { headers } }: Call): ModeHeaders => ({
  idempotencyKey: singleHeader(headers[idempotencyKeyHeader]),
  dryRun: singleHeader(headers[dryRunHeader])
})

const success = (body: string): Answer => ({ status: 200, body })

/** Answers calls, traced or not. */
export class ToolCalls<R> {
  readonly #options: FastLaneOptions<R>
  readonly #services: CallServices
  /** The addresses of the prefixes, in the form that tokens name them. */
  readonly #addresses: { readonly [P in Prefix]: string }

  constructor(options: FastLaneOptions<R>, services: CallServices) {
    this.#options = options
    this.#services = services
    const addressOf = (prefix: Prefix): string => new URL(`${options.baseUrl}${prefix}`).href
    this.#addresses = {
      "/rest/v1": addressOf("/rest/v1"),
      "/api/v1": addressOf("/api/v1"),
      "/platform/v1": addressOf("/platform/v1")
    }
  }

  isRead({ route, target }: Call): boolean {
    return (
      (route._tag === "CallWithBody" || route._tag === "CallWithQuery") &&
      Option.exists(this.#options.catalogs[target.prefix].catalog.get(route.name), ({ kind }) => kind === "read")
    )
  }

  /** True if the call runs where calls that read do. */
  readsOnly(call: Call): boolean {
    return call.route._tag === "ReadTogether" || this.isRead(call)
  }

  /** Returns from where and at which address the call uses its token. */
  useOf({ request, target }: Call): TokenUse {
    return {
      address: this.#addresses[target.prefix],
      from: clientAddress(request, this.#options.trustedProxies),
      userAgent: request.headers["user-agent"]
    }
  }

  callerOf({ requestId }: Call, holder: TokenHolder): Caller["Type"] {
    const caller = { ...holder, requestId }
    return holder.bounds === undefined ? caller : { ...caller, jobKinds: this.#options.needs.jobKindsOf(holder.bounds) }
  }

  readBody({ request, response }: Call, tenant: AccountId): Body {
    const { bodyBudget: budget, bodyLimit: limit } = this.#options
    return readBody(request, response, { limit, budget, tenant })
  }

  schedulerOf({ request, response }: Call, accountId: AccountId): Scheduler.Scheduler | undefined {
    return this.#options.schedulerOf(request, response, accountId)
  }

  /** Answers a call of the holder of a valid token. The answer has the headers of the rate limits. */
  answer(call: Call, body: Body, holder: TokenHolder): Effect.Effect<Answer, never, R | Caller> {
    this.#options.bodyBudget.recordCall(holder.accountId)
    call.record.holder = holder
    const verdict = this.#services.limits.take(holder)
    if (verdict === undefined) return this.#answerWithinLimits(call, body, holder)
    const { headers, refusal } = verdict
    const withHeaders = (answer: Answer): Answer => ({ ...answer, headers: { ...answer.headers, ...headers } })
    return refusal === undefined
      ? Effect.map(this.#answerWithinLimits(call, body, holder), withHeaders)
      : Effect.succeed(withHeaders(this.refuse(call, refusal)))
  }

  refuse(call: Call, failure: Failure, reachedTool = false): Answer {
    const { requestId, target } = call
    const { access, baseUrl } = this.#options
    const { challenge } = access
    return failureAnswer({ prefix: target.prefix, failure, reachedTool, requestId, baseUrl, challenge })
  }

  send(call: Call, exit: Exit.Exit<Answer>): void {
    const { request, requestId, response } = call
    const isInterrupted = Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause)
    if (Exit.isFailure(exit) && !isInterrupted) this.#options.onDefect(requestId, exit.cause)
    const answer = Exit.isSuccess(exit) ? exit.value : defectAnswer(requestId)
    sendAnswer(request, response, answer, { requestId, close: this.#options.isDraining() })
    this.#log(call, isInterrupted ? closedByCaller : answer)
  }

  #log({ record, request, requestId, target }: Call, answer: Pick<Answer, "reason" | "status">): void {
    const route = `${request.method} ${target.base}${target.prefix}${routeTemplate(target.path)}`
    const { arguments: args, holder, startedAt, tool } = record
    recordRequest(this.#services, { holder, requestId, route, startedAt, tool, arguments: args }, answer)
  }

  #answerWithinLimits(call: Call, body: Body, holder: TokenHolder): Effect.Effect<Answer, never, R | Caller> {
    const { route } = call
    if (route._tag === "RequestRefused") return Effect.succeed(this.refuse(call, route))
    if (route._tag === "ReadTogether") {
      const answers = Effect.forEach(route.reads, (read) => this.#readOne(call, read, holder), {
        concurrency: "unbounded"
      })
      return Effect.map(answers, answersTogether)
    }
    // Refuses the call before any work is done for it, if too many calls of the account are waiting already.
    const isOverloaded = this.#services.turns[this.isRead(call) ? "read" : "write"].isFull(holder.accountId)
    if (isOverloaded) return Effect.succeed(this.refuse(call, overloaded()))
    return Effect.catchAll(this.#run(route, call, body, holder), (failure) =>
      Effect.succeed(this.refuse(call, failure, failure !== noRoom))
    )
  }

  /** Answers one of several calls as if it had come alone: with its own request id, in the log and within the limits. */
  #readOne(
    call: Call,
    { body, tool }: RequestedRead,
    holder: TokenHolder
  ): Effect.Effect<{ readonly requestId: string; readonly answer: Answer }, never, R> {
    const { clock } = this.#services
    const one: Call = {
      ...call,
      requestId: randomUUID(),
      target: { ...call.target, path: `/call/${tool}`, query: "" },
      route: { _tag: "CallWithBody", name: tool },
      record: { startedAt: clock.unsafeCurrentTimeMillis() }
    }
    const { catalog } = this.#options.catalogs[call.target.prefix]
    const answer: Effect.Effect<Answer, never, R | Caller> = this.isRead(one)
      ? this.answer(one, Effect.succeed(body), holder)
      : Effect.succeed(
          this.refuse(one, Option.isNone(catalog.get(tool)) ? catalog.unknownTool(tool) : notReadOnly(tool))
        )
    return Effect.map(Effect.provideService(answer, Caller, this.callerOf(one, holder)), (answer) => {
      this.#log(one, answer)
      return { requestId: one.requestId, answer }
    })
  }

  #run(
    route: Route,
    call: Call,
    body: Body,
    { bounds, confirmation }: TokenHolder
  ): Effect.Effect<Answer, Failure, R | Caller> {
    const { target } = call
    const { access, catalogs } = this.#options
    const { catalog, documents } = catalogs[target.prefix]
    if (route._tag === "ListTools") return Effect.map(documents.list(target.prefix), success)
    const tool = catalog.get(route.name)
    if (Option.isNone(tool)) return Effect.fail(catalog.unknownTool(route.name))
    if (route._tag !== "DescribeTool") call.record.tool = route.name
    const lack = route._tag === "DescribeTool" ? undefined : this.#options.needs.refusalOf(bounds, route.name)
    if (lack !== undefined) return Effect.fail(lack)
    switch (route._tag) {
      case "DescribeTool":
        return Effect.succeed(success(documents.one(target.prefix, tool.value.name)))
      case "CallWithQuery":
        return tool.value.kind === "read"
          ? this.#callTool(call, tool.value, fromQueryString(target.query))
          : Effect.fail(notReadOnly(route.name))
      case "CallWithBody": {
        // REST cannot ask a person to confirm.
        if (confirmation === "always" && tool.value.kind === "destructive" && access.confirmed === undefined) {
          return Effect.fail(confirmationRequired(route.name))
        }
        if (target.query !== "") return Effect.fail(queryOnPost)
        const mode = requestedMode(tool.value, modeHeaders(call))
        if (mode instanceof RequestRefused) return Effect.fail(mode)
        return Effect.flatMap(body, (bytes) => this.#callConfirmed(call, tool.value, fromJsonBody(bytes), mode))
      }
    }
  }

  /** Runs a call that may need a confirmation. A dry run changes nothing, so it needs none. */
  #callConfirmed(
    call: Call,
    tool: Tool<unknown>,
    raw: RawArguments | RequestRefused,
    mode: RequestedMode | undefined
  ): Effect.Effect<Answer, Failure, R | Caller> {
    const run = mode === undefined ? this.#callTool(call, tool, raw) : this.#callInMode(call, tool, raw, mode)
    const { confirmed } = this.#options.access
    if (confirmed === undefined || tool.kind !== "destructive" || mode?._tag === "DryRun" || isRefused(raw)) return run
    return Effect.zipRight(confirmed(call.request, tool.name, raw), run)
  }

  #callTool(
    { record, target }: Call,
    { name, parameters }: Pick<Tool<unknown>, "name" | "parameters">,
    raw: RawArguments | RequestRefused,
    mode?: CallMode
  ): Effect.Effect<Answer, ToolError | RequestRefused | ToolDefect, R | Caller> {
    if (isRefused(raw)) return Effect.fail(raw)
    record.arguments = loggedArguments(parameters, (parameter) => raw.get(parameter))
    const { catalog } = this.#options.catalogs[target.prefix]
    return Effect.map(catalog.call(name, raw, mode), (value) => success(JSON.stringify(value)))
  }

  /** Runs a call in its mode (such as a dry run). Failures have the headers of the mode too. */
  #callInMode(
    call: Call,
    tool: Pick<Tool<unknown>, "name" | "parameters">,
    raw: RawArguments | RequestRefused,
    requested: RequestedMode
  ): Effect.Effect<Answer, never, R | Caller> {
    const mode = callModeOf(requested, this.#services.modes)
    return this.#callTool(call, tool, raw, mode).pipe(
      Effect.catchAll((failure) => Effect.succeed(this.refuse(call, failure, true))),
      Effect.map((answer) => ({ ...answer, headers: { ...answer.headers, ...mode.headers() } }))
    )
  }
}
