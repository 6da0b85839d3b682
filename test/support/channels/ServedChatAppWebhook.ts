import { Context, Effect, Layer } from "effect"
import { ChatAppSettings } from "../../../src/Layers/ChatApp/ChatAppSettings.ts"
import { chatAppWebhook } from "../../../src/Layers/ChatApp/Receiving/WebhookEndpoint.ts"
import { serveEndpoints } from "../servers/ServedEndpoints.ts"
import { liveSettings } from "./ChatAppDeliveries.ts"
import { ChatAppWithFake } from "./ChatAppServices.ts"

/** The address of the provider's webhook. */
export class Webhook extends Context.Tag("Webhook")<Webhook, string>() {}

/** The webhook as the gateway mounts it with live settings, and the services that it writes to. */
export const ServedWebhook = Layer.scoped(
  Webhook,
  Effect.flatMap(chatAppWebhook, (endpoint) => serveEndpoints([endpoint]))
).pipe(
  Layer.provideMerge(Layer.succeed(ChatAppSettings, liveSettings("http://127.0.0.1:1"))),
  Layer.provideMerge(ChatAppWithFake)
)
