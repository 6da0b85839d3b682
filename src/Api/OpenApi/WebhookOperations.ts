import type { Schema } from "effect"
import { webhookBodies } from "../../Services/Events/Webhooks.ts"
import type { Node } from "./ErrorResponses.ts"
import { inHeader } from "./OperationShapes.ts"

export const webhooksTag = "Webhooks"

const schemaName = (type: string): string => `${type}_event`

/** The schema of each body, by the name that the document gives it. */
export const webhookSchemas: ReadonlyArray<readonly [name: string, schema: Schema.Schema.AnyNoContext]> =
  webhookBodies.map(([type, schema]) => [schemaName(type), schema])

const parameters = [
  inHeader("webhook-id", "The event's id, the same on every attempt and every replay."),
  inHeader("webhook-timestamp", "Seconds. Refuse what is more than five minutes away."),
  inHeader(
    "webhook-signature",
    "v1, and HMAC-SHA256 over id, timestamp and body, in Base64. While a secret is rotated, one for each secret, separated by a space."
  )
]

const described = (type: string): string =>
  type === "ping" ? "A test of the subscription, by test_webhook_subscription." : "An event of the account."

/** The POSTs that subscriptions get, by type of event. */
export const webhookOperations: Node = Object.fromEntries(
  webhookBodies.map(([type]) => [
    type,
    {
      post: {
        operationId: `on_${type}`,
        summary: `Take in ${type}`,
        description: described(type),
        tags: [webhooksTag],
        security: [],
        parameters,
        requestBody: {
          required: true,
          content: { "application/json": { schema: { $ref: `#/components/schemas/${schemaName(type)}` } } }
        },
        responses: {
          "2XX": { description: "Taken. Answer within 15 seconds." },
          410: { description: "The subscription is to be switched off." },
          default: { description: "Not taken. The event is sent again later." }
        }
      }
    }
  ])
)
