import { Clock, Effect, Option } from "effect"
import { UnitOfWork } from "../../../Services/Core/UnitOfWork.ts"
import { RateLimits } from "../../../Services/Outbound/RateLimits.ts"
import { at, listAt, readJson, textAt } from "../../Platform/AnswerPaths.ts"
import { retryAfterMillis } from "../../Platform/Outbound/RetryAfter.ts"
import { outsideTransaction } from "../../Platform/Postgres/OutsideTransaction.ts"
import { AdsSettings } from "../AdsSettings.ts"
import { type AdsError, AdsFailure, adsErrors, failureOfAnswer } from "./AdsFailure.ts"
import { AdsTransport } from "./AdsTransport.ts"

/** The platform's version that is spoken: it lives about a year. */
export const apiVersion = "v25"

const service = "ads"
const timeout = "20 seconds"
const largestAnswer = 16 * 1024 * 1024
const mostRows = 50_000
/** For how long a call waits for its turn before it is put off. */
const longestWaitSeconds = 5
const restSeconds = 30

export type Operation = { readonly [kind: string]: unknown }

export interface MutateResult {
  /** The name of each thing made or changed, in the order of the operations; empty where one was refused. */
  readonly names: ReadonlyArray<string>
  /** With `partialFailure`: what was refused. */
  readonly errors: ReadonlyArray<AdsError>
}

interface AdsRequest {
  readonly method: "GET" | "POST"
  readonly url: string
  readonly body?: unknown
  readonly changes: boolean
  readonly customerId?: string
  /** Operations, as the platform counts. */
  readonly cost?: number
  readonly isPlanning?: boolean
}

/** The last part of a resource's name, such as `12` of `customers/1/campaigns/12`; after a `~` where it has two. */
export const idOf = (resourceName: string): string => resourceName.split("/").at(-1)?.split("~").at(-1) ?? ""

/** The ads platform as far as campaigns of the gateway need it. */
export const makeAdsPlatform = Effect.gen(function* () {
  const transport = yield* AdsTransport
  const limits = yield* RateLimits
  const unit = yield* UnitOfWork
  const { apiUrl, dailyOperations, dataManagerUrl } = yield* AdsSettings
  const unavailable = () => new AdsFailure({ reason: "unavailable" })

  const buckets = (isPlanning: boolean) => [
    { bucket: "operations", allowance: { amount: dailyOperations, seconds: 86_400 } },
    ...(isPlanning ? [{ bucket: "planning", allowance: { amount: 60, seconds: 60 } }] : [])
  ]

  /** Takes its turn within what the platform allows; on a session of its own, since reading tools may not write. */
  const turn = Effect.fnUntraced(function* (cost: number, isPlanning: boolean) {
    for (const { allowance, bucket } of buckets(isPlanning)) {
      const most = Math.max(1, Math.floor(allowance.amount / 20))
      const use = { service, bucket, allowance, cost: Math.min(cost, most), largestCost: most, isWaitedFor: true }
      let waited = 0
      while (true) {
        const seconds = yield* Effect.mapError(outsideTransaction(unit.write(limits.take(use))), unavailable)
        if (seconds === 0) break
        if (waited + seconds > longestWaitSeconds) {
          return yield* new AdsFailure({ reason: "rate_limited", retryAfterSeconds: Math.ceil(seconds) })
        }
        waited += seconds
        yield* Effect.sleep(seconds * 1000)
      }
    }
  })

  const exchange = Effect.fnUntraced(function* (request: AdsRequest, isFresh: boolean) {
    const { body, changes, customerId, method, url } = request
    return yield* transport
      .request(
        {
          method,
          url,
          headers: {
            accept: "application/json",
            ...(body === undefined ? {} : { "content-type": "application/json" }),
            ...(customerId === undefined ? {} : { "login-customer-id": transport.managerId })
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          timeout,
          maxResponseBytes: largestAnswer
        },
        isFresh
      )
      .pipe(
        Effect.mapError((error) =>
          error._tag === "Refused" ||
          (!changes && error.reason !== "response_too_large" && error.reason !== "response_unreadable")
            ? unavailable()
            : error.mayHaveArrived === true && changes
              ? new AdsFailure({ reason: "unknown" })
              : new AdsFailure({
                  reason:
                    error.reason === "response_too_large" || error.reason === "response_unreadable"
                      ? "unreadable"
                      : "unavailable"
                })
        )
      )
  })

  const send = Effect.fnUntraced(function* (request: AdsRequest) {
    const { changes, cost = 1, isPlanning = false } = request
    yield* turn(cost, isPlanning)
    const first = yield* exchange(request, false)
    // An access that ended early is taken anew, once.
    const response = first.status === 401 ? yield* exchange(request, true) : first
    const answer = readJson(response.body, {})
    if (response.status >= 200 && response.status < 300) {
      if (Option.isSome(answer) && typeof answer.value === "object" && answer.value !== null) return answer.value
      return yield* new AdsFailure({ reason: changes ? "unknown" : "unreadable" })
    }
    const asked = retryAfterMillis(response.headers, yield* Clock.currentTimeMillis)
    const failure = failureOfAnswer(
      response.status,
      Option.getOrUndefined(answer),
      changes,
      asked === undefined ? undefined : Math.ceil(asked / 1000)
    )
    if (failure.reason === "rate_limited" || failure.reason === "quota_used_up") {
      const told = {
        emptyForSeconds: failure.retryAfterSeconds ?? (failure.reason === "rate_limited" ? restSeconds : 3600)
      }
      const bucket = failure.reason === "rate_limited" && isPlanning ? "planning" : "operations"
      yield* Effect.mapError(outsideTransaction(unit.write(limits.correct(service, bucket, told))), unavailable)
    }
    return yield* failure
  })

  const customers = (customerId: string) => `${apiUrl}/${apiVersion}/customers/${customerId}`

  return {
    mode: transport.mode,
    managerId: transport.managerId,

    /** The rows of a query; those beyond the most that are taken are left out, and said so. */
    search: Effect.fn("Ads.search")(function* (customerId: string, query: string) {
      const answer = yield* send({
        method: "POST",
        url: `${customers(customerId)}/googleAds:searchStream`,
        body: { query },
        changes: false,
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
        url: `${customers(customerId)}/googleAds:mutate`,
        body: { mutateOperations: operations, validateOnly, partialFailure },
        changes: !validateOnly,
        customerId,
        cost: operations.length
      })
      const results = listAt(answer, "mutateOperationResponses")
      const result: MutateResult = {
        names: operations.map((_, index) => {
          const found = results[index]
          const [value] = typeof found === "object" && found !== null ? Object.values<unknown>({ ...found }) : []
          return textAt(value, "resourceName")
        }),
        errors: adsErrors(at(answer, "partialFailureError"))
      }
      // A success that does not name what was made: whether it was is to be looked up.
      if (!validateOnly && !partialFailure && result.names.some((name) => name === "")) {
        return yield* new AdsFailure({ reason: "unknown" })
      }
      return result
    }),

    /** A client account under the manager; answers its number. */
    createCustomer: Effect.fn("Ads.createCustomer")(function* (name: string, timeZone: string) {
      const answer = yield* send({
        method: "POST",
        url: `${customers(transport.managerId)}:createCustomerClient`,
        body: { customerClient: { descriptiveName: name, currencyCode: "BRL", timeZone } },
        changes: true,
        customerId: transport.managerId
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
        url: `${customers(customerId)}:generateKeywordIdeas`,
        body,
        changes: false,
        customerId,
        isPlanning: true
      })
      return listAt(answer, "results")
    }),

    invoices: Effect.fn("Ads.invoices")(function* (customerId: string, query: { readonly [name: string]: string }) {
      const answer = yield* send({
        method: "GET",
        url: `${customers(customerId)}/invoices?${new URLSearchParams(query).toString()}`,
        changes: false,
        customerId
      })
      return listAt(answer, "invoices")
    }),

    /** `path` such as `audienceMembers:ingest`. */
    dataManager: Effect.fn("Ads.dataManager")(function* (path: string, body: { readonly [name: string]: unknown }) {
      const answer = yield* send({ method: "POST", url: `${dataManagerUrl}/v1/${path}`, body, changes: true })
      return textAt(answer, "requestId")
    }),

    uploadStatus: Effect.fn("Ads.uploadStatus")(function* (requestId: string) {
      return yield* send({
        method: "GET",
        url: `${dataManagerUrl}/v1/requestStatus:retrieve?requestId=${encodeURIComponent(requestId)}`,
        changes: false
      })
    }),

    /** A call of the client account of which the answer matters; `path` such as `offlineUserDataJobs:create`. */
    post: Effect.fn("Ads.post")(function* (
      customerId: string,
      path: string,
      body: { readonly [name: string]: unknown }
    ) {
      return yield* send({ method: "POST", url: `${customers(customerId)}${path}`, body, changes: true, customerId })
    })
  }
})

export type AdsPlatform = Effect.Effect.Success<typeof makeAdsPlatform>
