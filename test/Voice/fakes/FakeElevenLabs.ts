import { createHmac } from "node:crypto"
import { Effect, Option, Redacted } from "effect"
import type { ElevenLabsSettings } from "../../../src/Layers/Voice/VoiceSettings.ts"
import { vendorJudge } from "../../support/VendorJudge.ts"
import { json, meet, providerServer, type Trouble } from "./providerServer.ts"

export const apiKey = "xi-very-secret"
export const webhookSecret = "wsec_test"

interface Order {
  readonly agent_id: string
  readonly agent_phone_number_id: string
  readonly to_number: string
  readonly conversation_initiation_client_data: {
    readonly user_id: string
    readonly dynamic_variables: { readonly [name: string]: string }
    readonly conversation_config_override?: object
  }
}

export const readOrder = (body: string): Order => JSON.parse(body) as Order

interface Conversation {
  readonly conversation_id: string
  readonly agent_id: string
  status: string
  transcript: ReadonlyArray<object>
  metadata: object
  analysis: object | null
  readonly user_id: string
  readonly conversation_initiation_client_data: { readonly dynamic_variables: { readonly [name: string]: string } }
  readonly to: string
}

const audio = { has_audio: true, has_user_audio: true, has_response_audio: true, has_auxiliary_audio: false }

/** Without what only the fake keeps. */
const conversationOf = ({ to: _, ...conversation }: Conversation) => conversation

/** Speaks as the provider's published documents have it, and keeps the calls it made: the ledger of the tests. */
export const fakeElevenLabs = Effect.gen(function* () {
  const calls: Array<Conversation> = []
  const troubles: Array<Trouble> = []
  /** Of reads alone. */
  const state: { readTrouble: Trouble | undefined; ignoresFilters: boolean; hidesCalls: boolean } = {
    readTrouble: undefined,
    ignoresFilters: false,
    hidesCalls: false
  }

  const server = yield* providerServer(
    vendorJudge("elevenlabs"),
    ({ body, headers, method, path, query }, response) => {
      if (headers["xi-api-key"] !== apiKey) {
        return json(response, 401, { detail: { status: "invalid_api_key", message: "Invalid API key" } })
      }
      if (method === "POST" && path === "/v1/convai/twilio/outbound-call") {
        const order = readOrder(body)
        const call: Conversation = {
          conversation_id: `conv_${calls.length + 1}_${order.conversation_initiation_client_data.user_id}`,
          agent_id: order.agent_id,
          status: "initiated",
          transcript: [],
          metadata: { start_time_unix_secs: 0, call_duration_secs: 0, cost: null, termination_reason: "" },
          analysis: null,
          user_id: order.conversation_initiation_client_data.user_id,
          conversation_initiation_client_data: order.conversation_initiation_client_data,
          to: order.to_number
        }
        return meet(
          troubles.shift(),
          response,
          () => calls.push(call),
          () =>
            json(response, 200, {
              success: true,
              message: "Success",
              conversation_id: call.conversation_id,
              callSid: "CA0"
            })
        )
      }
      const trouble = state.readTrouble
      if (trouble !== undefined)
        return meet(
          trouble,
          response,
          () => {},
          () => {}
        )
      if (path === "/v1/convai/conversations") {
        const found = calls.filter(
          (call) => !state.hidesCalls && (state.ignoresFilters || call.user_id === query.get("user_id"))
        )
        return json(response, 200, {
          conversations: found.map(({ agent_id, conversation_id, status }) => ({
            agent_id,
            conversation_id,
            status,
            start_time_unix_secs: 1_700_000_000,
            call_duration_secs: 42,
            message_count: 3,
            call_successful: "success"
          })),
          has_more: false,
          next_cursor: null
        })
      }
      const id = decodeURIComponent(path.split("/").at(-1) ?? "")
      const call = calls.find(({ conversation_id }) => conversation_id === id)
      return call === undefined
        ? json(response, 404, { detail: { status: "document_not_found" } })
        : json(response, 200, { ...conversationOf(call), ...audio })
    }
  )

  const settings: ElevenLabsSettings = {
    url: server.url,
    apiKey: Redacted.make(apiKey),
    agentIds: { Male: "agent_male", Female: "agent_female" },
    phoneNumberId: "phnum_1",
    webhookSecret: Option.some(Redacted.make(webhookSecret)),
    overridesLanguage: false
  }
  return { ...server, calls, troubles, state, settings }
})

export type FakeElevenLabs = Effect.Effect.Success<typeof fakeElevenLabs>

/** What the provider tells of a conversation that has ended. */
export const finished = {
  status: "done",
  transcript: [
    { role: "agent", message: "Bom dia, aqui é da Ondas.", time_in_call_secs: 0, tool_calls: [] },
    { role: "user", message: "Sim, pode confirmar.", time_in_call_secs: 4 },
    { role: "agent", message: null, time_in_call_secs: 6 }
  ],
  metadata: {
    start_time_unix_secs: 1_700_000_000,
    call_duration_secs: 42,
    cost: 296,
    termination_reason: "end_call tool was called.",
    features_usage: { voicemail_detection: { enabled: true, used: false } }
  },
  analysis: { call_successful: "success", transcript_summary: "A reunião foi confirmada." }
} as const

/** The header with which the provider signs what it sends. */
export const signature = (body: string, timeSeconds: number, secret = webhookSecret): string =>
  `t=${timeSeconds},v0=${createHmac("sha256", secret).update(`${timeSeconds}.${body}`).digest("hex")}`
