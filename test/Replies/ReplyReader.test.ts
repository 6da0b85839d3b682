import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { sandboxLanguageModel } from "../../src/Layers/Models/sandbox/LanguageModelSandbox.ts"
import { Timestamp } from "../../src/Services/Core/Timestamp.ts"
import { LanguageModel, LanguageModelFailed } from "../../src/Services/Models/LanguageModel.ts"
import { ReplyReader, ReplyReaderLayer } from "../../src/Services/Replies/Readers/ReplyReader.ts"
import { judgeTimesOf, type ReplyFacts } from "../../src/Services/Replies/ReplyFacts.ts"
import type { InboundReply } from "../../src/Services/Replies/ReplyText.ts"
import { delimiterWordIn, fakeModel, fakeUsage, modelAct, plainReading } from "../Models/FakeLanguageModel.ts"

/** Monday, 10 March 2025, ten in the morning in São Paulo. */
const receivedAt = Timestamp.make("2025-03-10T13:00:00Z")

const reply = (text: string, more: Partial<InboundReply> = {}): InboundReply => ({
  text,
  receivedAt,
  timeZone: "America/Sao_Paulo",
  country: "BR",
  leadLanguage: "pt-BR",
  ownContacts: ["ana@clinica.com"],
  ...more
})

const facts: ReplyFacts = {
  text: "",
  subject: null,
  from_address: null,
  to_address: null,
  is_auto_reply: false,
  received_at: receivedAt,
  lead_email: "ana@clinica.com",
  lead_phone: null,
  lead_language: null,
  time_zone: null,
  state: "SP",
  country: "BR",
  account_email: null,
  account_phone: null,
  account_language: "pt-BR",
  account_time_zone: "America/Sao_Paulo",
  last_subject: null
}

const read = (answers: ReadonlyArray<unknown>, inbound: InboundReply, earlier?: string) => {
  const { asked, layer } = fakeModel(answers)
  return Effect.flatMap(ReplyReader, (reader) => reader.read(inbound, earlier)).pipe(
    Effect.provide(Layer.provide(ReplyReaderLayer, layer)),
    Effect.map((result) => ({ ...result, asked }))
  )
}

/** What would be booked of a reading. */
const bookable = (reading: Parameters<typeof judgeTimesOf>[0]): ReadonlyArray<string> =>
  judgeTimesOf(reading, facts, undefined, Date.parse(receivedAt)).bookable.map((at) => new Date(at).toISOString())

describe("a reply that a model reads", () => {
  it.effect("has the acts that the model reports, as far as they are written in it", () =>
    Effect.gen(function* () {
      const { asked, ownText, reading, usage } = yield* read(
        [
          {
            language: "pt-BR",
            acts: [
              modelAct("refers_to", "Isso quem vê é Bia Lima, bia@x.com.", {
                contact_name: "Bia Lima",
                contact_email: "BIA@x.com",
                contact_phone: "(11) 3333-4444"
              })
            ]
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

  it.effect("has no act whose words are not in it, no impossible day, and no person who was made up", () =>
    Effect.gen(function* () {
      const { reading } = yield* read(
        [
          {
            language: "pt-BR",
            acts: [
              modelAct("proposes", "quinta às 15h", { date: "2025-03-13", time: "15:00" }),
              modelAct("wants_meeting", "pode ser quinta?", { date: "2025-02-30", time: "25:00", certainty: 7 }),
              modelAct("refers_to", "pode ser", { contact_name: "Carlos", contact_email: "c@x.com" })
            ]
          }
        ],
        reply("pode ser quinta?")
      )
      assert.deepStrictEqual(
        reading.acts.map(({ certainty, contact, kind }) => ({ certainty, contact, kind })),
        [
          { kind: "wants_meeting", certainty: 1, contact: null },
          { kind: "refers_to", certainty: 0.95, contact: null }
        ]
      )
      assert.isEmpty(bookable(reading))
    })
  )

  it.effect("books what both the model and the grammar of times read", () =>
    Effect.gen(function* () {
      const text = "Pode ser quinta às 15h?"
      const { reading } = yield* read(
        [{ language: "pt-BR", acts: [modelAct("proposes", text, { date: "2025-03-13", time: "15:00" })] }],
        reply(text)
      )
      assert.deepStrictEqual(bookable(reading), ["2025-03-13T18:00:00.000Z"])
    })
  )

  const thursday = { date: "2025-03-13", time: "15:00" }

  it.effect.each([
    [
      "another day than the text names",
      "Pode ser quinta às 15h?",
      modelAct("proposes", "Pode ser quinta às 15h?", { date: "2025-03-14", time: "15:00" })
    ],
    [
      "another hour",
      "Pode ser quinta às 15h?",
      modelAct("proposes", "Pode ser quinta às 15h?", { date: "2025-03-13", time: "10:00" })
    ],
    ["a time in no text", "Vamos marcar!", modelAct("proposes", "Vamos marcar!", thursday)],
    [
      "a night hour",
      "Pode ser quinta às 3h da manhã?",
      modelAct("proposes", "Pode ser quinta às 3h da manhã?", { date: "2025-03-13", time: "03:00" })
    ],
    [
      "a Saturday",
      "Pode ser sábado às 10h?",
      modelAct("proposes", "Pode ser sábado às 10h?", { date: "2025-03-15", time: "10:00" })
    ],
    [
      "a time that the lead refuses",
      "Na quinta às 15h eu não consigo.",
      modelAct("proposes", "Na quinta às 15h eu não consigo.", thursday)
    ],
    [
      "a time that the model is not sure of",
      "Pode ser quinta às 15h?",
      modelAct("proposes", "Pode ser quinta às 15h?", { ...thursday, certainty: 0.6 })
    ],
    [
      "a time that the model does not call a proposal",
      "Pode ser quinta às 15h?",
      modelAct("mentions", "Pode ser quinta às 15h?", thursday)
    ]
  ] as const)("books nothing where the model reports %s", ([, text, reported]) =>
    Effect.gen(function* () {
      const { reading } = yield* read([{ language: "pt-BR", acts: [reported] }], reply(text))
      assert.isEmpty(bookable(reading))
    })
  )

  it.effect("that wants no more messages is unsubscribed without asking the model", () =>
    Effect.gen(function* () {
      for (const text of ["Me tira da lista", "please unsubscribe", "ya no quiero recibir sus correos"]) {
        const { asked, reading } = yield* read([plainReading], reply(text))
        assert.deepInclude(reading, { class: "unsubscribe", decidedBy: "rules" })
        assert.isEmpty(asked)
      }
    })
  )

  it.effect("that only the model takes for an opt-out is one", () =>
    Effect.gen(function* () {
      const text = "Esqueçam que eu existo."
      const { reading } = yield* read([{ language: "pt-BR", acts: [modelAct("stops", text)] }], reply(text))
      assert.strictEqual(reading.class, "unsubscribe")
    })
  )

  it.effect("that a mail server or a program sent, or that says nothing, is read without the model", () =>
    Effect.gen(function* () {
      const bounce = yield* read([], reply("x", { fromAddress: "mailer-daemon@x.com" }))
      const auto = yield* read([], reply("Estou de férias e volto dia 20.", { isAutoSubmitted: true }))
      const empty = yield* read([], reply("> só citação"))
      assert.deepStrictEqual(
        [bounce, auto, empty].map(({ reading }) => reading.class),
        ["bounce", "out_of_office", "other"]
      )
      assert.strictEqual(empty.ownText, "")
    })
  )

  it.effect("is read by the embedded reader, for a person to look at, where the model is of no use", () =>
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

  it.effect("waits where the model cannot be had for now", () =>
    Effect.gen(function* () {
      const down = new LanguageModelFailed({ reason: "timeout", detail: "timed_out" })
      const failure = yield* Effect.flip(read([down], reply("Tenho interesse!")))
      assert.deepInclude(failure, { _tag: "LanguageModelFailed", reason: "timeout" })
    })
  )

  it.effect("is read by the embedded reader alone in the sandbox", () =>
    Effect.gen(function* () {
      const { mode, reading, usage } = yield* Effect.flatMap(ReplyReader, (reader) =>
        reader.read(reply("pode ser quinta às 15h?"))
      ).pipe(Effect.provide(Layer.provide(ReplyReaderLayer, Layer.succeed(LanguageModel, sandboxLanguageModel))))
      assert.deepInclude(reading, { class: "meeting_request", decidedBy: "rules" })
      assert.deepInclude(reading.proposedMeeting, { date: "2025-03-13", time: "15:00" })
      assert.strictEqual(mode, "sandbox")
      assert.strictEqual(usage.costMicroUsd, 0)
    })
  )
})
