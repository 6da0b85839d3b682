import { Effect } from "effect"
import type { OutboundRequest } from "../../../Services/Outbound/OutboundHttp.ts"
import { CalendarSettings } from "../CalendarSettings.ts"
import { makeCalendarSandbox } from "./CalendarSandbox.ts"
import { makeMicrosoftSandbox } from "./MicrosoftSandbox.ts"

/** Chooses the simulated provider by the requested address. */
export const makeCalendarSandboxes = Effect.gen(function* () {
  const { microsoft } = yield* CalendarSettings
  const atGoogle = yield* makeCalendarSandbox
  const atMicrosoft = yield* makeMicrosoftSandbox

  return (request: OutboundRequest) =>
    request.url.startsWith(`${microsoft.apiUrl}/`) ? atMicrosoft(request) : atGoogle(request)
})
