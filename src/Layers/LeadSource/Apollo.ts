import { Clock, Data, Effect, Predicate, Redacted } from "effect"
import type { Transient } from "../../Errors.ts"
import type { Caller } from "../../Services/Core/Caller.ts"
import type { SavedContact } from "../../Services/LeadSource/SavedContact.ts"
import { RateLimits } from "../../Services/Outbound/RateLimits.ts"
import { jsonOf } from "../Platform/AnswerPaths.ts"
import { retryAfterMillis } from "../Platform/Outbound/RetryAfter.ts"
import { LeadSourceTransport } from "./LeadSourceTransport.ts"

/** Why a call of the lead database came to nothing: a code, and never a text of its own. */
export class LeadSourceFailure extends Data.TaggedError("LeadSourceFailure")<{
  readonly reason: "unauthorized" | "forbidden" | "rate_limited" | "unavailable"
  readonly retryAfterSeconds?: number | undefined
}> {}

export const leadSourceService = "leadsource"

const base = "https://api.apollo.io/api/v1"
const largestPage = 100
const largestAnswer = 8 * 1024 * 1024
const restSeconds = 60
/** For how long a call waits for its turn before it is put off. */
const longestWaitSeconds = 20

/** What each address of it takes, on the smallest plan; all three hold at once, for the team that the key is of. */
const windows = [
  { bucket: "minute", header: "x-minute-requests-left", amount: 50, seconds: 60 },
  { bucket: "hour", header: "x-hourly-requests-left", amount: 200, seconds: 3600 },
  { bucket: "day", header: "x-24-hour-requests-left", amount: 600, seconds: 86_400 }
]

export interface ContactList {
  readonly id: string
  readonly name: string
}

export interface ContactPage {
  readonly contacts: ReadonlyArray<SavedContact>
  readonly total: number
  readonly isLast: boolean
}

const textOf = (record: unknown, name: string): string => {
  const value = Predicate.hasProperty(record, name) ? record[name] : undefined
  return typeof value === "string" ? value : ""
}

const memberOf = (record: unknown, name: string): unknown =>
  Predicate.hasProperty(record, name) ? record[name] : undefined

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const countOf = (value: unknown): number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : 0

const contactOf = (record: unknown): SavedContact => {
  const organization = memberOf(record, "organization") ?? memberOf(record, "account")
  return {
    id: textOf(record, "id").slice(0, 100),
    name: textOf(record, "name") || `${textOf(record, "first_name")} ${textOf(record, "last_name")}`.trim(),
    email: textOf(record, "email"),
    emailStatus: textOf(record, "email_status"),
    phone:
      textOf(record, "sanitized_phone") || textOf(listOf(memberOf(record, "phone_numbers"))[0], "sanitized_number"),
    jobTitle: textOf(record, "title"),
    company: textOf(record, "organization_name") || textOf(organization, "name"),
    website: textOf(organization, "website_url"),
    linkedInUrl: textOf(record, "linkedin_url"),
    city: textOf(record, "city"),
    state: textOf(record, "state"),
    country: textOf(record, "country"),
    isUnsubscribed: memberOf(record, "email_unsubscribed") === true
  }
}

/** The lead database with an account's key. What it calls costs no credit: saved contacts alone are read. */
export const makeApollo = Effect.gen(function* () {
  const transport = yield* LeadSourceTransport
  const limits = yield* RateLimits
  const away = (_: Transient) => new LeadSourceFailure({ reason: "unavailable" })

  return (key: Redacted.Redacted, isWaitedFor: boolean) => {
    const send = Effect.fnUntraced(function* (method: "GET" | "POST", path: string, body?: object) {
      for (const { amount, bucket, seconds } of windows) {
        let waited = 0
        while (true) {
          const wait = yield* Effect.mapError(
            limits.take({
              service: leadSourceService,
              bucket: `${path} ${bucket}`,
              allowance: { amount, seconds },
              cost: 1,
              // Half of a window at once: a list is read in one go where it can be.
              largestCost: amount / 2,
              isWaitedFor
            }),
            away
          )
          if (wait === 0) break
          if (waited + wait > longestWaitSeconds) {
            return yield* new LeadSourceFailure({ reason: "rate_limited", retryAfterSeconds: Math.ceil(wait) })
          }
          waited += wait
          yield* Effect.sleep(wait * 1000)
        }
      }
      const response = yield* Effect.mapError(
        transport.request({
          method,
          url: `${base}${path}`,
          headers: {
            accept: "application/json",
            "x-api-key": Redacted.value(key),
            ...(body === undefined ? {} : { "content-type": "application/json" })
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          timeout: "20 seconds",
          maxResponseBytes: largestAnswer
        }),
        () => new LeadSourceFailure({ reason: "unavailable" })
      )
      for (const { bucket, header } of windows) {
        const left = Number(response.headers[header] ?? Number.NaN)
        if (Number.isFinite(left) && left >= 0)
          yield* Effect.mapError(limits.correct(leadSourceService, `${path} ${bucket}`, { left }), away)
      }
      if (response.status === 401) return yield* new LeadSourceFailure({ reason: "unauthorized" })
      if (response.status === 403) return yield* new LeadSourceFailure({ reason: "forbidden" })
      if (response.status === 429) {
        const told = retryAfterMillis(response.headers, yield* Clock.currentTimeMillis)
        const emptyForSeconds = told === undefined ? restSeconds : Math.ceil(told / 1000)
        yield* Effect.mapError(limits.correct(leadSourceService, `${path} minute`, { emptyForSeconds }), away)
        return yield* new LeadSourceFailure({ reason: "rate_limited", retryAfterSeconds: emptyForSeconds })
      }
      if (response.status < 200 || response.status > 299) return yield* new LeadSourceFailure({ reason: "unavailable" })
      const answer = jsonOf(response.body)
      return answer === undefined ? yield* new LeadSourceFailure({ reason: "unavailable" }) : answer
    })

    return {
      /** Reads only. */
      check: Effect.flatMap(send("GET", "/auth/health"), (answer) =>
        memberOf(answer, "is_logged_in") === true
          ? Effect.void
          : Effect.fail(new LeadSourceFailure({ reason: "unauthorized" }))
      ),
      /** Lists of contacts, by their names. */
      lists: Effect.map(send("GET", "/labels"), (answer) =>
        listOf(answer).flatMap((label): ReadonlyArray<ContactList> => {
          const id = textOf(label, "id") || textOf(label, "_id")
          return textOf(label, "modality") !== "contacts" || id === "" ? [] : [{ id, name: textOf(label, "name") }]
        })
      ),
      page: (listId: string | undefined, page: number): Effect.Effect<ContactPage, LeadSourceFailure, Caller> =>
        Effect.map(
          send("POST", "/contacts/search", {
            ...(listId === undefined ? {} : { contact_label_ids: [listId] }),
            page,
            per_page: largestPage
          }),
          (answer) => {
            const contacts = listOf(memberOf(answer, "contacts")).slice(0, largestPage).map(contactOf)
            const pagination = memberOf(answer, "pagination")
            const pages = countOf(memberOf(pagination, "total_pages"))
            return {
              contacts: contacts.filter(({ id }) => id !== ""),
              total: countOf(memberOf(pagination, "total_entries")),
              isLast: contacts.length === 0 || page >= pages
            }
          }
        )
    }
  }
})
