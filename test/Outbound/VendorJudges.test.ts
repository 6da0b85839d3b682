import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { vendors } from "../../src/Services/Outbound/Vendors/AllVendors.ts"
import { assertNoFaults, type JudgedRequest, vendorJudge } from "../support/VendorJudge.ts"

interface Sample extends Omit<JudgedRequest, "headers"> {
  /** What the vendor would refuse, each by what is wrong with it. */
  readonly wrong: { readonly [what: string]: Partial<Omit<JudgedRequest, "headers">> }
}

const headers = {
  authorization: "Bearer x",
  "developer-token": "x",
  "x-api-key": "x",
  "x-subscription-token": "x",
  "xi-api-key": "x"
}

const event = {
  summary: "Demo",
  start: { dateTime: "2026-12-10T13:00:00Z" },
  end: { dateTime: "2026-12-10T13:30:00Z" }
}
const call = { To: "+5511980000000", From: "+551140001000", Twiml: "<Response/>", Timeout: "40" }
const order = {
  agent_id: "a",
  agent_phone_number_id: "p",
  to_number: "+5511980000000",
  conversation_initiation_client_data: { user_id: "u", dynamic_variables: { goal: "Confirm" } }
}
const hook = {
  url: "https://gateway.example/x",
  organization: "https://api.calendly.com/organizations/A",
  user: "https://api.calendly.com/users/A",
  events: ["invitee.created", "invitee.canceled"],
  scope: "user"
}
const message = {
  messaging_product: "whatsapp",
  recipient_type: "individual",
  to: "5511980000000",
  type: "template",
  template: { name: "opening", language: { policy: "deterministic", code: "pt_BR" }, components: [] }
}
const budget = { campaignBudgetOperation: { create: { name: "B", amountMicros: "1000000", explicitlyShared: false } } }
const mutate = (operation: object) => ({ mutateOperations: [operation], validateOnly: false, partialFailure: false })
const create = (changes: object) =>
  mutate({ campaignBudgetOperation: { create: { ...budget.campaignBudgetOperation.create, ...changes } } })

const samples: { readonly [vendor: string]: Sample } = {
  google_ads: {
    method: "POST",
    path: "/v26/customers/1/googleAds:mutate",
    body: mutate(budget),
    wrong: {
      "another version": { path: "/v25/customers/1/googleAds:mutate" },
      "an unknown operation": { body: mutate({ campaignBudgetsOperation: {} }) },
      "a misspelt field": { body: create({ amount_micros: "1" }) },
      "an amount with a fraction": { body: create({ amountMicros: "1.5" }) },
      "an unknown value": { body: create({ deliveryMethod: "FAST" }) },
      "no operations": { body: { validateOnly: true } }
    }
  },
  google_calendar: {
    method: "POST",
    path: "/calendar/v3/calendars/primary/events?sendUpdates=all&conferenceDataVersion=1",
    body: event,
    wrong: {
      "an event without an end": { body: { start: event.start } },
      "an unknown answer": { body: { ...event, attendees: [{ email: "a@b.example", responseStatus: "yes" }] } },
      "a field of another vendor": { body: { ...event, subject: "Demo" } },
      "a day that is a time": { body: { ...event, start: { date: "2026-12-10T13:00:00Z" } } },
      "an unknown parameter": { path: "/calendar/v3/calendars/primary/events?sendUpdate=all" },
      "an unknown value of a parameter": { path: "/calendar/v3/calendars/primary/events?sendUpdates=some" }
    }
  },
  calendly: {
    method: "POST",
    path: "/webhook_subscriptions",
    body: hook,
    wrong: {
      "an unknown notice": { body: { ...hook, events: ["invitee.cancelled"] } },
      "no scope": { body: { ...hook, scope: undefined } },
      "a misspelt field": { body: { ...hook, callback_url: hook.url } },
      "a list without its owner's organization": {
        method: "GET",
        path: "/webhook_subscriptions?scope=user",
        body: undefined
      }
    }
  },
  elevenlabs: {
    method: "POST",
    path: "/v1/convai/twilio/outbound-call",
    body: order,
    wrong: {
      "no agent": { body: { ...order, agent_id: undefined } },
      "a variable that is a list": {
        body: { ...order, conversation_initiation_client_data: { dynamic_variables: { goal: ["Confirm"] } } }
      },
      "a misspelt field": { body: { ...order, agent_phone_id: "p" } },
      "a page that is too large": { method: "GET", path: "/v1/convai/conversations?page_size=200", body: undefined }
    }
  },
  twilio: {
    method: "POST",
    path: `/2010-04-01/Accounts/AC${"0".repeat(32)}/Calls.json`,
    body: call,
    wrong: {
      "nothing to say": { body: { To: call.To, From: call.From } },
      "a misspelt field": { body: { ...call, TwiML: "<Response/>" } },
      "an unknown detection": { body: { ...call, MachineDetection: "DetectMessage" } },
      "an unknown notice": { body: { ...call, StatusCallbackEvent: ["initiated", "busy"] } },
      "a time that is no number": { body: { ...call, Timeout: "40s" } }
    }
  },
  whatsapp: {
    method: "POST",
    path: "/v23.0/106540352242922/messages",
    body: message,
    wrong: {
      "no policy of the language": {
        body: { ...message, template: { name: "opening", language: { code: "pt_BR" } } }
      },
      "a text as a template": { body: { ...message, text: { body: "Oi" } } },
      "an unknown kind": { body: { ...message, type: "poll", poll: {} } },
      "another product": { body: { ...message, messaging_product: "messenger" } },
      "an unknown version": { path: "/v22.0/106540352242922/messages" }
    }
  },
  apollo: {
    method: "POST",
    path: "/api/v1/contacts/search",
    body: { contact_label_ids: ["65b2b34d159c6806c6ad080c"], page: 1, per_page: 100 },
    wrong: {
      "a page above the last one": { body: { page: 501, per_page: 100 } },
      "a page that is too large": { body: { page: 1, per_page: 101 } },
      "a misspelt filter": { body: { label_ids: ["65b2b34d159c6806c6ad080c"] } },
      "another path": { path: "/v1/contacts/search" }
    }
  },
  brave: {
    method: "GET",
    path: "/res/v1/web/search?q=robots&count=20&search_lang=pt-br&country=BR",
    wrong: {
      "a query that is too long": { path: `/res/v1/web/search?q=${"x".repeat(401)}` },
      "too many words": { path: `/res/v1/web/search?q=${"x+".repeat(50)}x` },
      "too many hits": { path: "/res/v1/web/search?q=robots&count=21" },
      "an unknown language": { path: "/res/v1/web/search?q=robots&search_lang=pt" },
      "a body": { body: { q: "robots" } }
    }
  },
  tavily: {
    method: "POST",
    path: "/search",
    body: { query: "robots", max_results: 20, search_depth: "basic", include_answer: false },
    wrong: {
      "no query": { body: { max_results: 20 } },
      "an unknown depth": { body: { query: "robots", search_depth: "deep" } },
      "a misspelt field": { body: { query: "robots", maxResults: 20 } }
    }
  }
}

/** Answers that the vendor would not give. */
const wrongAnswers: ReadonlyArray<readonly [vendor: string, method: string, path: string, body: unknown]> = [
  ["google_ads", "POST", "/v26/customers/1/googleAds:mutate", { mutateOperationResponses: [{ campaign: {} }] }],
  ["google_ads", "POST", "/v26/customers/1/googleAds:searchStream", { results: [] }],
  ["google_calendar", "GET", "/calendar/v3/calendars/primary/events/1", { id: 1 }],
  ["calendly", "GET", "/users/me", { resource: { uri: "https://api.calendly.com/users/A" } }],
  ["elevenlabs", "GET", "/v1/convai/conversations/1", { conversation_id: "1", status: "ended" }],
  ["twilio", "GET", `/2010-04-01/Accounts/AC${"0".repeat(32)}/Calls/CA${"0".repeat(32)}.json`, { sid: "1" }],
  ["whatsapp", "POST", "/v23.0/1/messages", { messages: "wamid.1" }],
  ["apollo", "POST", "/api/v1/contacts/search", { contacts: [{ id: "1" }], pagination: {} }],
  ["brave", "GET", "/res/v1/web/search", { type: "search", web: { results: [] } }],
  ["tavily", "POST", "/search", { results: [{ title: "Acme", link: "https://acme.example/" }] }]
]

const folder = path.resolve(import.meta.dirname, "../support/vendors")
const excerpts = fs.readdirSync(folder).map((file) => path.basename(file, ".json"))

describe("the excerpts of vendors' files", () => {
  it.each(Object.entries(samples))(
    "of %s take a right request and find what is wrong with others",
    (vendor, sample) => {
      const judge = vendorJudge(vendor)
      const { wrong, ...right } = sample
      assertNoFaults(judge.faultsOfRequest({ ...right, headers }))
      // JSON has no undefined members.
      for (const [what, changes] of Object.entries(wrong)) {
        const changed = { ...right, ...changes }
        const body: unknown = changed.body === undefined ? undefined : JSON.parse(JSON.stringify(changed.body))
        assert.isNotEmpty(judge.faultsOfRequest({ ...changed, body, headers }), what)
      }
      assert.isNotEmpty(judge.faultsOfRequest({ ...right, headers: {} }), "no access")
    }
  )

  it.each(wrongAnswers)("of %s find an answer to %s %s that is not the vendor's", (vendor, method, requested, body) => {
    assert.isNotEmpty(vendorJudge(vendor).faultsOfAnswer({ method, path: requested }, { status: 200, body }))
  })

  it("belong to vendors of the list, and have facts but no descriptions", () => {
    const names = new Set(vendors.map(({ vendor }) => vendor))
    assert.isAtLeast(excerpts.length, 13)
    for (const name of excerpts) {
      assert.isTrue(names.has(vendorJudge(name).vendor), name)
      assert.notMatch(fs.readFileSync(path.join(folder, `${name}.json`), "utf8"), /"description": "/, name)
    }
  })
})
