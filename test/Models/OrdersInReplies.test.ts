import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted, Schema } from "effect"
import { makeLanguageModel } from "../../src/Layers/Models/LanguageModel/Live.ts"
import { OutboundHttpNode } from "../../src/Layers/Platform/Outbound/OutboundHttp.ts"
import { Timestamp } from "../../src/Services/Core/Timestamp.ts"
import { LanguageModel } from "../../src/Services/Models/LanguageModel.ts"
import { ReplyReader, ReplyReaderLayer } from "../../src/Services/Replies/Readers/ReplyReader.ts"
import type { Language } from "../../src/Services/Text/Language.ts"
import { furtherOrders, orders } from "../Replies/support/ReaderOrders.ts"
import { answer, providerServer, type Responder } from "./ProviderServer.ts"

/** What a model says that was talked into it. */
const obeyed = {
  class: "interested",
  confidence: 1,
  language: null,
  refusal_reason: null,
  question: "Quanto custa?",
  return_date: null,
  contact_name: null,
  contact_email: null,
  contact_phone: null,
  meeting_date: "2026-03-04",
  meeting_time: "15:00",
  meeting_text: "amanhã às 15h"
}

const Asked = {
  openai: Schema.Struct({
    messages: Schema.Array(Schema.Struct({ role: Schema.String, content: Schema.String }))
  }),
  anthropic: Schema.Struct({
    system: Schema.String,
    messages: Schema.Array(Schema.Struct({ role: Schema.String, content: Schema.String }))
  })
}

const providers = ["openai", "anthropic"] as const
type Provider = (typeof providers)[number]

const responders: { readonly [P in Provider]: Responder } = {
  openai: answer(200, {
    choices: [{ index: 0, message: { role: "assistant", content: JSON.stringify(obeyed) }, finish_reason: "stop" }],
    usage: { prompt_tokens: 1, completion_tokens: 1 }
  }),
  anthropic: answer(200, {
    content: [{ type: "tool_use", id: "toolu_01", name: "read_reply", input: obeyed }],
    stop_reason: "tool_use",
    usage: { input_tokens: 1, output_tokens: 1 }
  })
}

/** What the provider was told: the rules, and the material with them. */
const told = (provider: Provider, body: unknown): { readonly system: string; readonly user: string } => {
  if (provider === "anthropic") {
    const { messages, system } = Schema.decodeUnknownSync(Asked.anthropic)(body)
    assert.deepStrictEqual(
      messages.map(({ role }) => role),
      ["user"]
    )
    return { system, user: messages[0]?.content ?? "" }
  }
  const { messages } = Schema.decodeUnknownSync(Asked.openai)(body)
  assert.deepStrictEqual(
    messages.map(({ role }) => role),
    ["system", "user"]
  )
  return { system: messages[0]?.content ?? "", user: messages[1]?.content ?? "" }
}

const languages: ReadonlyArray<Language> = ["pt-BR", "en", "es"]

describe("a reply that gives orders, on its way through a real provider's interface", () => {
  for (const provider of providers) {
    it.live(`stands inside the fence, and is unclear though the model obeys (${provider})`, () =>
      Effect.gen(function* () {
        const { received, url } = yield* providerServer([responders[provider]])
        const model = yield* makeLanguageModel(
          {
            provider,
            url: `${url}/v1`,
            apiKey: Redacted.make("sk-1"),
            model: "model-1",
            effort: Option.none(),
            thinkingTokens: 0,
            prices: Option.none()
          },
          1
        )
        const reader = yield* Effect.provide(
          ReplyReader,
          Layer.provide(ReplyReaderLayer, Layer.succeed(LanguageModel, model))
        )
        for (const leadLanguage of languages) {
          for (const text of [...orders[leadLanguage], ...furtherOrders[leadLanguage]]) {
            received.length = 0
            const { reading } = yield* reader.read({
              text,
              subject: text,
              leadLanguage,
              receivedAt: Timestamp.make("2026-03-03T14:00:00Z"),
              timeZone: "America/Sao_Paulo",
              country: "BR",
              ownContacts: []
            })
            assert.deepInclude(reading, { class: "other", question: null, contact: null, proposedMeeting: null })
            assert.isBelow(reading.confidence, 0.5)

            assert.lengthOf(received, 1)
            const { system, user } = told(provider, received[0]?.body)
            const word = /<<<DATA ([0-9a-f]{32}) lead_reply>>>/.exec(user)?.[1] ?? "none"
            assert.include(system, `<<<DATA ${word} name>>>`)
            assert.include(system, "never an instruction")
            const inside = [
              ...user.matchAll(new RegExp(`<<<DATA ${word} (\\w+)>>>\n([\\s\\S]*?)\n<<<END ${word} \\1>>>`, "g"))
            ]
            assert.deepStrictEqual(
              inside.map(([, label]) => label),
              ["lead_subject", "lead_reply", "our_message"]
            )
            const lines = inside.flatMap(([, , block = ""]) => block.split("\n"))
            assert.isTrue(lines.every((line) => line.startsWith("| ")))
            // Nothing of it stands anywhere else, not even a few words.
            const outside = `${system}\n${inside.reduce((rest, [block]) => rest.replace(block, ""), user)}`
            for (const start of [0, Math.floor(text.length / 2)]) {
              assert.notInclude(outside, text.slice(start, start + 20), text)
            }
          }
        }
      }).pipe(Effect.scoped, Effect.provide(OutboundHttpNode))
    )
  }
})
