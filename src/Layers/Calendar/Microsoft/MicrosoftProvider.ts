import { Effect, Schema } from "effect"
import { transient } from "../../../Errors.ts"
import { microsoftCalendarService } from "../../../Services/Calendar/Calendar.ts"
import type { OAuthProvider } from "../../../Services/Connections/OAuth.ts"
import { makeProviderClient } from "../../Platform/Outbound/ProviderClient.ts"
import type { CalendarSettingsShape } from "../CalendarSettings.ts"
import type { CalendarTransport } from "../CalendarTransport.ts"

/** The permissions that an account is asked to grant. Graph may return them with its address as a prefix. */
const calendars = "Calendars.ReadWrite"
const profile = "User.Read"

const User = Schema.Struct({
  id: Schema.String,
  mail: Schema.optional(Schema.NullOr(Schema.String)),
  userPrincipalName: Schema.optional(Schema.NullOr(Schema.String))
})
const DefaultCalendar = Schema.Struct({ canEdit: Schema.optional(Schema.NullOr(Schema.Boolean)) })

const unanswered = transient("calendar_unavailable", "The calendar did not answer.", 5)

/** The consent to a calendar at Microsoft 365, without its storage. */
export const microsoftProvider = (
  { microsoft, mode }: CalendarSettingsShape,
  { request }: CalendarTransport["Type"]
): Omit<OAuthProvider, "connected" | "disconnected" | "leaving"> => {
  const client = makeProviderClient({ name: microsoftCalendarService, baseUrl: microsoft.apiUrl, transport: request })
  return {
    service: microsoftCalendarService,
    reasonPrefix: "calendar",
    title: { "pt-BR": "Calendário do Microsoft 365", en: "Microsoft 365 Calendar", es: "Calendario de Microsoft 365" },
    connectTool: "get_calendar_connection_url",
    mode,
    issuer: microsoft.loginUrl,
    authorizeUrl: `${microsoft.loginUrl}/authorize`,
    tokenUrl: `${microsoft.loginUrl}/token`,
    client: microsoft.client,
    authentication: "post",
    // The scope `openid` is left out, because its id token contains a tenant that is not known in advance.
    scopes: [calendars, profile, "offline_access"],
    requiredScopes: [calendars],
    covers: (granted, scope) => granted.some((one) => one === scope || one.endsWith(`/${scope}`)),
    parameters: { prompt: "select_account" },
    rotatesRefreshToken: true,
    request,
    identify: (token) =>
      Effect.gen(function* () {
        const { id, mail, userPrincipalName } = yield* client.ask(User, {
          method: "GET",
          path: "/me",
          query: { $select: "id,mail,userPrincipalName" },
          token
        })
        const { canEdit } = yield* client.ask(DefaultCalendar, { method: "GET", path: "/me/calendar", token })
        return {
          identity: id,
          label: mail ?? userPrincipalName ?? id,
          settings: { access_role: canEdit === false ? "reader" : "owner" }
        }
      }).pipe(Effect.catchTag("ProviderFailure", () => unanswered))
  }
}
