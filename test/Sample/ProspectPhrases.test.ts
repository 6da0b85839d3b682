import { assert, it } from "@effect/vitest"
import { Record } from "effect"
import { phraseBooks } from "../../src/Layers/Sample/People/ProspectPhrases.ts"
import { Timestamp } from "../../src/Services/Core/Timestamp.ts"
import { readByReader } from "../../src/Services/Replies/ReadReply.ts"
import type { ReplyClass } from "../../src/Services/Replies/ReplyReading.ts"

/** The classes that each kind of answer may be read as. A refusal with a reason may be an objection or a deferral. */
const expectedClasses: { readonly [kind: string]: ReadonlyArray<ReplyClass> } = {
  interested: ["interested", "meeting_request"],
  question: ["question", "objection"],
  not_interested: ["not_interested", "objection", "later"],
  wrong_person: ["wrong_person"],
  gatekeeper: ["gatekeeper", "interested"],
  unsubscribe: ["unsubscribe"],
  unclear: ["other", "later", "gatekeeper", "interested"],
  thanks: ["other", "interested"],
  meeting_request: ["meeting_request"],
  referral: ["referral"],
  out_of_office: ["out_of_office"]
}

const cases = Record.toEntries(phraseBooks).flatMap(([language, book]) => {
  const all = (kind: string, texts: ReadonlyArray<string>) => texts.map((text) => ({ language, kind, text }))
  return [
    ...Record.toEntries(book.sentences).flatMap(([kind, texts]) => all(kind, texts)),
    ...all(
      "meeting_request",
      book.meeting.map((text) => text.replace("%d", book.date(20, 3)).replace("%h", book.time(10)))
    ),
    ...all(
      "referral",
      book.referral.map((text) => text.replace("%n", "Paula Ramos").replace("%e", "paula.ramos@clinica.example"))
    ),
    ...all(
      "out_of_office",
      book.away.map((text) => text.replace("%d", book.date(20, 3)))
    )
  ]
})

it.each(cases)("$language: $text is read as $kind", ({ kind, language, text }) => {
  const reading = readByReader({
    text,
    receivedAt: Timestamp.make("2026-03-10T13:00:00Z"),
    timeZone: "America/Sao_Paulo",
    country: "BR",
    leadLanguage: language,
    ownContacts: [],
    isAutoSubmitted: kind === "out_of_office"
  })
  assert.include(expectedClasses[kind] ?? [], reading.class)
  if (kind === "meeting_request") {
    assert.deepInclude(reading.proposedMeeting, { date: "2026-03-20", time: "10:00" })
  }
  if (kind === "out_of_office") assert.strictEqual(reading.returnDate, "2026-03-20")
  if (kind === "referral") assert.strictEqual(reading.contact?.email, "paula.ramos@clinica.example")
})
