import { SqlClient } from "@effect/sql/SqlClient"
import { Context, Effect, Layer, Predicate, Schema } from "effect"
import { type Transient, transient } from "../../../Errors.ts"
import {
  type CalendarLink,
  CalendarProvider,
  calendarService,
  primaryCalendar,
  serviceOf
} from "../../../Services/Calendar/Calendar.ts"
import { Connections } from "../../../Services/Connections/Connections.ts"
import { OAuth, type OAuthConnection, type OAuthProvider } from "../../../Services/Connections/OAuth.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { TaskQueue } from "../../../Services/Jobs/TaskQueue.ts"
import { makeProviderClient } from "../../Platform/Outbound/ProviderClient.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { CalendarSettings } from "../CalendarSettings.ts"
import { syncCalendar, syncKey } from "../CalendarTasks.ts"
import { CalendarTransport } from "../CalendarTransport.ts"
import { makeMicrosoftCalendar } from "../Microsoft/MicrosoftCalendar.ts"
import { microsoftProvider } from "../Microsoft/MicrosoftProvider.ts"
import type { ProviderCalendar } from "../ProviderCalendar.ts"
import { calendarScopes } from "./CalendarScopes.ts"
import { makeGoogleCalendar } from "./GoogleCalendar.ts"

/** The account's consent to use its calendar, and access to the calendar. */
export class CalendarConnection extends Context.Tag("CalendarConnection")<
  CalendarConnection,
  {
    /** Returns one link for each provider that the operator has configured. */
    readonly connectionLinks: Effect.Effect<ReadonlyArray<CalendarLink>, Transient, Caller>
    readonly disconnect: OAuthConnection["disconnect"]
    /** The connected calendar, for calls that a person waits for. */
    readonly calendar: ProviderCalendar
    /** The calendar for background work. Its calls give way to those that a person waits for. */
    readonly inBackground: ProviderCalendar
  }
>() {}

type CalendarAccess = Pick<OAuthConnection, "accessToken" | "reject" | "loseAccess">

const calendarProviders = CalendarProvider.literals

/** The calendar of the account that calls, at the provider that it connected. */
const connectedCalendar = (
  connectedProvider: Effect.Effect<CalendarProvider, Transient, Caller>,
  calendars: { readonly [P in CalendarProvider]: ProviderCalendar }
): ProviderCalendar => {
  const at = Effect.map(connectedProvider, (provider) => calendars[provider])
  return {
    page: (...call) => Effect.flatMap(at, ({ page }) => page(...call)),
    get: (...call) => Effect.flatMap(at, ({ get }) => get(...call)),
    insert: (...call) => Effect.flatMap(at, ({ insert }) => insert(...call)),
    patch: (...call) => Effect.flatMap(at, ({ patch }) => patch(...call)),
    remove: (...call) => Effect.flatMap(at, ({ remove }) => remove(...call)),
    watch: (...call) => Effect.flatMap(at, ({ watch }) => watch(...call)),
    stop: (...call) => Effect.flatMap(at, ({ stop }) => stop(...call)),
    busy: (...call) => Effect.flatMap(at, ({ busy }) => busy(...call))
  }
}

const CalendarFacts = Schema.Struct({
  summary: Schema.optional(Schema.String),
  timeZone: Schema.optional(Schema.String),
  accessRole: Schema.optional(Schema.String)
})

const unanswered = transient("calendar_unavailable", "The calendar did not answer.", 5)

/** Further changes when a calendar is connected or disconnected. */
const makeConsentSteps = Effect.gen(function* () {
  const sql = yield* SqlClient
  const tasks = yield* TaskQueue
  const connections = yield* Connections

  const channelOf = Effect.gen(function* () {
    const { accountId } = yield* Caller
    const [row] = yield* sql<{ readonly id: string | null; readonly resource: string | null }>`
      select channel_id as id, channel_resource_id as resource from calendar_mirror
      where account_id = ${accountId}`.pipe(fromSql())
    return row === undefined || row.id === null || row.resource === null
      ? undefined
      : { id: row.id, resourceId: row.resource }
  })

  const forgotten = Effect.gen(function* () {
    const { accountId } = yield* Caller
    yield* sql`delete from calendar_mirror where account_id = ${accountId}`.pipe(fromSql())
  })

  /** A new calendar replaces an earlier one, also at another provider. */
  const connected = (provider: CalendarProvider): OAuthProvider["connected"] =>
    Effect.fnUntraced(function* ({ settings: calendarFacts }) {
      const { accountId } = yield* Caller
      const zone = Predicate.isString(calendarFacts.time_zone) ? calendarFacts.time_zone : null
      const canWrite = calendarFacts.access_role === "owner" || calendarFacts.access_role === "writer"
      yield* forgotten
      yield* sql`
        insert into calendar_mirror (account_id, time_zone, can_write, provider)
        select ${accountId}, coalesce(${zone}, a.time_zone), ${canWrite}, ${provider}
        from account a where a.account_id = ${accountId}`.pipe(fromSql())
      yield* connections.disconnect(serviceOf[provider === "google" ? "microsoft" : "google"])
      yield* tasks.enqueue(syncCalendar, { accountId }, { jobKey: syncKey(accountId) })
    })

  /** Stops the notices while the token is still valid. */
  const leaving =
    (calendarWith: (access: CalendarAccess, isWaitedFor: boolean) => ProviderCalendar): OAuthProvider["leaving"] =>
    (accessToken) =>
      Effect.gen(function* () {
        const channel = yield* channelOf
        if (channel === undefined) return
        const access = {
          accessToken: Effect.succeed(accessToken),
          reject: () => Effect.void,
          loseAccess: () => Effect.fail(unanswered)
        }
        yield* calendarWith(access, true)
          .stop(channel)
          .pipe(Effect.catchTag("CalendarFailure", () => Effect.void))
      })

  return { connected, forgotten, leaving }
})

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const settings = yield* CalendarSettings
  const transport = yield* CalendarTransport
  const oauths = yield* OAuth
  const google = yield* makeGoogleCalendar
  const microsoft = yield* makeMicrosoftCalendar

  const client = makeProviderClient({ name: calendarService, baseUrl: settings.apiUrl, transport: transport.request })

  const identify: OAuthProvider["identify"] = (accessToken) =>
    Effect.gen(function* () {
      // The primary calendar is named after the account's address until the owner renames it.
      const {
        accessRole = "owner",
        summary = "",
        timeZone = "UTC"
      } = yield* client
        .ask(CalendarFacts, {
          method: "GET",
          path: `/calendars/${primaryCalendar}/events`,
          query: { maxResults: 1 },
          token: accessToken
        })
        .pipe(Effect.catchTag("ProviderFailure", () => unanswered))
      return {
        identity: summary,
        label: summary,
        settings: { time_zone: timeZone, access_role: accessRole }
      }
    })

  const { connected, forgotten, leaving } = yield* makeConsentSteps

  const provider: OAuthProvider = {
    service: calendarService,
    title: { "pt-BR": "Google Agenda", en: "Google Calendar", es: "Google Calendar" },
    connectTool: "get_calendar_connection_url",
    mode: settings.mode,
    issuer: "https://accounts.google.com",
    authorizeUrl: settings.authorizeUrl,
    tokenUrl: settings.tokenUrl,
    revokeUrl: settings.revokeUrl,
    client: settings.client,
    authentication: "post",
    scopes: [calendarScopes.events, calendarScopes.busy, "openid", "email"],
    requiredScopes: [calendarScopes.events, calendarScopes.busy],
    // Google only sends a refresh token after a consent.
    parameters: { access_type: "offline", prompt: "consent" },
    rotatesRefreshToken: false,
    request: transport.request,
    identify,
    connected: connected("google"),
    leaving: leaving(google),
    disconnected: forgotten
  }
  const oauth = {
    google: yield* oauths.register(provider),
    microsoft: yield* oauths.register({
      ...microsoftProvider(settings, transport),
      connected: connected("microsoft"),
      leaving: leaving(microsoft),
      disconnected: forgotten
    })
  }

  /** The provider of the account's calendar. Without a calendar, the first provider. */
  const connectedProvider = Effect.gen(function* () {
    const { accountId } = yield* Caller
    const [row] = yield* sql<{ readonly provider: CalendarProvider }>`
      select provider from calendar_mirror where account_id = ${accountId}`.pipe(fromSql())
    return row?.provider ?? "google"
  })
  const calendars = (isWaitedFor: boolean) =>
    connectedCalendar(connectedProvider, {
      google: google(oauth.google, isWaitedFor),
      microsoft: microsoft(oauth.microsoft, isWaitedFor)
    })
  const offered = calendarProviders.filter((one) =>
    one === "google" ? settings.isGoogleOffered : settings.microsoft.isOffered
  )
  return CalendarConnection.of({
    connectionLinks: Effect.forEach(offered, (one) =>
      Effect.map(oauth[one].connectionUrl, (url) => ({ provider: one, connection_url: url }))
    ),
    disconnect: Effect.flatMap(connectedProvider, (one) => oauth[one].disconnect),
    calendar: calendars(true),
    inBackground: calendars(false)
  })
})

export const CalendarConnectionLive = Layer.effect(CalendarConnection, make)
