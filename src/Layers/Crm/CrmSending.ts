import { Clock, Effect, Option } from "effect"
import type { Transient } from "../../Errors.ts"
import type { Secrets } from "../../Services/Connections/Connections.ts"
import { Caller } from "../../Services/Core/Caller.ts"
import { credentialNames } from "../../Services/Crm/Crm.ts"
import { RateLimits } from "../../Services/Outbound/RateLimits.ts"
import { readJson } from "../Platform/AnswerPaths.ts"
import { retryAfterMillis } from "../Platform/Outbound/RetryAfter.ts"
import {
  type ConvertedLead,
  type Credentials,
  type CrmAdapter,
  type CrmAnswer,
  type CrmClient,
  CrmFailure,
  type CrmRequest,
  type SendToCrm
} from "./CrmAdapter.ts"
import { makeCrmQuota } from "./CrmQuota.ts"
import { CrmTransport } from "./CrmTransport.ts"

/** The name under which the connection with a CRM is kept. */
export const servicePrefix = "crm."
export const serviceOf = (crmName: string): string => `${servicePrefix}${crmName}`

/** The secrets of a connection, as its adapter takes them. */
export const credentialsOf = (secrets: Secrets): Credentials =>
  new Map(
    credentialNames.flatMap((name) => {
      const value = secrets[name]
      return value === undefined ? [] : [[name, value] as const]
    })
  )

/** What a CRM that names no time is left alone for. */
const restSeconds = 30
const largestAnswer = 8 * 1024 * 1024
/** Calls under way at a time, where the CRM does not take fewer. */
const usualLanes = 8
export const lanesOf = ({ lanes = usualLanes }: CrmAdapter): number => lanes

const urlOf = (base: string, path: string, query: { readonly [name: string]: string | number | undefined }): string => {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`]
  )
  return given.length === 0 ? `${base}${path}` : `${base}${path}${path.includes("?") ? "&" : "?"}${given.join("&")}`
}

/** What a status means where the CRM has no code of its own. */
const failureOf = ({ headers, status }: CrmAnswer, changes: boolean, now: number): CrmFailure | undefined => {
  const asked = retryAfterMillis(headers, now)
  const retryAfterSeconds = asked === undefined ? undefined : Math.ceil(asked / 1000)
  if (status >= 200 && status < 300) return undefined
  switch (status) {
    case 400:
    case 422:
      return new CrmFailure({ reason: "refused_by_crm" })
    case 401:
      return new CrmFailure({ reason: "unauthorized" })
    case 402:
    case 403:
      return new CrmFailure({ reason: "forbidden" })
    case 404:
    case 410:
      return new CrmFailure({ reason: "not_found" })
    case 409:
      return new CrmFailure({ reason: "conflict" })
    case 429:
    case 477:
      return new CrmFailure({ reason: "rate_limited", retryAfterSeconds })
    case 503:
      return new CrmFailure({ reason: "unavailable", retryAfterSeconds })
    default:
      if (status >= 500 || status === 408) return new CrmFailure({ reason: changes ? "unknown" : "unavailable" })
      return new CrmFailure({ reason: "refused_by_crm" })
  }
}

interface Address {
  readonly base: string
  readonly headers: { readonly [name: string]: string }
  readonly query: { readonly [name: string]: string }
}

/** How an account at a CRM is reached: its records, and the events that can only be written. */
export interface ReachedCrm {
  /** None where the CRM can only be written to. */
  readonly send: SendToCrm | undefined
  readonly client: CrmClient | undefined
  /** The same account there; its calls go before those of `client`. */
  readonly urgent: CrmClient | undefined
  readonly convert: ((lead: ConvertedLead) => Effect.Effect<void, CrmFailure>) | undefined
}

/**
 * The CRM's account as a client. Every call takes its turn within what the CRM allows, which all processes share; for a
 * person who waits, before those that bring leads up to date. What the database answers badly is a passing failure.
 */
export const makeCrmClients = Effect.gen(function* () {
  const transport = yield* CrmTransport
  const limits = yield* RateLimits

  const sender = (
    adapter: CrmAdapter,
    { base, headers, query: ownQuery }: Address,
    isWaitedFor: boolean
  ): Effect.Effect<(isUrgent: boolean) => SendToCrm, never, Caller> =>
    Effect.gen(function* () {
      const caller = yield* Caller
      const service = serviceOf(adapter.name)
      const away = (_: Transient) => new CrmFailure({ reason: "unavailable" })

      const turn = makeCrmQuota((costs) =>
        Effect.provideService(limits.takeMany({ service, limits: adapter.limits, costs, isWaitedFor }), Caller, caller)
      )

      // Who has a turn goes as soon as one of those before is over: turns are asked for ahead, for many at a time.
      const lanes = yield* Effect.makeSemaphore(lanesOf(adapter))

      /** Whatever the CRM says of its limits holds for all processes. */
      const heed = Effect.fnUntraced(
        function* (answer: CrmAnswer, failure: CrmFailure | undefined) {
          const told = adapter.left?.(answer.headers)
          if (told !== undefined) yield* limits.correct(service, told.bucket, { left: told.left })
          if (failure?.reason === "rate_limited") {
            const emptyForSeconds = failure.retryAfterSeconds ?? restSeconds
            for (const { bucket } of adapter.limits) yield* limits.correct(service, bucket, { emptyForSeconds })
          }
        },
        Effect.provideService(Caller, caller),
        Effect.mapError(away)
      )

      const send = Effect.fnUntraced(function* (request: CrmRequest, isUrgent: boolean) {
        yield* turn(request.cost ?? 1, isUrgent)
        const changes = request.method !== "GET" && request.isRead !== true
        const response = yield* transport
          .request(adapter.name, {
            method: request.method,
            url: urlOf(base, request.path, { ...request.query, ...ownQuery }),
            headers: {
              accept: "application/json",
              ...(request.body === undefined ? {} : { "content-type": "application/json" }),
              ...headers,
              ...request.headers
            },
            ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
            timeout: "20 seconds",
            maxResponseBytes: largestAnswer
          })
          .pipe(
            lanes.withPermits(1),
            Effect.provideService(Caller, caller),
            Effect.mapError((error) =>
              error._tag === "Refused"
                ? new CrmFailure({ reason: "address_not_allowed" })
                : new CrmFailure({ reason: changes && error.mayHaveArrived ? "unknown" : "unavailable" })
            )
          )
        const body = readJson(response.body)
        const answer = { status: response.status, headers: response.headers, body: Option.getOrUndefined(body) }
        const failure = adapter.judge?.(answer) ?? failureOf(answer, changes, yield* Clock.currentTimeMillis)
        yield* heed(answer, failure)
        if (failure !== undefined) return yield* failure
        // A success that nobody can read: whether it did what it should is to be looked up.
        if (Option.isNone(body)) return yield* new CrmFailure({ reason: changes ? "unknown" : "unavailable" })
        return answer
      })
      return (isUrgent) => (request) => send(request, isUrgent)
    })

  return (
    adapter: CrmAdapter,
    credentials: Credentials,
    { isWaitedFor }: { readonly isWaitedFor: boolean }
  ): Effect.Effect<ReachedCrm, never, Caller> =>
    Effect.gen(function* () {
      const { conversions } = adapter
      const records = {
        base: adapter.baseUrl(credentials),
        headers: adapter.headers(credentials),
        query: adapter.query?.(credentials) ?? {}
      }
      const isWriteOnly = conversions?.isOnly(credentials) === true
      const sending = isWriteOnly ? undefined : yield* sender(adapter, records, isWaitedFor)
      const send = sending?.(false)
      return {
        send,
        client: send === undefined ? undefined : adapter.connect(send, credentials),
        urgent: sending === undefined ? undefined : adapter.connect(sending(true), credentials),
        convert:
          conversions?.isWanted(credentials) === true
            ? conversions.convert(
                (yield* sender(
                  adapter,
                  { base: conversions.baseUrl, headers: {}, query: conversions.query(credentials) },
                  isWaitedFor
                ))(false)
              )
            : undefined
      }
    })
})
