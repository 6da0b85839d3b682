import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { Webhook as StandardWebhook } from "standardwebhooks"
import { nextInWindow } from "../../src/Services/Core/LocalTime.ts"
import { WebhookSubscriptionView } from "../../src/Services/Events/Webhooks.ts"
import { LeadId } from "../../src/Services/Leads/Ids.ts"
import { PlayedView, TestClockView } from "../../src/Services/TestAccounts/TestClock.ts"
import type { RunningGateway } from "../support/processes/RunningGateway.ts"
import { webhookReceiver } from "../support/providers/WebhookReceiver.ts"
import { makeTokenHolder, testGateway } from "../support/servers/TestServer.ts"
import { assertTrailAgrees } from "../support/story/StoryLaws.ts"
import { readDeliveries, readFeed, readLead, readNotifications } from "../support/story/StoryRecords.ts"
import { testAccountTemplate } from "../support/TestDatabase.ts"
import { call, platform, post } from "./calls.ts"

const Token = Schema.Struct({ token: Schema.String })
const Lead = Schema.Struct({ lead_id: LeadId })
const Subscribed = Schema.Struct({ ...WebhookSubscriptionView.fields, signing_secret: Schema.String })

const makeAccount = (startsAt: string) =>
  Effect.gen(function* () {
    const { token } = yield* makeTokenHolder()
    const answer = yield* call(token, "create_test_account", { name: "Ondas", starts_at: startsAt }, platform)
    return (yield* Schema.decodeUnknown(Token)(answer)).token
  })

/** The test account as the laws of stories read a gateway. */
const asGateway = (token: string) =>
  Effect.map(
    Effect.context<Effect.Effect.Context<ReturnType<typeof call>>>(),
    (context): RunningGateway => ({
      baseUrl: "",
      ownerEmail: "owner@test.example",
      call: (tool, answer, args = {}) =>
        call(token, tool, args).pipe(
          Effect.flatMap(Schema.decodeUnknown(answer, { onExcessProperty: "error" })),
          Effect.orDie,
          Effect.provide(context)
        ),
      refusal: (tool, args) => Effect.map(Effect.provide(post(token, tool, args), context), ({ text }) => text)
    })
  )

const advance = (token: string, args: object) =>
  call(token, "advance_test_clock", args, platform).pipe(
    Effect.flatMap(Schema.decodeUnknown(TestClockView)),
    Effect.flatMap((view) =>
      view.status === "ready"
        ? Effect.succeed(view)
        : call(token, "get_test_clock", {}, platform).pipe(
            Effect.flatMap(Schema.decodeUnknown(TestClockView)),
            Effect.repeat({ until: ({ status }) => status === "ready" })
          )
    )
  )

const play = (token: string, leadId: LeadId, args: object) =>
  Effect.flatMap(
    call(token, "play_prospect", { lead_id: leadId, ...args }, platform),
    Schema.decodeUnknown(PlayedView, { onExcessProperty: "error" })
  )

const zone = "America/Sao_Paulo"
/** Christmas and New Year's Day. */
const isHoliday = (_: number, month: number, day: number) => (month === 12 && day === 25) || (month === 1 && day === 1)

const TestLayer = Layer.provideMerge(testAccountTemplate, testGateway({ outboundAllowLoopback: true }))

layer(TestLayer, { excludeTestServices: true, timeout: "10 minutes" })("outreach of a test account", (it) => {
  it.scoped("keeps its laws over three weeks with holidays, as the tools show it", () =>
    Effect.gen(function* () {
      const token = yield* makeAccount("2026-12-17T12:00:00Z")
      const gateway = yield* asGateway(token)
      const receiver = yield* webhookReceiver()
      const subscription = yield* gateway.call("create_webhook_subscription", Subscribed, { url: receiver.url })
      const leads = yield* Effect.forEach(
        Array.from({ length: 12 }, (_, index) => index + 1),
        (n) =>
          Effect.map(
            Effect.flatMap(
              call(token, "register_lead", {
                name: `Ana ${n}`,
                email: `ana${n}@clinica${n}.example`,
                ...(n % 3 === 0 ? { phone: `+55119876500${10 + n}` } : {})
              }),
              Schema.decodeUnknown(Lead)
            ),
            ({ lead_id }) => lead_id
          )
      )
      const [optsOut, refuses, asks, away, stopped, paused, called] = leads
      if (
        optsOut === undefined ||
        refuses === undefined ||
        asks === undefined ||
        away === undefined ||
        stopped === undefined ||
        paused === undefined ||
        called === undefined
      ) {
        return assert.fail("there are too few leads")
      }

      /** From when on nothing may be sent to the lead. */
      const silentFrom = new Map<LeadId, string>()
      let now = "2026-12-17T12:00:00Z"
      for (let day = 1; day <= 21; day++) {
        now = (yield* advance(token, { by: "1 day" })).now
        if (day === 2) {
          yield* play(token, optsOut, { channel: "email", text: "Por favor, não me escreva mais." })
          silentFrom.set(optsOut, now)
          yield* play(token, asks, { channel: "email", text: "Quanto custa? Podem me explicar como funciona?" })
          const reply = { channel: "email", text: "Estou fora do escritório até segunda.", is_auto_reply: true }
          yield* play(token, away, reply)
        }
        if (day === 5) {
          yield* play(token, refuses, { channel: "email", text: "Sair. Me remova da lista." })
          silentFrom.set(refuses, now)
          yield* call(token, "stop_lead", { lead_id: stopped })
          silentFrom.set(stopped, now)
          yield* call(token, "pause_lead_prospecting", { lead_id: paused, reason: "On holiday" })
          silentFrom.set(paused, now)
        }
      }
      assert.strictEqual(now, "2027-01-07T12:00:00Z")

      const feed = yield* readFeed(gateway)
      const notifications = yield* readNotifications(gateway)
      let sent = 0
      for (const leadId of leads) {
        const record = yield* readLead(gateway, leadId)
        assertTrailAgrees(record)
        const outbound = record.conversation.filter(({ direction }) => direction === "outbound")
        sent += outbound.length
        assert.isNotEmpty(outbound, record.profile.name)
        for (const { at, message_type } of outbound) {
          const silent = silentFrom.get(leadId)
          assert.isTrue(silent === undefined || at <= silent, `${record.profile.name} got a message at ${at}`)
          if (message_type !== "first_contact" && message_type !== "follow_up") continue
          const millis = Date.parse(at)
          const window = { startHour: 8, endHour: 18, isClosed: isHoliday }
          assert.strictEqual(nextInWindow(millis, zone, window), millis, `${record.profile.name} at ${at}`)
        }
        const texts = outbound.map(({ body }) => body)
        assert.strictEqual(new Set(texts).size, texts.length, `${record.profile.name} got a text twice`)
        assert.strictEqual(record.profile.last_outbound_at, outbound.at(-1)?.at)
        // The cadence of those who stay silent: the days 0, 3, 7, 11, 16 and 21, later by holidays.
        const isSilent = !record.conversation.some(({ direction }) => direction === "inbound")
        if (isSilent && !silentFrom.has(leadId)) assert.isAtLeast(outbound.length, 4, record.profile.name)
        assert.isAtMost(outbound.length, 8, record.profile.name)
      }
      assert.isAtLeast(sent, 30)
      const answered = yield* readLead(gateway, asks)
      const question = answered.conversation.findIndex(({ direction }) => direction === "inbound")
      assert.strictEqual(answered.conversation[question + 1]?.direction, "outbound", "the question was not answered")
      assert.include((yield* readLead(gateway, optsOut)).profile.blocks, "unsubscribed")
      assert.isNotEmpty(notifications)

      // Every event went to the endpoint once and in order, signed by the time of the receiver.
      assert.deepStrictEqual(
        receiver.received.map(({ body }) => body.id),
        feed.map(({ id }) => id)
      )
      const webhook = new StandardWebhook(subscription.signing_secret)
      for (const { headers, text } of receiver.received) webhook.verify(text, headers)
      const deliveries = yield* readDeliveries(gateway, subscription.subscription_id)
      assert.isTrue(deliveries.every(({ status }) => status === "delivered"))
      const clock = yield* Effect.flatMap(
        call(token, "get_test_clock", {}, platform),
        Schema.decodeUnknown(TestClockView)
      )
      assert.strictEqual(clock.failed_tasks, 0)
    })
  )

  it.effect("is answered on each channel", () =>
    Effect.gen(function* () {
      const token = yield* makeAccount("2026-11-30T12:00:00Z")
      const gateway = yield* asGateway(token)
      const register = (lead: object) =>
        Effect.map(
          Effect.flatMap(call(token, "register_lead", lead), Schema.decodeUnknown(Lead)),
          ({ lead_id }) => lead_id
        )
      const byMail = yield* register({ name: "Ana Souza", email: "ana@client.example" })
      const byPhone = yield* register({ name: "Rui Prado", phone: "+5511987650099" })
      yield* call(token, "register_chatapp_line", { use_own_number: false })
      yield* advance(token, { by: "1 hour" })

      assert.deepStrictEqual<unknown>(yield* play(token, byMail, { channel: "email", text: "Sim, tenho interesse." }), {
        lead_id: byMail,
        channel: "email",
        result: "received"
      })
      yield* play(token, byPhone, { channel: "chatapp", text: "Quem fala?" })
      for (const leadId of [byMail, byPhone]) {
        const { conversation } = yield* readLead(gateway, leadId)
        assert.isTrue(conversation.some(({ direction }) => direction === "inbound"))
      }
      const voice = yield* play(token, byPhone, {
        channel: "voice",
        outcome: "declines",
        text: "Agora não.\nObrigado."
      })
      assert.strictEqual(voice.result, "prepared")
      yield* call(token, "place_goal_driven_call", { phone_number: "+5511987650099", goal: "Marcar uma conversa" })
      yield* advance(token, { by: "2 hours" })
      const calls = JSON.stringify(yield* call(token, "list_voice_calls", {}))
      assert.include(calls, "87650099")

      const refusals: ReadonlyArray<readonly [number, object, string]> = [
        [byMail, { channel: "chatapp", text: "Oi" }, "lead_has_no_phone"],
        [byPhone, { channel: "email", text: "Oi" }, "lead_has_no_email"],
        [byMail, { channel: "email" }, "text_missing"],
        [byPhone, { channel: "voice" }, "outcome_missing"]
      ]
      for (const [leadId, args, reason] of refusals) {
        const { json, status } = yield* post(token, "play_prospect", { lead_id: leadId, ...args }, { prefix: platform })
        assert.strictEqual(status, 422)
        assert.deepInclude(json, { reason })
      }
    })
  )
})
