import { SqlClient } from "@effect/sql/SqlClient"
import { Context, Effect, Layer } from "effect"
import { OAuth, type OAuthConnection } from "../../Services/Connections/OAuth.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import { makeAccountSeal } from "../Platform/Postgres/AccountSeal.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { asToolError, makeCalendly, SchedulerTransport, schedulerService } from "./CalendlyApi.ts"
import { requiredScopes, SchedulerSettings } from "./SchedulerSettings.ts"
import { subscribeScheduler } from "./SchedulerTasks.ts"

type Calendly = Effect.Effect.Success<ReturnType<typeof makeCalendly>>

/** The account's connection with the scheduler, and the scheduler's interface on it. */
export class SchedulerConnection extends Context.Tag("SchedulerConnection")<
  SchedulerConnection,
  {
    readonly connection: OAuthConnection
    /** Returns the client. `isWaitedFor` is true if a person waits, whose calls precede background work. */
    readonly api: (isWaitedFor: boolean) => ReturnType<Calendly["of"]>
  }
>() {}

const isUri = (value: unknown): value is string => typeof value === "string"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const oauth = yield* OAuth
  const tasks = yield* TaskQueue
  const seal = yield* makeAccountSeal
  const transport = yield* SchedulerTransport
  const { apiUrl, authorizationUrl, client, scopes } = yield* SchedulerSettings
  const calendly = yield* makeCalendly(apiUrl)

  const connection = yield* oauth.register({
    service: schedulerService,
    title: { "pt-BR": "a ferramenta de agendamento", en: "the scheduling tool", es: "la herramienta de agendamiento" },
    connectTool: "get_scheduler_connection_url",
    mode: transport.mode,
    issuer: "https://calendly.com",
    authorizeUrl: `${authorizationUrl}/oauth/authorize`,
    tokenUrl: `${authorizationUrl}/oauth/token`,
    revokeUrl: `${authorizationUrl}/oauth/revoke`,
    client,
    authentication: "basic",
    revokeAuthentication: "post",
    scopes,
    requiredScopes: scopes.filter((scope) => requiredScopes.includes(scope)),
    // A scope for writing includes reading. Older apps have one scope that includes all others.
    covers: (granted, scope) =>
      granted.includes(scope) || granted.includes(scope.replace(/:read$/, ":write")) || granted.includes("default"),
    parameters: {},
    rotatesRefreshToken: true,
    request: transport.request,
    identify: (token) =>
      calendly.me(token).pipe(
        Effect.catchTags(asToolError),
        Effect.map(({ current_organization, email, uri }) => ({
          identity: uri,
          label: email,
          settings: { organization: current_organization }
        }))
      ),
    connected: ({ identity, isOtherAccount, settings }) =>
      Effect.gen(function* () {
        const { accountId } = yield* Caller
        const { organization } = settings
        const key = yield* seal.addressKey(accountId)
        if (isOtherAccount) {
          yield* sql`delete from scheduler_link where account_id = ${accountId}`.pipe(fromSql())
          yield* sql`delete from scheduler_account where account_id = ${accountId}`.pipe(fromSql())
        }
        yield* sql`
          insert into scheduler_account (account_id, user_uri, organization_uri, webhook_key)
          values (${accountId}, ${identity}, ${isUri(organization) ? organization : ""}, ${key})
          on conflict (account_id) do update set user_uri = excluded.user_uri,
            organization_uri = excluded.organization_uri, swept_at = '-infinity'`.pipe(fromSql())
        yield* tasks.enqueue(subscribeScheduler, { accountId })
      }),
    leaving: (token) =>
      Effect.gen(function* () {
        const { accountId } = yield* Caller
        const [row] = yield* sql<{ readonly uri: string | null }>`
          select subscription_uri as uri from scheduler_account where account_id = ${accountId}`.pipe(fromSql())
        const uri = row?.uri ?? null
        if (uri === null || !uri.startsWith(`${apiUrl}/webhook_subscriptions/`)) return
        yield* calendly.unsubscribe(token, uri.slice(apiUrl.length)).pipe(Effect.catchTags(asToolError))
      }),
    disconnected: Effect.gen(function* () {
      const { accountId } = yield* Caller
      yield* sql`delete from scheduler_link where account_id = ${accountId}`.pipe(fromSql())
      yield* sql`delete from scheduler_account where account_id = ${accountId}`.pipe(fromSql())
    })
  })
  return SchedulerConnection.of({ connection, api: (isWaitedFor) => calendly.of(connection, isWaitedFor) })
})

export const SchedulerConnectionLive = Layer.effect(SchedulerConnection, make)
