import type { Vendor } from "./Vendor.ts"

const readOn = "2026-11-26"
const webhookPages = "developers.facebook.com/documentation/business-messaging/whatsapp, webhooks reference"

/** Providers of the channels to leads. */
export const channelVendors: ReadonlyArray<Vendor> = [
  {
    vendor: "whatsapp",
    title: "WhatsApp Business Platform",
    interfaces: [
      {
        name: "Cloud API and business management, at the address of `CHATAPP_API_URL`",
        version: "v23.0",
        endsOn: "2027-10-08",
        source: "developers.facebook.com/docs/graph-api/changelog",
        readOn
      },
      {
        name: "Webhook fields for messages, preferences, templates, numbers and accounts",
        version: "of the app",
        endsOn: "none announced",
        source: webhookPages,
        readOn
      }
    ],
    checked: ["Deliveries of messages, states and preferences, as the vendor's reference shows them"],
    unverified: [
      "the names `from_user_id` and `recipient_user_id` of people who hide their number (the contact's `user_id` is read too)",
      "all events of `account_update` (an unknown one changes nothing)"
    ]
  }
]
