import { HttpServerResponse } from "@effect/platform"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Option, Schema } from "effect"
import { notFound } from "../../../Errors.ts"
import type { AccessTokens } from "../../../Services/Accounts/Tokens/AccessTokens.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { html, type Markup } from "../../../Services/Text/Web/Html.ts"
import { endpointBody } from "../../Platform/Http/Bodies/RequestBody.ts"
import { type Endpoint, type RequestScope, refusal } from "../../Platform/Http/Endpoint.ts"
import { makeSandboxCaller } from "../../Platform/Http/SandboxCaller.ts"
import { actForm, doneNote, inputOf, makeSandboxPage, sandboxPage, trouble } from "../../Platform/Http/SandboxPage.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { LeadSourceTransport } from "../LeadSourceTransport.ts"
import { apolloSandbox } from "./ApolloSandbox.ts"

const path = "/sandbox/leadsource"
const pageTitle = "Simulated lead database"
const largestBody = 16 * 1024

const acts = {
  /** The account's key. By default, the one that was used last. */
  key: Schema.optional(Schema.String.pipe(Schema.maxLength(200))),
  act: Schema.Literal("revoke", "restore", "slow_down", "read_now")
}
const seconds = { default: () => 60 }
const Act = Schema.Struct({
  ...acts,
  seconds: Schema.optionalWith(Schema.Number.pipe(Schema.between(1, 86_400)), seconds)
})
/** Form values are always text. */
const FormAct = Schema.Struct({
  ...acts,
  seconds: Schema.optionalWith(Schema.NumberFromString.pipe(Schema.between(1, 86_400)), seconds)
})
type Act = typeof Act.Type

const notSandbox = refusal(
  404,
  "UnknownRoute",
  "There is no such route.",
  "The lead database is live here, so nothing is simulated."
)
const unreadable = refusal(
  400,
  "InvalidRequestBody",
  "This route does not accept the body.",
  "Send JSON with act (revoke, restore, slow_down or read_now); slow_down takes seconds."
)

interface DatabaseView {
  readonly key: string
  readonly is_revoked: boolean
  readonly calls: number
  readonly lists: ReadonlyArray<{ readonly list_id: string; readonly name: string; readonly contact_count: number }>
}

const section = (token: string, { calls, is_revoked, key, lists }: DatabaseView): Markup =>
  html`<h2>${key}</h2><p>${calls} calls. ${is_revoked ? "The key is revoked." : "The key is taken."}</p><p>${[
    is_revoked ? actForm(token, { key, act: "restore" }, "Restore") : actForm(token, { key, act: "revoke" }, "Revoke"),
    actForm(token, { key, act: "slow_down" }, "Slow down", inputOf("seconds", "seconds")),
    actForm(token, { key, act: "read_now" }, "Read now")
  ]}</p><table><tr><th>List</th><th>Name</th><th>Contacts</th></tr>${lists.map(
    ({ contact_count, list_id, name }) => html`<tr><td>${list_id}</td><td>${name}</td><td>${contact_count}</td></tr>`
  )}</table>`

/** A page on which a developer sees and changes the simulated lead database: `GET` and `POST /sandbox/leadsource`. */
export const leadSourceSandboxEndpoints: Effect.Effect<
  ReadonlyArray<Endpoint<RequestScope>>,
  never,
  AccessTokens | LeadSourceTransport | SqlClient
> = Effect.gen(function* () {
  const { mode } = yield* LeadSourceTransport
  const sql = yield* SqlClient
  const asCaller = yield* makeSandboxCaller(mode, notSandbox)

  const state = Effect.gen(function* () {
    const { accountId } = yield* Caller
    const databases = yield* sql<{ readonly key: string; readonly is_revoked: boolean; readonly calls: number }>`
      select tenant as key, is_revoked, calls::int as calls from sandbox_lead_source
      where account_id = ${accountId} order by tenant`.pipe(fromSql())
    return databases.map((database): DatabaseView => ({ ...database, lists: apolloSandbox.lists(database.key) }))
  })

  const perform = Effect.fnUntraced(function* ({ act, key, seconds }: Act) {
    const { accountId } = yield* Caller
    const [latestDatabase] = yield* sql<{ readonly tenant: string }>`
      select tenant from sandbox_lead_source
      where account_id = ${accountId} and tenant = coalesce(${key ?? null}, tenant)
      order by calls desc, tenant limit 1`.pipe(fromSql())
    if (latestDatabase === undefined) return yield* notFound("simulated lead database", "key", key ?? "")
    const isOfTenant = sql`account_id = ${accountId} and tenant = ${latestDatabase.tenant}`
    switch (act) {
      case "revoke":
      case "restore":
        yield* sql`update sandbox_lead_source set is_revoked = ${act === "revoke"} where ${isOfTenant}`.pipe(fromSql())
        break
      case "slow_down":
        yield* sql`
          update sandbox_lead_source set slow_until = instant() + make_interval(secs => ${seconds}) where ${isOfTenant}`.pipe(
          fromSql()
        )
        break
      case "read_now":
        // Makes the source due at once. Otherwise it is read only once a day.
        yield* sql`update lead_source set next_read_at = instant() where account_id = ${accountId}`.pipe(fromSql())
    }
    return { key: latestDatabase.tenant, act }
  })

  const act = Effect.gen(function* () {
    const { accountId } = yield* Caller
    const form = yield* endpointBody({ limit: largestBody, tenant: accountId }).pipe(
      Effect.flatMap((body) => Schema.decodeUnknown(Schema.parseJson(Act))(body.toString("utf8"))),
      Effect.asSome,
      Effect.catchTags({ RequestRefused: () => Effect.succeedNone, ParseError: () => Effect.succeedNone })
    )
    return Option.isNone(form) ? unreadable : HttpServerResponse.unsafeJson(yield* perform(form.value))
  })

  const pages = yield* makeSandboxPage({
    mode,
    path,
    title: pageTitle,
    notHere: notSandbox,
    act: (fields) =>
      Option.match(Schema.decodeUnknownOption(FormAct)(fields), {
        onNone: () => Effect.succeed(trouble("The form has an invalid value.")),
        onSome: (submittedAct) => Effect.map(perform(submittedAct), ({ act }) => doneNote(`Done: ${act}.`))
      }),
    show: (token, formMessage) =>
      Effect.map(state, (databases) =>
        sandboxPage({
          status: 200,
          title: pageTitle,
          content: html`${formMessage}${
            databases.length === 0
              ? html`<p>No lead database was connected yet.</p>`
              : databases.map((database) => section(token, database))
          }`
        })
      )
  })

  return [
    {
      path,
      methods: {
        GET: pages.get(asCaller(Effect.map(state, (databases) => HttpServerResponse.unsafeJson({ databases })))),
        POST: pages.post(asCaller(act))
      }
    }
  ]
})
