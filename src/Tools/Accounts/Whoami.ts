import { Effect, Schema } from "effect"
import { AccountProfile, AccountProfileView } from "../../Services/Accounts/AccountProfile.ts"
import { IntegrationMode, IntegrationModes } from "../../Services/Core/Outside/IntegrationModes.ts"
import { type ConnectionStates, OutsideHealth } from "../../Services/Core/Outside/OutsideHealth.ts"
import { Timestamp } from "../../Services/Core/Timestamp.ts"
import * as Tool from "../Core/Tool.ts"
import { toolsMadeByRules } from "../Core/ToolsByRules.ts"

const outagesOf = (states: ConnectionStates) =>
  Object.entries(states).flatMap(([connection, { reason, since, status }]) =>
    status === "down" && since !== null ? [{ connection, since, reason }] : []
  )

export const whoami = Tool.make("whoami", {
  kind: "read",
  openWorld: false,
  description:
    "Tells which account the access token acts as: its profile, time zone and plan, whether its leads are being prospected and if not why, which outside services are real and which only simulated, which tools' results rules make for want of a provider, and which services are out of reach.",
  parameters: {},
  returns: Schema.Struct({
    ...AccountProfileView.fields,
    outside_services: Schema.Record({ key: Schema.String, value: IntegrationMode }).annotations({
      description:
        "For each outside service whether it is live, a sandbox whose deeds never reach the real world, or unavailable for want of a program on this machine."
    }),
    made_by_rules: Schema.Array(Schema.String).annotations({
      description:
        "Tools whose results rules make now, because their provider has no key: language_model, images or videos. Each tool's description says what differs."
    }),
    outside_outages: Schema.Array(
      Schema.Struct({ connection: Schema.String, since: Timestamp, reason: Schema.NullOr(Schema.String) })
    ).annotations({
      description:
        "Connections to outside services that fail now, as the process that answers has seen it; what waits for one goes on by itself."
    })
  }),
  errors: { Permanent: ["account_closed"] },
  example: {},
  run: Effect.fnUntraced(function* () {
    const profile = yield* AccountProfile
    const modes = yield* IntegrationModes
    return {
      ...(yield* profile.get),
      outside_services: modes,
      made_by_rules: toolsMadeByRules(modes),
      outside_outages: outagesOf(yield* (yield* OutsideHealth).states)
    }
  })
})
