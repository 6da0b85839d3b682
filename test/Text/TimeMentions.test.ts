import { assert, describe, it } from "@effect/vitest"
import type { Language } from "../../src/Services/Text/Language.ts"
import { fold } from "../../src/Services/Text/PlainText.ts"
import { dateOfDay } from "../../src/Services/Text/Times/Days.ts"
import { timeMentions } from "../../src/Services/Text/Times/TimeMentions.ts"
import { faultOf, mentionsOf, summaryOf as summary, timeExamples } from "./TimeExamples.ts"

/** A Tuesday. */
const today = "2026-11-24"

const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`

/** What a text names, one line a time: days, choices, clock, relations. */
const summaryOf = (text: string, language: Language, figures: "day" | "month" | "either" = "day"): string =>
  timeMentions(fold(text), { today, figures, language })
    .map((mention) =>
      [
        mention.days === undefined
          ? ""
          : mention.days.first === mention.days.last
            ? dateOfDay(mention.days.first)
            : `${dateOfDay(mention.days.first)}..${dateOfDay(mention.days.last)}`,
        mention.dayChoices.length > 1 ? `(${mention.dayChoices.map(dateOfDay).join(" or ")})` : "",
        mention.clock.map(clock).join(" or "),
        mention.clockUntil === undefined ? "" : `to ${clock(mention.clockUntil)}`,
        mention.dateRelation ?? mention.clockRelation ?? "",
        mention.isPast ? "past" : "",
        mention.isRecurring ? "every week" : "",
        mention.zone ?? ""
      ]
        .filter((part) => part !== "")
        .join(" ")
    )
    .join("; ")

const cases: ReadonlyArray<readonly [Language, text: string, summaryOf: string]> = [
  ["pt-BR", "Pode ser quinta às 10h?", "2026-11-26 10:00 or 22:00"],
  ["pt-BR", "terça da semana que vem às 17h", "2026-12-01 17:00"],
  ["pt-BR", "Na próxima semana, quarta às 14h, perfeito.", "2026-12-02 14:00"],
  ["pt-BR", "terça, 1 de dezembro", "2026-12-01"],
  ["pt-BR", "terça, 2 de dezembro", "2026-12-02 (2026-12-02 or 2026-12-01)"],
  ["pt-BR", "duas e meia da tarde", "14:30"],
  ["pt-BR", "depois de amanhã às 17h", "2026-11-26 17:00"],
  ["pt-BR", "me procura no segundo semestre", "2027-07-01..2027-12-31"],
  ["pt-BR", "depois do carnaval", "2027-02-06..2027-02-10 after"],
  ["pt-BR", "depois do dia 10", "2026-12-10 after"],
  ["pt-BR", "estou de férias até dia 5", "2026-12-05 until"],
  ["pt-BR", "dia 4/12 às 13h ou dia 7/12 às 15h30", "2026-12-04 13:00; 2026-12-07 15:30"],
  ["pt-BR", "na primeira metade da semana que vem", "2026-11-30..2026-12-02"],
  ["pt-BR", "atendemos de segunda a sexta das 8h às 18h", "2026-11-30..2026-12-04 08:00 to 18:00 every week"],
  ["pt-BR", "R$ 349 por mês, 10 usuários, 3 dentistas", ""],
  ["pt-BR", "vou ter 2 lojas e 8 funcionários", ""],
  ["pt-BR", "segunda via do boleto, primeira vez", ""],
  ["en", "Can we talk at 2:30 on Thursday?", "2026-11-26 02:30 or 14:30"],
  ["en", "next week Tuesday at 3pm", "2026-12-01 15:00"],
  ["en", "Tuesday next week, half past two", "2026-12-01 02:30 or 14:30"],
  ["en", "next Thursday at 3pm", "2026-11-26 (2026-11-26 or 2026-12-03) 15:00"],
  ["en", "a week from Tuesday", "2026-12-08"],
  ["en", "in two weeks", "2026-12-08..2026-12-10"],
  ["en", "tomorrow 415pm works", "2026-11-25 16:15"],
  ["en", "School ends at quarter past three, so on Monday I could talk", "03:15 or 15:15; 2026-11-30"],
  ["en", "At 3, on Monday", "2026-11-30 03:00 or 15:00"],
  ["en", "in a month and a half", "2027-01-08..2027-01-14"],
  ["pt-BR", "volte a falar comigo daqui a um mês e meio", "2027-01-08..2027-01-14"],
  ["en", "after the holidays", "2026-12-20..2027-01-01 after"],
  ["en", "2-4pm on Wed", "2026-11-25 14:00 to 16:00"],
  ["en", "this Friday 4pm Eastern", "2026-11-27 16:00 America/New_York"],
  ["en", "I waited for your call yesterday at 2pm", "2026-11-23 14:00 past"],
  ["en", "once we are out of set up, may be", ""],
  ["en", "I have a hard stop at 1:30pm because of a call at 2pm", "13:30; 14:00"],
  ["es", "el jueves a las 4 de la tarde", "2026-11-26 16:00"],
  ["es", "El martes de la semana que viene a las 15h.", "2026-12-01 15:00"],
  ["es", "mañana por la mañana a las 9", "2026-11-25 09:00"],
  ["es", "el 15 de enero a primera hora", "2027-01-15 08:00 to 10:00"],
  ["es", "entre las 10 y las 12 del próximo lunes", "2026-11-30 10:00 to 12:00"],
  ["es", "El miércoles 2/12 a las 14 hs me queda bien.", "2026-12-02 14:00"]
]

describe("times that a text names", () => {
  it.each(cases)("%s: %s", (language, text, expected) => {
    assert.strictEqual(summaryOf(text, language), expected)
  })

  it("a date in figures that can be read two ways has both as choices, unless its weekday decides", () => {
    assert.strictEqual(summaryOf("12/3 at 2pm", "en", "month"), "2026-12-03 14:00")
    assert.strictEqual(summaryOf("12/3 at 2pm", "en", "either"), "2027-03-12 (2027-03-12 or 2026-12-03) 14:00")
    assert.strictEqual(summaryOf("Thursday 12/3 at 2pm", "en", "either"), "2026-12-03 14:00")
  })

  it("what is before or after a day or a time is no exact day or time", () => {
    for (const text of ["depois do dia 10 às 15h", "até quinta", "antes de 3/12"]) {
      const [mention] = timeMentions(fold(text), { today, figures: "day", language: "pt-BR" })
      assert.deepEqual(mention?.dayChoices, [], text)
    }
    for (const text of ["after 6pm", "before 11am", "until 5pm", "from 3pm"]) {
      const [mention] = timeMentions(fold(text), { today, figures: "day", language: "en" })
      assert.isDefined(mention?.clockUntil, text)
    }
  })

  it("examples that were written without sight of the grammar are read right", () => {
    const faults = timeExamples.flatMap((example) => {
      const mentions = mentionsOf(example)
      const fault = example.set === "final" ? undefined : faultOf(example, mentions)
      return fault === undefined ? [] : [`${fault}: ${example.text}: ${summary(mentions)}`]
    })
    assert.deepEqual(faults, [])
  })

  it("a long text of figures is read in time", () => {
    assert.isAtMost(summaryOf("1 ".repeat(20_000), "en").length, 10_000)
  })
})
