import type * as http from "node:http"
import { Effect, Schema } from "effect"
import { WebhookBody } from "../../../src/Services/Events/Webhooks.ts"
import { eventFaults } from "../checks/WebhookJudge.ts"
import { localHttpServer } from "../servers/LocalHttpServer.ts"

const Body = Schema.parseJson(WebhookBody)
const decodeBody = Schema.decodeUnknownSync(Body, { onExcessProperty: "error" })

/** A delivery as it came in. */
export interface Received {
  readonly path: string
  readonly headers: Record<string, string>
  readonly text: string
  readonly body: typeof Body.Type
}

/** What tells the events of a test apart. */
export const numberOf = ({ body }: Received): number =>
  body.type === "support_request_answered" ? body.data.support_request_id : -1

/** How a receiver answers; it may take its time. */
export type Answer = (received: Received, response: http.ServerResponse) => void

export const accept: Answer = (_, response) => void response.writeHead(204).end()

export const reject =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    void response.writeHead(status, headers).end("what the receiver says of it")

/** Notes what comes and answers it. */
export const receive =
  (received: Array<Received>, answer: Answer): http.RequestListener =>
  (request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString("utf8")
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const)
      )
      const delivery = { path: request.url ?? "", headers, text, body: decodeBody(text) }
      const faults = eventFaults(JSON.parse(text))
      if (faults !== undefined) throw new Error(`A webhook is not as the document describes it: ${faults}`)
      received.push(delivery)
      answer(delivery, response)
    })
  }

/** A receiver of webhooks on this machine, with what came to it so far. */
export const webhookReceiver = (answer: Answer = accept) =>
  Effect.gen(function* () {
    const received: Array<Received> = []
    const server = yield* localHttpServer(receive(received, answer))
    const seen: ReadonlyArray<Received> = received
    return { url: `${server.url}/hook`, received: seen }
  })
