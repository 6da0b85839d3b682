import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { followCall } from "../../src/Layers/Voice/Calls/CallPolling.ts"
import { dial } from "../../src/Layers/Voice/Calls/Dialing.ts"
import { spokenMessage, twiml } from "../../src/Layers/Voice/Providers/SpokenMessage.ts"
import { makeTwilio } from "../../src/Layers/Voice/Providers/Twilio.ts"
import { AccountId } from "../../src/Services/Accounts/Ids.ts"
import { type CallOrder, CallReference, Voice } from "../../src/Services/Voice/Voice.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { testBaseUrl } from "../support/TestSettings.ts"
import { type FakeTwilio, fakeTwilio, from } from "./fakes/FakeTwilio.ts"
import { impatientHttp, isSilence } from "./fakes/providerServer.ts"
import { age, callOf, internalsOf, newNumber, placeCall, VoiceServices } from "./support.ts"

const withProvider = <A, E, R>(body: (provider: FakeTwilio) => Effect.Effect<A, E, R>, baseUrl = testBaseUrl) =>
  Effect.gen(function* () {
    const provider = yield* fakeTwilio
    const voice = Layer.effect(Voice, makeTwilio(provider.settings, baseUrl)).pipe(
      Layer.provide(impatientHttp(() => isSilence(provider.troubles[0])))
    )
    return yield* body(provider).pipe(Effect.provide(voice), as(yield* makeAccount()))
  }).pipe(Effect.scoped)

layer(VoiceServices, { excludeTestServices: true })("calls by Twilio", (it) => {
  it.effect("speak the goal in its language, look out for machines and ask for notices", () =>
    withProvider(({ received }) =>
      Effect.gen(function* () {
        const phone = newNumber()
        const key = yield* placeCall(phone, "Confirmar a reunião & o horário de quinta às 10h")
        yield* dial(key)
        const form = new URLSearchParams(received[0]?.body)
        const { client_reference } = yield* internalsOf(key)
        assert.deepInclude(Object.fromEntries(form), {
          To: phone,
          From: from,
          MachineDetection: "DetectMessageEnd",
          StatusCallback: `${testBaseUrl}/voice/twilio/calls/${client_reference}`,
          StatusCallbackMethod: "POST"
        })
        assert.deepStrictEqual(form.getAll("StatusCallbackEvent"), ["initiated", "ringing", "answered", "completed"])
        const instructions = form.get("Twiml") ?? ""
        assert.include(instructions, '<Say language="pt-BR" voice="Polly.Camila">')
        assert.include(instructions, "Estou ligando para confirmar a reunião &amp; o horário de quinta às 10h.")
        assert.notInclude(instructions, "Ela pediu por e-mail")
      })
    )
  )

  it.effect("ask for no notices where the gateway has no public address", () =>
    withProvider(
      ({ received }) =>
        Effect.gen(function* () {
          yield* dial(yield* placeCall())
          assert.isFalse(new URLSearchParams(received[0]?.body).has("StatusCallback"))
        }),
      "http://127.0.0.1:8080"
    )
  )

  const ends: ReadonlyArray<readonly [string, object, object]> = [
    [
      "a person",
      { status: "completed", duration: "31", answered_by: "human" },
      { status: "completed", was_picked_up: true, goal_achieved: null, duration_seconds: 31 }
    ],
    [
      "a machine",
      { status: "completed", duration: "40", answered_by: "machine_end_beep" },
      { status: "completed", was_picked_up: false, failure_reason: "answering_machine" }
    ],
    [
      "nobody can tell what",
      { status: "completed", duration: "5", answered_by: "unknown" },
      { status: "completed", was_picked_up: null, goal_achieved: null }
    ],
    ["a busy line", { status: "busy" }, { status: "busy", was_picked_up: false, goal_achieved: false }],
    ["no answer", { status: "no-answer" }, { status: "no_answer", was_picked_up: false }],
    [
      "a hang-up at the provider",
      { status: "canceled" },
      { status: "cancelled", failure_reason: "cancelled_at_provider" }
    ],
    ["a failure", { status: "failed" }, { status: "failed", failure_reason: "provider_failed" }]
  ]
  it.effect.each(ends)("end with %s", ([, told, expected]) =>
    withProvider(({ calls }) =>
      Effect.gen(function* () {
        const key = yield* placeCall()
        yield* dial(key)
        const seen: Array<string> = []
        for (const status of ["ringing", "in-progress", "ringing"]) {
          Object.assign(calls[0] ?? {}, { status })
          yield* followCall(key)
          seen.push((yield* callOf(key)).status)
        }
        assert.deepStrictEqual(seen, ["dialing", "in_progress", "in_progress"])
        Object.assign(calls[0] ?? {}, told)
        yield* followCall(key)
        const call = yield* callOf(key)
        assert.deepInclude(call, expected)
        assert.lengthOf(call.transcript, call.status === "completed" ? 1 : 0)
        assert.strictEqual(call.summary !== null, call.status === "completed")
      })
    )
  )

  it.effect("that are refused for good fail, and those that meet a rate limit are ordered again", () =>
    withProvider(({ calls, troubles }) =>
      Effect.gen(function* () {
        troubles.push({ status: 400, body: { code: 21211, message: "Invalid 'To' Phone Number", status: 400 } })
        const invalid = yield* placeCall()
        yield* dial(invalid)
        assert.deepInclude(yield* callOf(invalid), { status: "failed", failure_reason: "provider_refused" })
        troubles.push({ status: 401, body: { code: 20003 } })
        const unauthorized = yield* placeCall()
        yield* dial(unauthorized)
        assert.deepInclude(yield* callOf(unauthorized), { status: "failed", failure_reason: "provider_unauthorized" })
        troubles.push({ status: 429, headers: { "retry-after": "5" }, body: { code: 20429 } })
        const limited = yield* placeCall()
        yield* dial(limited)
        yield* dial(limited)
        assert.lengthOf(calls, 1)
      })
    )
  )

  it.effect("that time out after the call was made are found by number and time", () =>
    withProvider(({ calls, troubles }) =>
      Effect.gen(function* () {
        const phone = newNumber()
        const earlier = yield* placeCall(phone)
        yield* dial(earlier)
        Object.assign(calls[0] ?? {}, { status: "completed", duration: "9" })
        yield* followCall(earlier)
        const key = yield* placeCall(phone)
        troubles.push("silent_after")
        yield* dial(key)
        yield* followCall(key)
        // The earlier call has an order of its own.
        assert.strictEqual((yield* internalsOf(key)).provider_call_id, calls[1]?.sid)
        yield* dial(key)
        assert.lengthOf(calls, 2)
      })
    )
  )

  it.effect("that cannot be told apart from somebody else's are claimed by neither, and not ordered again", () =>
    withProvider(({ calls, troubles }) =>
      Effect.gen(function* () {
        const phone = newNumber()
        const key = yield* placeCall(phone)
        troubles.push("silent_after")
        yield* dial(key)
        const own = calls[0]
        if (own !== undefined) calls.push({ ...own, sid: `CA${"f".repeat(32)}` })
        yield* followCall(key)
        yield* dial(key)
        assert.isNull((yield* internalsOf(key)).provider_call_id)
        assert.strictEqual((yield* callOf(key)).status, "dialing")
        assert.lengthOf(calls, 2)
      })
    )
  )

  it.effect("of another day are not taken for the one that timed out", () =>
    withProvider(({ calls, troubles }) =>
      Effect.gen(function* () {
        const phone = newNumber()
        const key = yield* placeCall(phone)
        troubles.push("silent_after")
        yield* dial(key)
        Object.assign(calls[0] ?? {}, { date_created: "Tue, 31 Aug 2010 20:36:28 +0000" })
        yield* followCall(key)
        assert.isNull((yield* internalsOf(key)).provider_call_id)
        yield* age(key, 601)
        yield* followCall(key)
        assert.deepInclude(yield* callOf(key), { status: "failed", failure_reason: "outcome_unknown" })
        assert.lengthOf(calls, 1)
      })
    )
  )
})

describe("the spoken message", () => {
  const order: CallOrder = {
    accountId: AccountId.make(1),
    reference: CallReference.make("7b1c5b5e-5f7a-4c39-9d0e-2a1f6f3f9c11"),
    phone: "+5511980000000",
    voice: "Male",
    language: "en",
    businessName: "Ondas",
    personName: "Ana",
    companyName: null,
    openingLine: null,
    goal: "Confirm the meeting of Thursday",
    context: "A secret",
    instructions: null
  }

  it("greets, says who calls and why, and gives away nothing else", () => {
    assert.strictEqual(
      spokenMessage(order),
      "Hello, Ana. This is an automatic message from Ondas. I'm calling to confirm the meeting of Thursday. Thank you for your time."
    )
    assert.include(twiml(order).instructions, '<Say language="en-US" voice="Polly.Matthew">')
    assert.include(twiml({ ...order, language: "es" }).instructions, '<Say language="es-US" voice="Polly.Miguel">')
  })

  it("says what the goal says to say, and reads no brief out", () => {
    const messageFor = (goal: string) => spokenMessage({ ...order, goal })
    assert.include(
      messageFor("Tell her that we deliver on Friday and that the installation is free."),
      "We deliver on Friday. The installation is free."
    )
    const brief = messageFor("Convince Ana to pay at once. She owes us money.")
    assert.notMatch(brief, /Convince|owes/)
    assert.include(brief, "get in touch with us")
    assert.notInclude(messageFor("Ask her whether she is angry"), "angry")
  })

  it("reads no instructions out to a lead", () => {
    const goal = "Talk to Ana on behalf of Ondas and offer a trial.\nDo not invent prices."
    assert.strictEqual(
      spokenMessage({ ...order, goal, openingLine: "Hello, this is Jo. Am I speaking with Ana?", isProspecting: true }),
      "Hello, Ana. This is an automatic message from Ondas. We are calling to find out whether you would be interested in a conversation about what we do. Thank you for your time."
    )
  })

  it("fits into what the provider takes, however long the goal and whatever is in it", () => {
    for (const goal of ["a".repeat(2000), "&".repeat(2000), "'\"<>".repeat(500), "\u0000\u202e]]>\n".repeat(300)]) {
      const { instructions } = twiml({ ...order, goal, openingLine: "<Dial>+1900</Dial>" })
      assert.isAtMost(instructions.length, 4000)
      assert.match(instructions, /^<Response><Pause length="1"\/><Say [^<>]*>[^<>]*<\/Say><\/Response>$/)
    }
  })
})
