import { createHmac } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Schema } from "effect"
import { AdsCampaignView } from "../../src/Services/Ads/AdsModel.ts"
import { makeTokenHolder, send, testGateway } from "../support/servers/TestServer.ts"
import { descriptions, headlines } from "./AdsWorld.ts"

const key = Buffer.from("a key of tests that is long enough")
const Gateway = testGateway().pipe(
  Layer.provide(
    Layer.setConfigProvider(
      ConfigProvider.fromMap(new Map([["ADS_PAYMENT_SECRET", `whsec_${key.toString("base64")}`]]))
    )
  )
)

const call = (token: string, tool: string, args: object) =>
  send(`/rest/v1/tools/${tool}`, { method: "POST", token, body: JSON.stringify(args) })

const viewOf = (token: string) =>
  Effect.flatMap(call(token, "get_adsplatform_campaign", { campaign: "Clínicas" }), ({ json }) =>
    Schema.decodeUnknown(AdsCampaignView)(json)
  )

const ready = (token: string) =>
  Effect.gen(function* () {
    yield* call(token, "create_adsplatform_campaign_draft", { name: "Clínicas", daily_budget_brl: 40 })
    const { ad_group_id } = yield* viewOf(token)
    const of = { campaign: "Clínicas", ad_group_id }
    yield* call(token, "create_adsplatform_search_ad", {
      ...of,
      final_url: "https://a.example/",
      headlines,
      descriptions
    })
    yield* call(token, "add_adsplatform_keywords", { ...of, keywords: "agenda online" })
    return yield* viewOf(token)
  })

const pathOf = (url: string | null): string => (url === null ? "/" : new URL(url).pathname)

layer(Gateway, { excludeTestServices: true })("ads over HTTP", (it) => {
  it.effect("the recharge page adds what its button says, once, and the campaign goes live", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      const page = pathOf((yield* ready(token)).recharge_url)
      const shown = yield* send(page)
      assert.include(shown.text, "Recarregar campanha")
      const reference = /name="reference" value="(sandbox-[0-9a-f-]+-100)"/.exec(shown.text)?.[1] ?? ""
      const body = new URLSearchParams({ reference, amount: "100" }).toString()
      for (let press = 0; press < 2; press++)
        assert.strictEqual((yield* send(page, { method: "POST", body })).status, 200)
      assert.deepInclude(yield* viewOf(token), {
        status: "live",
        balance: { recharged_brl: 100, spent_brl: 0, remaining_brl: 100 }
      })
      assert.strictEqual((yield* send(`${page}x`)).status, 404)
      assert.strictEqual((yield* send("/ads/recharge/1-1-nobody")).status, 404)
      const other = yield* send(page, { method: "POST", body: "amount=1000000&reference=mine" })
      assert.notInclude(other.text, "1000000")
      assert.strictEqual((yield* viewOf(token)).balance.recharged_brl, 100)
    })
  )

  it.effect("a payment notice is taken when it is signed, and entered once", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      const recharge_token =
        pathOf((yield* ready(token)).recharge_url)
          .split("/")
          .at(-1) ?? ""
      const notice = (payment: object, seconds = 0, secret = key) => {
        const body = JSON.stringify(payment)
        const timestamp = `${Math.floor(Date.now() / 1000) + seconds}`
        const signature = createHmac("sha256", secret).update(`msg_1.${timestamp}.${body}`).digest("base64")
        const headers = {
          "webhook-id": "msg_1",
          "webhook-timestamp": timestamp,
          "webhook-signature": `v1,AAAA v1,${signature}`
        }
        return send("/ads/payment-notices", { method: "POST", body, headers })
      }
      const payment = { recharge_token, reference: "pix-9", amount_brl: 250.5 }
      assert.deepStrictEqual((yield* notice(payment)).json, { entered: true, is_new: true })
      assert.deepStrictEqual((yield* notice(payment)).json, { entered: true, is_new: false })
      assert.strictEqual((yield* notice({ ...payment, amount_brl: 1 })).status, 422)
      assert.strictEqual((yield* notice(payment, -900)).status, 401)
      assert.strictEqual((yield* notice(payment, 0, Buffer.from("another"))).status, 401)
      assert.strictEqual((yield* send("/ads/payment-notices", { method: "POST", body: "{}" })).status, 401)
      assert.strictEqual((yield* notice({ ...payment, amount_brl: -1 })).status, 400)
      assert.strictEqual((yield* notice({ ...payment, recharge_token: "1-1-x" })).status, 422)
      assert.strictEqual((yield* viewOf(token)).balance.recharged_brl, 250.5)
    })
  )

  it.effect("what happens at the simulated platform can be provoked by its page and by programs", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      yield* ready(token)
      const act = (name: string, as = token) =>
        send("/sandbox/ads", { method: "POST", token: as, body: JSON.stringify({ campaign: "Clínicas", act: name }) })
      const statusAfter = (name: string) =>
        Effect.zipRight(
          act(name),
          Effect.map(viewOf(token), ({ status }) => status)
        )
      assert.strictEqual(yield* statusAfter("fund"), "live")
      assert.strictEqual(yield* statusAfter("suspend"), "held")
      assert.strictEqual(yield* statusAfter("restore"), "live")
      assert.strictEqual(yield* statusAfter("disapprove"), "held")
      assert.strictEqual(yield* statusAfter("approve"), "live")
      assert.strictEqual(yield* statusAfter("hold_billing"), "held")
      assert.strictEqual(yield* statusAfter("approve_billing"), "live")
      yield* act("break")
      assert.strictEqual((yield* call(token, "sync_adsplatform_spend", { campaign: "Clínicas" })).status, 503)
      assert.strictEqual(yield* statusAfter("mend"), "live")
      yield* act("low_funds")
      assert.strictEqual((yield* viewOf(token)).balance.remaining_brl, 3)

      const management = pathOf((yield* viewOf(token)).management_url)
      assert.include((yield* send(management)).text, "<button")
      assert.include((yield* send(management, { method: "POST", body: "act=suspend" })).text, "account_suspended")
      assert.strictEqual((yield* send(`${management}x`)).status, 404)
      const stranger = yield* makeTokenHolder()
      assert.strictEqual((yield* act("fund", stranger.token)).status, 404)
      assert.strictEqual((yield* send("/sandbox/ads")).status, 401)
      assert.include((yield* send("/sandbox/ads", { headers: { Accept: "text/html" } })).text, "management_url")
      assert.strictEqual((yield* act("burn")).status, 400)
      assert.deepInclude((yield* send("/sandbox/ads", { token })).json, {
        counts: { campaigns: 1, ads: 1, keywords: 1, negatives: 0 }
      })
    })
  )
})
