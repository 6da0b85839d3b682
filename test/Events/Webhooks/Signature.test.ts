import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Inspectable, Redacted } from "effect"
import * as standard from "standardwebhooks"
import { Webhook as Svix } from "svix"
import { makeSigningKey, signatureHeaders, signingSecret } from "../../../src/Layers/Events/Webhooks/Signature.ts"

const key = makeSigningKey()
const body = JSON.stringify({ id: "evt_1", type: "meeting_booked", data: { lead_name: "João 🙂" } })
const now = () => Math.floor(Date.now() / 1000)
const headersAt = (timestampSeconds: number) => signatureHeaders([key], { id: "evt_1", timestampSeconds, body })

const judges = [
  ["standardwebhooks", (secret: string) => new standard.Webhook(secret)],
  ["svix", (secret: string) => new Svix(secret)]
] as const

for (const [name, judge] of judges) {
  describe(`as ${name} sees it, a signature`, () => {
    const webhook = judge(signingSecret(key))

    it("holds for what was signed", () => {
      assert.deepStrictEqual(webhook.verify(body, { ...headersAt(now()) }), JSON.parse(body))
    })

    it("does not hold for another body, id, time or secret", () => {
      const signedAt = now()
      const headers = headersAt(signedAt)
      assert.throws(() => webhook.verify(`${body} `, { ...headers }))
      assert.throws(() => webhook.verify(body, { ...headers, "webhook-id": "evt_2" }))
      assert.throws(() => webhook.verify(body, { ...headers, "webhook-timestamp": `${signedAt - 1}` }))
      assert.throws(() => judge(signingSecret(makeSigningKey())).verify(body, { ...headers }))
    })

    it("holds for five minutes, so that it cannot be replayed", () => {
      assert.doesNotThrow(() => webhook.verify(body, { ...headersAt(now() - 290) }))
      assert.throws(() => webhook.verify(body, { ...headersAt(now() - 310) }))
    })
  })
}

it("two keys make two signatures, and each judge finds that of its secret", () => {
  const next = makeSigningKey()
  const headers = signatureHeaders([next, key], { id: "evt_1", timestampSeconds: now(), body })
  for (const [, judge] of judges) {
    for (const secret of [key, next]) {
      assert.deepStrictEqual(judge(signingSecret(secret)).verify(body, { ...headers }), JSON.parse(body))
    }
    assert.throws(() => judge(signingSecret(makeSigningKey())).verify(body, { ...headers }))
  }
})

describe("a signing key", () => {
  it("is 32 bytes of its own, written as whsec_ and Base64", () => {
    assert.match(signingSecret(key), /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.notStrictEqual(signingSecret(key), signingSecret(makeSigningKey()))
  })

  it("does not show in what is printed", () => {
    const shown = `${inspect(key)} ${JSON.stringify(key)} ${Inspectable.toStringUnknown({ key })}`
    assert.notInclude(shown, signingSecret(key).slice(6))
    assert.notInclude(shown, Buffer.from(Redacted.value(key)).toString("hex"))
  })
})
