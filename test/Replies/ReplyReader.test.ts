import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { sandboxLanguageModel } from "../../src/Layers/Models/sandbox/LanguageModelSandbox.ts"
import { Timestamp } from "../../src/Services/Core/Timestamp.ts"
import { LanguageModel, LanguageModelFailed } from "../../src/Services/Models/LanguageModel.ts"
import { ReplyReader, ReplyReaderLayer } from "../../src/Services/Replies/ReplyReader.ts"
import type { InboundReply } from "../../src/Services/Replies/ReplyRules.ts"
import { delimiterWordIn, fakeModel, fakeUsage, plainReading } from "../Models/FakeLanguageModel.ts"

const reply = (text: string, more: Partial<InboundReply> = {}): InboundReply => ({
  text,
  receivedAt: Timestamp.make("2025-03-10T13:00:00Z"),
  timeZone: "America/Sao_Paulo",
  country: "BR",
  leadLanguage: "pt-BR",
  ownContacts: ["ana@clinica.com"],
  ...more
})

const read = (answers: ReadonlyArray<unknown>, inbound: InboundReply, earlier?: string) => {
  const { asked, layer } = fakeModel(answers)
  return Effect.flatMap(ReplyReader, (reader) => reader.read(inbound, earlier)).pipe(
    Effect.provide(Layer.provide(ReplyReaderLayer, layer)),
    Effect.map((result) => ({ ...result, asked }))
  )
}

describe("ReplyReader", () => {
  it.effect("reads what the model says, as far as it stands in the reply", () =>
    Effect.gen(function* () {
      const { asked, ownText, reading, usage } = yield* read(
        [
          {
            ...plainReading,
            class: "referral",
            language: "pt-BR",
            contact_name: "Bia Lima",
            contact_email: "BIA@x.com",
            contact_phone: "(11) 3333-4444"
          }
        ],
        reply(
          "Isso quem vê é Bia Lima, bia@x.com.\n\nEm seg., 3 de fev. de 2025 às 10:00, João <j@a.com> escreveu:\n> Oi"
        ),
        "Olá, podemos conversar?"
      )
      assert.deepInclude(reading, {
        class: "referral",
        decidedBy: "model",
        // The number was not in the reply.
        contact: { name: "Bia Lima", email: "bia@x.com", phone: null }
      })
      assert.strictEqual(ownText, "Isso quem vê é Bia Lima, bia@x.com.")
      assert.deepStrictEqual(usage, fakeUsage)
      const { user } = asked[0]?.prompt ?? { user: "" }
      assert.include(user, "Today is 2025-03-10")
      assert.include(user, "| Olá, podemos conversar?")
      assert.match(delimiterWordIn(user), /^[0-9a-f]{32}$/)
      assert.notInclude(user, "escreveu:")
    })
  )

  it.effect("drops what cannot be so", () =>
    Effect.gen(function* () {
      const { reading } = yield* read(
        [
          {
            ...plainReading,
            class: "meeting_request",
            confidence: 7,
            refusal_reason: "price",
            return_date: "2025-03-20",
            meeting_date: "2025-02-30",
            meeting_time: "25:00",
            meeting_text: "quinta"
          }
        ],
        reply("pode ser quinta?")
      )
      assert.deepInclude(reading, {
        class: "meeting_request",
        confidence: 1,
        refusalReason: null,
        returnDate: null,
        proposedMeeting: { date: null, time: null, text: "quinta" }
      })
      const invented = yield* read(
        [{ ...plainReading, class: "referral", contact_name: "Carlos", contact_email: "c@x.com" }],
        reply("não sou eu")
      )
      assert.deepInclude(invented.reading, { class: "wrong_person", contact: null })
    })
  )

  it.effect("honours a wish to be left alone without asking the model", () =>
    Effect.gen(function* () {
      for (const text of ["Me tira da lista", "please unsubscribe", "ya no quiero recibir sus correos"]) {
        const { asked, reading } = yield* read([{ ...plainReading, class: "interested" }], reply(text))
        assert.deepInclude(reading, { class: "unsubscribe", decidedBy: "rules" })
        assert.isEmpty(asked)
      }
    })
  )

  it.effect("honours a wish that only the model sees", () =>
    Effect.gen(function* () {
      const { reading } = yield* read([{ ...plainReading, class: "unsubscribe" }], reply("Esqueçam que eu existo."))
      assert.strictEqual(reading.class, "unsubscribe")
    })
  )

  it.effect("reads bounces, automatic and empty mails without asking the model", () =>
    Effect.gen(function* () {
      const bounce = yield* read([], reply("x", { fromAddress: "mailer-daemon@x.com" }))
      const auto = yield* read([], reply("Volto dia 20", { isAutoSubmitted: true }))
      const empty = yield* read([], reply("> só citação"))
      assert.deepStrictEqual(
        [bounce, auto, empty].map(({ reading }) => reading.class),
        ["bounce", "out_of_office", "other"]
      )
      assert.strictEqual(empty.ownText, "")
    })
  )

  it.effect("falls back to the rules, unsure, where the model is of no use", () =>
    Effect.gen(function* () {
      for (const answer of [
        { class: "nonsense" },
        new LanguageModelFailed({ reason: "refused", detail: "model_refused" })
      ]) {
        const { reading } = yield* read([answer], reply("Tenho interesse!"))
        assert.deepInclude(reading, { class: "interested", decidedBy: "rules" })
        assert.isBelow(reading.confidence, 0.5)
      }
    })
  )

  it.effect("fails where the model cannot be had for now", () =>
    Effect.gen(function* () {
      const down = new LanguageModelFailed({ reason: "timeout", detail: "timed_out" })
      const failure = yield* Effect.flip(read([down], reply("Tenho interesse!")))
      assert.deepInclude(failure, { _tag: "LanguageModelFailed", reason: "timeout" })
    })
  )

  it.effect("reads by rules in sandbox", () =>
    Effect.gen(function* () {
      const { mode, reading, usage } = yield* Effect.flatMap(ReplyReader, (reader) =>
        reader.read(reply("pode ser quinta às 15h?"))
      ).pipe(Effect.provide(Layer.provide(ReplyReaderLayer, Layer.succeed(LanguageModel, sandboxLanguageModel))))
      assert.deepInclude(reading, { class: "meeting_request", decidedBy: "rules" })
      assert.deepStrictEqual(reading.proposedMeeting, { date: "2025-03-13", time: "15:00", text: "quinta as 15h" })
      assert.strictEqual(mode, "sandbox")
      assert.strictEqual(usage.costMicroUsd, 0)
    })
  )
})
