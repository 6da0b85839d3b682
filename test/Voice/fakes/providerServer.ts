import type * as http from "node:http"
import { Duration, Effect, Layer } from "effect"
import { OutboundHttpNode } from "../../../src/Layers/Platform/Outbound/OutboundHttp.ts"
import { OutboundHttp } from "../../../src/Services/Outbound/OutboundHttp.ts"
import { localHttpServer } from "../../support/servers/LocalHttpServer.ts"
import { collectedFaults, judgedBody, type VendorJudge } from "../../support/VendorJudge.ts"

export interface Received {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
}

/** How the next order is met: as always, with an error, or with silence before or after the call is made. */
export type Trouble =
  | { readonly status: number; readonly headers?: { readonly [name: string]: string }; readonly body?: unknown }
  | "silent_before"
  | "silent_after"
  | "cut_after"

/** What hears the answers of a fake, to have them judged. */
const hearers = new WeakMap<http.ServerResponse, (status: number, body: unknown) => void>()

const write = (
  response: http.ServerResponse,
  status: number,
  body: unknown,
  headers: { readonly [name: string]: string } = {}
) => {
  response.writeHead(status, { "content-type": "application/json", ...headers })
  response.end(JSON.stringify(body))
}

export const json = (response: http.ServerResponse, status: number, body: unknown) => {
  hearers.get(response)?.(status, body)
  write(response, status, body)
}

/** Does what the trouble says; answers whether the call is made and the order answered. */
export const meet = (
  trouble: Trouble | undefined,
  response: http.ServerResponse,
  makeCall: () => void,
  answer: () => void
): void => {
  if (trouble === undefined) {
    makeCall()
    answer()
  } else if (trouble === "silent_after") makeCall()
  else if (trouble === "cut_after") {
    makeCall()
    response.destroy()
  } else if (trouble !== "silent_before") {
    write(response, trouble.status, trouble.body ?? { detail: "trouble" }, trouble.headers)
  }
}

/** A server that keeps what it is sent. The judge of its vendor reads each request, and each answer but those of troubles. */
export const providerServer = (
  judge: VendorJudge,
  respond: (received: Received, response: http.ServerResponse) => void
) =>
  Effect.gen(function* () {
    const received: Array<Received> = []
    const faults = yield* collectedFaults
    const { url } = yield* localHttpServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        const { pathname, searchParams } = new URL(request.url ?? "/", "http://local")
        const entry = {
          method: request.method ?? "",
          path: pathname,
          query: searchParams,
          headers: request.headers,
          body: Buffer.concat(chunks).toString("utf8")
        }
        received.push(entry)
        const { headers, method } = entry
        const path = request.url ?? "/"
        const body = judgedBody(headers["content-type"] ?? "", entry.body)
        for (const fault of judge.faultsOfRequest({ method, path, headers, body })) faults.add(fault)
        // What tests plan in the place of an answer is not heard.
        hearers.set(response, (status, answerBody) => {
          if (status >= 400) return
          const answer = { status, body: JSON.parse(JSON.stringify(answerBody)) as unknown }
          for (const fault of judge.faultsOfAnswer({ method, path }, answer)) faults.add(fault)
        })
        respond(entry, response)
      })
    })
    return { url, received }
  })

/** The real client, whose patience is short only where the provider is about to be silent. */
export const impatientHttp = (isSilent: () => boolean) =>
  Layer.effect(
    OutboundHttp,
    Effect.map(OutboundHttp, (real) => ({
      ...real,
      request: (request) => real.request(isSilent() ? { ...request, timeout: Duration.seconds(1) } : request)
    }))
  ).pipe(Layer.provide(OutboundHttpNode))

export const isSilence = (trouble: Trouble | undefined): boolean =>
  trouble === "silent_before" || trouble === "silent_after"
