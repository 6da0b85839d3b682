import { assert, describe, it } from "@effect/vitest"
import { Timestamp, toMillis } from "../../src/Services/Core/Timestamp.ts"
import { judgeTimes } from "../../src/Services/Replies/Consequences/Plausibility.ts"
import { readByReader } from "../../src/Services/Replies/ReadReply.ts"
import { meetingWishOf } from "../../src/Services/Replies/Times/MeetingWish.ts"
import type { Language } from "../../src/Services/Text/Language.ts"

const receivedAt = Timestamp.make("2026-12-01T10:00:00Z")
const standing = { date: "2026-12-03", time: "14:00" }

const readingOf = (text: string, leadLanguage: Language, standingMeeting?: typeof standing) =>
  readByReader({
    text,
    receivedAt,
    timeZone: "UTC",
    leadCountry: "GB",
    country: "GB",
    leadLanguage,
    ownContacts: [],
    ...(standingMeeting === undefined ? {} : { standingMeeting })
  })

/** The time that a reply of a Tuesday is booked at. */
const bookedTime = (text: string, language: Language): string | undefined => {
  const wish = meetingWishOf(readingOf(text, language).acts, undefined)
  const { bookable } = judgeTimes("proposals" in wish ? wish.proposals : [], {
    now: toMillis(receivedAt),
    leadZone: "UTC",
    hostZone: "UTC",
    isLeadClosed: () => false,
    isHostClosed: () => false,
    isTaken: () => false
  })
  return bookable[0] === undefined ? undefined : new Date(bookable[0]).toISOString().slice(0, 16)
}

const attribution = "On Mon, Nov 30, 2026 at 8:02 AM Ryan <ryan@clinic.example> wrote:"
const offersOne = `${attribution}\n> Would Thursday at 3pm work for a short call?`
const offersTwo =
  "> Em 30 de nov. de 2026, à(s) 17:40, Aline <aline@cursos.example> escreveu:\n> Tenho dois horários: quarta às 10h ou quinta às 15h. Algum deles funciona?"

describe("a yes below an offer of times", () => {
  it("takes the one time that was offered", () => {
    assert.strictEqual(bookedTime(`Works for me!\n\n${offersOne}`, "en"), "2026-12-03T15:00")
  })

  it("takes none of several, and asks which", () => {
    const { acts, class: replyClass } = readingOf(`tudo bem, pode ser\n\n${offersTwo}`, "pt-BR")
    assert.strictEqual(bookedTime(`tudo bem, pode ser\n\n${offersTwo}`, "pt-BR"), undefined)
    assert.strictEqual(replyClass, "meeting_request")
    assert.isTrue(acts.some(({ kind }) => kind === "unclear"))
  })

  it("takes the one whose day it names", () => {
    assert.strictEqual(bookedTime(`quinta está ótimo\n\n${offersTwo}`, "pt-BR"), "2026-12-03T15:00")
  })

  it("takes nothing where it asks something first, where the offer has no date, or where none was made", () => {
    for (const text of [
      `Sure, what is it about?\n\n${offersOne}`,
      "Works for me!\n\n> Would Thursday at 3pm work for a short call?",
      `Yes please\n\n${attribution}\n> We hold a webinar on Thursday at 3pm. Should I send you more details?`
    ]) {
      assert.strictEqual(bookedTime(text, "en"), undefined, text)
    }
  })
})

describe("the day of the meeting that was agreed on", () => {
  const wishOf = (text: string, language: Language) =>
    meetingWishOf(readingOf(text, language, standing).acts, standing)._tag

  it("is kept where talking on it is spoken of, and not where something else is", () => {
    assert.strictEqual(wishOf("ok até quinta!", "pt-BR"), "Keep")
    assert.strictEqual(wishOf("quinta a gente conversa sobre isso então", "pt-BR"), "Keep")
    assert.strictEqual(wishOf("quinta é aniversário da minha filha", "pt-BR"), "None")
  })

  it("gives way to the day that the reply names last, where it says that day", () => {
    const { acts } = readingOf(
      "Tenemos que retrasar lo del jueves. Mi socia no puede hasta el miércoles 9. ¿Te va bien ese día a las 17:30?",
      "es",
      standing
    )
    const wish = meetingWishOf(acts, standing)
    const [first] = "proposals" in wish ? wish.proposals : []
    assert.deepStrictEqual(first?.time?.days, ["2026-12-09"])
  })
})

describe("a heading that programs write", () => {
  it("marks the mail as theirs, whatever it says of lists and persons", () => {
    for (const [text, language] of [
      ["AUTO-REPLY\n\nI'm away Dec 3-8. Want to stop receiving these? You can't.", "en"],
      ["Respuesta automática: estoy de licencia hasta abril. Mis temas los ve Paola (paola@clinica.example).", "es"]
    ] as const) {
      assert.include(["out_of_office", "auto_reply"], readingOf(text, language).class, text)
    }
  })

  it("marks nothing where a person asks about it", () => {
    assert.notInclude(
      ["out_of_office", "auto_reply"],
      readingOf("Resposta automática?\nQuero falar com alguém.", "pt-BR").class
    )
  })
})
