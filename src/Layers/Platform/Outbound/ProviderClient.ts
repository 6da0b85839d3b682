import { Clock, type Duration, Effect, Option, Redacted, Schema } from "effect"
import type { Refused } from "../../../Errors.ts"
import { stopDryRun } from "../../../Services/Core/Calls/DryRun.ts"
import { parsedUrl } from "../../../Services/Core/Outside/ParsedUrl.ts"
import type { OutboundFailure, OutboundRequest, OutboundResponse } from "../../../Services/Outbound/OutboundHttp.ts"
import { readJson } from "../AnswerPaths.ts"
import { type ProviderAnswer, ProviderFailure, type ProviderFailureKind } from "./ProviderFailure.ts"
import type { ProviderQuota } from "./ProviderQuota.ts"
import { mayChange, type ProviderRequest, type QueryValues } from "./ProviderRequest.ts"
import { retryAfterMillis } from "./RetryAfter.ts"

/*
 * How the gateway calls outside providers. An adapter has three parts, and nothing else:
 *
 * 1. A client, made from the provider's base URL, its access and its quota:
 *
 *      const client = makeProviderClient({ name: "scheduler", baseUrl, transport: transport.request, access, quota })
 *
 * 2. Shapes: `client.ask(EventPage, { method: "GET", path: "/events", query: { from } })` answers decoded pages.
 *    `client.send` answers the response where there is no shape to decode.
 * 3. A mapping from the `kind` and `code` of `ProviderFailure` to the errors of the room. A provider whose statuses or
 *    bodies mean something unusual passes `judge`.
 *
 * The client waits for the quota, adds the credentials, replaces a token that expired early once, bounds time and size,
 * parses JSON, reads `Retry-After`, and opens a span. Tests and sandboxes replace `transport`.
 */

/** The interpretation of a failed answer. Undefined means success. */
export interface Judgement {
  readonly kind: ProviderFailureKind
  /** By default `status_` and the status, such as `status_503`. */
  readonly code?: string
  /** By default the time in the answer's `Retry-After` header. */
  readonly retryAfterMillis?: number | undefined
}

/** Bearer tokens that expire. `OAuthConnection` is one. */
export interface ProviderAccess<E, R> {
  readonly accessToken: Effect.Effect<Redacted.Redacted, E, R>
  /** Called when the provider refused the token. The next call then gets a new one. */
  readonly reject: (token: Redacted.Redacted) => Effect.Effect<void, E, R>
  /** Called when the provider refused the new token too. Returns the error of the call. */
  readonly loseAccess?: (reason: string) => Effect.Effect<E, E, R>
}

export interface ProviderClientOptions<TransportR, AccessE, AccessR, QuotaE, QuotaR> {
  /** The provider's name in failures and spans. */
  readonly name: string
  /** The base URL without a trailing slash. */
  readonly baseUrl: string
  /** Sends a request over the network or to a sandbox. */
  readonly transport: (
    request: OutboundRequest
  ) => Effect.Effect<OutboundResponse, Refused | OutboundFailure, TransportR>
  /** True if the operator configured the base URL. Its address need not be public then. */
  readonly isOperators?: boolean
  /**
   * Headers for every request. Like `query` and `access`, they are sent only to the base URL's origin, because they may
   * contain credentials.
   */
  readonly headers?: { readonly [name: string]: string }
  readonly query?: QueryValues
  readonly access?: ProviderAccess<AccessE, AccessR>
  readonly quota?: ProviderQuota<QuotaE, QuotaR>
  /** The time limit of a call, by default 20 seconds. */
  readonly timeout?: Duration.DurationInput
  /** The size limit of an answer, by default 8 MiB. */
  readonly maxResponseBytes?: number
  /** Interprets an answer where the provider's meaning differs from the default, `usual`. */
  readonly judge?: (
    answer: ProviderAnswer,
    usual: Judgement | undefined,
    request: ProviderRequest
  ) => Judgement | undefined
}

const defaultTimeout = "20 seconds"
const defaultMaxResponseBytes = 8 * 1024 * 1024

/** Returns the failure of a request that was cut off after it may have arrived. */
const interruptedKind = (request: ProviderRequest): ProviderFailureKind =>
  mayChange(request) ? "maybe_sent" : "unavailable"

const kindsByStatus: { readonly [status: number]: ProviderFailureKind } = {
  401: "unauthorized",
  402: "forbidden",
  403: "forbidden",
  404: "not_found",
  409: "conflict",
  410: "not_found",
  429: "rate_limited",
  503: "unavailable"
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300

const usualJudgement = (status: number, request: ProviderRequest): Judgement | undefined => {
  if (isSuccess(status)) return undefined
  const interrupted = status >= 500 || status === 408 ? interruptedKind(request) : "rejected"
  return { kind: kindsByStatus[status] ?? interrupted }
}

/** Returns `?a=1&b=2` for the values that are defined, or an empty text. */
const queryText = (values: QueryValues): string => {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`]
  )
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`
}

const withQuery = (url: string, values: QueryValues): string => {
  const query = queryText(values)
  return url.includes("?") ? `${url}${query.replace("?", "&")}` : `${url}${query}`
}

const definedHeaders = (headers: {
  readonly [name: string]: string | undefined
}): { readonly [name: string]: string } =>
  Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))

export interface ProviderClient<E, R> {
  /** Sends a request and returns a successful answer. */
  readonly send: (request: ProviderRequest) => Effect.Effect<ProviderAnswer, ProviderFailure | E, R>
  /** Sends a request and returns the decoded JSON of a successful answer. */
  readonly ask: <A, I>(shape: Schema.Schema<A, I>, request: ProviderRequest) => Effect.Effect<A, ProviderFailure | E, R>
}

/** Makes a client for one provider, or for one account at that provider. */
export const makeProviderClient = <TransportR, AccessE = never, AccessR = never, QuotaE = never, QuotaR = never>(
  options: ProviderClientOptions<TransportR, AccessE, AccessR, QuotaE, QuotaR>
): ProviderClient<AccessE | QuotaE, TransportR | AccessR | QuotaR> => {
  const { access, baseUrl, judge, name, quota, transport } = options
  const origin = parsedUrl(baseUrl)?.origin

  const failure = (judgement: Judgement & { readonly code: string }, answer?: ProviderAnswer) =>
    new ProviderFailure({
      provider: name,
      kind: judgement.kind,
      code: judgement.code,
      retryAfterMillis: judgement.retryAfterMillis ?? answer?.retryAfterMillis,
      answer: answer === undefined ? undefined : Redacted.make(answer)
    })

  const unreadable = (request: ProviderRequest, answer: ProviderAnswer) =>
    failure({ kind: interruptedKind(request), code: "answer_unreadable" }, answer)

  const outboundRequest = (request: ProviderRequest, token: Redacted.Redacted | undefined): OutboundRequest => {
    const url = request.path.startsWith("/") ? `${baseUrl}${request.path}` : request.path
    const isOwnOrigin = parsedUrl(url)?.origin === origin
    const body = request.json === undefined ? request.body : JSON.stringify(request.json)
    return {
      method: request.method,
      url: withQuery(url, { ...request.query, ...(isOwnOrigin ? options.query : {}) }),
      headers: definedHeaders({
        accept: "application/json",
        ...(request.json === undefined ? {} : { "content-type": "application/json" }),
        ...(isOwnOrigin ? options.headers : {}),
        ...(isOwnOrigin && token !== undefined ? { authorization: `Bearer ${Redacted.value(token)}` } : {}),
        ...request.headers
      }),
      ...(body === undefined ? {} : { body }),
      isRead: !mayChange(request),
      timeout: request.timeout ?? options.timeout ?? defaultTimeout,
      maxResponseBytes: request.maxResponseBytes ?? options.maxResponseBytes ?? defaultMaxResponseBytes,
      ...(options.isOperators === true && isOwnOrigin ? { allowNonPublic: true } : {})
    }
  }

  const exchange = (request: ProviderRequest, token: Redacted.Redacted | undefined) =>
    Effect.gen(function* () {
      const response = yield* Effect.mapError(transport(outboundRequest(request, token)), (error) =>
        error._tag === "Refused"
          ? failure({ kind: "rejected", code: error.reason })
          : failure({ kind: error.mayHaveArrived ? interruptedKind(request) : "unavailable", code: error.reason })
      )
      const now = yield* Clock.currentTimeMillis
      const { expects = "json" } = request
      const json = expects === "bytes" ? Option.none() : readJson(response.body)
      const answer: ProviderAnswer = {
        ...response,
        json: Option.getOrUndefined(json),
        retryAfterMillis: retryAfterMillis(response.headers, now)
      }
      const usual = usualJudgement(response.status, request)
      const judgement = judge === undefined ? usual : judge(answer, usual, request)
      const refusal =
        judgement === undefined ? undefined : failure({ code: `status_${response.status}`, ...judgement }, answer)
      if (quota !== undefined) yield* quota.learn(request, answer, refusal)
      if (refusal !== undefined) return yield* refusal
      return Option.isNone(json) && expects === "json" ? yield* unreadable(request, answer) : answer
    })

  const isExpiredToken = (error: unknown): error is ProviderFailure =>
    error instanceof ProviderFailure && error.answer !== undefined && Redacted.value(error.answer).status === 401

  /** A token may expire early, so after the first refusal a new one is fetched. */
  const exchangeWithAccess = (
    request: ProviderRequest,
    { accessToken, loseAccess, reject }: ProviderAccess<AccessE, AccessR>
  ) =>
    Effect.gen(function* () {
      const token = yield* accessToken
      return yield* Effect.catchIf(exchange(request, token), isExpiredToken, () =>
        Effect.gen(function* () {
          yield* reject(token)
          const renewed = yield* accessToken
          return yield* Effect.catchIf(
            exchange(request, renewed),
            isExpiredToken,
            (error): Effect.Effect<never, AccessE | ProviderFailure, AccessR> =>
              loseAccess === undefined ? Effect.fail(error) : Effect.flatMap(loseAccess("unauthorized"), Effect.fail)
          )
        })
      )
    })

  const send: ProviderClient<AccessE | QuotaE, TransportR | AccessR | QuotaR>["send"] = (request) =>
    Effect.gen(function* () {
      if (mayChange(request)) yield* stopDryRun(name)
      if (quota !== undefined) yield* quota.wait(request)
      return yield* access === undefined || request.token !== undefined
        ? exchange(request, request.token)
        : exchangeWithAccess(request, access)
    }).pipe(
      Effect.tapError((error) =>
        error instanceof ProviderFailure
          ? Effect.annotateCurrentSpan({ "error.type": error.kind, "provider.code": error.code })
          : Effect.void
      ),
      Effect.withSpan(`provider ${name}`, { captureStackTrace: false })
    )

  const ask: ProviderClient<AccessE | QuotaE, TransportR | AccessR | QuotaR>["ask"] = (shape, request) =>
    Effect.flatMap(send(request), (answer) =>
      Option.match(Schema.decodeUnknownOption(shape)(answer.json), {
        onNone: () => Effect.fail(unreadable(request, answer)),
        onSome: Effect.succeed
      })
    )

  return { send, ask }
}
