import { HttpRouter, HttpServerRequest } from "@effect/platform"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Option } from "effect"
import type { Plan } from "../../../Services/Accounts/Ids.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { fromMillis } from "../../../Services/Core/Timestamp.ts"
import { attribute, html, lines, type Markup } from "../../../Services/Text/Web/Html.ts"
import { endpointBody } from "../../Platform/Http/Bodies/RequestBody.ts"
import { refusal } from "../../Platform/Http/Endpoint.ts"
import { refusedAnswer, transientAnswer } from "../../Platform/Http/EndpointAnswers.ts"
import { pageLanguage, personPage } from "../../Platform/Http/PersonPage.ts"
import { makeAccountSeal } from "../../Platform/Postgres/AccountSeal.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { Settings } from "../../Platform/Settings.ts"
import { SchedulerTransport } from "../CalendlyApi.ts"
import { decodeAct, makeSandboxForms } from "./CalendlySandboxForms.ts"
import { type BookingRow, inviteeUriOf, simulatedPagePath, simulatedTypes } from "./CalendlySandboxViews.ts"

const largestForm = 16 * 1024
const mostQueryCharacters = 4000

const notHere = refusal(404, "UnknownRoute", "There is no such route.", "The scheduler is not simulated here.")
/** A booking page of the sandbox, opened by a browser. */
interface OpenedPage {
  readonly caller: Caller["Type"]
  readonly holder: string
  readonly key: string
  readonly language: ReturnType<typeof pageLanguage>
  readonly query: URLSearchParams
}

const field = (name: string, kind: string, label: string) =>
  html`<p><label>${label} <input name="${name}" type="${kind}" maxlength="200" required></label></p>`

const bookForm = (chosenType: string | null): ReadonlyArray<Markup> => [
  html`<form method="post"><input type="hidden" name="act" value="book">`,
  html`<p><label>Type <select name="type">${simulatedTypes
    .filter(({ active }) => active)
    .map(
      ({ minutes, name, slug }) =>
        html`<option value="${slug}"${attribute("selected", slug === chosenType)}>${name} (${minutes} min)</option>`
    )}</select></label></p>`,
  field("name", "text", "Name"),
  field("email", "email", "E-mail"),
  field("starts_at", "datetime-local", "Time"),
  html`<button>Book</button></form>`
]

const bookingForms = (row: BookingRow): Markup => {
  const uri = inviteeUriOf(row)
  return lines(
    html`<hr><p>${row.body.name}, ${fromMillis(row.startsAt)}</p>`,
    html`<form method="post"><input type="hidden" name="act" value="reschedule"><input type="hidden" name="invitee_uri" value="${uri}">${field("starts_at", "datetime-local", "New time")}<button>Reschedule</button></form>`,
    html`<form method="post"><input type="hidden" name="act" value="cancel"><input type="hidden" name="invitee_uri" value="${uri}"><button>Cancel</button></form>`
  )
}

const bookingPage = (page: OpenedPage, rows: ReadonlyArray<BookingRow>, note: string) =>
  personPage({
    status: 200,
    language: page.language,
    title: `Sandbox: ${page.holder}`,
    content: lines(
      html`<p>This scheduler is simulated by the gateway: book as whoever you like; times are UTC.</p>`,
      ...(note === "" ? [] : [html`<p><strong>${note}</strong></p>`]),
      ...bookForm(page.query.get("type")),
      ...rows.filter(({ holder, isActive }) => holder === page.holder && isActive).map(bookingForms)
    )
  })

/** The page on which leads book at the sandbox. */
export const makeBookingPage = Effect.gen(function* () {
  const { mode } = yield* SchedulerTransport
  const { act, bookings } = yield* makeSandboxForms
  const seal = yield* makeAccountSeal
  const sql = yield* SqlClient
  const { baseUrl } = yield* Settings

  /** As with the real scheduler, anyone who has the page's address can open it. */
  const opened = Effect.gen(function* () {
    const { key = "" } = yield* HttpRouter.params
    const { headers, url } = yield* HttpServerRequest.HttpServerRequest
    const language = pageLanguage(headers["accept-language"])
    const query = new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?"), mostQueryCharacters) : "")
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

  const shown = (page: OpenedPage, note: string) =>
    Effect.map(Effect.provideService(bookings, Caller, page.caller), (rows) => bookingPage(page, rows, note))

  const get = Effect.gen(function* () {
    const page = yield* opened
    return page === undefined ? notHere : yield* shown(page, "")
  }).pipe(Effect.catchTag("Transient", (failure) => Effect.succeed(transientAnswer(failure))))

  const post = Effect.gen(function* () {
    const page = yield* opened
    const form = new URLSearchParams((yield* endpointBody({ limit: largestForm })).toString("utf8"))
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
    return yield* shown(page, note)
  }).pipe(
    Effect.catchTags({
      RequestRefused: (refusal) => Effect.succeed(refusedAnswer(refusal)),
      Transient: (failure) => Effect.succeed(transientAnswer(failure))
    })
  )

  return { get, post }
})
