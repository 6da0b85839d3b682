import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Redacted } from "effect"
import type { Transient } from "../../../Errors.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { parsedUrl } from "../../../Services/Core/Outside/ParsedUrl.ts"
import {
  OutboundFailure,
  type OutboundRequest,
  type OutboundResponse
} from "../../../Services/Outbound/OutboundHttp.ts"
import { at, listAt, textAt } from "../../Platform/AnswerPaths.ts"
import { AdsSettings } from "../AdsSettings.ts"
import { apiVersion } from "../Calling/AdsPlatform.ts"
import { changeMembers, ingest, uploadState } from "./AdsSandboxDataManager.ts"
import type { SearchPlace } from "./AdsSandboxEntities.ts"
import { parseQuery } from "./AdsSandboxGaql.ts"
import { makeMutate, type SandboxError } from "./AdsSandboxMutate.ts"
import { searched } from "./AdsSandboxSearch.ts"
import { marketMicros, monthlySearches } from "./AdsSandboxServing.ts"
import { makeSandboxStore, type SandboxStore, type SandboxTroubles, type SandboxWorld } from "./AdsSandboxStore.ts"

const customerPath = new RegExp(`^/${apiVersion}/customers/(\\d{1,20})`)

export const sandboxManagerId = "1000000000"
const firstCustomer = 2_000_000_000

/** The id of an account's client account at the simulated platform. */
export const sandboxCustomerId = (accountId: number): string => `${firstCustomer + accountId}`

interface Answer {
  readonly status: number
  readonly body: unknown
  readonly headers?: { readonly [name: string]: string }
}

const ok = (body: unknown): Answer => ({ status: 200, body })

const failureType = `type.googleapis.com/google.ads.googleads.${apiVersion}.errors.GoogleAdsFailure`

const errorOf = ({ kind, name, operation, text, topic }: SandboxError) => ({
  errorCode: { [kind]: name },
  message: `The simulated platform refuses this: ${name}.`,
  ...(text === undefined ? {} : { trigger: { stringValue: text } }),
  location: { fieldPathElements: [{ fieldName: "mutate_operations", index: operation }] },
  ...(topic === undefined
    ? {}
    : {
        details: {
          policyFindingDetails: {
            policyTopicEntries: [{ topic, type: "PROHIBITED", evidences: [{ textList: { texts: [text ?? ""] } }] }]
          }
        }
      })
})

const statusBody = (code: number, status: string, errors: ReadonlyArray<SandboxError>) => ({
  code,
  message: "Request contains an invalid argument.",
  status,
  details: [{ "@type": failureType, errors: errors.map(errorOf), requestId: "simulated" }]
})

const failed = (code: number, status: string, kind: string, name: string): Answer => ({
  status: code,
  body: { error: statusBody(code, status, [{ kind, name, operation: 0 }]) }
})

/** The failure that a developer switched on for all calls. */
const trouble = (troubles: SandboxTroubles, now: number): Answer | undefined => {
  if (troubles.broken === true) return { status: 200, body: "<!doctype html><title>Backend error</title>" }
  if (troubles.revoked === true) return failed(401, "UNAUTHENTICATED", "authenticationError", "OAUTH_TOKEN_REVOKED")
  if ((troubles.slowUntil ?? 0) > now) {
    return failed(429, "RESOURCE_EXHAUSTED", "quotaError", "RESOURCE_TEMPORARILY_EXHAUSTED")
  }
  if ((troubles.quotaUntil ?? 0) > now) return failed(429, "RESOURCE_EXHAUSTED", "quotaError", "RESOURCE_EXHAUSTED")
  return undefined
}

const ideaWords = [
  "",
  "preço",
  "para empresas",
  "online",
  "perto de mim",
  "profissional",
  "barato",
  "melhor",
  "sistema de"
]

const ideas = (body: unknown) => {
  const seed = at(body, "keywordSeed") ?? at(body, "keywordAndUrlSeed")
  const url = textAt(body, "urlSeed", "url") || textAt(body, "keywordAndUrlSeed", "url")
  const host = parsedUrl(url)?.hostname.split(".").at(-2) ?? ""
  const seeds = [
    ...listAt(seed, "keywords").flatMap((each) => (typeof each === "string" ? [each.toLowerCase()] : [])),
    ...(host === "" ? [] : [host])
  ]
  const texts = new Set(
    seeds.flatMap((text) =>
      ideaWords.map((word) =>
        word === "" ? text : word === "sistema de" || word === "melhor" ? `${word} ${text}` : `${text} ${word}`
      )
    )
  )
  return [...texts]
    .map((text) => {
      const searches = Math.round(monthlySearches(text) / 10) * 10
      const market = marketMicros(text)
      return {
        text,
        keywordIdeaMetrics: {
          avgMonthlySearches: `${searches}`,
          competition: market > 3_000_000 ? "HIGH" : market > 1_800_000 ? "MEDIUM" : "LOW",
          competitionIndex: `${Math.min(100, Math.round(market / 50_000))}`,
          lowTopOfPageBidMicros: `${Math.round((market * 0.6) / 10_000) * 10_000}`,
          highTopOfPageBidMicros: `${Math.round((market * 1.4) / 10_000) * 10_000}`
        }
      }
    })
    .sort(
      (one, other) =>
        Number(other.keywordIdeaMetrics.avgMonthlySearches) - Number(one.keywordIdeaMetrics.avgMonthlySearches)
    )
}

const monthNames = "JANUARY FEBRUARY MARCH APRIL MAY JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER DECEMBER".split(" ")

/** Returns one invoice for a past month. */
const invoices = (place: SearchPlace, query: URLSearchParams) => {
  const year = query.get("issueYear") ?? query.get("issue_year") ?? ""
  const month = monthNames.indexOf(query.get("issueMonth") ?? query.get("issue_month") ?? "") + 1
  const from = `${year}-${`${month}`.padStart(2, "0")}-01`
  const to = new Date(Date.UTC(Number(year), month, 0)).toISOString().slice(0, 10)
  const today = new Date(place.now + place.zoneMillis).toISOString().slice(0, 10)
  if (to >= today) return []
  const rows =
    searched(place, {
      select: ["metrics.cost_micros"],
      from: "campaign",
      where: [{ field: "segments.date", operator: "BETWEEN", values: [from, to] }]
    }) ?? []
  const micros = rows.reduce<number>((sum, row) => sum + Number(textAt(row, "metrics", "costMicros")), 0)
  return micros === 0
    ? []
    : [
        {
          id: `${year}${`${month}`.padStart(2, "0")}`,
          type: "INVOICE",
          currencyCode: "BRL",
          serviceDateRange: { startDate: from, endDate: to },
          totalAmountMicros: `${micros}`
        }
      ]
}

const jsonOf = (body: OutboundRequest["body"]): unknown => {
  if (body === undefined) return {}
  try {
    return JSON.parse(typeof body === "string" ? body : Buffer.from(body).toString("utf8")) as unknown
  } catch {
    return {}
  }
}

/** Returns the offset of the zone from UTC at a time, in milliseconds. */
export const zoneMillisAt = (timeZone: string, millis: number): number => {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric"
  }).formatToParts(millis)
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value ?? 0)
  const local = Date.UTC(of("year"), of("month") - 1, of("day"), of("hour"), of("minute"))
  return local - Math.floor(millis / 60_000) * 60_000
}

/** One call of the simulator, with the state of the account. */
interface SandboxCall {
  readonly url: URL
  readonly body: unknown
  /** The current time in Unix milliseconds. */
  readonly now: number
  readonly store: SandboxStore
  readonly account: SandboxWorld["account"]
  /** The client account in the path. */
  readonly customerId: string
  readonly ownCustomerId: string
  /** The rest of the path, after the account. */
  readonly path: string
}

const noPermission = failed(403, "PERMISSION_DENIED", "authorizationError", "USER_PERMISSION_DENIED")
const resourceNotFound = failed(404, "NOT_FOUND", "requestError", "RESOURCE_NOT_FOUND")

/** The platform's second interface, for members of audiences and for conversions. */
const dataManagerAnswer = Effect.fnUntraced(function* (call: SandboxCall, unit: UnitOfWork["Type"]) {
  const { account, body, now, store, url } = call
  if (url.pathname.startsWith("/v1/requestStatus")) {
    const state = uploadState({ account, records: yield* store.records }, url.searchParams.get("requestId"), now)
    return state === undefined ? resourceNotFound : ok(state)
  }
  const ingested = yield* unit.write(ingest(store, url.pathname, body))
  if (ingested === "invalid") return failed(400, "INVALID_ARGUMENT", "requestError", "INVALID_INPUT")
  return ingested === "not_found" ? resourceNotFound : ok({ requestId: `${ingested.requestId}` })
})

const mutateAnswer = (
  { account, body, now, ownCustomerId, store }: SandboxCall,
  unit: UnitOfWork["Type"]
): Effect.Effect<Answer, Transient, Caller> =>
  unit.write(
    Effect.gen(function* () {
      yield* store.lock
      const partialFailure = at(body, "partialFailure") === true
      const validateOnly = at(body, "validateOnly") === true
      const mutate = makeMutate(store, { account, records: yield* store.records }, ownCustomerId, now)
      const { errors, results } = yield* mutate(listAt(body, "mutateOperations"), { partialFailure, validateOnly })
      if (errors.length > 0 && !partialFailure) {
        return { status: 400, body: { error: statusBody(400, "INVALID_ARGUMENT", errors) } }
      }
      return ok({
        mutateOperationResponses: results,
        ...(errors.length === 0 ? {} : { partialFailureError: statusBody(3, "INVALID_ARGUMENT", errors) })
      })
    })
  )

const offlineJobPath = /^\/offlineUserDataJobs(?:\/(\d{1,15}))?:(create|addOperations|run)$/

/** The older way to upload members of audiences. */
const offlineJobAnswer = Effect.fnUntraced(function* (
  { body, ownCustomerId, store }: SandboxCall,
  [, jobId, action]: RegExpExecArray,
  unit: UnitOfWork["Type"]
) {
  if (action === "create") {
    const list = textAt(body, "job", "customerMatchUserListMetadata", "userList").split("/").at(-1) ?? ""
    const id = yield* unit.write(store.insert("upload", Number(list) || null, { kind: "job", list }))
    return ok({ resourceName: `customers/${ownCustomerId}/offlineUserDataJobs/${id}` })
  }
  if (action !== "addOperations") return ok({})
  const job = (yield* store.records).find(({ id, kind }) => kind === "upload" && `${id}` === jobId)
  for (const kind of ["create", "remove"]) {
    const hashes = listAt(body, "operations").flatMap((each) => {
      const identifiers = listAt(each, kind, "userIdentifiers")
      return identifiers.map((one) => textAt(one, "hashedEmail") || textAt(one, "hashedPhoneNumber"))
    })
    if (hashes.length > 0) yield* unit.write(changeMembers(store, kind, textAt(job?.body, "list"), hashes))
  }
  return ok({})
})

const isStopped = ({ account, now }: SandboxCall): boolean =>
  (account?.troubles.stops ?? []).some(({ from, until }) => from <= now && (until ?? now + 1) > now)

const searchPlace = ({ account, now, ownCustomerId, store }: SandboxCall, timeZone: string) =>
  Effect.map(
    store.records,
    (records): SearchPlace => ({
      world: { account, records },
      customerId: ownCustomerId,
      timeZone,
      zoneMillis: zoneMillisAt(timeZone, now),
      now
    })
  )

const searchAnswer = Effect.fnUntraced(function* (call: SandboxCall, timeZone: string) {
  const query = parseQuery(textAt(call.body, "query"))
  const place = yield* searchPlace(call, timeZone)
  const rows = query === undefined ? undefined : searched(place, query)
  if (rows === undefined) return failed(400, "INVALID_ARGUMENT", "queryError", "UNEXPECTED_INPUT")
  return ok([{ results: rows, fieldMask: query?.select.join(","), requestId: "simulated" }])
})

/** Calls that need the account's client account, which must not be suspended. */
const clientAccountAnswer = Effect.fnUntraced(function* (
  call: SandboxCall,
  unit: UnitOfWork["Type"],
  timeZone: string
): Effect.fn.Return<Answer, Transient, Caller> {
  const { account, customerId, ownCustomerId, path, url } = call
  if (account === undefined || customerId !== ownCustomerId) return noPermission
  if (isStopped(call)) return failed(403, "PERMISSION_DENIED", "authorizationError", "CUSTOMER_NOT_ENABLED")
  if (path === "/googleAds:mutate") return yield* mutateAnswer(call, unit)
  if (path.startsWith("/invoices")) {
    return ok({ invoices: invoices(yield* searchPlace(call, timeZone), url.searchParams) })
  }
  const job = offlineJobPath.exec(path)
  return job === null ? failed(404, "NOT_FOUND", "requestError", "UNKNOWN") : yield* offlineJobAnswer(call, job, unit)
})

const answerOf = Effect.fnUntraced(function* (
  call: SandboxCall,
  unit: UnitOfWork["Type"],
  timeZone: string
): Effect.fn.Return<Answer, Transient, Caller> {
  const { account, body, customerId, now, ownCustomerId, path, store, url } = call
  const failure = account === undefined ? undefined : trouble(account.troubles, now)
  if (failure !== undefined) return failure
  if (url.pathname.startsWith("/v1/")) return yield* dataManagerAnswer(call, unit)
  if (path === ":generateKeywordIdeas") return ok({ results: ideas(body) })
  if (customerId !== ownCustomerId && customerId !== sandboxManagerId) return noPermission
  if (path === ":createCustomerClient") {
    if (customerId !== sandboxManagerId) return noPermission
    yield* unit.write(store.open(textAt(body, "customerClient", "descriptiveName")))
    return ok({ resourceName: `customers/${ownCustomerId}` })
  }
  return path === "/googleAds:searchStream"
    ? yield* searchAnswer(call, timeZone)
    : yield* clientAccountAnswer(call, unit, timeZone)
})

/** The simulated ads platform. It computes the ads that it shows, and stores the requests that it received. */
export const makeAdsSandbox = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const { timeZone } = yield* AdsSettings

  const answered = Effect.fnUntraced(function* (request: OutboundRequest): Effect.fn.Return<Answer, Transient, Caller> {
    const { accountId } = yield* Caller
    const store = makeSandboxStore(sql, accountId)
    const url = new URL(request.url)
    const customerId = customerPath.exec(url.pathname)?.[1] ?? ""
    const call: SandboxCall = {
      url,
      body: jsonOf(request.body),
      now: yield* Clock.currentTimeMillis,
      store,
      account: yield* store.account,
      customerId,
      ownCustomerId: sandboxCustomerId(accountId),
      path: url.pathname.slice(`/${apiVersion}/customers/${customerId}`.length)
    }
    return yield* answerOf(call, unit, timeZone)
  })

  const responseOf = ({ body, headers = {}, status }: Answer): OutboundResponse => ({
    status,
    headers,
    body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body))
  })

  return {
    mode: "sandbox" as const,
    managerId: sandboxManagerId,
    access: { accessToken: Effect.succeed(Redacted.make("sandbox")), reject: () => Effect.void },
    request: (request: OutboundRequest): Effect.Effect<OutboundResponse, OutboundFailure, Caller> =>
      Effect.mapBoth(answered(request), {
        onSuccess: responseOf,
        onFailure: () => new OutboundFailure({ reason: "connection_failed", mayHaveArrived: false })
      })
  }
})
