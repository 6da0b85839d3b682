import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { checkedKeywords, mostKeywordsAtATime } from "../../src/Services/Ads/AdKeywords.ts"
import { brlOf, effectiveBudget, microsOf, servedBudget, smallestBudget } from "../../src/Services/Ads/AdsMoney.ts"
import {
  type AdsStanding,
  isToBeServed,
  missingAssets,
  refusedAction,
  stateOf
} from "../../src/Services/Ads/AdsStates.ts"
import { adWidth, checkedTexts, checkedUrl, descriptionRule, headlineRule } from "../../src/Services/Ads/AdTexts.ts"
import { hashedMember, normalisedMember } from "../../src/Services/Ads/AudienceMembers.ts"
import { addDays, dayIn, reportDates } from "../../src/Services/Ads/ReportDates.ts"

const reasonOf = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "reason" in value ? value.reason : value

describe("texts of ads", () => {
  it.each([
    ["Agenda online", 13],
    ["広告テスト", 10],
    ["ｗｉｄｅ", 8],
    ["한국어", 6],
    ["Ação já", 7],
    ["{KeyWord:Agenda} online", 13],
    ["{keyword:Agenda} e {KEYWORD:mais}", 13],
    ["😀", 2]
  ])("%s is %d wide", (text, width) => assert.strictEqual(adWidth(text), width))

  it.each(["{KeyWord:Agenda", "{KeyWord:}", "{KeyWord: } x"])("%s is no insertion", (text) =>
    assert.isUndefined(adWidth(text))
  )

  const three = "Um\nDois\nTrês"
  it.each([
    [`${"x".repeat(30)}\n${three}`, undefined],
    [`${"x".repeat(31)}\n${three}`, "headline_too_long"],
    [`${"広".repeat(15)}\n${three}`, undefined],
    [`${"広".repeat(16)}\n${three}`, "headline_too_long"],
    [`{KeyWord:${"x".repeat(30)}}\n${three}`, undefined],
    ["Um\nDois", "headline_count"],
    [Array.from({ length: 16 }, (_, index) => `Título ${index}`).join("\n"), "headline_count"],
    ["Um\num\nDois", "headline_repeated"],
    ["Um\r\nDois\r\rTrês\n\n", undefined],
    ["Um\nDois\n{KeyWord:x", "keyword_insertion_invalid"],
    ["Um\nDois\nTr\u0007ês", "control_characters"]
  ])("headlines %j: %s", (text, reason) => {
    const checked = checkedTexts(headlineRule, text)
    assert.strictEqual("_tag" in checked ? checked.reason : undefined, reason)
  })

  it("a refusal names the text, its limit and what it has", () => {
    const checked = checkedTexts(descriptionRule, `${"x".repeat(91)}\nDois`)
    assert.deepInclude("_tag" in checked ? checked.fields : {}, { parameter: "descriptions", maximum: 90, width: 91 })
  })

  it("a text of one-wide characters is as wide as it has characters", () =>
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zA-Z0-9 çãéô]{0,40}$/), (text) => {
        assert.strictEqual(adWidth(text), [...text].length)
      })
    ))

  it("what is taken is within the limits, and each once", () =>
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 40 }), { maxLength: 20 }), (lines) => {
        const checked = checkedTexts(headlineRule, lines.join("\n"))
        if ("_tag" in checked) return
        assert.isTrue(checked.length >= 3 && checked.length <= 15)
        assert.isTrue(checked.every((line) => (adWidth(line) ?? 99) <= 30))
        assert.strictEqual(new Set(checked.map((line) => line.toLowerCase())).size, checked.length)
      })
    ))

  it.each([
    ["https://ondas.example/a?b=1", "https://ondas.example/a?b=1"],
    [" https://Ondas.example ", "https://ondas.example/"],
    ["http://ondas.example", "final_url_invalid"],
    ["ftp://ondas.example", "final_url_invalid"],
    ["javascript:alert(1)", "final_url_invalid"],
    ["https://localhost/x", "final_url_invalid"],
    ["https://u:p@ondas.example", "final_url_invalid"],
    ["ondas.example", "final_url_invalid"],
    [`https://ondas.example/${"x".repeat(2050)}`, "final_url_invalid"]
  ])("the page %s", (given, wanted) => assert.strictEqual(reasonOf(checkedUrl(given)), wanted))
})

describe("keywords", () => {
  it.each([
    ["agenda", undefined],
    ["x".repeat(80), undefined],
    ["x".repeat(81), "keyword_too_long"],
    ["a b c d e f g h i j", undefined],
    ["a b c d e f g h i j k", "keyword_too_many_words"],
    ["a@b", "keyword_character"],
    ["50% off", "keyword_character"],
    ["[agenda]", "keyword_character"],
    ['"agenda"', "keyword_character"],
    ["+agenda", undefined],
    [" \n ", "keywords_empty"],
    [",,,", "keyword_empty"],
    [Array.from({ length: mostKeywordsAtATime + 1 }, (_, index) => `k${index}`).join("\n"), "too_many_keywords"]
  ])("%j: %s", (text, reason) => {
    const checked = checkedKeywords(text)
    assert.strictEqual("_tag" in checked ? checked.reason : undefined, reason)
  })

  it("only line ends separate them, a comma is a blank, and each comes once", () =>
    assert.deepStrictEqual(checkedKeywords("agenda, online\r\nAgenda  online\nclínica,dentista"), [
      { given: "agenda, online", text: "agenda online" },
      { given: "clínica,dentista", text: "clínica dentista" }
    ]))
})

describe("money", () => {
  it("cents go to micros and back unchanged", () =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 900_000_000 }), (cents) => {
        const brl = cents / 100
        assert.strictEqual(microsOf(brl), cents * 10_000)
        assert.strictEqual(brlOf(microsOf(brl)), brl)
      })
    ))

  it("a budget is whole cents within the limits", () =>
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 1e15, noNaN: true }), (brl) => {
        const micros = effectiveBudget(brl)
        assert.strictEqual(micros % 10_000, 0)
        assert.isTrue(micros >= microsOf(1) && micros <= microsOf(50_000))
      })
    ))

  it("twice the budget that is served by is never more than what is left", () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000_000 }), fc.integer({ min: -1e6, max: 1e7 }), (budget, left) => {
        const served = servedBudget(budget * 10_000, left * 10_000)
        if (served === undefined) return assert.isBelow(left * 10_000, 2 * smallestBudget)
        assert.isAtMost(2 * served, left * 10_000)
        assert.isAtMost(served, budget * 10_000)
      })
    ))
})

const standing = fc.record<AdsStanding>({
  wanted: fc.constantFrom("active", "paused", "ended"),
  missing: fc.constantFrom<ReadonlyArray<string>>([], ["ad"]),
  rechargedMicros: fc.constantFrom(0, microsOf(100)),
  remainingMicros: fc.constantFrom(microsOf(-5), 0, microsOf(1.99), microsOf(2), microsOf(100)),
  isAtPlatform: fc.boolean(),
  isEnabledThere: fc.boolean(),
  holdReason: fc.constantFrom(null, "account_suspended"),
  failure: fc.constantFrom(null, "UNKNOWN")
})

describe("states", () => {
  it("what has ended stays so, and nothing is done to it any more", () =>
    fc.assert(
      fc.property(standing, fc.constantFrom<"Pause" | "Resume">("Pause", "Resume"), (given, action) => {
        const ended = { ...given, wanted: "ended" as const }
        assert.strictEqual(stateOf(ended), "ended")
        assert.strictEqual(refusedAction(action, ended)?.reason, "campaign_ended")
        assert.isUndefined(refusedAction("End", ended))
        assert.isFalse(isToBeServed(ended))
      })
    ))

  it("what is live is funded, whole, wanted, held by nothing and enabled there", () =>
    fc.assert(
      fc.property(standing, (given) => {
        if (stateOf(given) !== "live") return
        assert.isTrue(isToBeServed(given) && given.isEnabledThere)
        assert.isAtLeast(given.remainingMicros, microsOf(2))
      })
    ))

  it("what may be resumed has balance and all parts", () =>
    fc.assert(
      fc.property(standing, (given) => {
        if (refusedAction("Resume", given) !== undefined) return
        assert.isAtLeast(given.remainingMicros, microsOf(2))
        assert.isEmpty(given.missing)
      })
    ))

  it.each([
    ["Search", { ads: 0, keywords: 0 }, ["ad", "keyword"]],
    ["Search", { ads: 1, keywords: 0 }, ["keyword"]],
    ["Search", { ads: 1, keywords: 1 }, []]
  ] as const)("%s with %j lacks %j", (channel, content, missing) =>
    assert.deepStrictEqual(missingAssets(channel, content, undefined), missing)
  )

  it("an automated campaign names the assets it lacks", () =>
    assert.include(missingAssets("Automated", { ads: 1, keywords: 1 }, undefined), "landscape_image"))
})

describe("dates of reports", () => {
  const today = "2026-03-01"
  it.each([
    ["LAST_7_DAYS", "2026-02-22", "2026-02-28"],
    ["last_30_days", "2026-01-30", "2026-02-28"],
    ["LAST_90_DAYS", "2025-12-01", "2026-02-28"],
    ["THIS_MONTH", "2026-03-01", "2026-03-01"],
    ["LAST_MONTH", "2026-02-01", "2026-02-28"],
    ["2026-01-05 AND 2026-01-05", "2026-01-05", "2026-01-05"],
    ["2026-01-05 and 2026-12-31", "2026-01-05", "2026-03-01"]
  ])("%s is %s to %s", (range, from, to) => assert.deepStrictEqual(reportDates(range, today), { from, to }))

  it.each([
    ["2026-02-02 AND 2026-02-01", "dates_reversed"],
    ["2026-02-30 AND 2026-03-01", "date_range_invalid"],
    ["2026-02-01", "date_range_invalid"],
    ["LAST_14_DAYS", "date_range_invalid"],
    ["2026-01-01' OR 1=1 AND 2026-01-02", "date_range_invalid"],
    ["2026-04-01 AND 2026-04-02", "dates_in_future"],
    ["2020-01-01 AND 2026-01-01", "dates_too_early"]
  ])("%s is refused as %s", (range, reason) => assert.strictEqual(reasonOf(reportDates(range, today)), reason))

  it("days are the zone's", () => {
    const millis = Date.parse("2026-03-01T01:30:00Z")
    assert.strictEqual(dayIn("America/Sao_Paulo", millis), "2026-02-28")
    assert.strictEqual(dayIn("UTC", millis), "2026-03-01")
    assert.strictEqual(addDays("2028-02-28", 1), "2028-02-29")
  })
})

describe("members of audiences", () => {
  it.each([
    [" Ana.Lima@GMail.com ", "analima@gmail.com"],
    ["a.b.c@googlemail.com", "abc@googlemail.com"],
    ["Ana.Lima@clinica.example", "ana.lima@clinica.example"]
  ])("%s is compared as %s", (email, wanted) => assert.strictEqual(normalisedMember(email), wanted))

  it("they are hashed as the platform's documentation shows it", () =>
    assert.strictEqual(
      hashedMember("Test@Example.com"),
      "973dfe463ec85785f5f95af5ba3906eedb2d931c24e69824a89ea65dba4e813b"
    ))
})
