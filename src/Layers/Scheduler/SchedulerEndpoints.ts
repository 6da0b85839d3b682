import { HttpRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Option, Schema } from "effect"
import type { AccessTokens } from "../../Services/Accounts/AccessTokens.ts"
import type { Plan } from "../../Services/Accounts/Ids.ts"
import { SimulatedConsents } from "../../Services/Connections/OAuth.ts"
import { Caller } from "../../Services/Core/Caller.ts"
import { fromMillis, parseInstant } from "../../Services/Core/Timestamp.ts"
import { SimulatedScheduler } from "../../Services/Scheduler/Scheduler.ts"
import { escapeHtml } from "../../Services/Text/HtmlText.ts"
import { endpointBody } from "../Platform/Http/Bodies/RequestBody.ts"
import { type Endpoint, type RequestScope, refusal } from "../Platform/Http/Endpoint.ts"
import { refusedAnswer, transientAnswer } from "../Platform/Http/EndpointAnswers.ts"
import { pageLanguage, personPage } from "../Platform/Http/PersonPage.ts"
import { makeSandboxCaller } from "../Platform/Http/SandboxCaller.ts"
import { makeAccountSeal } from "../Platform/Postgres/AccountSeal.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { Settings } from "../Platform/Settings.ts"
import { BookingNotices } from "./BookingNotices.ts"
import { SchedulerTransport, schedulerService } from "./CalendlyApi.ts"
import { noticePath } from "./SchedulerWork.ts"
import {
  type BookingRow,
  bookingColumns,
  inviteeUriOf,
  inviteeView,
  simulatedPagePath,
  simulatedTypes
} from "./sandbox/CalendlySandbox.ts"

const largestNotice = 256 * 1024
const largestForm = 16 * 1024
const mostBookings = 200

const notHere = refusal(404, "UnknownRoute", "There is no such route.", "The scheduler is not simulated here.")
const unknownAddress = refusal(404, "UnknownRoute", "There is no such route.", "The subscription's address is another.")
const forged = refusal(401, "Unauthorized", "The signature is missing, wrong or too old.", "Sign with the app's key.")
const unreadable = refusal(400, "JsonException", "The body is not a notice.", "Send the notice as it was signed.")
const unreadableAct = refusal(
  400,
  "InvalidRequestBody",
  "The body is not what this route takes.",
  "Send JSON with act: book (url, name, email, starts_at), reschedule (invitee_uri, starts_at), cancel (invitee_uri, by, reason), revoke, expire, slow_down (seconds), lose_notices or send_notices."
)
const short = Schema.String.pipe(Schema.maxLength(300))
const Act = Schema.Union(
  Schema.Struct({
    act: Schema.Literal("book"),
    url: Schema.String.pipe(Schema.maxLength(2000)),
    name: short,
    email: short,
    starts_at: short
  }),
  Schema.Struct({ act: Schema.Literal("reschedule"), invitee_uri: short, starts_at: short }),
  Schema.Struct({
    act: Schema.Literal("cancel"),
    invitee_uri: short,
    by: Schema.optionalWith(Schema.Literal("invitee", "host"), { default: () => "invitee" as const }),
    reason: Schema.optionalWith(short, { default: () => "" })
  }),
  Schema.Struct({
    act: Schema.Literal("slow_down"),
    seconds: Schema.optionalWith(Schema.Number.pipe(Schema.between(1, 86_400)), { default: () => 60 })
  }),
  Schema.Struct({ act: Schema.Literal("revoke", "expire", "lose_notices", "send_notices") })
)
type Act = typeof Act.Type
const decodeAct = Schema.decodeUnknownOption(Act)
const decodeJson = Schema.decodeUnknownOption(Schema.parseJson(Act))

const when = (text: string) => {
  // A browser's field has neither seconds nor a zone: it is read as UTC.
  const parsed = parseInstant(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(text) ? `${text}:00Z` : text)
  return parsed === undefined ? undefined : fromMillis(parsed.millis)
}

/** The notices of the scheduler, and the simulated one: for developers as JSON, for whoever books as a page. */
export const schedulerEndpoints: Effect.Effect<
  ReadonlyArray<Endpoint<RequestScope>>,
  never,
  AccessTokens | BookingNotices | SchedulerTransport | Settings | SimulatedConsents | SimulatedScheduler | SqlClient
> = Effect.gen(function* () {
  const { mode } = yield* SchedulerTransport
  const notices = yield* BookingNotices
  const consents = yield* SimulatedConsents
  const simulated = yield* SimulatedScheduler
  const seal = yield* makeAccountSeal
  const sql = yield* SqlClient
  const { baseUrl } = yield* Settings

  const noticed = Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { key = "" } = yield* HttpRouter.params
    const body = yield* endpointBody({ limit: largestNotice, tenant: noticePath })
    switch (yield* notices.take(key, request.headers["calendly-webhook-signature"], body)) {
      case "taken":
        return HttpServerResponse.empty({ status: 200 })
      case "forged":
        return forged
      case "unreadable":
        return unreadable
      case "unknown_address":
        return unknownAddress
    }
  }).pipe(
    Effect.catchTags({
      RequestRefused: (refusal) => Effect.succeed(refusedAnswer(refusal)),
      Transient: (failure) => Effect.succeed(transientAnswer(failure))
    })
  )

  const bookings = Effect.gen(function* () {
    const { accountId } = yield* Caller
    return yield* sql<BookingRow>`
      select ${sql.literal(bookingColumns)} from sandbox_scheduler_booking
      where account_id = ${accountId} order by created_at desc, invitee_id limit ${mostBookings}`.pipe(fromSql())
  })

  /** Answers the address of the booking that came of it, where one did. */
  const act = Effect.fnUntraced(function* (given: Act) {
    const { accountId } = yield* Caller
    switch (given.act) {
      case "book":
      case "reschedule": {
        const startsAt = when(given.starts_at)
        if (startsAt === undefined) return undefined
        return given.act === "book"
          ? yield* simulated.book({ ...given, startsAt })
          : yield* simulated.reschedule(given.invitee_uri, startsAt)
      }
      case "cancel":
        yield* simulated.cancel(given.invitee_uri, given.by, given.reason)
        return given.invitee_uri
      case "revoke":
        yield* consents.revokeAll(schedulerService)
        return ""
      case "expire":
        yield* consents.expireAll(schedulerService)
        return ""
      case "slow_down":
        yield* sql`
          update sandbox_scheduler set slow_until = instant() + make_interval(secs => ${given.seconds})
          where account_id = ${accountId}`.pipe(fromSql())
        return ""
      case "lose_notices":
      case "send_notices":
        yield* sql`
          update sandbox_scheduler set loses_notices = ${given.act === "lose_notices"}
          where account_id = ${accountId}`.pipe(fromSql())
        return ""
    }
  })

  const asCaller = yield* makeSandboxCaller(mode, notHere)

  const shown = Effect.gen(function* () {
    const { accountId } = yield* Caller
    const accounts = yield* sql<{ readonly holder: string; readonly key: string; readonly loses_notices: boolean }>`
      select holder, page_key as key, loses_notices from sandbox_scheduler
      where account_id = ${accountId} order by holder`.pipe(fromSql())
    const rows = yield* bookings
    return HttpServerResponse.unsafeJson({
      accounts: accounts.map(({ holder, key, loses_notices }) => ({
        email: holder,
        page: `${baseUrl}${simulatedPagePath}/${key}`,
        loses_notices
      })),
      bookings: rows.map((row) => ({ ...inviteeView(row), starts_at: fromMillis(row.startsAt) }))
    })
  })

  const acted = Effect.gen(function* () {
    const body = yield* endpointBody({ limit: largestForm, tenant: simulatedPagePath }).pipe(
      Effect.catchTag("RequestRefused", () => Effect.succeed(Buffer.alloc(0)))
    )
    const given = decodeJson(body.toString("utf8"))
    if (Option.isNone(given)) return unreadableAct
    const uri = yield* act(given.value)
    return uri === undefined
      ? unreadableAct
      : HttpServerResponse.unsafeJson({ act: given.value.act, ...(uri === "" ? {} : { invitee_uri: uri }) })
  })

  /** Whose page it is: the address is the key, as at the real one, where a booking page is open to all who have it. */
  const opened = Effect.gen(function* () {
    const { key = "" } = yield* HttpRouter.params
    const { headers, url } = yield* HttpServerRequest.HttpServerRequest
    const language = pageLanguage(headers["accept-language"])
    const query = new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?"), 4000) : "")
    const sealed = key.length === 43 ? yield* seal.accountOfAddressKey(key) : Option.none()
    if (mode !== "sandbox" || Option.isNone(sealed)) return undefined
    const accountId = sealed.value
    const [row] = yield* sql<{ readonly holder: string; readonly plan: Plan }>`
      select s.holder, a.plan from sandbox_scheduler s join account a on a.account_id = s.account_id
      where s.account_id = ${accountId} and a.account_id = ${accountId} and s.page_key = ${key}`.pipe(fromSql())
    if (row === undefined) return undefined
    const caller = Caller.forTask(accountId, row.plan, "sandbox")
    return { caller, holder: row.holder, key, language, query }
  })

  const bookingPage = (page: Effect.Effect.Success<typeof opened> & object, note: string) =>
    Effect.gen(function* () {
      const rows = (yield* bookings).filter(({ holder, isActive }) => holder === page.holder && isActive)
      const type = page.query.get("type")
      const options = simulatedTypes
        .filter(({ active }) => active)
        .map(
          ({ minutes, name, slug }) =>
            `<option value="${slug}"${slug === type ? " selected" : ""}>${escapeHtml(name)} (${minutes} min)</option>`
        )
      const field = (name: string, kind: string, label: string) =>
        `<p><label>${label} <input name="${name}" type="${kind}" maxlength="200" required></label></p>`
      return personPage({
        status: 200,
        language: page.language,
        title: `Sandbox: ${escapeHtml(page.holder)}`,
        content: [
          `<p>This scheduler is simulated by the gateway: book as whoever you like; times are UTC.</p>`,
          ...(note === "" ? [] : [`<p><strong>${escapeHtml(note)}</strong></p>`]),
          `<form method="post"><input type="hidden" name="act" value="book">`,
          `<p><label>Type <select name="type">${options.join("")}</select></label></p>`,
          field("name", "text", "Name"),
          field("email", "email", "E-mail"),
          field("starts_at", "datetime-local", "Time"),
          `<button>Book</button></form>`,
          ...rows.map((row) => {
            const uri = escapeHtml(inviteeUriOf(row))
            return [
              `<hr><p>${escapeHtml(row.body.name)}, ${fromMillis(row.startsAt)}</p>`,
              `<form method="post"><input type="hidden" name="act" value="reschedule"><input type="hidden" name="invitee_uri" value="${uri}">${field("starts_at", "datetime-local", "New time")}<button>Reschedule</button></form>`,
              `<form method="post"><input type="hidden" name="act" value="cancel"><input type="hidden" name="invitee_uri" value="${uri}"><button>Cancel</button></form>`
            ].join("\n")
          })
        ].join("\n")
      })
    }).pipe(Effect.provideService(Caller, page.caller))

  const pageShown = Effect.gen(function* () {
    const page = yield* opened
    return page === undefined ? notHere : yield* bookingPage(page, "")
  }).pipe(Effect.catchTag("Transient", (failure) => Effect.succeed(transientAnswer(failure))))

  const pageActed = Effect.gen(function* () {
    const page = yield* opened
    const form = new URLSearchParams(
      (yield* endpointBody({ limit: largestForm, tenant: simulatedPagePath })).toString("utf8")
    )
    if (page === undefined) return notHere
    const url = new URL(`${baseUrl}${simulatedPagePath}/${page.key}`)
    url.search = page.query.toString()
    url.searchParams.set("type", form.get("type") ?? "")
    const given = decodeAct({ ...Object.fromEntries(form), url: url.href })
    const note = yield* Option.match(
      Option.filter(given, (each) => ["book", "reschedule", "cancel"].includes(each.act)),
      {
        onNone: () => Effect.succeed("Fill in all fields."),
        onSome: (each) =>
          act(each).pipe(
            Effect.map((uri) => (uri === undefined ? "The time cannot be read." : "Done.")),
            Effect.catchTags({
              NotFound: ({ error }) => Effect.succeed(error),
              Refused: ({ error }) => Effect.succeed(error)
            }),
            Effect.provideService(Caller, page.caller)
          )
      }
    )
    return yield* bookingPage(page, note)
  }).pipe(
    Effect.catchTags({
      RequestRefused: (refusal) => Effect.succeed(refusedAnswer(refusal)),
      Transient: (failure) => Effect.succeed(transientAnswer(failure))
    })
  )

  return [
    { path: `${noticePath}/:key`, methods: { POST: noticed } },
    { path: simulatedPagePath, methods: { GET: asCaller(shown), POST: asCaller(acted) } },
    { path: `${simulatedPagePath}/:key`, methods: { GET: pageShown, POST: pageActed } }
  ]
})
