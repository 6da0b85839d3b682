import { HttpServerResponse } from "@effect/platform"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Option } from "effect"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { fromMillis } from "../../../Services/Core/Timestamp.ts"
import { endpointBody } from "../../Platform/Http/Bodies/RequestBody.ts"
import { type Endpoint, type RequestScope, refusal } from "../../Platform/Http/Endpoint.ts"
import { makeSandboxCaller } from "../../Platform/Http/SandboxCaller.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { Settings } from "../../Platform/Settings.ts"
import { SchedulerTransport } from "../CalendlyApi.ts"
import { makeBookingPage } from "./CalendlyBookingPage.ts"
import { decodeActJson, makeSandboxForms } from "./CalendlySandboxForms.ts"
import { inviteeView, simulatedPagePath } from "./CalendlySandboxViews.ts"

const largestForm = 16 * 1024

const notHere = refusal(404, "UnknownRoute", "There is no such route.", "The scheduler is not simulated here.")
const unreadableAct = refusal(
  400,
  "InvalidRequestBody",
  "This route does not accept the body.",
  "Send JSON with act: book (url, name, email, starts_at), reschedule (invitee_uri, starts_at), cancel (invitee_uri, by, reason), revoke, expire, slow_down (seconds), lose_notices or send_notices."
)

/** The sandbox's routes: JSON for developers, and a page for people who book. */
export const schedulerSandboxEndpoints = Effect.gen(function* () {
  const { mode } = yield* SchedulerTransport
  const { act, bookings } = yield* makeSandboxForms
  const bookingPage = yield* makeBookingPage
  const sql = yield* SqlClient
  const { baseUrl } = yield* Settings
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
    const body = yield* endpointBody({ limit: largestForm }).pipe(
      Effect.catchTag("RequestRefused", () => Effect.succeed(Buffer.alloc(0)))
    )
    const given = decodeActJson(body.toString("utf8"))
    if (Option.isNone(given)) return unreadableAct
    const uri = yield* act(given.value)
    return uri === undefined
      ? unreadableAct
      : HttpServerResponse.unsafeJson({ act: given.value.act, ...(uri === "" ? {} : { invitee_uri: uri }) })
  })

  const endpoints: ReadonlyArray<Endpoint<RequestScope>> = [
    { path: simulatedPagePath, methods: { GET: asCaller(shown), POST: asCaller(acted) } },
    { path: `${simulatedPagePath}/:key`, methods: { GET: bookingPage.get, POST: bookingPage.post } }
  ]
  return endpoints
})
