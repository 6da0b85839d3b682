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
        source:
          "github.com/facebook/openapi, business-messaging-api_v23.0.yaml; developers.facebook.com/docs/graph-api/changelog",
        readOn: "2026-11-27"
      },
      {
        name: "Webhook fields for messages, preferences, templates, numbers and accounts",
        version: "of the app",
        endsOn: "none announced",
        source: webhookPages,
        readOn
      }
    ],
    checked: [
      "every request but those of sign-up and uploads, against an excerpt of the vendor's OpenAPI file",
      "deliveries of messages, states and preferences, as the vendor's reference shows them"
    ],
    unverified: [
      "answers that describe a number and its profile: the file lacks `status`, `health_status` and `messaging_limit_tier`, and nests the profile, which the vendor's pages do not",
      "the longest description of a profile, which is 256 in the file and 512 on the vendor's pages",
      "requests of sign-up (`oauth/access_token`, `debug_token`) and uploads, which the file does not have",
      "the names `from_user_id` and `recipient_user_id` of people who hide their number (the contact's `user_id` is read too)",
      "all events of `account_update` (an unknown one changes nothing)"
    ]
  },
  {
    vendor: "mail_oauth",
    title: "Mailboxes at Google and Microsoft",
    interfaces: [
      {
        name: "Google's consent and tokens, XOAUTH2",
        version: "v2",
        endsOn: "none announced",
        source: "developers.google.com/gmail/imap/xoauth2-protocol",
        readOn
      },
      {
        name: "Microsoft's consent and tokens, XOAUTH2",
        version: "v2.0",
        endsOn: "none announced",
        source: "learn.microsoft.com, Authenticate an IMAP, POP or SMTP connection using OAuth",
        readOn
      }
    ],
    checked: ["Sign-in to a local SMTP and a local IMAP server by XOAUTH2, with tokens of a local provider"],
    unverified: ["sign-in to the providers' own servers"]
  },
  {
    vendor: "google_ads",
    title: "Google Ads",
    interfaces: [
      {
        name: "Google Ads API; v25, which was called before, ends in August 2027",
        version: "v26",
        endsOn: "2027-11-01",
        source: "developers.google.com/ads/blog, More frequent releases (projected: November 2027)",
        readOn: "2026-11-27"
      },
      {
        name: "Data Manager API, for audiences and conversions",
        version: "v1",
        endsOn: "none announced",
        source: "github.com/googleapis/googleapis, google/ads/datamanager/v1",
        readOn: "2026-11-27"
      }
    ],
    checked: [
      "every request, and every answer of the simulator, against an excerpt of the protocol files of v25",
      "the breaking changes that the release notes of v26 list: none is of a field that is sent or read",
      "every request to the Data Manager API, and every answer of the simulator, against an excerpt of its protocol files"
    ],
    unverified: [
      "the protocol files of v26, which its public repository did not have yet",
      "the day in November 2027 on which v26 ends",
      "whether an ads account has accepted the customer data terms (the platform says so after a report, and the diagnosis shows it)"
    ]
  }
]
