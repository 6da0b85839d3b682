import { Effect, Schema } from "effect"
import { AccountProfile, AccountProfileView } from "../../Services/Accounts/AccountProfile.ts"
import { IntegrationModes, ServiceMode } from "../../Services/Core/IntegrationModes.ts"
import * as Tool from "../Core/Tool.ts"

export const whoami = Tool.make("whoami", {
  kind: "read",
  openWorld: false,
  description:
    "Tells which account the access token acts as: its profile, time zone and plan, whether its leads are being prospected and if not why, and which outside services are real and which only simulated.",
  parameters: {},
  returns: Schema.Struct({
    ...AccountProfileView.fields,
    outside_services: Schema.Record({ key: Schema.String, value: ServiceMode }).annotations({
      description: "For each outside service whether it is live, or a sandbox whose deeds never reach the real world."
    })
  }),
  example: {},
  run: Effect.fnUntraced(function* () {
    const profile = yield* AccountProfile
    return { ...(yield* profile.get), outside_services: yield* IntegrationModes }
  })
})
