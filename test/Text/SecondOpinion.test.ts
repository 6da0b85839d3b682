import { assert, describe, it } from "@effect/vitest"
import { fold } from "../../src/Services/Text/PlainText.ts"
import { agreement } from "../../src/Services/Text/Times/SecondOpinion.ts"
import { type TimeMention, timeMentions } from "../../src/Services/Text/Times/TimeMentions.ts"
import { faultOf, languageOfExample, mentionsOf, type TimeExample, timeExamples } from "./TimeExamples.ts"

const opinionOn = (example: TimeExample, mention: TimeMention) =>
  agreement(example.text, mention, {
    today: example.today,
    figures: example.region === "US" ? "month" : "day",
    language: languageOfExample(example)
  })

/** Right readings of an exact day or time, with their examples. */
const rightReadings = timeExamples.flatMap((example) => {
  const mentions = mentionsOf(example)
  return faultOf(example, mentions) === undefined
    ? mentions
        .filter(({ clock, dayChoices }) => dayChoices.length === 1 || clock.length > 0)
        .map((mention) => ({ example, mention }))
    : []
})

const shareOf = (opinions: ReadonlyArray<string>, opinion: string): number =>
  opinions.filter((each) => each === opinion).length / opinions.length

describe("a second opinion on times", () => {
  it("seldom disagrees with what was read right, and often agrees", () => {
    const opinions = rightReadings.map(({ example, mention }) => opinionOn(example, mention))
    assert.isAtMost(shareOf(opinions, "disagrees"), 0.01)
    assert.isAtLeast(shareOf(opinions, "agrees"), 0.7)
  })

  it("mostly disagrees with a day that is wrong by one", () => {
    const opinions = rightReadings.flatMap(({ example, mention }) => {
      const [day, ...others] = mention.dayChoices
      if (day === undefined || others.length > 0 || mention.isPast) return []
      return [opinionOn(example, { ...mention, dayChoices: [day + 1] })]
    })
    assert.isAtLeast(shareOf(opinions, "disagrees"), 0.7)
    assert.isAtMost(shareOf(opinions, "agrees"), 0.02)
  })

  it("disagrees with a time of day that is wrong by two hours, where it reads one", () => {
    const opinions = rightReadings.flatMap(({ example, mention }) => {
      if (mention.clock.length === 0 || mention.isPartOfDay || mention.clockUntil !== undefined) return []
      const wrong = { ...mention, dayChoices: [], clock: mention.clock.map((minutes) => minutes + 120) }
      return [opinionOn(example, wrong)]
    })
    assert.isAtLeast(shareOf(opinions, "disagrees"), 0.25)
    assert.isAtMost(shareOf(opinions, "agrees"), 0.02)
  })

  it("says nothing of what it does not read", () => {
    const setting = { today: "2026-11-26", figures: "day" as const, language: "pt-BR" as const }
    const text = "me procura no segundo semestre"
    const [mention] = timeMentions(fold(text), setting)
    assert.isDefined(mention)
    assert.strictEqual(agreement(text, mention, setting), "silent")
  })
})
