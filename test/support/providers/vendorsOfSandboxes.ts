import { Effect } from "effect"
import { makeAdsSandbox } from "../../../src/Layers/Ads/sandbox/AdsSandbox.ts"
import { makeCalendarSandboxes } from "../../../src/Layers/Calendar/sandbox/CalendarSandboxes.ts"
import { makeCrmSandboxTransport } from "../../../src/Layers/Crm/sandbox/CrmSandboxTransport.ts"
import { makeApolloSandboxTransport } from "../../../src/Layers/LeadSource/sandbox/ApolloSandboxTransport.ts"
import { makeCalendlySandbox } from "../../../src/Layers/Scheduler/sandbox/CalendlySandbox.ts"
import { Caller } from "../../../src/Services/Core/Calls/Caller.ts"
import type { OutboundRequest, OutboundResponse } from "../../../src/Services/Outbound/OutboundHttp.ts"
import type { Vendor } from "./OutsideRecorder.ts"
import { json } from "./VendorOverHttp.ts"

const token = json(200, { access_token: "token", expires_in: 3600, token_type: "Bearer" })
/** Engines that are down: what they would make is of no interest. */
const unavailable = json(503, { error: { message: "down" } })

const elevenLabs = ({ method, url }: OutboundRequest): OutboundResponse =>
  method === "POST"
    ? json(200, { success: true, message: "Success", conversation_id: "conv_1", callSid: "CA0" })
    : url.includes("/conversations?")
      ? json(200, { conversations: [], has_more: false, next_cursor: null })
      : json(404, { detail: { status: "missing" } })

const messagingApp = ({ method }: OutboundRequest): OutboundResponse =>
  method === "POST"
    ? json(200, {
        success: true,
        id: "upload:1",
        h: "handle",
        messaging_product: "whatsapp",
        messages: [{ id: "wamid.1" }]
      })
    : json(200, { id: "200", display_phone_number: "+55 11 91234-0000", verified_name: "Ondas", data: [] })

const completion = (content: string) =>
  json(200, {
    id: "completion",
    object: "chat.completion",
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content } }],
    usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 }
  })

/** A model that says one thing, in the form that the request asks for. */
const openAi = ({ body, url }: OutboundRequest): OutboundResponse => {
  if (!url.endsWith("/chat/completions")) return unavailable
  const text = "Podemos conversar na quinta-feira às 10 horas?"
  return completion(
    String(body).includes("opening_line") ? JSON.stringify({ goal: text, opening_line: "Bom dia!" }) : text
  )
}

const fixedAnswers: Readonly<Record<string, (request: OutboundRequest) => OutboundResponse>> = {
  "api.elevenlabs.io": elevenLabs,
  "graph.facebook.com": messagingApp,
  "oauth2.googleapis.com": () => token,
  "auth.calendly.com": () => token,
  "api.openai.com": openAi,
  "api.replicate.com": () => unavailable,
  "generativelanguage.googleapis.com": () => unavailable,
  "api.search.brave.com": () => json(200, { web: { results: [] } })
}

/** Answers of the vendors for which there is no simulator. */
export const vendorAnswers: Vendor = (request) => {
  const answer = fixedAnswers[new URL(request.url).hostname]
  return answer === undefined ? undefined : Effect.succeed(answer(request))
}

/** Vendors' answers by the simulators of the database, to requests of one account. */
export const vendorsFor = (caller: Caller["Type"]) =>
  Effect.gen(function* () {
    const calendar = yield* makeCalendarSandboxes
    const scheduler = yield* makeCalendlySandbox
    const ads = yield* makeAdsSandbox
    const crm = yield* makeCrmSandboxTransport
    const apollo = yield* makeApolloSandboxTransport
    const simulators: Readonly<
      Record<string, (request: OutboundRequest) => Effect.Effect<OutboundResponse, unknown, Caller>>
    > = {
      "www.googleapis.com": calendar,
      "api.calendly.com": scheduler.request,
      "googleads.googleapis.com": ads.request,
      "datamanager.googleapis.com": ads.request,
      "api.pipedrive.com": (request) => crm.request("pipedrive", request),
      "api.apollo.io": apollo
    }
    const vendor: Vendor = (request) => {
      const simulated = simulators[new URL(request.url).hostname]?.(request)
      return simulated === undefined
        ? vendorAnswers(request)
        : simulated.pipe(
            Effect.provideService(Caller, caller),
            Effect.catchAll(() => Effect.succeed(unavailable))
          )
    }
    return vendor
  })
