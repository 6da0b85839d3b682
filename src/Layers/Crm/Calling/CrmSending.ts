import { Effect, Redacted } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { Secrets } from "../../../Services/Connections/Connections.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { credentialNames } from "../../../Services/Crm/Crm.ts"
import { RateLimits } from "../../../Services/Outbound/RateLimits.ts"
import { makeProviderClient } from "../../Platform/Outbound/ProviderClient.ts"
import type { ProviderFailure } from "../../Platform/Outbound/ProviderFailure.ts"
import { learnLimits } from "../../Platform/Outbound/ProviderQuota.ts"
import {
  type ConvertedLead,
  type Credentials,
  type CrmAdapter,
  type CrmClient,
  CrmFailure,
  type SendToCrm
} from "./CrmAdapter.ts"
import { makeCrmQuota } from "./CrmQuota.ts"
import { CrmTransport } from "./CrmTransport.ts"

/** The prefix of the name under which a connection with a CRM is stored. */
export const servicePrefix = "crm."
export const serviceOf = (crmName: string): string => `${servicePrefix}${crmName}`

/** Converts the secrets of a connection to the form that its adapter expects. */
export const credentialsOf = (secrets: Secrets): Credentials =>
  new Map(
    credentialNames.flatMap((name) => {
      const value = secrets[name]
      return value === undefined ? [] : [[name, value] as const]
    })
  )

/** The pause after a refused call for which the CRM names no time. */
const restSeconds = 30
/** The number of concurrent calls, unless the CRM accepts fewer. */
const usualLanes = 8
export const lanesOf = ({ lanes = usualLanes }: CrmAdapter): number => lanes

interface Address {
  readonly base: string
  readonly headers: { readonly [name: string]: string }
  readonly query: { readonly [name: string]: string }
}

/** Access to an account at a CRM: its records, and its write-only events. */
export interface ReachedCrm {
  /** Undefined if the CRM can only be written to. */
  readonly send: SendToCrm | undefined
  readonly client: CrmClient | undefined
  /** A client for the same account whose calls precede those of `client`. */
  readonly urgent: CrmClient | undefined
  readonly convert: ((lead: ConvertedLead) => Effect.Effect<void, CrmFailure>) | undefined
}

const unavailable = (_: Transient) => new CrmFailure({ kind: "unavailable" })

/** Converts a failure, and adds the details that only a CRM's adapter can read from the answer. */
const crmFailure = (adapter: CrmAdapter, failure: ProviderFailure): CrmFailure => {
  const answer = failure.answer === undefined ? undefined : Redacted.value(failure.answer)
  return new CrmFailure({
    kind: failure.kind,
    retryAfterSeconds: failure.retryAfterSeconds,
    existingId: failure.kind === "conflict" && answer !== undefined ? adapter.existingId?.(answer) : undefined,
    isAddressRefused: failure.kind === "rejected" && answer === undefined
  })
}

/**
 * Makes clients for accounts at CRMs. Every call waits for the CRM's rate limit, which all processes share. Calls that
 * a person waits for precede background work. If the database fails, the CRM counts as unavailable.
 */
export const makeCrmClients = Effect.gen(function* () {
  const transport = yield* CrmTransport
  const rates = yield* RateLimits

  const sender = (
    adapter: CrmAdapter,
    { base, headers, query }: Address,
    isWaitedFor: boolean
  ): Effect.Effect<(isUrgent: boolean) => SendToCrm, never, Caller> =>
    Effect.gen(function* () {
      const caller = yield* Caller
      const asCaller = Effect.provideService(Caller, caller)
      const service = serviceOf(adapter.name)
      const { limits } = adapter
      const turn = makeCrmQuota((costs) => asCaller(rates.takeMany({ service, limits, costs, isWaitedFor })))
      // Tokens are taken for many calls at a time, so the number of concurrent calls is limited separately.
      const lanes = yield* Effect.makeSemaphore(lanesOf(adapter))

      return (isUrgent) => {
        const { send } = makeProviderClient({
          name: service,
          baseUrl: base,
          headers,
          query,
          transport: (request) => asCaller(lanes.withPermits(1)(transport.request(adapter.name, request))),
          judge: (answer, usual) => adapter.judge?.(answer) ?? usual,
          quota: {
            wait: ({ cost = 1 }) => turn(cost, isUrgent),
            learn: (_, answer, failure) =>
              learnLimits(rates, { service, limits, restSeconds }, answer, failure).pipe(
                asCaller,
                Effect.mapError(unavailable)
              )
          }
        })
        return (request) =>
          Effect.catchTag(send(request), "ProviderFailure", (failure) => Effect.fail(crmFailure(adapter, failure)))
      }
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
