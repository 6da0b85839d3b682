import type { Vendor } from "./Vendor.ts"

const readOn = "2026-11-27"
const contractTests = "requests and answers as the vendor's reference shows them, over a local server"

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
        source: "developers.google.com/calendar/api/v3/reference",
        readOn
      }
    ],
    checked: [contractTests],
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
        source: "developer.calendly.com/api-docs",
        readOn
      }
    ],
    checked: [contractTests],
    unverified: ["consent and webhooks at Calendly itself"]
  },
  {
    vendor: "elevenlabs",
    title: "ElevenLabs",
    interfaces: [
      {
        name: "Conversational calls and their notices",
        version: "v1",
        endsOn: "none announced",
        source: "elevenlabs.io/docs/api-reference",
        readOn
      }
    ],
    checked: [contractTests],
    unverified: ["calls at ElevenLabs itself"]
  },
  {
    vendor: "twilio",
    title: "Twilio",
    interfaces: [
      {
        name: "Calls and their notices",
        version: "2010-04-01",
        endsOn: "none announced",
        source: "www.twilio.com/docs/voice/api",
        readOn
      }
    ],
    checked: [contractTests],
    unverified: ["calls at Twilio itself"]
  },
  {
    vendor: "web_search",
    title: "Search engines",
    interfaces: [
      {
        name: "Brave web search",
        version: "res/v1",
        endsOn: "none announced",
        source: "api-dashboard.search.brave.com/app/documentation",
        readOn
      },
      { name: "Tavily search", version: "unversioned", endsOn: "none announced", source: "docs.tavily.com", readOn },
      { name: "Serper search", version: "unversioned", endsOn: "none announced", source: "serper.dev", readOn }
    ],
    checked: [],
    unverified: ["all fields, which were written from the engines' documentation without a schema"]
  },
  {
    vendor: "apollo",
    title: "Apollo",
    interfaces: [
      {
        name: "People, lists and their contacts",
        version: "v1",
        endsOn: "none announced",
        source: "docs.apollo.io, as a public catalogue cites it",
        readOn
      }
    ],
    checked: [],
    unverified: ["all fields, which were read in a catalogue of August 2026 and not in the vendor's own file"]
  }
]
