import { assert, it } from "@effect/vitest"
import { actOf } from "../../src/Services/Replies/Acts.ts"
import { readSentences } from "../../src/Services/Replies/Clauses.ts"
import { actsByReader } from "../../src/Services/Replies/ReadActs.ts"
import { questionsIn } from "../../src/Services/Replies/ReadReply.ts"
import { timeReader } from "../../src/Services/Replies/Times/ClauseTimes.ts"
import { meetingWishOf } from "../../src/Services/Replies/Times/MeetingWish.ts"
import { withOwnTimes } from "../../src/Services/Replies/Times/OwnTimes.ts"
import { withTimeDoubts } from "../../src/Services/Replies/Times/TimeDoubts.ts"
import type { Language } from "../../src/Services/Text/Language.ts"
import type { SentenceClassifier } from "../../src/Services/Text/Sentences/SentenceClassifier.ts"

const standing = { date: "2026-12-01", time: "12:30" }
const settingOf = (language: Language) => ({ today: "2026-11-26", figures: "day", language, standing }) as const

/** The times of the first sentence of a reply to a person who has a meeting on Tuesday at 12:30. */
const timesIn = (text: string, language: Language) => {
  const reader = timeReader(settingOf(language))
  const [sentence] = readSentences(text, language, reader.mentionsIn)
  return sentence === undefined
    ? []
    : sentence.clauses.flatMap((clause) =>
        reader
          .timesOf(clause, sentence, undefined)
          .map(({ days, isExcluded, isReplacement, minutes }) => ({ days, minutes, isExcluded, isReplacement }))
      )
}

it("a time that is named by its distance from the meeting is counted from the meeting", () => {
  const rows: ReadonlyArray<readonly [text: string, language: Language, day: string, minute: number]> = [
    ["could we slide Tuesday's call by exactly one week?", "en", "2026-12-08", 750],
    ["12:30, just seven days later", "en", "2026-12-08", 750],
    ["two weeks later at 15:00 please", "en", "2026-12-15", 900],
    ["terça dá pra empurrar uma hora?", "pt-BR", "2026-12-01", 810],
    ["lo del martes a las 12:30 puede ser una hora más tarde?", "es", "2026-12-01", 810]
  ]
  for (const [text, language, day, minute] of rows) {
    const [first] = timesIn(text, language)
    assert.deepStrictEqual(first && { day: first.days, at: first.minutes }, { day: [day], at: [minute] }, text)
  }
})

it("who comes some minutes late, or is back in two weeks, moves no meeting", () => {
  for (const text of ["I may be 10 minutes later on Tuesday", "I am back in two weeks"]) {
    const moved = timesIn(text, "en").some(({ minutes }) => minutes.includes(760) || minutes.includes(750))
    assert.isFalse(moved, text)
  }
})

it("of two times of which one replaces the other, only the replaced one is taken out", () => {
  const times = timesIn("em vez das 12h30 fazer 15h", "pt-BR")
  assert.deepStrictEqual(
    times.map(({ isExcluded, isReplacement, minutes }) => [minutes, isExcluded, isReplacement]),
    [
      [[750], true, false],
      [[900], false, true]
    ]
  )
  assert.isFalse(timesIn("não dá em vez das 12h30 fazer 15h", "pt-BR").some(({ isReplacement }) => isReplacement))
})

const timeOf = (
  text: string,
  minutes: ReadonlyArray<number>,
  days: ReadonlyArray<string>,
  zone: string | null = null
) => ({
  text,
  days,
  first: days[0] ?? null,
  last: days[0] ?? null,
  minutes,
  untilMinute: null,
  zone,
  isPast: false,
  relation: null
})

it("a time that is said by two clocks counts once, as the lead's own", () => {
  const there = actOf("proposes", "El 7 a las 12 tiempo del centro", {
    certainty: 0.9,
    time: timeOf("7 a las 12", [720], ["2026-12-07"])
  })
  const here = actOf("mentions", "que aquí en Sonora son las 11", {
    certainty: 0.5,
    isCertain: false,
    time: timeOf("las 11", [660], [])
  })
  const read = withOwnTimes([there, here], "es")
  assert.deepStrictEqual(
    read.map(({ kind, time }) => [kind, time?.days, time?.minutes]),
    [["proposes", ["2026-12-07"], [660]]]
  )
  // The lead's own clock may be the one that proposes: then the day of the other one counts.
  const byOwnClock = actOf("proposes", "o sea 11 am mi hora", { certainty: 0.9, time: timeOf("11 am", [660], []) })
  const [only, ...others] = withOwnTimes([there, byOwnClock], "es")
  assert.deepStrictEqual([only?.time?.days, only?.time?.minutes, others.length], [["2026-12-07"], [660], 0])
})

it("two times with nothing that says which clock is the lead's stay two", () => {
  const one = actOf("proposes", "El 7 a las 12", { certainty: 0.9, time: timeOf("12", [720], ["2026-12-07"]) })
  const other = actOf("mentions", "a las 11 viene el contador", {
    certainty: 0.5,
    isCertain: false,
    time: timeOf("11", [660], [])
  })
  assert.lengthOf(withOwnTimes([one, other], "es"), 2)
})

const partsOf = (text: string, language: Language) =>
  readSentences(text, language, () => []).map(({ clauses, isItem, text: sentence }) => ({
    sentence,
    isItem,
    clauses: clauses.length
  }))

it("lines with bullets and the choices of a menu are items of a list", () => {
  for (const text of [
    "Tres consultas:\n- precio\n- si tienen prueba",
    "Marca una opción:\n1️⃣ Reservar\n2️⃣ Promociones"
  ]) {
    assert.deepStrictEqual(
      partsOf(text, "es").map(({ isItem }) => isItem),
      [false, true, true],
      text
    )
  }
  assert.deepStrictEqual(
    partsOf("Gracias.\n- Marta", "es").filter(({ isItem }) => isItem),
    []
  )
})

it("the comma of a number cuts no sentence", () => {
  assert.deepStrictEqual(partsOf("do we have to type in 2,300 cats?", "en"), [
    { sentence: "do we have to type in 2,300 cats?", isItem: false, clauses: 1 }
  ])
})

it('"é" is no "e", and begins no clause', () => {
  assert.deepStrictEqual(
    partsOf("a inauguração da loja nova é dia 9 às 8h", "pt-BR").map(({ clauses }) => clauses),
    [1]
  )
})

/** Takes each sentence for a certain proposal. */
const alwaysProposes: SentenceClassifier = {
  labels: ["proposes"],
  probabilities: () => Float64Array.of(0.95),
  likely: Float64Array.of(0.5),
  certain: Float64Array.of(0.9)
}

it("a time that is only repeated to be denied is no proposal", () => {
  const actsOf = (text: string) =>
    actsByReader(text, alwaysProposes, { today: "2026-11-26", figures: "month", language: "en" })
      .filter(({ time }) => time !== null)
      .map(({ isCertain, kind }) => [kind, isCertain])
  assert.deepStrictEqual(actsOf("8:30 on Monday? Nope, the truck blocks the shop."), [["cannot", false]])
  assert.deepStrictEqual(actsOf("8:30 on Monday? I will bring coffee."), [["proposes", true]])
})

it("two times with nothing between them are no choice, and are asked about", () => {
  const text = "só abre às 10, então segunda 9h eu tô livre"
  const act = (words: string, minute: number, days: ReadonlyArray<string>) =>
    actOf("proposes", text, { certainty: 1, time: timeOf(words, [minute], days) })
  const doubted = withTimeDoubts([act("10", 600, ["2026-11-30"]), act("9h", 540, [])], {
    timeZone: "America/Sao_Paulo"
  })
  assert.deepStrictEqual(
    doubted.map(({ isCertain }) => isCertain),
    [false, false]
  )
})

it("from the time of the meeting to another one is a move, not a range", () => {
  const range = { ...timeOf("from 12:30 to 4:15 pm", [750], ["2026-12-01"]), untilMinute: 975 }
  const wish = meetingWishOf([actOf("wants_to_move", "Can we bump it?", { time: range })], standing)
  assert.strictEqual(wish._tag, "Move")
  assert.deepStrictEqual("proposals" in wish ? wish.proposals.map(({ time }) => time?.minutes) : [], [[975]])
})

it("a certain new time moves the meeting, also where the wish might call it off", () => {
  const leaving = { time: timeOf("jueves 03/12", [], [standing.date]), isCertain: false }
  const acts = [
    actOf("calls_off", "Debo reagendar la reunión del jueves", { ...leaving, certainty: 0.5 }),
    actOf("wants_to_move", "Debo reagendar la reunión del jueves", { ...leaving, certainty: 0.99 }),
    actOf("proposes", "Propongo el lunes a las 11:45", { time: timeOf("lunes a las 11:45", [705], ["2027-03-01"]) })
  ]
  assert.strictEqual(meetingWishOf(acts, standing)._tag, "Move")
})

it("a question that two acts ask, with another capital or mark, is one question", () => {
  const acts = [
    actOf("asks", "Do you give a discount if I pay yearly?", { isQuestion: true }),
    actOf("sets_condition", "do you give a discount if I pay yearly"),
    actOf("asks", "How long does it take?", { isQuestion: true })
  ]
  assert.deepStrictEqual(questionsIn(acts), ["Do you give a discount if I pay yearly?", "How long does it take?"])
})

it("a week after tomorrow is a week later, and a point between hour and minutes needs no more than the day behind it", () => {
  const rows: ReadonlyArray<readonly [text: string, day: string, minute: number]> = [
    ["tomorrow week at 10 am", "2026-12-04", 600],
    ["say 3.30 on Friday", "2026-11-27", 930]
  ]
  for (const [text, day, minute] of rows) {
    const [first] = timesIn(text, "en")
    assert.deepStrictEqual(first?.days, [day], text)
    assert.include(first?.minutes ?? [], minute, text)
  }
})
