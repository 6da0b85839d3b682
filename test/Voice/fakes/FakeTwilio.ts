import { createHmac } from "node:crypto"
import { Effect, Redacted } from "effect"
import type { TwilioSettings } from "../../../src/Layers/Voice/VoiceSettings.ts"
import { vendorJudge } from "../../support/VendorJudge.ts"
import { json, meet, providerServer, type Trouble } from "./providerServer.ts"

export const accountSid = `AC${"0".repeat(32)}`
export const authToken = "twilio-very-secret"
export const from = "+551140001000"

interface Call {
  readonly sid: string
  readonly to: string
  readonly from: string
  readonly direction: string
  status: string
  date_created: string
  duration: string | null
  answered_by: string | null
}

let sids = 0
export const newSid = (): string => `CA${`${++sids}`.padStart(32, "0")}`

/** Speaks as the provider's published documents have it, and keeps the calls it made: the ledger of the tests. */
export const fakeTwilio = Effect.gen(function* () {
  const calls: Array<Call> = []
  const troubles: Array<Trouble> = []
  const path = `/2010-04-01/Accounts/${accountSid}/Calls`

  const server = yield* providerServer(vendorJudge("twilio"), (received, response) => {
    const expected = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString("base64")}`
    if (received.headers.authorization !== expected) {
      return json(response, 401, { code: 20003, message: "Authenticate", more_info: "", status: 401 })
    }
    if (received.method === "POST" && received.path === `${path}.json`) {
      const form = new URLSearchParams(received.body)
      const call: Call = {
        sid: newSid(),
        to: form.get("To") ?? "",
        from: form.get("From") ?? "",
        direction: "outbound-api",
        status: "queued",
        date_created: new Date().toUTCString().replace("GMT", "+0000"),
        duration: null,
        answered_by: null
      }
      return meet(
        troubles.shift(),
        response,
        () => calls.push(call),
        () => json(response, 201, { ...call, price: null, subresource_uris: {} })
      )
    }
    if (received.path === `${path}.json`) {
      const found = calls.filter(
        (call) => call.to === received.query.get("To") && call.from === received.query.get("From")
      )
      return json(response, 200, { calls: found, page: 0, page_size: 50, next_page_uri: null })
    }
    const sid = received.path.split("/").at(-1)?.replace(".json", "")
    const call = calls.find((one) => one.sid === sid)
    return call === undefined
      ? json(response, 404, { code: 20404, message: "not found", status: 404 })
      : json(response, 200, call)
  })

  const settings: TwilioSettings = { url: server.url, accountSid, authToken: Redacted.make(authToken), from }
  return { ...server, calls, troubles, settings }
})

export type FakeTwilio = Effect.Effect.Success<typeof fakeTwilio>

/** The header with which the provider signs a form that it posts to the URL. */
export const signature = (url: string, form: { readonly [name: string]: string }, token = authToken): string => {
  const fields = Object.keys(form).sort()
  const text = url + fields.map((name) => `${name}${form[name] ?? ""}`).join("")
  return createHmac("sha1", token).update(text).digest("base64")
}
