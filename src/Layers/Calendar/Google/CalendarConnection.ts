import { SqlClient } from "@effect/sql/SqlClient"
import { Context, Effect, Layer, Predicate, Schema } from "effect"
import { transient } from "../../../Errors.ts"
import { calendarService, primaryCalendar } from "../../../Services/Calendar/Calendar.ts"
import { OAuth, type OAuthConnection, type OAuthProvider } from "../../../Services/Connections/OAuth.ts"
import { Caller } from "../../../Services/Core/Caller.ts"
import { TaskQueue } from "../../../Services/Jobs/TaskQueue.ts"
import { makeProviderClient } from "../../Platform/Outbound/ProviderClient.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { CalendarSettings } from "../CalendarSettings.ts"
import { syncCalendar, syncKey } from "../CalendarTasks.ts"
import { CalendarTransport } from "../CalendarTransport.ts"
import { calendarScopes } from "./CalendarScopes.ts"
import { type GoogleCalendar, makeGoogleCalendar } from "./GoogleCalendar.ts"

/** The consent to an account's calendar, and the calendar through it. */
export class CalendarConnection extends Context.Tag("CalendarConnection")<
  CalendarConnection,
  {
    readonly oauth: OAuthConnection
    /** For calls that a person waits for. */
    readonly calendar: GoogleCalendar
    /** For background work, which yields to calls that a person waits for. */
    readonly inBackground: GoogleCalendar
  }
>() {}

const CalendarFacts = Schema.Struct({
  summary: Schema.optional(Schema.String),
  timeZone: Schema.optional(Schema.String),
  accessRole: Schema.optional(Schema.String)
})

const unanswered = transient("calendar_unavailable", "The calendar did not answer.", 5)

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const settings = yield* CalendarSettings
  const transport = yield* CalendarTransport
  const tasks = yield* TaskQueue
  const oauths = yield* OAuth
  const google = yield* makeGoogleCalendar

  const client = makeProviderClient({ name: calendarService, baseUrl: settings.apiUrl, transport: transport.request })

  const identify: OAuthProvider["identify"] = (accessToken) =>
    Effect.gen(function* () {
      // The primary calendar's name is the account's address until its owner renames it.
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

  const channelOf = Effect.gen(function* () {
    const { accountId } = yield* Caller
    const [row] = yield* sql<{ readonly id: string | null; readonly resource: string | null }>`
      select channel_id as id, channel_resource_id as resource from calendar_mirror
      where account_id = ${accountId}`.pipe(fromSql())
    return row === undefined || row.id === null || row.resource === null
      ? undefined
      : { id: row.id, resourceId: row.resource }
  })

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
    // A refresh token comes with a consent only.
    parameters: { access_type: "offline", prompt: "consent" },
    rotatesRefreshToken: false,
    request: transport.request,
    identify,
    connected: Effect.fnUntraced(function* ({ settings: calendarFacts }) {
      const { accountId } = yield* Caller
      const zone = Predicate.isString(calendarFacts.time_zone) ? calendarFacts.time_zone : "UTC"
      const canWrite = calendarFacts.access_role === "owner" || calendarFacts.access_role === "writer"
      // An earlier consent may have been for another calendar.
      yield* sql`delete from calendar_mirror where account_id = ${accountId}`.pipe(fromSql())
      yield* sql`
        insert into calendar_mirror (account_id, time_zone, can_write)
        values (${accountId}, ${zone}, ${canWrite})`.pipe(fromSql())
      yield* tasks.enqueue(syncCalendar, { accountId }, { jobKey: syncKey(accountId) })
    }),
    leaving: (accessToken) =>
      Effect.gen(function* () {
        const channel = yield* channelOf
        if (channel === undefined) return
        const access = {
          accessToken: Effect.succeed(accessToken),
          reject: () => Effect.void,
          loseAccess: () => Effect.fail(unanswered)
        }
        yield* google(access, true)
          .stop(channel)
          .pipe(Effect.catchTag("CalendarFailure", () => Effect.void))
      }),
    disconnected: Effect.gen(function* () {
      const { accountId } = yield* Caller
      yield* sql`delete from calendar_mirror where account_id = ${accountId}`.pipe(fromSql())
    })
  }
  const oauth = yield* oauths.register(provider)
  return CalendarConnection.of({ oauth, calendar: google(oauth, true), inBackground: google(oauth, false) })
})

export const CalendarConnectionLive = Layer.effect(CalendarConnection, make)
