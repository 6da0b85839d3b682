import type { Vendor } from "./Vendor.ts"

const readOn = "2026-11-27"
const contractTests = "requests and answers as the vendor's reference shows them, over a local server"
const judged = (file: string): string =>
  `every request, and every answer of the simulator, against an excerpt of ${file}`

/** Providers of calendars, bookings, calls, searches and lists of companies. */
export const agendaVendors: ReadonlyArray<Vendor> = [
  {
    vendor: "google_calendar",
    title: "Google Calendar",
    interfaces: [
      {
        name: "Events, notices, free times",
        version: "v3",
        endsOn: "none announced",
        source: "npm @googleapis/calendar 20.0.1, developers.google.com/calendar/api/v3/reference",
        readOn
      }
    ],
    checked: [judged("the vendor's client, which is generated from its discovery document"), contractTests],
    unverified: ["consent and notices at Google itself"]
  },
  {
    vendor: "microsoft_365_calendar",
    title: "Microsoft 365 Calendar",
    interfaces: [
      {
        name: "Microsoft Graph: events, lists of changes, subscriptions",
        version: "v1.0",
        endsOn: "none announced",
        source:
          "github.com/microsoftgraph/msgraph-metadata, clean_v10_metadata; github.com/microsoftgraph/microsoft-graph-docs-contrib",
        readOn
      }
    ],
    checked: [
      "every request, and every answer of the simulator, against an excerpt written from the metadata and the reference"
    ],
    unverified: [
      "whether `transactionId` makes Graph answer a repeated event or refuse it (the event is looked up by a property first)",
      "`if-match` of a change to an event",
      "which online meeting provider `isOnlineMeeting` takes where a mailbox has none",
      "in which zone all-day events come (their days are read as they are)",
      "consent, subscriptions and notices at Microsoft itself"
    ]
  },
  {
    vendor: "calendly",
    title: "Calendly",
    interfaces: [
      {
        name: "Users, event types, events, links, webhooks",
        version: "v2",
        endsOn: "none announced",
        source: "github.com/speakeasy-sdks/calendly-python, openapi.yaml; developer.calendly.com/api-docs",
        readOn
      }
    ],
    checked: [judged("the vendor's OpenAPI file of April 2023, the last one that is public"), contractTests],
    unverified: [
      "members that came after April 2023, but for those that the excerpt lists as deviations",
      "consent and webhooks at Calendly itself"
    ]
  },
  {
    vendor: "elevenlabs",
    title: "ElevenLabs",
    interfaces: [
      {
        name: "Conversational calls and their notices",
        version: "v1",
        endsOn: "none announced",
        source: "github.com/elevenlabs/elevenlabs-python 2.59.0",
        readOn
      }
    ],
    checked: [judged("the types of the vendor's client"), contractTests],
    unverified: ["the notices after a call, which the client has no types of", "calls at ElevenLabs itself"]
  },
  {
    vendor: "twilio",
    title: "Twilio",
    interfaces: [
      {
        name: "Calls and their notices",
        version: "2010-04-01",
        endsOn: "none announced",
        source: "github.com/twilio/twilio-oai, twilio_api_v2010.json; www.twilio.com/docs/voice/api",
        readOn
      }
    ],
    checked: [judged("the vendor's OpenAPI file"), contractTests],
    unverified: ["the fields of notices, which the file does not have", "calls at Twilio itself"]
  },
  {
    vendor: "web_search",
    title: "Search engines",
    interfaces: [
      {
        name: "Brave web search",
        version: "res/v1",
        endsOn: "none announced",
        source: "github.com/brave/brave-search-mcp-server 2748b47, api-dashboard.search.brave.com/app/documentation",
        readOn
      },
      {
        name: "Tavily search",
        version: "unversioned",
        endsOn: "none announced",
        source: "github.com/tavily-ai/tavily-js 7e7068c, docs.tavily.com",
        readOn
      },
      { name: "Serper search", version: "unversioned", endsOn: "none announced", source: "serper.dev", readOn }
    ],
    checked: ["requests to Brave and Tavily, and answers of theirs, against excerpts of the vendors' own clients"],
    unverified: [
      "the fields of Serper, which has no public file: public clients send `q` and `num`, and read `organic`",
      "the key of Tavily in a header, which its client of 2024 sends in the body"
    ]
  },
  {
    vendor: "apollo",
    title: "Apollo",
    interfaces: [
      {
        name: "Key, lists and their contacts",
        version: "v1",
        endsOn: "none announced",
        source: "docs.apollo.io, github.com/amp-labs/connectors providers/apollo/test/contacts.json",
        readOn
      }
    ],
    checked: [
      "every request, and every answer of the simulator: contacts against an answer that a public client's tests have"
    ],
    unverified: [
      "the answers to the checks of a key and to lists, which were read in a catalogue of August 2026",
      "which members a contact always has: the vendor has no public file"
    ]
  }
]
