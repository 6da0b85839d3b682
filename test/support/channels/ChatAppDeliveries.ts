import { createHmac } from "node:crypto"
import { Effect, Option, Redacted } from "effect"
import type { ChatAppCredentials, ChatAppSettingsShape } from "../../../src/Layers/ChatApp/ChatAppSettings.ts"
import { webhookPath } from "../../../src/Layers/ChatApp/Receiving/WebhookEndpoint.ts"
import { sandboxSettings } from "./ChatAppServices.ts"

export const appSecret = "app-secret-of-the-test"
export const verifyToken = "verify-token-of-the-test"
export const accessToken = "access-token-of-the-test"

export const testCredentials: ChatAppCredentials = {
  accessToken: Redacted.make(accessToken),
  appSecret: Redacted.make(appSecret),
  appId: "1234567890",
  verifyToken: Redacted.make(verifyToken),
  phoneNumberIds: ["106540352242922", "106540352242923"],
  signupConfigId: Option.some("987654")
}

/** The settings of a deployment with a real provider at the given address. */
export const liveSettings = (apiUrl: string): ChatAppSettingsShape => ({
  ...sandboxSettings,
  apiUrl,
  credentials: Option.some(testCredentials)
})

export const signatureOf = (body: string | Uint8Array, secret = appSecret): string =>
  `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`

/** Posts a delivery as the provider would, by default signed. Returns the status. */
export const postDelivery = (
  url: string,
  body: string | Uint8Array,
  headers: { readonly [name: string]: string } = { "x-hub-signature-256": signatureOf(body) }
) =>
  Effect.promise(async () => {
    const response = await fetch(`${url}${webhookPath}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body
    })
    await response.arrayBuffer()
    return response.status
  })

interface Told {
  readonly messages?: ReadonlyArray<object>
  readonly contacts?: ReadonlyArray<object>
  readonly statuses?: ReadonlyArray<object>
}

/** A delivery in the format of the provider's reference. */
export const deliveryOf = (lineId: string, value: Told): string => mergedDelivery([[lineId, value]])

/** One delivery with events of several lines. */
export const mergedDelivery = (lines: ReadonlyArray<readonly [string, Told]>): string =>
  JSON.stringify({
    object: "whatsapp_business_account",
    entry: lines.map(([lineId, value]) => ({
      id: "102290129340398",
      changes: [
        {
          field: "messages",
          value: {
            messaging_product: "whatsapp",
            metadata: { display_phone_number: "15550783881", phone_number_id: lineId },
            ...(value.messages === undefined || value.contacts !== undefined
              ? {}
              : { contacts: [{ profile: { name: "Sheena Nelson" }, wa_id: "16505551234" }] }),
            ...value
          }
        }
      ]
    }))
  })

/** News about the provider's account, to which lines belong. */
export const accountDelivery = (providerAccountId: string, field: string, value: object): string =>
  JSON.stringify({
    object: "whatsapp_business_account",
    entry: [{ id: providerAccountId, time: 1739321024, changes: [{ field, value }] }]
  })

/** A person stops or resumes marketing messages, in the format of the provider's reference. */
export const preferenceDelivery = (lineId: string, person: object, value: "stop" | "resume"): string =>
  JSON.stringify({
    object: "whatsapp_business_account",
    entry: [
      {
        id: "102290129340398",
        changes: [
          {
            field: "user_preferences",
            value: {
              messaging_product: "whatsapp",
              metadata: { display_phone_number: "15550783881", phone_number_id: lineId },
              contacts: [{ profile: { name: "Pablo M." }, ...person }],
              user_preferences: [
                {
                  ...person,
                  detail: "User requested this",
                  category: "marketing_messages",
                  value,
                  timestamp: 1739321024
                }
              ]
            }
          }
        ]
      }
    ]
  })

let ids = 0
export const newWamid = (): string => `wamid.HBgLMTY1MDM4Nzk0MzkVAgAR${++ids}==`

export const textMessage = (from: string, body: string, more: object = {}) => ({
  from,
  id: newWamid(),
  timestamp: String(Math.floor(Date.now() / 1000)),
  type: "text",
  text: { body },
  ...more
})

export const billed = { billable: true, pricing_model: "PMP", type: "regular", category: "marketing" }

export const statusOf = (id: string, status: string, more: object = {}) => ({
  id,
  status,
  timestamp: String(Math.floor(Date.now() / 1000)),
  recipient_id: "16505551234",
  ...more
})
