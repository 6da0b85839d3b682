import { Effect, Redacted } from "effect"
import type { Caller } from "../../Services/Core/Calls/Caller.ts"
import type { SavedContact } from "../../Services/LeadSource/SavedContact.ts"
import { RateLimits } from "../../Services/Outbound/RateLimits.ts"
import { at, listAt, textAt } from "../Platform/AnswerPaths.ts"
import { type Judgement, makeProviderClient } from "../Platform/Outbound/ProviderClient.ts"
import { type ProviderAnswer, ProviderFailure } from "../Platform/Outbound/ProviderFailure.ts"
import { sharedQuota } from "../Platform/Outbound/ProviderQuota.ts"
import type { ProviderRequest } from "../Platform/Outbound/ProviderRequest.ts"
import { LeadSourceTransport } from "./LeadSourceTransport.ts"

export const leadSourceService = "leadsource"

const baseUrl = "https://api.apollo.io/api/v1"
const largestPage = 100
/** The pause after a refused call, if Apollo names no time. */
const defaultPauseSeconds = 60
const longestWaitSeconds = 20

/** The limits of each path on the smallest plan. All three apply at once, per team of the key. */
const windows = [
  { name: "minute", leftHeader: "x-minute-requests-left", amount: 50, seconds: 60 },
  { name: "hour", leftHeader: "x-hourly-requests-left", amount: 200, seconds: 3600 },
  { name: "day", leftHeader: "x-24-hour-requests-left", amount: 600, seconds: 86_400 }
]

const limitsOf = ({ path }: ProviderRequest) =>
  windows.map(({ amount, leftHeader, name, seconds }) => ({
    bucket: `${path} ${name}`,
    allowance: { amount, seconds },
    // The largest burst is half of a window, so that most lists are read without a pause.
    largestCost: amount / 2,
    leftHeader,
    isExhaustedBy: ({ kind }: ProviderFailure) => kind === "rate_limited" && name === "minute"
  }))

export interface ContactList {
  readonly id: string
  readonly name: string
}

export interface ContactPage {
  readonly contacts: ReadonlyArray<SavedContact>
  readonly total: number
  readonly isLast: boolean
}

const countAt = (value: unknown, ...path: ReadonlyArray<string>): number => {
  const count = at(value, ...path)
  return typeof count === "number" && Number.isSafeInteger(count) && count >= 0 ? count : 0
}

const contactOf = (record: unknown): SavedContact => {
  const organization = at(record, "organization") ?? at(record, "account")
  return {
    id: textAt(record, "id").slice(0, 100),
    name: textAt(record, "name") || `${textAt(record, "first_name")} ${textAt(record, "last_name")}`.trim(),
    email: textAt(record, "email"),
    emailStatus: textAt(record, "email_status"),
    phone: textAt(record, "sanitized_phone") || textAt(record, "phone_numbers", 0, "sanitized_number"),
    jobTitle: textAt(record, "title"),
    company: textAt(record, "organization_name") || textAt(organization, "name"),
    website: textAt(organization, "website_url"),
    linkedInUrl: textAt(record, "linkedin_url"),
    city: textAt(record, "city"),
    state: textAt(record, "state"),
    country: textAt(record, "country"),
    isUnsubscribed: at(record, "email_unsubscribed") === true
  }
}

const listOf = (label: unknown): ReadonlyArray<ContactList> => {
  const id = textAt(label, "id") || textAt(label, "_id")
  return textAt(label, "modality") !== "contacts" || id === "" ? [] : [{ id, name: textAt(label, "name") }]
}

const pageOf = (answer: unknown, page: number): ContactPage => {
  const contacts = listAt(answer, "contacts").slice(0, largestPage).map(contactOf)
  return {
    contacts: contacts.filter(({ id }) => id !== ""),
    total: countAt(answer, "pagination", "total_entries"),
    isLast: contacts.length === 0 || page >= countAt(answer, "pagination", "total_pages")
  }
}

const namedStatuses: ReadonlySet<number> = new Set([401, 403, 429])

/** Any other failure, or an empty answer, means that Apollo is down at the moment. */
const judge = (answer: ProviderAnswer, defaultJudgement: Judgement | undefined): Judgement | undefined => {
  const { json, retryAfterMillis, status } = answer
  if (defaultJudgement === undefined)
    return json === undefined ? { kind: "unavailable", code: "answer_unreadable" } : undefined
  if (!namedStatuses.has(status)) return { kind: "unavailable" }
  return defaultJudgement.kind === "rate_limited"
    ? { ...defaultJudgement, retryAfterMillis: retryAfterMillis ?? defaultPauseSeconds * 1000 }
    : defaultJudgement
}

const unavailable = (code: string) => new ProviderFailure({ provider: leadSourceService, kind: "unavailable", code })

/**
 * The client for a lead database with an account's key. No call costs a credit, because only saved contacts are read.
 */
export const makeApollo = Effect.gen(function* () {
  const { request: transport } = yield* LeadSourceTransport
  const rates = yield* RateLimits

  return (key: Redacted.Redacted, isWaitedFor: boolean) => {
    const client = makeProviderClient({
      name: leadSourceService,
      baseUrl,
      transport,
      headers: { "x-api-key": Redacted.value(key) },
      quota: sharedQuota(rates, {
        service: leadSourceService,
        limits: limitsOf,
        longestWaitSeconds,
        restSeconds: defaultPauseSeconds,
        isWaitedFor
      }),
      judge
    })

    const read = (request: ProviderRequest): Effect.Effect<unknown, ProviderFailure, Caller> =>
      client.send({ ...request, isRead: true }).pipe(
        Effect.map(({ json }) => json),
        Effect.catchTag("Transient", () => unavailable("quota_unknown"))
      )

    return {
      check: Effect.flatMap(read({ method: "GET", path: "/auth/health" }), (answer) =>
        at(answer, "is_logged_in") === true
          ? Effect.void
          : new ProviderFailure({ provider: leadSourceService, kind: "unauthorized", code: "not_logged_in" })
      ),
      /** The lists of contacts, with their names. */
      lists: Effect.map(read({ method: "GET", path: "/labels" }), (answer) => listAt(answer).flatMap(listOf)),
      /** Pages count from 1. Without a list, returns all saved contacts. */
      page: (listId: string | undefined, page: number): Effect.Effect<ContactPage, ProviderFailure, Caller> =>
        Effect.map(
          read({
            method: "POST",
            path: "/contacts/search",
            json: {
              ...(listId === undefined ? {} : { contact_label_ids: [listId] }),
              page,
              per_page: largestPage
            }
          }),
          (answer) => pageOf(answer, page)
        )
    }
  }
})

export type ApolloClient = ReturnType<Effect.Effect.Success<typeof makeApollo>>
