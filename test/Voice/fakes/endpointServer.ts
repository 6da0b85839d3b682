import { NodeContext } from "@effect/platform-node"
import { Effect } from "effect"
import type { voiceEndpoints } from "../../../src/Layers/Voice/VoiceEndpoints.ts"
import { serveEndpoints } from "../../support/servers/ServedEndpoints.ts"

/** Serves the endpoints on a port of their own, as the gateway does; answers where. */
export const serve = (endpoints: Effect.Effect.Success<typeof voiceEndpoints>) =>
  Effect.provide(serveEndpoints(endpoints), NodeContext.layer)

/** Posts a body; answers the status and the answer's text. */
export const post = (url: string, body: string | Uint8Array, headers: { readonly [name: string]: string } = {}) =>
  Effect.promise(async () => {
    const response = await fetch(url, { method: "POST", body, headers })
    return { status: response.status, text: await response.text() }
  })
