import { assert, describe, it } from "@effect/vitest"
import { Timestamp } from "../../src/Services/Core/Timestamp.ts"
import type { ReplyClass, ReplyReading } from "../../src/Services/Replies/ReplyReading.ts"
import { type InboundReply, readByRules } from "../../src/Services/Replies/ReplyRules.ts"
import { isUnsubscribeWish } from "../../src/Services/Replies/UnsubscribeWish.ts"
import { furtherReplies } from "./FurtherReplies.ts"
import { labelledReplies, noUnsubscribeWishes } from "./ReplyCorpus.ts"
import { furtherNoUnsubscribeWishes } from "./UnsubscribeReplies.ts"

/** Monday, 10 March 2025, ten in the morning in São Paulo. */
const base: InboundReply = {
  text: "",
  receivedAt: Timestamp.make("2025-03-10T13:00:00Z"),
  timeZone: "America/Sao_Paulo",
  country: "BR",
  leadLanguage: "pt-BR",
  ownContacts: ["ana@clinica.com", "joao@acme.com"]
}

const read = (text: string, more: Partial<InboundReply> = {}): ReplyReading => readByRules({ ...base, ...more, text })

const corpus: ReadonlyArray<{ readonly text: string; readonly class: ReplyClass }> = [
  ...labelledReplies,
  ...Object.entries(furtherReplies).flatMap(([name, texts]) => {
    const found = labelledReplies.find((reply) => reply.class === name)
    return found === undefined ? [] : texts.map((text) => ({ text, class: found.class }))
  })
]

const misread = corpus.filter((reply) => read(reply.text).class !== reply.class)

describe("reading replies by rules", () => {
  it("has a corpus of all classes that is large enough to mean something", () => {
    assert.isAtLeast(corpus.length, 600)
    assert.strictEqual(new Set(corpus.map((reply) => reply.class)).size, 12)
    for (const language of ["pt-BR", "en", "es"] as const) {
      assert.isAtLeast(corpus.filter(({ text }) => read(text).language === language).length, 100, language)
    }
  })

  it("gets 95 of 100 replies right", () => {
    const share = 1 - misread.length / corpus.length
    assert.isAtLeast(share, 0.95, misread.map((reply) => `${reply.class}: ${reply.text}`).join("\n"))
  })

  it("gets 90 of 100 right in every class", () => {
    for (const name of new Set(corpus.map((reply) => reply.class))) {
      const all = corpus.filter((reply) => reply.class === name).length
      const wrong = misread.filter((reply) => reply.class === name).length
      assert.isAtLeast(1 - wrong / all, 0.9, name)
    }
  })

  it("names the reason of a refusal", () => {
    const given = labelledReplies.filter(({ reason }) => reason !== undefined)
    const wrong = given.filter(({ reason, text }) => read(text).refusalReason !== reason)
    assert.isAtLeast(1 - wrong.length / given.length, 0.95, wrong.map(({ text }) => text).join("\n"))
  })

  it.each(corpus.filter((reply) => reply.class === "unsubscribe").map(({ text }) => text))(
    "honours every wish to be left alone: %j",
    (text) => {
      assert.strictEqual(read(text).class, "unsubscribe")
    }
  )

  it.each([...noUnsubscribeWishes, ...furtherNoUnsubscribeWishes])("sees no such wish in %j", (text) => {
    assert.isFalse(isUnsubscribeWish(text))
    assert.notStrictEqual(read(text).class, "unsubscribe")
  })

  it("sees the wish in another class's company, below the name and in a subject alone", () => {
    assert.strictEqual(read("Já temos fornecedor, me tirem da lista.").class, "unsubscribe")
    assert.strictEqual(read("Não tenho interesse.\n\nAtt,\nAna\nNão me enviem mais e-mails").class, "unsubscribe")
    assert.strictEqual(read("", { subject: "unsubscribe" }).class, "unsubscribe")
    assert.strictEqual(read("", { subject: "Re: REMOVER" }).class, "unsubscribe")
  })

  it("does not take the repeated mail, its footer or our own subject for the lead's wish", () => {
    const quoted =
      "Pode me ligar amanhã às 10h.\n\nEm seg., 3 de fev. de 2025 às 10:00, João <joao@acme.com> escreveu:\n> Olá\n> Para sair da lista responda REMOVER. Unsubscribe me."
    assert.strictEqual(read(quoted).class, "meeting_request")
    const disclaimer = "Tenho interesse.\n\nAVISO LEGAL: se recebeu por engano, remova este e-mail de sua base."
    assert.strictEqual(read(disclaimer).class, "interested")
    const ours = read("ok", {
      subject: "Re: Stop sending invoices by hand",
      lastSubject: "Stop sending invoices by hand"
    })
    assert.strictEqual(ours.class, "other")
  })

  it("does not take the footer of an automatic answer for a wish", () => {
    const text = "Estou de férias até 12/03. To unsubscribe from these notifications, click here."
    assert.strictEqual(read(text, { isAutoSubmitted: true }).class, "out_of_office")
  })

  it("takes what a mail system sends for a bounce, whatever it repeats", () => {
    const text = "The following message could not be delivered.\n\nUnsubscribe me"
    assert.strictEqual(read(text, { fromAddress: "MAILER-DAEMON@mx.example" }).class, "bounce")
  })

  it("takes what a program sent for automatic", () => {
    assert.strictEqual(read("Oi!", { isAutoSubmitted: true }).class, "auto_reply")
    assert.strictEqual(read("Volto dia 20.", { isAutoSubmitted: true }).class, "out_of_office")
  })

  it.each([
    ["estou de férias até 12/03", "2025-03-12"],
    ["Estou de férias de 03/03 a 21/03.", "2025-03-21"],
    ["Fora do escritório, volto dia 15.", "2025-03-15"],
    ["Ausente. Retorno em 2 de abril.", "2025-04-02"],
    ["Estou de férias, retorno na segunda-feira.", "2025-03-17"],
    ["Estou de licença até 05/01/2026", "2026-01-05"],
    ["I am out of the office until March 12th.", "2025-03-12"],
    ["I'm on vacation, back on 3/24.", "2025-03-24"],
    ["Out of office. I will return on Monday, 17 March 2025.", "2025-03-17"],
    ["Estoy de vacaciones y vuelvo el 1 de abril.", "2025-04-01"],
    ["Estaré ausente hasta el 15/03.", "2025-03-15"]
  ])("reads the day of return: %j", (text, returnDate) => {
    assert.deepInclude(read(text), { class: "out_of_office", returnDate })
  })

  it("reads from when on a lead that declines for now may be written to", () => {
    assert.deepInclude(read("Agora não, me procure em maio."), {
      class: "not_interested",
      refusalReason: "timing",
      returnDate: "2025-05-01"
    })
  })

  it.each([
    ["pode ser quinta às 15h?", "2025-03-13", "15:00"],
    ["Podemos falar amanhã às 9h30?", "2025-03-11", "09:30"],
    ["Dia 20 às 14h está bom", "2025-03-20", "14:00"],
    ["Me liga hoje às 4 da tarde", "2025-03-10", "16:00"],
    ["Can we meet on Thursday at 3pm?", "2025-03-13", "15:00"],
    ["Let's talk tomorrow at 10:30 am", "2025-03-11", "10:30"],
    ["¿Podemos reunirnos el jueves a las 15:00?", "2025-03-13", "15:00"],
    ["Puedo mañana a las 11", "2025-03-11", "11:00"],
    ["Podemos marcar uma reunião na sexta?", "2025-03-14", null],
    ["Pode me ligar às 16h", null, "16:00"],
    ["Vamos marcar uma reunião na semana que vem", null, null]
  ])("reads a proposed time: %j", (text, date, time) => {
    const { class: replyClass, proposedMeeting } = read(text)
    assert.strictEqual(replyClass, "meeting_request")
    assert.deepStrictEqual([proposedMeeting?.date ?? null, proposedMeeting?.time ?? null], [date, time])
  })

  it("takes today for the lead's own day", () => {
    const lateEvening = { receivedAt: Timestamp.make("2025-03-11T02:00:00Z") }
    assert.strictEqual(read("Pode ser amanhã às 15h?", lateEvening).proposedMeeting?.date, "2025-03-11")
    const inTokyo = { ...lateEvening, timeZone: "Asia/Tokyo" }
    assert.strictEqual(read("Pode ser amanhã às 15h?", inTokyo).proposedMeeting?.date, "2025-03-12")
    assert.strictEqual(read("Pode ser amanhã às 15h?", { timeZone: "no/zone" }).proposedMeeting?.date, "2025-03-11")
  })

  it.each([
    ["fale com a Ana, ana@x.com", { name: "Ana", email: "ana@x.com", phone: null }],
    [
      "Procure o Carlos Souza no telefone (11) 98765-4321.",
      { name: "Carlos Souza", email: null, phone: "+5511987654321" }
    ],
    [
      "Please contact Jane Miller at jane.miller@corp.com.",
      { name: "Jane Miller", email: "jane.miller@corp.com", phone: null }
    ],
    ["Hable con Ana Pérez, ana.perez@empresa.mx", { name: "Ana Pérez", email: "ana.perez@empresa.mx", phone: null }],
    ["fala com o pedro, ele que cuida disso", { name: "Pedro", email: null, phone: null }],
    ["Pode falar direto com compras@empresa.com.br", { name: null, email: "compras@empresa.com.br", phone: null }]
  ])("reads whom a referral names: %j", (text, contact) => {
    assert.deepInclude(read(text), { class: "referral", contact })
  })

  it("does not take the writer's own address for another person's", () => {
    assert.notStrictEqual(read("Me escreva em ana@clinica.com").class, "referral")
  })

  it("keeps the question of a reply that says more", () => {
    assert.deepInclude(read("Tenho interesse. Quanto custa o plano anual?"), {
      class: "interested",
      question: "Quanto custa o plano anual?"
    })
    assert.strictEqual(read("Oi, tudo bem? Quanto custa?").question, "Quanto custa?")
    assert.isNull(read("Pode ser quinta às 15h?").question)
    assert.isNull(read("Tenho interesse, pode me mandar mais informações?").question)
  })

  it("says when it does not know", () => {
    assert.isBelow(read("Vou ver e te falo").confidence, 0.5)
    assert.isNull(read("ok").language)
  })

  it("reads hostile texts of any length in bounded steps", () => {
    for (const unit of [
      "nao me remova a ",
      "solicito , ",
      "a@",
      "1. ",
      "Fale com Ana Souza ",
      "ﷺ",
      "R$ 1",
      "don't want to "
    ]) {
      assert.isNotEmpty(read(unit.repeat(100_000 / unit.length), { subject: unit.repeat(1000) }).class)
    }
  })
})
