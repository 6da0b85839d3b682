import type * as http from "node:http"
import { Effect, Schema } from "effect"
import type { OutreachChannel } from "../../../src/Services/Outreach/Ids.ts"
import { localHttpServer } from "../servers/LocalHttpServer.ts"
import { localSmtpServer } from "./LocalSmtpServer.ts"

/** A message or call that a provider took responsibility for. */
export interface Taken {
  readonly channel: OutreachChannel
  /** An address, or digits. */
  readonly to: string
  /** What the gateway calls it: a Message-ID or a client reference. */
  readonly reference: string
}

/** What the providers do from now on; they answer all they take unless told. */
export interface ProviderBehaviour {
  /** It is about to be taken; what is lost is neither in the ledger nor answered. */
  readonly onOffered?: (offered: Taken) => "take" | "lose"
  /** It is in the ledger, and the answer is still due. */
  readonly onTaken?: (taken: Taken) => "answer" | "silence"
  /** The answer is on its way. */
  readonly onAnswered?: (taken: Taken) => void
}

const decodeMessage = Schema.decodeSync(
  Schema.parseJson(Schema.Struct({ to: Schema.String, biz_opaque_callback_data: Schema.String }))
)
const decodeOrder = Schema.decodeSync(
  Schema.parseJson(
    Schema.Struct({
      to_number: Schema.String,
      conversation_initiation_client_data: Schema.Struct({ user_id: Schema.String })
    })
  )
)

const bodyOf = async (request: http.IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk)
  return Buffer.concat(chunks).toString("utf8")
}

/** A call that somebody answered and that is over. */
const conversation = (reference: string) => ({
  conversation_id: `conv_${reference}`,
  agent_id: "agent_female",
  status: "done",
  transcript: [{ role: "agent", message: "Bom dia!", time_in_call_secs: 0 }],
  metadata: { start_time_unix_secs: 1_700_000_000, call_duration_secs: 20, cost: 1, termination_reason: "" },
  analysis: { call_successful: "success", transcript_summary: "Atendida." },
  user_id: reference,
  conversation_initiation_client_data: { dynamic_variables: { client_reference: reference } }
})

/**
 * The outside world of a touch worker, in the test's own process: a mail server, the messaging app's and the voice
 * provider's interfaces, and one ledger of what they took. `lookUps` counts the questions whether something was taken.
 */
export const touchProviders = Effect.gen(function* () {
  const ledger: Array<Taken> = []
  const lookUps = { email: 0, voice: 0 }
  let behaviour: ProviderBehaviour = {}

  const take = (taken: Taken, answer: () => void): void => {
    if (behaviour.onOffered?.(taken) === "lose") return
    ledger.push(taken)
    if ((behaviour.onTaken?.(taken) ?? "answer") === "silence") return
    answer()
    setImmediate(() => behaviour.onAnswered?.(taken))
  }
  const isTaken = (reference: string): boolean => ledger.some((taken) => taken.reference === reference)

  const smtp = yield* localSmtpServer()
  smtp.behave({
    onMessage: ({ raw, to }) =>
      new Promise((resolve) =>
        take({ channel: "email", to: to[0] ?? "", reference: /^Message-ID: (\S+)/im.exec(raw)?.[1] ?? "" }, () =>
          resolve(undefined)
        )
      )
  })

  const { url } = yield* localHttpServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://local")
    const json = (status: number, body: unknown) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
    const last = decodeURIComponent(pathname.split("/").at(-1) ?? "")

    if (pathname.startsWith("/sent/")) {
      lookUps.email++
      return void response.writeHead(isTaken(last) ? 200 : 404).end()
    }
    if (pathname.startsWith("/chatapp/")) {
      return void bodyOf(request).then((body) => {
        const { biz_opaque_callback_data: reference, to } = decodeMessage(body)
        const messages = [{ id: `wamid.${reference}` }]
        take({ channel: "chatapp", to, reference }, () => json(200, { messaging_product: "whatsapp", messages }))
      })
    }
    if (request.method === "POST") {
      return void bodyOf(request).then((body) => {
        const { conversation_initiation_client_data: data, to_number: to } = decodeOrder(body)
        const reference = data.user_id
        take({ channel: "voice", to, reference }, () =>
          json(200, { success: true, message: "Success", conversation_id: `conv_${reference}`, callSid: "CA0" })
        )
      })
    }
    if (last === "conversations") {
      lookUps.voice++
      const reference = searchParams.get("user_id") ?? ""
      const { agent_id, conversation_id, status } = conversation(reference)
      const conversations = isTaken(reference) ? [{ agent_id, conversation_id, status }] : []
      return void json(200, { conversations, has_more: false, next_cursor: null })
    }
    const reference = last.replace(/^conv_/, "")
    return void (isTaken(reference) ? json(200, conversation(reference)) : json(404, { detail: { status: "missing" } }))
  })

  return {
    ledger,
    lookUps,
    behave: (wanted: ProviderBehaviour) => {
      behaviour = wanted
    },
    places: {
      smtpPort: smtp.port,
      sentMailUrl: `${url}/sent`,
      chatAppUrl: `${url}/chatapp`,
      voiceUrl: `${url}/voice`
    }
  }
})
