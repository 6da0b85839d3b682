import { Effect } from "effect"
import type { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { RateLimits } from "../../../Services/Outbound/RateLimits.ts"
import { at, listAt, textAt } from "../../Platform/AnswerPaths.ts"
import { makeProviderClient } from "../../Platform/Outbound/ProviderClient.ts"
import type { ProviderFailure } from "../../Platform/Outbound/ProviderFailure.ts"
import { learnLimits, type ProviderLimit, sharedQuota } from "../../Platform/Outbound/ProviderQuota.ts"
import { mayChange, type ProviderRequest } from "../../Platform/Outbound/ProviderRequest.ts"
import { outsideTransaction } from "../../Platform/Postgres/OutsideTransaction.ts"
import { AdsSettings } from "../AdsSettings.ts"
import { type AdsError, AdsFailure, adsErrors, judgeAdsAnswer, toAdsFailure } from "./AdsFailure.ts"
import { AdsTransport } from "./AdsTransport.ts"

/** The platform supports a version for about a year. */
export const apiVersion = "v26"

const service = "ads"
const timeout = "20 seconds"
const maxResponseBytes = 16 * 1024 * 1024
const mostRows = 50_000
const longestWaitSeconds = 5
/** The pause after a refused call, if the platform states none. */
const restSeconds = 30
/** The pause in seconds after the daily operations are used up. */
const usedUpRestSeconds = 3600
const secondsPerDay = 86_400
const planningPerMinute = 60

const isQuotaUsedUp = ({ code }: ProviderFailure): boolean => code === "quota_used_up"

export type Operation = { readonly [kind: string]: unknown }

export interface MutateResult {
  /**
   * Resource names of the created or changed items, in the order of the operations. A name is empty if its operation
   * was refused.
   */
  readonly names: ReadonlyArray<string>
  /** The refused operations, if `partialFailure` is set. */
  readonly errors: ReadonlyArray<AdsError>
}

interface AdsRequest extends ProviderRequest {
  readonly customerId?: string
}

/**
 * Returns the last part of a resource's name, such as `12` of `customers/1/campaigns/12`, or the part after `~` if
 * there is one.
 */
export const idOf = (resourceName: string): string => resourceName.split("/").at(-1)?.split("~").at(-1) ?? ""

const isPlanning = ({ path }: ProviderRequest): boolean => path.endsWith(":generateKeywordIdeas")

/** A single call takes at most this share of a limit, so that other calls can run between large ones. */
const largestShare = 1 / 20

const limitOf = (bucket: string, amount: number, seconds: number) => ({
  bucket,
  allowance: { amount, seconds },
  largestCost: Math.max(1, Math.floor(amount * largestShare))
})

/** The platform's quota for the gateway's project. Keyword ideas count against a second limit too. */
const quotaOf = (rates: Pick<RateLimits["Type"], "take" | "correct">, dailyOperations: number) => {
  const operations = limitOf("operations", dailyOperations, secondsPerDay)
  const planning = limitOf("planning", planningPerMinute, 60)
  const limits = (request: ProviderRequest): ReadonlyArray<ProviderLimit> =>
    isPlanning(request)
      ? [
          { ...operations, isExhaustedBy: isQuotaUsedUp },
          { ...planning, isExhaustedBy: (failure) => failure.kind === "rate_limited" && !isQuotaUsedUp(failure) }
        ]
      : [operations]
  const quota = sharedQuota(rates, { service, limits, longestWaitSeconds, restSeconds, isWaitedFor: true })
  const learn: typeof quota.learn = (request, answer, failure) => {
    const pauseSeconds = failure !== undefined && isQuotaUsedUp(failure) ? usedUpRestSeconds : restSeconds
    return learnLimits(rates, { service, restSeconds: pauseSeconds, limits: limits(request) }, answer, failure)
  }
  return { wait: quota.wait, learn }
}

type SendToAds = (request: AdsRequest) => Effect.Effect<unknown, AdsFailure, Caller>

/** Sends to both interfaces of the platform with the operator's access. */
const makeSender = Effect.gen(function* () {
  const { access, headers, managerId, request: transport } = yield* AdsTransport
  const { take, correct } = yield* RateLimits
  const unit = yield* UnitOfWork
  const { apiUrl, dailyOperations, dataManagerUrl } = yield* AdsSettings
  // Read-only tools may not write in their own transaction, so the count is written outside of it.
  const rates = {
    take: (use: Parameters<typeof take>[0]) => outsideTransaction(unit.write(take(use))),
    correct: (...parameters: Parameters<typeof correct>) => outsideTransaction(unit.write(correct(...parameters)))
  }
  const clientOf = (baseUrl: string) =>
    makeProviderClient({
      name: service,
      baseUrl,
      transport,
      isOperators: true,
      ...(headers === undefined ? {} : { headers }),
      access,
      quota: quotaOf(rates, dailyOperations),
      timeout,
      maxResponseBytes,
      judge: judgeAdsAnswer
    })

  const sendWith =
    (client: ReturnType<typeof clientOf>): SendToAds =>
    ({ customerId, ...request }) =>
      Effect.gen(function* () {
        const loginHeaders = customerId === undefined ? {} : { "login-customer-id": managerId }
        const { json } = yield* Effect.mapError(client.send({ ...request, headers: loginHeaders }), toAdsFailure)
        if (json === undefined) return {}
        if (typeof json === "object" && json !== null) return json
        return yield* new AdsFailure({ reason: mayChange(request) ? "unknown" : "unreadable" })
      })

  return { send: sendWith(clientOf(apiUrl)), sendToDataManager: sendWith(clientOf(dataManagerUrl)) }
})

const customersPath = (customerId: string) => `/${apiVersion}/customers/${customerId}`

/** The calls of the ads platform that campaigns need. */
export const makeAdsPlatform = Effect.gen(function* () {
  const { managerId, mode } = yield* AdsTransport
  const { send, sendToDataManager } = yield* makeSender

  return {
    mode,
    managerId,

    /** The rows of a query, at most `mostRows`. */
    search: Effect.fn("Ads.search")(function* (customerId: string, query: string) {
      const answer = yield* send({
        method: "POST",
        path: `${customersPath(customerId)}/googleAds:searchStream`,
        json: { query },
        isRead: true,
        customerId
      })
      if (!Array.isArray(answer)) return yield* new AdsFailure({ reason: "unreadable" })
      const rows = answer.flatMap((batch) => listAt(batch, "results"))
      return { rows: rows.slice(0, mostRows), isTruncated: rows.length > mostRows }
    }),

    mutate: Effect.fn("Ads.mutate")(function* (
      customerId: string,
      operations: ReadonlyArray<Operation>,
      {
        partialFailure = false,
        validateOnly = false
      }: { readonly partialFailure?: boolean; readonly validateOnly?: boolean } = {}
    ) {
      const answer = yield* send({
        method: "POST",
        path: `${customersPath(customerId)}/googleAds:mutate`,
        json: { mutateOperations: operations, validateOnly, partialFailure },
        isRead: validateOnly,
        customerId,
        cost: operations.length
      })
      const results = listAt(answer, "mutateOperationResponses")
      const result: MutateResult = {
        names: operations.map((_, index) => {
          const response = results[index]
          const [value] =
            typeof response === "object" && response !== null ? Object.values<unknown>({ ...response }) : []
          return textAt(value, "resourceName")
        }),
        errors: adsErrors(at(answer, "partialFailureError"))
      }
      // The call succeeded but returned no names, so the caller must look up whether anything was created.
      if (!validateOnly && !partialFailure && result.names.some((name) => name === "")) {
        return yield* new AdsFailure({ reason: "unknown" })
      }
      return result
    }),

    /** Creates a client account under the manager. Returns its number. */
    createCustomer: Effect.fn("Ads.createCustomer")(function* (name: string, timeZone: string) {
      const answer = yield* send({
        method: "POST",
        path: `${customersPath(managerId)}:createCustomerClient`,
        json: { customerClient: { descriptiveName: name, currencyCode: "BRL", timeZone } },
        customerId: managerId
      })
      const id = idOf(textAt(answer, "resourceName"))
      return /^\d{1,20}$/.test(id) ? id : yield* new AdsFailure({ reason: "unknown" })
    }),

    keywordIdeas: Effect.fn("Ads.keywordIdeas")(function* (
      customerId: string,
      body: { readonly [name: string]: unknown }
    ) {
      const answer = yield* send({
        method: "POST",
        path: `${customersPath(customerId)}:generateKeywordIdeas`,
        json: body,
        isRead: true,
        customerId
      })
      return listAt(answer, "results")
    }),

    invoices: Effect.fn("Ads.invoices")(function* (customerId: string, query: { readonly [name: string]: string }) {
      const answer = yield* send({
        method: "GET",
        path: `${customersPath(customerId)}/invoices`,
        query,
        customerId
      })
      return listAt(answer, "invoices")
    }),

    /** `path` such as `audienceMembers:ingest`. */
    dataManager: Effect.fn("Ads.dataManager")(function* (path: string, body: { readonly [name: string]: unknown }) {
      const answer = yield* sendToDataManager({ method: "POST", path: `/v1/${path}`, json: body })
      return textAt(answer, "requestId")
    }),

    uploadStatus: Effect.fn("Ads.uploadStatus")(function* (requestId: string) {
      return yield* sendToDataManager({ method: "GET", path: "/v1/requestStatus:retrieve", query: { requestId } })
    }),

    /** `path` such as `/offlineUserDataJobs:create`. */
    post: Effect.fn("Ads.post")(function* (
      customerId: string,
      path: string,
      body: { readonly [name: string]: unknown }
    ) {
      return yield* send({ method: "POST", path: `${customersPath(customerId)}${path}`, json: body, customerId })
    })
  }
})

export type AdsPlatform = Effect.Effect.Success<typeof makeAdsPlatform>
