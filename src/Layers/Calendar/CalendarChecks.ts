import { Effect } from "effect"
import { skipped, worstOf } from "../../Services/Core/Outside/CheckResult.ts"
import type { Check } from "../Platform/Operators/Check.ts"
import { checkOAuthClient } from "../Platform/Outbound/ProviderCheck.ts"
import { loadCalendarSettings } from "./CalendarSettings.ts"

const calendarCheck = Effect.flatMap(loadCalendarSettings, ({ client, isGoogleOffered, microsoft, mode, tokenUrl }) => {
  if (mode === "sandbox") return Effect.succeed(skipped("CALENDAR_MODE is sandbox: calendars are simulated."))
  const google = checkOAuthClient({
    tokenUrl,
    clientId: client.id,
    clientSecret: client.secret,
    setting: "CALENDAR_CLIENT_ID"
  })
  const office = checkOAuthClient({
    tokenUrl: `${microsoft.loginUrl}/token`,
    clientId: microsoft.client.id,
    clientSecret: microsoft.client.secret,
    setting: "CALENDAR_MICROSOFT_CLIENT_ID"
  })
  return Effect.map(
    Effect.all([...(isGoogleOffered ? [google] : []), ...(microsoft.isOffered ? [office] : [])]),
    worstOf
  )
})

export const calendarChecks: ReadonlyArray<Check> = [{ name: "calendar", run: calendarCheck }]
