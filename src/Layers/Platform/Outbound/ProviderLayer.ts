import { type Context, Effect, Layer, Option } from "effect"
import type { Refused } from "../../../Errors.ts"
import type { Caller } from "../../../Services/Core/Calls/Caller.ts"
import type { ServiceMode } from "../../../Services/Core/Outside/IntegrationModes.ts"
import {
  type OutboundFailure,
  OutboundHttp,
  type OutboundRequest,
  type OutboundResponse
} from "../../../Services/Outbound/OutboundHttp.ts"

/** How a room reaches its provider: over the network, or in a simulator that stores its records in the database. */
export interface ProviderTransport {
  readonly mode: ServiceMode
  readonly request: (request: OutboundRequest) => Effect.Effect<OutboundResponse, Refused | OutboundFailure, Caller>
}

export const networkTransport: Effect.Effect<ProviderTransport, never, OutboundHttp> = Effect.map(
  OutboundHttp,
  ({ request }) => ({ mode: "live", request })
)

/** Returns the settings for `providerLayer` if their mode is `live`, and none otherwise. */
export const settingsIfLive = <A extends { readonly mode: ServiceMode }, E, R>(
  settings: Effect.Effect<A, E, R>
): Effect.Effect<Option.Option<A>, E, R> =>
  Effect.map(
    settings,
    Option.liftPredicate(({ mode }) => mode === "live")
  )

/** Makes the provider of a room: the real one if there are settings for it, otherwise the room's sandbox. */
export const providerLayer = <I, S, Settings, SettingsE, SettingsR, LiveE, LiveR, SandboxE, SandboxR>(
  room: Context.Tag<I, S>,
  {
    live,
    sandbox,
    settings
  }: {
    readonly settings: Effect.Effect<Option.Option<Settings>, SettingsE, SettingsR>
    readonly live: (settings: Settings) => Effect.Effect<S, LiveE, LiveR>
    readonly sandbox: Effect.Effect<S, SandboxE, SandboxR>
  }
) =>
  Layer.scoped(
    room,
    Effect.flatMap(
      settings,
      (existing): Effect.Effect<S, LiveE | SandboxE, LiveR | SandboxR> =>
        Option.isSome(existing) ? live(existing.value) : sandbox
    )
  )
