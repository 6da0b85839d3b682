import { SqlClient } from "@effect/sql/SqlClient"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { AccessTokensPostgres } from "../../src/Layers/Accounts/Tokens/AccessTokensPostgres.ts"
import { VoiceTiming } from "../../src/Layers/Voice/Calls/CallDurations.ts"
import { followCall } from "../../src/Layers/Voice/Calls/CallPolling.ts"
import { dial } from "../../src/Layers/Voice/Calls/Dialing.ts"
import { VoiceNotices } from "../../src/Layers/Voice/Providers/Notices.ts"
import {
  conversationOf,
  outcomeOf,
  SandboxOutcome,
  SandboxReply
} from "../../src/Layers/Voice/sandbox/SandboxConversation.ts"
import { makeSandboxScripts } from "../../src/Layers/Voice/sandbox/SandboxScript.ts"
import { makeSandboxVoice } from "../../src/Layers/Voice/sandbox/VoiceSandbox.ts"
import { voiceEndpoints } from "../../src/Layers/Voice/VoiceEndpoints.ts"
import { voiceTaskHandlers } from "../../src/Layers/Voice/VoiceTasks.ts"
import { AccountId } from "../../src/Services/Accounts/Ids.ts"
import { AccessTokens } from "../../src/Services/Accounts/Tokens/AccessTokens.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { Timestamp } from "../../src/Services/Core/Timestamp.ts"
import { readByReader } from "../../src/Services/Replies/ReadReply.ts"
import { Language } from "../../src/Services/Text/Language.ts"
import { type CallOrder, CallReference, Voice } from "../../src/Services/Voice/Voice.ts"
import { eventually, startEngine } from "../Jobs/support.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { post, serve } from "./fakes/endpointServer.ts"
import { age, callOf, internalsOf, newNumber, placeCall, told, VoiceServices } from "./support.ts"

const order: CallOrder = {
  accountId: AccountId.make(1),
  reference: CallReference.make("7b1c5b5e-5f7a-4c39-9d0e-2a1f6f3f9c11"),
  phone: "+5511980000000",
  voice: "Female",
  language: "pt-BR",
  businessName: "Ondas Software",
  personName: "Ana Souza",
  companyName: "Clínica Sorriso",
  openingLine: null,
  goal: "Confirmar a reunião de quinta às 10h",
  context: "Ela pediu a reunião por e-mail. O resto é interno.",
  instructions: null
}

describe("a simulated conversation", () => {
  it("is about the goal and the context, between two people, in order of time", () => {
    const { transcript, ...rest } = conversationOf(order, "agrees", null)
    assert.deepStrictEqual(rest, {
      status: "completed",
      failureReason: null,
      wasPickedUp: true,
      goalAchieved: true,
      summary: "A pessoa atendeu, ouviu o motivo da ligação e concordou.",
      durationSeconds: rest.durationSeconds
    })
    assert.isAbove(rest.durationSeconds ?? 0, 10)
    assert.deepStrictEqual(
      transcript.map(({ role }) => role),
      ["person", "agent", "person", "agent", "person", "agent", "person", "agent"]
    )
    assert.include(transcript[1]?.text, "Ondas Software")
    assert.include(transcript[1]?.text, "Ana")
    assert.include(transcript[3]?.text, "Estou ligando para confirmar a reunião de quinta às 10h.")
    assert.notInclude(transcript[3]?.text, "Ela pediu a reunião por e-mail.")
    const times = transcript.map(({ at_seconds }) => at_seconds ?? -1)
    assert.deepStrictEqual(
      times,
      [...times].sort((a, b) => a - b)
    )
  })

  it("is the same for the same number and goal, and all outcomes occur", () => {
    const outcomes = Array.from({ length: 500 }, (_, n) => outcomeOf({ phone: `+55119${80_000_000 + n}`, goal: "x" }))
    assert.deepStrictEqual(new Set(outcomes), new Set(SandboxOutcome.literals))
    assert.strictEqual(outcomeOf(order), outcomeOf({ ...order }))
    const agreed = outcomes.filter((outcome) => outcome === "agrees").length
    assert.isTrue(agreed > 150 && agreed < 320)
  })

  const classes: { readonly [R in SandboxReply]: ReadonlyArray<string> } = {
    agrees: ["interested"],
    asks_to_call_later: ["later"],
    declines: ["not_interested"],
    wrong_person: ["wrong_person"],
    opts_out: ["unsubscribe"]
  }
  const replies = Language.literals.flatMap((language) => SandboxReply.literals.map((reply) => ({ language, reply })))
  it.each(replies)("in $language: what a person says who $reply is read so", ({ language, reply }) => {
    const { goalAchieved, transcript } = conversationOf({ ...order, language }, reply, null)
    const said = transcript.filter(({ role }) => role === "person").map(({ text }) => text)
    const reading = readByReader({
      text: said.join("\n"),
      receivedAt: Timestamp.make("2026-03-02T12:00:00Z"),
      timeZone: "America/Sao_Paulo",
      country: "BR",
      leadLanguage: language,
      ownContacts: []
    })
    assert.include(classes[reply], reading.class)
    assert.strictEqual(goalAchieved, reply === "agrees")
  })

  it("that nobody takes has no words, and a machine only hears some", () => {
    assert.deepInclude(conversationOf(order, "busy", null), { status: "busy", transcript: [], goalAchieved: false })
    assert.deepInclude(conversationOf(order, "no_answer", null), { status: "no_answer", wasPickedUp: false })
    const machine = conversationOf(order, "answering_machine", null)
    assert.deepInclude(machine, { status: "completed", wasPickedUp: false, failureReason: "answering_machine" })
    assert.isTrue(machine.transcript.every(({ role }) => role === "agent"))
  })

  /** What the agent says after each thing that the person says to the reason of the call. */
  const dialogue = (language: Language, outcome: SandboxOutcome, says: ReadonlyArray<string>) => {
    const { goalAchieved, summary, transcript } = conversationOf({ ...order, language }, outcome, says)
    return { goalAchieved, summary, said: transcript.slice(4).map(({ role, text }) => `${role}: ${text}`) }
  }

  const wishes: ReadonlyArray<readonly [Language, string, farewell: string]> = [
    ["pt-BR", "Não me liguem mais.", "O seu número não será mais chamado."],
    ["pt-BR", "Por favor não liga mais pra cá", "O seu número não será mais chamado."],
    ["pt-BR", "Parem de me ligar, por gentileza.", "O seu número não será mais chamado."],
    ["en", "Don't call again.", "Your number will not be called again."],
    ["en", "Please stop calling me.", "Your number will not be called again."],
    ["en", "Do not call this number anymore", "Your number will not be called again."],
    ["es", "No me llamen más.", "No volveremos a llamar a su número."],
    ["es", "Por favor, dejen de llamarme.", "No volveremos a llamar a su número."],
    ["es", "No vuelvan a llamarme", "No volveremos a llamar a su número."]
  ]
  it.each(wishes)("in %s: %s ends the call, politely, whatever the script says", (language, wish, farewell) => {
    for (const outcome of SandboxReply.literals) {
      const { goalAchieved, said } = dialogue(language, outcome, ["Hm.", wish, "Alô?", "Quanto custa?"])
      assert.lengthOf(said, 4)
      assert.strictEqual(said[2], `person: ${wish}`)
      assert.include(said[3], farewell)
      assert.isFalse(goalAchieved)
    }
  })

  it("answers what is said, and ends as it was meant", () => {
    assert.deepStrictEqual(
      dialogue("pt-BR", "agrees", ["Quem está falando?", "Quanto custa?", "Não temos interesse."]),
      {
        goalAchieved: false,
        summary: "A pessoa atendeu e não tem interesse.",
        said: [
          "person: Quem está falando?",
          "agent: Aqui é da Ondas Software. Estou ligando para confirmar a reunião de quinta às 10h.",
          "person: Quanto custa?",
          "agent: Não tenho essa resposta comigo, e não quero dizer nada errado. A sua pergunta fica registrada.",
          "person: Não temos interesse.",
          "agent: Sem problema, agradeço a sua atenção. Um bom dia!"
        ]
      }
    )
    assert.deepStrictEqual(dialogue("en", "declines", ["You have the wrong number."]).said, [
      "person: You have the wrong number.",
      "agent: Sorry for the trouble, I have noted it. Goodbye!"
    ])
    assert.deepStrictEqual(dialogue("es", "agrees", ["¿Cuánto cuesta?"]).said, [
      "person: ¿Cuánto cuesta?",
      "agent: No tengo esa respuesta conmigo y no quiero decirle nada equivocado. Su pregunta queda anotada. Perfecto, queda anotado. ¡Muchas gracias y buen día!"
    ])
    assert.isTrue(dialogue("en", "declines", ["Actually, yes, I am interested, please go ahead."]).goalAchieved)
  })

  it("goes as it is scripted", () => {
    const { transcript } = conversationOf(order, "declines", ["Quanto custa?", "Muito caro."])
    const said = transcript.filter(({ role }) => role === "person").map(({ text }) => text)
    assert.deepStrictEqual(said.slice(-2), ["Quanto custa?", "Muito caro."])
  })
})

const instantly = Layer.succeed(VoiceTiming, {
  lookAfter: () => 0,
  numberBusy: 0,
  retry: 0,
  giveUpDialing: 60,
  giveUpFinding: 60,
  silence: 600,
  lostTask: 600
})

const sandbox = (ringSeconds: number, talkSeconds: number) =>
  Layer.merge(Layer.effect(Voice, makeSandboxVoice({ ringSeconds, talkSeconds })), Layer.succeed(VoiceNotices, []))

/** A goal for which a call to the number ends so. */
const goalFor = (phone: string, outcome: SandboxOutcome): string => {
  for (let n = 0; ; n++) {
    const goal = `Confirmar a visita número ${n}`
    if (outcomeOf({ phone, goal }) === outcome) return goal
  }
}

layer(AccessTokensPostgres.pipe(Layer.provideMerge(VoiceServices)), { excludeTestServices: true })(
  "the simulated telephone",
  (it) => {
    it.effect("goes through the states as time passes, and is shown as what it is", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const phone = newNumber()
        const key = yield* placeCall(phone, goalFor(phone, "agrees"))
        yield* dial(key)
        const { client_reference } = yield* internalsOf(key)
        const later = (seconds: number) =>
          Effect.zipRight(
            sql`update sandbox_voice_call set placed_at = placed_at - make_interval(secs => ${seconds})
              where client_reference = ${client_reference}`,
            followCall(key)
          )
        const seen: Array<string> = []
        for (const seconds of [0, 101, 100, 200]) {
          yield* later(seconds)
          seen.push((yield* callOf(key)).status)
        }
        assert.deepStrictEqual(seen, ["dialing", "in_progress", "in_progress", "completed"])
        const call = yield* callOf(key)
        assert.deepInclude(call, { mode: "sandbox", was_picked_up: true, goal_achieved: true })
        assert.isAbove(call.transcript.length, 4)
      }).pipe(Effect.provide(sandbox(100, 200)), (test) => Effect.flatMap(makeAccount(), (caller) => as(caller)(test)))
    )

    it.scoped("makes calls of every outcome through the engine, by tasks alone", () =>
      Effect.gen(function* () {
        const caller = yield* makeAccount()
        yield* startEngine({ tasks: voiceTaskHandlers })
        const expected = ["completed", "no_answer", "busy", "completed"]
        const outcomes = ["agrees", "no_answer", "busy", "answering_machine"] as const
        yield* Effect.gen(function* () {
          const keys = yield* Effect.forEach(outcomes, (outcome) => {
            const phone = newNumber()
            return placeCall(phone, goalFor(phone, outcome))
          })
          const calls = yield* eventually(Effect.forEach(keys, callOf), (all) =>
            all.every(({ finished_at }) => finished_at !== null)
          )
          assert.deepStrictEqual(
            calls.map(({ status }) => status),
            expected
          )
          assert.lengthOf((yield* told).events, 4)
        }).pipe(as(caller))
      }).pipe(Effect.provide(Layer.merge(sandbox(0, 0), instantly)))
    )

    it.effect("is not made again to a number whose owner wants no more calls", () =>
      Effect.gen(function* () {
        const { accountId } = yield* Caller
        const unit = yield* UnitOfWork
        const scripts = yield* makeSandboxScripts
        const wish = newNumber()
        yield* unit.write(
          scripts(accountId, { phone_number: wish, outcome: "agrees", person_says: ["Não me liguem mais."] })
        )
        const other = newNumber()
        yield* unit.write(scripts(accountId, { phone_number: other, outcome: "declines", person_says: null }))
        for (const phone of [wish, other]) {
          const key = yield* placeCall(phone)
          yield* dial(key)
          yield* followCall(key)
          assert.deepInclude(yield* callOf(key), { status: "completed", goal_achieved: false })
        }
        assert.deepInclude(yield* Effect.flip(placeCall(wish)), { _tag: "Refused", reason: "phone_blacklisted" })
        yield* placeCall(other)
        const { notifications } = yield* told
        assert.sameMembers(
          notifications.map((notification) => notification.asked_not_to_be_called),
          [true, false]
        )
      }).pipe(Effect.provide(sandbox(0, 0)), (test) => Effect.flatMap(makeAccount(), (caller) => as(caller)(test)))
    )

    it.effect("goes with its call when that is deleted", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        yield* dial(yield* placeCall())
        const kept = sql`select from sandbox_voice_call where account_id = ${accountId}`
        assert.lengthOf(yield* kept, 1)
        yield* sql`delete from voice_call where account_id = ${accountId}`
        assert.lengthOf(yield* kept, 0)
      }).pipe(Effect.provide(sandbox(0, 0)), (test) => Effect.flatMap(makeAccount(), (caller) => as(caller)(test)))
    )

    it.scoped("takes scripts for the next call to a number, from whoever has a token of the account", () =>
      Effect.gen(function* () {
        const caller = yield* makeAccount()
        const other = yield* makeAccount()
        const tokens = yield* AccessTokens
        const unit = yield* UnitOfWork
        const options = { label: "test", expiresAt: Option.none() }
        const { token } = yield* unit.write(tokens.generate(options)).pipe(as(caller))
        const url = `${yield* serve(yield* voiceEndpoints)}/sandbox/voice/script`
        const bearer = { authorization: `Bearer ${token}` }
        const phone = newNumber()
        const script = { phone_number: phone, outcome: "declines", person_says: ["Não temos interesse."] }

        assert.strictEqual((yield* post(url, JSON.stringify(script))).status, 401)
        assert.strictEqual((yield* post(url, JSON.stringify(script), { authorization: "Bearer pgw_x" })).status, 401)
        for (const wrong of ["", "{", "[]", JSON.stringify({ ...script, outcome: "shouts" })]) {
          assert.strictEqual((yield* post(url, wrong, bearer)).status, 400)
        }
        const national = JSON.stringify({ ...script, phone_number: "11980000000" })
        assert.strictEqual((yield* post(url, national, bearer)).status, 422)
        const stored = yield* post(url, JSON.stringify(script), bearer)
        assert.strictEqual(stored.status, 200)
        assert.deepStrictEqual(JSON.parse(stored.text), script)

        const goal = goalFor(phone, "agrees")
        const resultAs = (owner: Caller["Type"]) =>
          Effect.gen(function* () {
            const key = yield* placeCall(phone, goal)
            yield* dial(key)
            yield* followCall(key)
            return yield* callOf(key)
          }).pipe(as(owner))
        assert.isTrue((yield* resultAs(other)).goal_achieved)
        const scripted = yield* resultAs(caller)
        assert.isFalse(scripted.goal_achieved)
        assert.include(JSON.stringify(scripted.transcript), "Não temos interesse.")
        assert.isTrue((yield* resultAs(caller)).goal_achieved)
      }).pipe(Effect.provide(sandbox(0, 0)))
    )

    it.effect("is looked up after a crash as a real one is", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const key = yield* placeCall()
        yield* dial(key)
        yield* sql`update voice_call set dial_request = 'begun', provider_call_id = null
          where voice_call_request_id = ${key.voiceCallRequestId}`
        yield* dial(key)
        assert.isNotNull((yield* internalsOf(key)).provider_call_id)
        const unmade = yield* placeCall()
        yield* sql`update voice_call set status = 'dialing', dial_request = 'begun', provider = 'sandbox',
          dialed_at = instant(), begun_at = instant() where voice_call_request_id = ${unmade.voiceCallRequestId}`
        yield* age(unmade, 700)
        yield* dial(unmade)
        assert.deepInclude(yield* callOf(unmade), { status: "failed", failure_reason: "outcome_unknown" })
      }).pipe(Effect.provide(sandbox(600, 600)), (test) => Effect.flatMap(makeAccount(), (caller) => as(caller)(test)))
    )
  }
)
