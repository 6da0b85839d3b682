import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { evidenceFor } from "../../src/Services/Learnings/Evidence.ts"
import {
  choicesOf,
  decide,
  neededEvidence,
  type SettingChoice,
  type TriedWeek,
  type Verdict
} from "../../src/Services/Learnings/Optimizer.ts"
import {
  choiceWeights,
  isOptimizerOff,
  Setting,
  settingRules,
  type Trial,
  trialOf
} from "../../src/Services/Outreach/Adjustments.ts"
import { isWholeRun } from "../support/processes/WholeRun.ts"
import { makeRandom } from "./random.ts"

const week = 7 * 86_400_000

interface Campaign {
  readonly seed: number
  readonly weeks: number
  readonly leadsPerWeek: number
  /** The probability of a reply in a week, by the lead's settings. */
  readonly rate: (trial: Trial, week: number) => number
  /** The choices at the start. */
  readonly start?: ReadonlyArray<SettingChoice>
}

interface Change extends Verdict {
  readonly week: number
}

/** Simulates a campaign: leads are assigned at random as the engine does it, and the optimizer runs once a week. */
const run = ({ leadsPerWeek, rate, seed, start = [], weeks }: Campaign) => {
  const random = makeRandom(seed)
  const tried = new Map<string, TriedWeek>()
  const changes: Array<Change> = []
  let standings: ReadonlyArray<SettingChoice> = start
  let leadId = seed * 1_000_003
  for (let at = 0; at < weeks; at++) {
    const choices = choicesOf(standings)
    for (let lead = 0; lead < leadsPerWeek; lead++) {
      leadId += 1
      const trial = trialOf(choices, { leadId, sector: lead % 2 === 0 ? "62" : "47", hasChoiceOfChannels: true })
      const hits = random() < rate(trial, at) ? 1 : 0
      const keys: ReadonlyArray<readonly [Setting, string, string | null]> = [
        ["opening", "opening", trial.opening],
        ["send_hours", "send_hours", trial.send_hours],
        ["pauses", "pauses", trial.pauses],
        ["channel_order", "channel_order", trial.channel_order],
        ["channel_order", `channel_order:${trial.sector}`, trial.channel_order]
      ]
      for (const [setting, key, choice] of keys) {
        if (choice === null) continue
        const name = `${key}|${choice}|${at}`
        const triedWeek = tried.get(name)
        tried.set(name, {
          key,
          setting,
          choice,
          week: at * week,
          hits: hits + (triedWeek?.hits ?? 0),
          tries: 1 + (triedWeek?.tries ?? 0)
        })
      }
    }
    const now = (at + 1) * week
    const { verdicts } = decide([...tried.values()], standings, now)
    for (const verdict of verdicts) {
      changes.push({ ...verdict, week: at })
      standings = [
        ...standings.filter(({ key }) => key !== verdict.key),
        verdict.isUndone
          ? { key: verdict.key, choice: null, chosenAt: null, undoneAt: now }
          : { key: verdict.key, choice: verdict.to, chosenAt: now, undoneAt: null }
      ]
    }
  }
  return { changes, standings }
}

describe("the optimizer", () => {
  const unaffected = isWholeRun ? 500 : 120
  it(`leaves alone what makes no difference: of ${unaffected} campaigns over 26 weekly runs under 5 % are ever changed`, {
    timeout: 120_000
  }, () => {
    let changed = 0
    for (let seed = 1; seed <= unaffected; seed++) {
      const random = makeRandom(seed)
      const base = 0.02 + random() * 0.25
      // Seasons, and leads with different inclinations, affect all choices alike.
      const season = random() * 0.5
      const { changes } = run({
        seed,
        weeks: 26,
        leadsPerWeek: 20 + Math.floor(random() * 60),
        rate: (_, at) => base * (1 + season * Math.sin(at / 4))
      })
      if (changes.length > 0) changed += 1
    }
    assert.isBelow(changed / unaffected, 0.05)
  })

  it("finds a planted opening, in nearly all campaigns, and chooses it rather than another", {
    timeout: 60_000
  }, () => {
    let foundCount = 0
    let wrong = 0
    for (let seed = 1; seed <= 40; seed++) {
      const { changes } = run({
        seed,
        weeks: 26,
        leadsPerWeek: 80,
        rate: ({ opening }) => (opening === "introduction" ? 0.16 : 0.08)
      })
      if (changes.some(({ key, to }) => key === "opening" && to === "introduction")) foundCount += 1
      if (changes.some(({ isUndone, key, to }) => !isUndone && (key !== "opening" || to !== "introduction"))) wrong += 1
    }
    assert.isAtLeast(foundCount, 36)
    assert.isAtMost(wrong, 4)
  })

  it.each([
    ["send_hours", "morning"],
    ["pauses", "shorter"],
    ["channel_order", "chatapp_first"]
  ] as const)("finds planted %s: %s", (setting, choice) => {
    let foundCount = 0
    for (let seed = 1; seed <= 20; seed++) {
      const { changes } = run({
        seed,
        weeks: 26,
        leadsPerWeek: 120,
        rate: (trial) => (trial[setting] === choice ? 0.22 : 0.1)
      })
      if (changes.some(({ key, to }) => key.startsWith(setting) && to === choice)) foundCount += 1
    }
    assert.isAtLeast(foundCount, 18)
  })

  it("finds an order of channels that only one sector answers to, for that sector alone", () => {
    let foundCount = 0
    let elsewhere = 0
    for (let seed = 1; seed <= 20; seed++) {
      const { changes } = run({
        seed,
        weeks: 26,
        leadsPerWeek: 160,
        rate: ({ channel_order, sector }) => (sector !== "62" ? 0.1 : channel_order === "chatapp_first" ? 0.3 : 0.1)
      })
      if (changes.some(({ key }) => key === "channel_order:62")) foundCount += 1
      if (changes.some(({ key }) => key === "channel_order:47")) elsewhere += 1
    }
    assert.isAtLeast(foundCount, 18)
    assert.isAtMost(elsewhere, 1)
  })

  it("takes back what made things worse, and does not try it again for half a year", () => {
    let undone = 0
    let left = 0
    for (let seed = 1; seed <= 30; seed++) {
      const { changes } = run({
        seed,
        weeks: 30,
        leadsPerWeek: 100,
        rate: ({ pauses }) => (pauses === "longer" ? 0.05 : 0.12),
        start: [{ key: "pauses", choice: "longer", chosenAt: 0, undoneAt: null }]
      })
      // An even better choice may be found before.
      if (changes.some(({ from, key }) => key === "pauses" && from === "longer")) left += 1
      const back = changes.findIndex(({ isUndone, key }) => isUndone && key === "pauses")
      if (back < 0) continue
      undone += 1
      assert.deepInclude(changes[back], { from: "longer", to: "usual" })
      const restless = changes
        .slice(back + 1)
        .some(({ key, week: at }) => key === "pauses" && at < (changes[back]?.week ?? 0) + 26)
      assert.isFalse(restless)
    }
    assert.strictEqual(left, 30)
    assert.isAtLeast(undone, 20)
  })

  it("judges nothing on few leads or few answers", () => {
    const rows = (choice: string, tries: number, hits: number): TriedWeek => ({
      key: "opening",
      setting: "opening",
      choice,
      week: 0,
      tries,
      hits
    })
    assert.deepStrictEqual(decide([rows("offer", 49, 49), rows("greeting", 49, 0)], [], week).verdicts, [])
    assert.deepStrictEqual(decide([rows("offer", 4000, 9), rows("greeting", 4000, 0)], [], week).verdicts, [])
  })
})

describe("evidenceFor", () => {
  const share = fc
    .record({ tries: fc.integer({ min: 0, max: 40 }), hits: fc.integer({ min: 0, max: 40 }) })
    .map(({ hits, tries }) => ({ tries, hits: Math.min(hits, tries) }))

  it("is worth one where nothing is known, and never less than nothing", () => {
    assert.strictEqual(evidenceFor([]), 1)
    fc.assert(
      fc.property(fc.array(fc.record({ one: share, other: share })), (blocks) =>
        assert.isAtLeast(evidenceFor(blocks), 0)
      )
    )
  })

  it("gains nothing on average where both are alike, whatever the rate and the sizes", () => {
    // Exact: over all outcomes of a week, weighted by probability.
    const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n, k - 1) * (n - k + 1)) / k)
    for (const rate of [0.01, 0.05, 0.2, 0.5, 0.9]) {
      for (const [n, m] of [
        [3, 7],
        [10, 10],
        [12, 2]
      ] as const) {
        let expected = 0
        for (let a = 0; a <= n; a++) {
          for (let b = 0; b <= m; b++) {
            const likely = choose(n, a) * choose(m, b) * rate ** (a + b) * (1 - rate) ** (n + m - a - b)
            expected += likely * evidenceFor([{ one: { hits: a, tries: n }, other: { hits: b, tries: m } }])
          }
        }
        assert.isAtMost(expected, 1 + 1e-9)
      }
    }
  })

  it("grows with what speaks for it, beyond what is needed", () => {
    const strong = Array.from({ length: 20 }, () => ({ one: { hits: 8, tries: 40 }, other: { hits: 3, tries: 40 } }))
    assert.isAbove(evidenceFor(strong), neededEvidence)
    assert.isBelow(evidenceFor(strong.map(({ one, other }) => ({ one: other, other: one }))), 0.01)
  })
})

describe("what holds for a lead", () => {
  it("is always the same, and within the bounds", () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.dictionary(fc.constantFrom("opening", "pauses", "send_hours", "channel_order:62"), fc.string()),
        (leadId, choices) => {
          const lead = { leadId, sector: "62", hasChoiceOfChannels: true }
          const trial = trialOf(choices, lead)
          assert.deepStrictEqual(trialOf(choices, lead), trial)
          for (const setting of Setting.literals) assert.include(settingRules[setting].choices, trial[setting])
        }
      )
    )
  })

  it("follows the weights, and settings are independent of each other", () => {
    const count = 20_000
    const trials = Array.from({ length: count }, (_, leadId) =>
      trialOf({ pauses: "longer" }, { leadId: leadId + 1, sector: null, hasChoiceOfChannels: true })
    )
    const share = (holds: (trial: Trial) => boolean) => trials.filter(holds).length / count
    for (const [pauses, weight] of choiceWeights("pauses", "longer")) {
      assert.closeTo(
        share((trial) => trial.pauses === pauses),
        weight,
        0.015
      )
      for (const [opening, other] of choiceWeights("opening", undefined)) {
        assert.closeTo(
          share((trial) => trial.pauses === pauses && trial.opening === opening),
          weight * other,
          0.015
        )
      }
    }
  })
})

describe("the owner's word", () => {
  it.each([
    ["Be friendly. No optimizer, please.", true],
    ["no optimiser", true],
    ["Falar de perto. SEM OTIMIZADOR.", true],
    ["sin optimizador", true],
    ["sem  otimizador", true],
    ["Mention our optimizer", false],
    ["Vendemos um otimizador de rotas sem custo", false],
    ["", false]
  ])("%s", (strategy, expected) => {
    assert.strictEqual(isOptimizerOff(strategy), expected)
  })
})
