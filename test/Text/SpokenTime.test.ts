import { assert, describe, it } from "@effect/vitest"
import { instantOf, isZone, offsetAt } from "../../src/Services/Core/LocalTime.ts"
import { fromMillis, Timestamp } from "../../src/Services/Core/Timestamp.ts"
import { Language } from "../../src/Services/Text/Language.ts"
import zoneNames from "../../src/Services/Text/Places/zoneNames.json" with { type: "json" }
import { fold } from "../../src/Services/Text/PlainText.ts"
import { dayForLead, type LeadClock, spokenTime, spokenZone, timeForLead } from "../../src/Services/Text/SpokenTime.ts"
import { dateOfDay } from "../../src/Services/Text/Times/Days.ts"
import { timeMentions } from "../../src/Services/Text/Times/TimeMentions.ts"

const startsAt = Timestamp.make("2026-12-01T17:30:00Z")

const clock = (zone: string, more: Partial<LeadClock> = {}): LeadClock => ({
  zone,
  hostZone: "America/Sao_Paulo",
  isCertain: true,
  hasSeveral: false,
  ...more
})

const cases: ReadonlyArray<readonly [title: string, Language, LeadClock, expected: string]> = [
  ["a lead next door", "pt-BR", clock("America/Sao_Paulo"), "terça-feira, 1 de dezembro às 14:30"],
  ["another zone with the same time", "pt-BR", clock("America/Bahia"), "terça-feira, 1 de dezembro às 14:30"],
  ["Lisbon", "pt-BR", clock("Europe/Lisbon"), "terça-feira, 1 de dezembro às 17:30 (horário de Lisboa)"],
  ["Manaus", "pt-BR", clock("America/Manaus"), "terça-feira, 1 de dezembro às 13:30 (horário de Manaus)"],
  ["Madrid", "es", clock("Europe/Madrid"), "martes 1 de diciembre a las 18:30 (hora peninsular)"],
  ["Mexico", "es", clock("America/Mexico_City"), "martes 1 de diciembre a las 11:30 (hora del centro de México)"],
  ["Boston", "en", clock("America/New_York", { country: "US" }), "Tuesday, December 1 at 12:30 pm ET"],
  ["Los Angeles", "en", clock("America/Los_Angeles", { country: "US" }), "Tuesday, December 1 at 9:30 am PT"],
  ["London", "en", clock("Europe/London", { country: "GB" }), "Tuesday 1 December at 17:30 UK time"],
  [
    "Sydney, a day later",
    "en",
    clock("Australia/Sydney", { country: "AU" }),
    "Wednesday 2 December at 4:30 am Sydney time"
  ],
  [
    "a country of several zones, in the host's own",
    "en",
    clock("America/Chicago", { hostZone: "America/Chicago", country: "US", hasSeveral: true }),
    "Tuesday, December 1 at 11:30 am CT"
  ],
  [
    "an uncertain zone",
    "en",
    clock("America/New_York", { country: "US", hasSeveral: true, isCertain: false }),
    "Tuesday, December 1 at 12:30 pm ET (2:30 pm Brasília time)"
  ],
  [
    "an uncertain zone in Portuguese",
    "pt-BR",
    clock("America/New_York", { country: "US", hasSeveral: true, isCertain: false }),
    "terça-feira, 1 de dezembro às 12:30 (horário de Nova York; 14:30 no horário de Brasília)"
  ],
  [
    "an uncertain zone on another day",
    "en",
    clock("Australia/Sydney", { country: "AU", hasSeveral: true, isCertain: false }),
    "Wednesday 2 December at 4:30 am Sydney time (Tuesday 1 December at 2:30 pm Brasília time)"
  ],
  [
    "an uncertain zone with the host's time",
    "en",
    clock("America/New_York", { hostZone: "America/Toronto", country: "US", isCertain: false }),
    "Tuesday, December 1 at 12:30 pm ET"
  ],
  [
    "a zone without a name here",
    "pt-BR",
    clock("Asia/Kathmandu"),
    "terça-feira, 1 de dezembro às 23:15 (horário de Kathmandu)"
  ],
  ["a zone that does not exist", "pt-BR", clock("Mars/Olympus"), "terça-feira, 1 de dezembro às 17:30 (UTC)"]
]

describe("times as a lead reads them", () => {
  it.each(cases)("%s", (_, language, leadClock, expected) => {
    assert.strictEqual(timeForLead(startsAt, leadClock, language), expected)
  })

  it("a day of the lead's own clock has its zone where it has a time", () => {
    const eastern = clock("America/New_York", { country: "US" })
    assert.strictEqual(dayForLead("2026-12-01", "12:30", eastern, "en"), "Tuesday, December 1 at 12:30 pm ET")
    assert.strictEqual(dayForLead("2026-12-01", null, eastern, "en"), "Tuesday, December 1")
  })

  it("the owner reads its own clock", () => {
    assert.strictEqual(spokenTime(startsAt, "America/Sao_Paulo", "es"), "martes 1 de diciembre a las 14:30")
    assert.strictEqual(spokenTime(startsAt, "no/zone", "en"), "Tuesday, December 1 at 17:30 UTC")
  })

  it("names zones that exist, and says no time that would be read as another", () => {
    for (const zone of Object.keys(zoneNames)) {
      assert.isTrue(isZone(zone), zone)
      for (const language of Language.literals) {
        for (const [month, hour] of [
          [1, 8],
          [7, 15]
        ] as const) {
          const millis = instantOf(2027, month, 12, hour, 30, zone)
          const text = timeForLead(fromMillis(millis), clock(zone, { hasSeveral: true }), language)
          const setting = { today: "2026-12-20", figures: "day" as const, language }
          const [mention, ...others] = timeMentions(fold(text), setting)
          assert.deepEqual(others, [], text)
          assert.strictEqual(
            mention?.zone === undefined ? undefined : offsetAt(millis, mention.zone),
            offsetAt(millis, zone),
            text
          )
          assert.deepEqual(mention?.dayChoices.map(dateOfDay), [`2027-0${month}-12`], text)
          assert.isTrue(mention?.clock.includes(hour * 60 + 30), text)
        }
      }
    }
  })

  it("says the usual short names", () => {
    assert.strictEqual(spokenZone("America/Denver", "en"), "MT")
    assert.strictEqual(spokenZone("America/Denver", "es"), "hora de Denver")
    assert.strictEqual(spokenZone("Atlantic/Azores", "pt-BR"), "horário dos Açores")
  })
})
