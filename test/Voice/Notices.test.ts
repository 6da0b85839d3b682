import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import * as fc from "fast-check"
import { dial } from "../../src/Layers/Voice/Calls/Dialing.ts"
import { elevenLabsNotices, makeElevenLabs } from "../../src/Layers/Voice/Providers/ElevenLabs.ts"
import { voiceNoticeEndpoints } from "../../src/Layers/Voice/Providers/NoticeEndpoints.ts"
import { VoiceNotices } from "../../src/Layers/Voice/Providers/Notices.ts"
import { makeTwilio, twilioNotices } from "../../src/Layers/Voice/Providers/Twilio.ts"
import { Voice } from "../../src/Services/Voice/Voice.ts"
import { telephoneNotice } from "../Hostile/support/signedDeliveries.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { testBaseUrl } from "../support/TestSettings.ts"
import { post, serve } from "./fakes/endpointServer.ts"
import * as ElevenLabs from "./fakes/FakeElevenLabs.ts"
import * as Twilio from "./fakes/FakeTwilio.ts"
import { impatientHttp, isSilence } from "./fakes/providerServer.ts"
import { callOf, internalsOf, placeCall, told, VoiceServices } from "./support.ts"

const nowSeconds = Effect.map(Clock.currentTimeMillis, (millis) => Math.floor(millis / 1000))

const withElevenLabs = <A, E, R>(body: (provider: ElevenLabs.FakeElevenLabs, url: string) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const provider = yield* ElevenLabs.fakeElevenLabs
    const configured = Layer.merge(
      Layer.effect(Voice, makeElevenLabs(provider.settings)),
      Layer.succeed(VoiceNotices, elevenLabsNotices(provider.settings))
    ).pipe(Layer.provide(impatientHttp(() => isSilence(provider.troubles[0]))))
    const whole = Effect.gen(function* () {
      const url = yield* serve(yield* voiceNoticeEndpoints)
      return yield* body(provider, `${url}/voice/elevenlabs/post-call`)
    })
    return yield* whole.pipe(Effect.provide(configured), as(yield* makeAccount()))
  }).pipe(Effect.scoped)

/** Posts what the provider would, signed by it. */
const send = (url: string, event: object, changed: { readonly age?: number; readonly secret?: string } = {}) =>
  Effect.gen(function* () {
    const body = JSON.stringify(event)
    const time = (yield* nowSeconds) - (changed.age ?? 0)
    return (yield* post(url, body, { "ElevenLabs-Signature": ElevenLabs.signature(body, time, changed.secret) })).status
  })

const transcription = (call: object | undefined, change: object = {}) => ({
  type: "post_call_transcription",
  event_timestamp: 1_739_537_297,
  data: { ...call, ...ElevenLabs.finished, ...change }
})

layer(VoiceServices, { excludeTestServices: true })("webhooks of ElevenLabs", (it) => {
  it.effect("settle the call at once, and a second delivery changes nothing", () =>
    withElevenLabs(({ calls }, url) =>
      Effect.gen(function* () {
        const key = yield* placeCall()
        yield* dial(key)
        const event = transcription(calls[0])
        assert.strictEqual(yield* send(url, event), 204)
        const settled = yield* callOf(key)
        assert.deepInclude(settled, {
          status: "completed",
          was_picked_up: true,
          goal_achieved: true,
          duration_seconds: 42
        })
        assert.strictEqual(yield* send(url, event), 204)
        assert.strictEqual(yield* send(url, transcription(calls[0], { analysis: { call_successful: "failure" } })), 204)
        assert.deepStrictEqual(yield* callOf(key), settled)
        assert.lengthOf((yield* told).events, 1)
        assert.lengthOf((yield* told).notifications, 1)
      })
    )
  )

  it.effect("at once and in numbers settle the call once", () =>
    withElevenLabs(({ calls }, url) =>
      Effect.gen(function* () {
        const key = yield* placeCall()
        yield* dial(key)
        const event = transcription(calls[0])
        const statuses = yield* Effect.forEach(Array.from({ length: 10 }), () => send(url, event), { concurrency: 10 })
        assert.deepStrictEqual(new Set(statuses), new Set([204]))
        assert.lengthOf((yield* told).events, 1)
      })
    )
  )

  it.effect("with a wrong, missing, malformed or old signature are refused and change nothing", () =>
    withElevenLabs(({ calls }, url) =>
      Effect.gen(function* () {
        const key = yield* placeCall()
        yield* dial(key)
        const event = transcription(calls[0])
        const body = JSON.stringify(event)
        const time = yield* nowSeconds
        assert.strictEqual(yield* send(url, event, { secret: "another" }), 401)
        assert.strictEqual(yield* send(url, event, { age: 31 * 60 }), 401)
        assert.strictEqual(yield* send(url, event, { age: -31 * 60 }), 401)
        const good = ElevenLabs.signature(body, time)
        const headers: ReadonlyArray<{ readonly [name: string]: string }> = [
          {},
          ...[
            "",
            "t=1",
            "v0=00",
            `t=${time},v0=`,
            `t=${time}`,
            good.replace("v0", "v1"),
            good.slice(0, -2),
            "t=x,v0=zz"
          ].map((value) => ({ "elevenlabs-signature": value }))
        ]
        for (const header of headers) assert.strictEqual((yield* post(url, body, header)).status, 401)
        // Signed for another body.
        assert.strictEqual((yield* post(url, `${body} `, { "elevenlabs-signature": good })).status, 401)
        assert.strictEqual((yield* callOf(key)).status, "dialing")
      })
    )
  )

  it.effect("that arrive before the order was answered carry our reference and settle its call", () =>
    withElevenLabs(({ calls, troubles }, url) =>
      Effect.gen(function* () {
        const key = yield* placeCall()
        troubles.push("silent_after")
        yield* dial(key)
        assert.isNull((yield* internalsOf(key)).provider_call_id)
        yield* send(url, transcription(calls[0]))
        assert.strictEqual((yield* callOf(key)).status, "completed")
        assert.strictEqual((yield* internalsOf(key)).provider_call_id, calls[0]?.conversation_id)
      })
    )
  )

  it.effect("tell why a call was not begun: busy, no answer or unknown", () =>
    withElevenLabs(({ calls }, url) =>
      Effect.gen(function* () {
        const ends: Array<readonly [string, string | null]> = []
        for (const failure_reason of ["busy", "no-answer", "unknown"]) {
          const key = yield* placeCall()
          yield* dial(key)
          const { agent_id, conversation_id } = calls.at(-1) ?? {}
          const data = {
            agent_id,
            conversation_id,
            failure_reason,
            metadata: { type: "twilio", body: { CallStatus: "x" } }
          }
          assert.strictEqual(yield* send(url, { type: "call_initiation_failure", event_timestamp: 1, data }), 204)
          const call = yield* callOf(key)
          ends.push([call.status, call.failure_reason])
        }
        assert.deepStrictEqual(ends, [
          ["busy", null],
          ["no_answer", null],
          ["failed", "provider_failed"]
        ])
      })
    )
  )

  it.effect("about other conversations and of other kinds are taken and change nothing", () =>
    withElevenLabs(({ calls }, url) =>
      Effect.gen(function* () {
        const key = yield* placeCall()
        yield* dial(key)
        const foreign = {
          ...calls[0],
          conversation_id: "conv_other",
          user_id: null,
          conversation_initiation_client_data: {}
        }
        assert.strictEqual(yield* send(url, transcription(foreign)), 204)
        // Our reference, but another call.
        assert.strictEqual(yield* send(url, transcription({ ...calls[0], conversation_id: "conv_other" })), 204)
        const audio = {
          type: "post_call_audio",
          data: { conversation_id: calls[0]?.conversation_id, full_audio: "//uQ" }
        }
        assert.strictEqual(yield* send(url, audio), 204)
        assert.strictEqual((yield* callOf(key)).status, "dialing")
      })
    )
  )

  it.effect("that cannot be read are refused", () =>
    withElevenLabs((_, url) =>
      Effect.gen(function* () {
        assert.strictEqual(yield* send(url, { type: "post_call_transcription", data: { conversation_id: 7 } }), 400)
        assert.strictEqual(yield* send(url, []), 400)
        const tooLarge = yield* Effect.either(
          post(url, new Uint8Array(9 * 1024 * 1024), { "ElevenLabs-Signature": "t=1" })
        )
        assert.isTrue(tooLarge._tag === "Right" && tooLarge.right.status === 413)
      })
    )
  )

  it.effect("are stored without what hides in them, and bounded", () =>
    withElevenLabs(({ calls }, url) =>
      Effect.gen(function* () {
        const key = yield* placeCall()
        yield* dial(key)
        const transcript = [
          { role: "user", message: "Sim\u0000\u202e, ok \ud800", time_in_call_secs: 1.6 },
          { role: "user", message: "x".repeat(20_000), time_in_call_secs: -4 },
          ...Array.from({ length: 2000 }, () => ({ role: "agent", message: "ok" }))
        ]
        const body = transcription(calls[0], { transcript, analysis: { transcript_summary: "y".repeat(9000) } })
        assert.strictEqual(yield* send(url, body), 204)
        const call = yield* callOf(key)
        assert.lengthOf(call.transcript, 1000)
        assert.deepStrictEqual(call.transcript[0], { role: "person", text: "Sim, ok \ufffd", at_seconds: 2 })
        assert.strictEqual(call.transcript[1]?.text.length, 5000)
        assert.isNull(call.transcript[1]?.at_seconds)
        assert.strictEqual(call.summary?.length, 4000)
      })
    )
  )
})

const withTwilio = <A, E, R>(body: (provider: Twilio.FakeTwilio, url: string) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const provider = yield* Twilio.fakeTwilio
    const configured = Layer.merge(
      Layer.effect(Voice, makeTwilio(provider.settings, testBaseUrl)),
      Layer.succeed(VoiceNotices, twilioNotices(provider.settings, testBaseUrl))
    ).pipe(Layer.provide(impatientHttp(() => isSilence(provider.troubles[0]))))
    const whole = Effect.gen(function* () {
      const url = yield* serve(yield* voiceNoticeEndpoints)
      return yield* body(provider, url)
    })
    return yield* whole.pipe(Effect.provide(configured), as(yield* makeAccount()))
  }).pipe(Effect.scoped)

layer(VoiceServices, { excludeTestServices: true })("status callbacks of Twilio", (it) => {
  const report = (
    url: string,
    reference: string,
    form: { readonly [name: string]: string },
    changed: { readonly token?: string; readonly signedFor?: string } = {}
  ) => {
    const path = `/voice/twilio/calls/${reference}`
    const signed = Twilio.signature(`${testBaseUrl}${changed.signedFor ?? path}`, form, changed.token)
    return Effect.map(
      post(`${url}${path}`, new URLSearchParams(form).toString(), {
        "Content-Type": "application/x-www-form-urlencoded",
        "X-Twilio-Signature": signed
      }),
      ({ status }) => status
    )
  }

  it.effect("move the call on, out of order and repeated, and never back", () =>
    withTwilio(({ calls }, url) =>
      Effect.gen(function* () {
        const key = yield* placeCall()
        yield* dial(key)
        const { client_reference: reference } = yield* internalsOf(key)
        const CallSid = calls[0]?.sid ?? ""
        const seen: Array<string> = []
        for (const CallStatus of [
          "in-progress",
          "ringing",
          "initiated",
          "completed",
          "in-progress",
          "completed",
          "busy"
        ]) {
          const form = { CallSid, CallStatus, CallDuration: "12", AnsweredBy: "human", Extra: "é & ü" }
          assert.strictEqual(yield* report(url, reference, form), 204)
          seen.push((yield* callOf(key)).status)
        }
        assert.deepStrictEqual(seen, [
          "in_progress",
          "in_progress",
          "in_progress",
          "completed",
          "completed",
          "completed",
          "completed"
        ])
        assert.deepInclude(yield* callOf(key), { was_picked_up: true, duration_seconds: 12 })
        assert.lengthOf((yield* told).events, 1)
      })
    )
  )

  it.effect("name the call whose order was not answered", () =>
    withTwilio(({ calls, troubles }, url) =>
      Effect.gen(function* () {
        const key = yield* placeCall()
        troubles.push("silent_after")
        yield* dial(key)
        const { client_reference } = yield* internalsOf(key)
        const CallSid = calls[0]?.sid ?? ""
        assert.strictEqual(yield* report(url, client_reference, { CallSid, CallStatus: "ringing" }), 204)
        assert.strictEqual((yield* internalsOf(key)).provider_call_id, CallSid)
        yield* dial(key)
        assert.lengthOf(calls, 1)
      })
    )
  )

  it.effect("with a wrong signature, or signed for another call, are refused", () =>
    withTwilio(({ calls }, url) =>
      Effect.gen(function* () {
        const key = yield* placeCall()
        yield* dial(key)
        const { client_reference: reference } = yield* internalsOf(key)
        const form = { CallSid: calls[0]?.sid ?? "", CallStatus: "completed" }
        assert.strictEqual(yield* report(url, reference, form, { token: "wrong" }), 401)
        assert.strictEqual(yield* report(url, reference, form, { signedFor: "/voice/twilio/calls/other" }), 401)
        assert.strictEqual(yield* report(url, reference, { ...form, CallSid: "nonsense" }), 400)
        assert.strictEqual(yield* report(url, reference, { ...form, CallStatus: "new-one" }), 204)
        // A call of which nobody here knows.
        const unknown = "7b1c5b5e-5f7a-4c39-9d0e-2a1f6f3f9c11"
        assert.strictEqual(yield* report(url, unknown, { ...form, CallSid: Twilio.newSid() }), 204)
        assert.strictEqual((yield* callOf(key)).status, "dialing")
      })
    )
  )

  it.effect("that are signed as they should be are answered as decided, whatever stands in them", () =>
    withTwilio((_, url) =>
      Effect.gen(function* () {
        const notices = fc.sample(telephoneNotice(testBaseUrl, Twilio.authToken), { numRuns: 60, seed: 20261122 })
        const statuses = yield* Effect.forEach(
          notices,
          ({ body, headers, path }) => Effect.map(post(`${url}${path}`, body, headers), ({ status }) => status),
          { concurrency: 5 }
        )
        // None is taken for forged, and none for an accident of ours.
        assert.includeMembers([204, 400, 404, 413], statuses)
        assert.includeMembers(statuses, [204, 400])
      })
    )
  )
})
