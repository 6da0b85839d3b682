import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { followCall } from "../../src/Layers/Voice/Calls/CallPolling.ts"
import { dial } from "../../src/Layers/Voice/Calls/Dialing.ts"
import { makeElevenLabs } from "../../src/Layers/Voice/Providers/ElevenLabs.ts"
import { Voice } from "../../src/Services/Voice/Voice.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { apiKey, type FakeElevenLabs, fakeElevenLabs, finished, readOrder } from "./fakes/FakeElevenLabs.ts"
import { impatientHttp, isSilence } from "./fakes/providerServer.ts"
import { age, callOf, internalsOf, newNumber, placeCall, tasksOf, told, VoiceServices } from "./support.ts"

/** A test with a provider and an account of its own. */
const withProvider = <A, E, R>(
  body: (provider: FakeElevenLabs) => Effect.Effect<A, E, R>,
  change: Partial<FakeElevenLabs["settings"]> = {}
) =>
  Effect.gen(function* () {
    const provider = yield* fakeElevenLabs
    const voice = Layer.effect(Voice, makeElevenLabs({ ...provider.settings, ...change })).pipe(
      Layer.provide(impatientHttp(() => isSilence(provider.troubles[0] ?? provider.state.readTrouble)))
    )
    return yield* body(provider).pipe(Effect.provide(voice), as(yield* makeAccount()))
  }).pipe(Effect.scoped)

layer(VoiceServices, { excludeTestServices: true })("calls by ElevenLabs", (it) => {
  it.effect("are ordered with the agent of the voice, our reference and what the caller is to know", () =>
    withProvider(({ calls, received }) =>
      Effect.gen(function* () {
        const phone = newNumber()
        const key = yield* placeCall(phone, "Confirmar a reunião {{system__caller_id}} de quinta")
        yield* dial(key)
        const { client_reference, provider_call_id } = yield* internalsOf(key)
        assert.strictEqual(provider_call_id, calls[0]?.conversation_id)
        const order = readOrder(received[0]?.body ?? "{}")
        assert.deepInclude(order, { agent_id: "agent_female", agent_phone_number_id: "phnum_1", to_number: phone })
        const data = order.conversation_initiation_client_data
        assert.strictEqual(data.user_id, client_reference)
        assert.notProperty(data, "conversation_config_override")
        assert.deepInclude(data.dynamic_variables, {
          client_reference,
          language: "pt-BR",
          goal: "Confirmar a reunião { {system__caller_id} } de quinta",
          context: "Ela pediu por e-mail",
          person_name: "",
          opening_line: ""
        })
        // Whoever talks is told to end the call on such a wish, whatever the owner's own instructions are.
        assert.match(data.dynamic_variables.instructions ?? "", /asks not to be called again.*end the call at once/)
      })
    )
  )

  it.effect("are held in the language of the goal where the agents allow that", () =>
    withProvider(
      ({ received }) =>
        Effect.gen(function* () {
          yield* dial(yield* placeCall(newNumber(), "Please confirm with the clinic that we are on for Thursday"))
          const { conversation_initiation_client_data: data } = readOrder(received[0]?.body ?? "{}")
          assert.deepStrictEqual(data.conversation_config_override, { agent: { language: "en" } })
        }),
      { overridesLanguage: true }
    )
  )

  it.effect("are followed through their states to transcript, summary and success", () =>
    withProvider(({ calls }) =>
      Effect.gen(function* () {
        const key = yield* placeCall()
        yield* dial(key)
        const call = calls[0]
        assert.isDefined(call)
        if (call === undefined) return
        const seen: Array<string> = []
        for (const status of ["initiated", "in-progress", "processing", "something-new"]) {
          call.status = status
          yield* followCall(key)
          seen.push((yield* callOf(key)).status)
        }
        assert.deepStrictEqual(seen, ["dialing", "in_progress", "in_progress", "in_progress"])
        Object.assign(call, finished)
        yield* followCall(key)
        assert.deepInclude(yield* callOf(key), {
          status: "completed",
          was_picked_up: true,
          goal_achieved: true,
          summary: "A reunião foi confirmada.",
          duration_seconds: 42,
          failure_reason: null
        })
        assert.deepStrictEqual((yield* callOf(key)).transcript, [
          { role: "agent", text: "Bom dia, aqui é da Ondas.", at_seconds: 0 },
          { role: "person", text: "Sim, pode confirmar.", at_seconds: 4 }
        ])
      })
    )
  )

  const ends: ReadonlyArray<readonly [string, object, object]> = [
    [
      "an answering machine",
      {
        ...finished,
        metadata: { ...finished.metadata, features_usage: { voicemail_detection: { enabled: true, used: true } } }
      },
      { status: "completed", was_picked_up: false, goal_achieved: false, failure_reason: "answering_machine" }
    ],
    [
      "somebody who says nothing",
      { ...finished, transcript: [{ role: "user", message: "...", time_in_call_secs: 3 }], analysis: null },
      { status: "completed", was_picked_up: null, goal_achieved: null, summary: null }
    ],
    [
      "a no",
      { ...finished, analysis: { call_successful: "failure", transcript_summary: "Recusou." } },
      { status: "completed", was_picked_up: true, goal_achieved: false, summary: "Recusou." }
    ],
    [
      "a busy line",
      { status: "failed", metadata: { ...finished.metadata, termination_reason: "Call ended: busy" } },
      { status: "busy", was_picked_up: false, goal_achieved: false, failure_reason: null }
    ],
    [
      "no answer",
      { status: "failed", metadata: { ...finished.metadata, error: { code: 1, reason: "no-answer" } } },
      { status: "no_answer", was_picked_up: false, failure_reason: null }
    ],
    [
      "a failure",
      { status: "failed", metadata: { ...finished.metadata, error: { code: 1, reason: "Quota exceeded!" } } },
      { status: "failed", was_picked_up: false, failure_reason: "quota_exceeded" }
    ],
    [
      "a failure in the middle of the talk",
      { ...finished, status: "failed", metadata: { ...finished.metadata, error: { code: 1, reason: "LLM error" } } },
      { status: "failed", was_picked_up: true, failure_reason: "llm_error" }
    ]
  ]
  it.effect.each(ends)("end as %s", ([, told, expected]) =>
    withProvider(({ calls }) =>
      Effect.gen(function* () {
        const key = yield* placeCall()
        yield* dial(key)
        Object.assign(calls[0] ?? {}, told)
        yield* followCall(key)
        assert.deepInclude(yield* callOf(key), expected)
      })
    )
  )

  it.effect("that ring for five minutes were not answered", () =>
    withProvider(() =>
      Effect.gen(function* () {
        const key = yield* placeCall()
        yield* dial(key)
        yield* age(key, 301)
        yield* followCall(key)
        assert.deepInclude(yield* callOf(key), { status: "no_answer", was_picked_up: false })
      })
    )
  )

  it.effect("that are refused for good fail: a wrong key, an invalid order, no success", () =>
    withProvider(({ calls, troubles }) =>
      Effect.gen(function* () {
        const reasons: Array<string | null> = []
        troubles.push(
          { status: 401 },
          { status: 422, body: { detail: [{ loc: ["body", "to_number"], msg: "invalid", type: "value_error" }] } },
          { status: 200, body: { success: false, message: "Twilio: unverified number", conversation_id: null } }
        )
        for (let round = 0; round < 3; round++) {
          const key = yield* placeCall()
          yield* dial(key)
          const call = yield* callOf(key)
          assert.strictEqual(call.status, "failed")
          reasons.push(call.failure_reason)
        }
        assert.deepStrictEqual(reasons, ["provider_unauthorized", "provider_refused", "provider_refused"])
        assert.lengthOf(calls, 0)
      })
    )
  )

  it.effect("that meet a rate limit are ordered again, once", () =>
    withProvider(({ calls, troubles }) =>
      Effect.gen(function* () {
        const key = yield* placeCall()
        troubles.push({ status: 429, headers: { "retry-after": "90" } })
        yield* dial(key)
        assert.deepInclude(yield* internalsOf(key), { dial_request: "refused" })
        assert.include(yield* tasksOf(key), "place_voice_call")
        yield* dial(key)
        yield* dial(key)
        assert.lengthOf(calls, 1)
        assert.strictEqual((yield* callOf(key)).status, "dialing")
      })
    )
  )

  it.effect("that time out after the call was made are found by their reference, and not ordered again", () =>
    withProvider(({ calls, received, troubles }) =>
      Effect.gen(function* () {
        for (const trouble of ["silent_after", "cut_after"] as const) {
          const before = calls.length
          const key = yield* placeCall()
          troubles.push(trouble)
          yield* dial(key)
          assert.deepInclude(yield* internalsOf(key), { dial_request: "begun", provider_call_id: null })
          yield* dial(key)
          const { client_reference, provider_call_id } = yield* internalsOf(key)
          assert.strictEqual(provider_call_id, calls[before]?.conversation_id)
          const list = received.findLast(({ path }) => path === "/v1/convai/conversations")
          assert.strictEqual(list?.query.get("user_id"), client_reference)
          assert.match(list?.query.get("call_start_after_unix") ?? "", /^\d{10}$/)
          assert.lengthOf(calls, before + 1)
        }
      })
    )
  )

  it.effect(
    "that time out before the call, or meet an error of the provider, are looked for and never ordered again",
    () =>
      withProvider(({ calls, received, troubles }) =>
        Effect.gen(function* () {
          for (const trouble of ["silent_before", { status: 500 }, { status: 503 }, { status: 302 }] as const) {
            const key = yield* placeCall()
            troubles.push(trouble)
            yield* dial(key)
            yield* dial(key)
            yield* followCall(key)
            assert.strictEqual((yield* callOf(key)).status, "dialing")
            yield* age(key, 601)
            yield* followCall(key)
            assert.deepInclude(yield* callOf(key), { status: "failed", failure_reason: "outcome_unknown" })
          }
          assert.lengthOf(calls, 0)
          assert.lengthOf(
            received.filter(({ method }) => method === "POST"),
            4
          )
        })
      )
  )

  it.effect("are believed only with our reference, when the provider lists others too", () =>
    withProvider(({ calls, state, troubles }) =>
      Effect.gen(function* () {
        yield* dial(yield* placeCall())
        const key = yield* placeCall()
        troubles.push("silent_before")
        state.ignoresFilters = true
        yield* dial(key)
        yield* followCall(key)
        assert.isNull((yield* internalsOf(key)).provider_call_id)
        assert.lengthOf(calls, 1)
      })
    )
  )

  it.effect("stay as they are while the provider cannot be asked, and are asked after again", () =>
    withProvider(({ calls, state }) =>
      Effect.gen(function* () {
        const key = yield* placeCall()
        yield* dial(key)
        Object.assign(calls[0] ?? {}, finished)
        for (const trouble of [
          { status: 401 },
          { status: 429 },
          { status: 502 },
          { status: 404 },
          "silent_before"
        ] as const) {
          state.readTrouble = trouble
          yield* followCall(key)
          assert.strictEqual((yield* callOf(key)).status, "dialing")
          assert.include(yield* tasksOf(key), "follow_voice_call")
        }
        state.readTrouble = { status: 200, body: { unexpected: true } }
        yield* followCall(key)
        assert.strictEqual((yield* callOf(key)).status, "dialing")
        state.readTrouble = undefined
        yield* followCall(key)
        assert.strictEqual((yield* callOf(key)).status, "completed")
      })
    )
  )

  it.effect("that the provider hides for a while are not given up before ten minutes", () =>
    withProvider(({ calls, state, troubles }) =>
      Effect.gen(function* () {
        const key = yield* placeCall()
        troubles.push("silent_after")
        state.hidesCalls = true
        yield* dial(key)
        yield* age(key, 500)
        yield* followCall(key)
        assert.strictEqual((yield* callOf(key)).status, "dialing")
        state.hidesCalls = false
        yield* followCall(key)
        assert.strictEqual((yield* internalsOf(key)).provider_call_id, calls[0]?.conversation_id)
      })
    )
  )

  it.effect("that cannot leave, since nothing listens, are tried again", () =>
    withProvider(
      () =>
        Effect.gen(function* () {
          const key = yield* placeCall()
          yield* dial(key)
          assert.deepInclude(yield* callOf(key), { status: "dialing", failure_reason: "provider_connection_failed" })
          assert.include(yield* tasksOf(key), "place_voice_call")
        }),
      { url: "http://127.0.0.1:9" }
    )
  )

  it.effect("never show the key", () =>
    withProvider(({ troubles }) =>
      Effect.gen(function* () {
        troubles.push({ status: 401, body: { detail: apiKey } })
        const key = yield* placeCall()
        yield* dial(key)
        assert.notInclude(JSON.stringify([yield* callOf(key), yield* told]), apiKey)
      })
    )
  )
})
