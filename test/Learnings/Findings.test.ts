import { assert, describe, it } from "@effect/vitest"
import {
  type Finding,
  findingsOf,
  type Group,
  inOrder,
  keyOf,
  minimumTries
} from "../../src/Services/Learnings/Findings.ts"
import { contentOf, summaryOf } from "../../src/Services/Learnings/FindingText.ts"
import { Language } from "../../src/Services/Text/Language.ts"
import { makeRandom } from "./random.ts"

const days = (rates: ReadonlyArray<readonly [tries: number, hits: number]>): ReadonlyArray<Group> =>
  rates.map(([tries, hits], day) => ({ kind: "reply_day", group: `${day + 1}`, tries, hits }))

describe("findingsOf", () => {
  it("names the group that differs, with both numbers, and not the one that is only slightly better", () => {
    const findings = findingsOf(
      days([
        [400, 28],
        [400, 76],
        [400, 34],
        [400, 30],
        [400, 29]
      ]),
      []
    )
    const [finding] = findings
    assert.lengthOf(findings, 1)
    assert.deepInclude(finding, {
      _tag: "Difference",
      kind: "reply_day",
      group: "2",
      isHigher: true,
      share: { hits: 76, tries: 400 },
      others: { hits: 121, tries: 1600 }
    })
  })

  it("claims nothing of a group that is too small, however well it did", () => {
    const small = minimumTries - 1
    const findings = findingsOf(
      [
        ...days([
          [300, 20],
          [300, 22]
        ]),
        { kind: "reply_day", group: "5", tries: small, hits: 12 }
      ],
      []
    )
    assert.deepStrictEqual(
      findings.map(({ _tag }) => _tag),
      ["NoDifference"]
    )
  })

  it("says so if no group differs, and nothing if there is too little data", () => {
    assert.deepStrictEqual(
      findingsOf(
        days([
          [200, 16],
          [200, 18]
        ]),
        []
      ).map(keyOf),
      ["reply_day"]
    )
    assert.deepStrictEqual(
      findingsOf(
        days([
          [45, 4],
          [45, 5]
        ]),
        []
      ),
      []
    )
    assert.deepStrictEqual(findingsOf(days([[2000, 160]]), []), [])
  })

  it("names no unknown group, but compares with it", () => {
    const region = (group: string, tries: number, hits: number): Group => ({ kind: "region", group, tries, hits })
    const findings = findingsOf([region("", 1000, 200), region("SP", 1000, 60)], [])
    assert.deepStrictEqual(findings.map(keyOf), ["region:SP:lower"])
  })

  it("keeps quiet of a difference that is proven and of no use", () => {
    assert.deepStrictEqual(
      findingsOf(
        days([
          [400_000, 40_000],
          [400_000, 41_500]
        ]),
        []
      ).map(keyOf),
      ["reply_day"]
    )
  })

  it("lists each reason of a refusal with its count, without a minimum", () => {
    const findings = findingsOf(
      [],
      [
        { reason: "timing", leads: 1 },
        { reason: "price", leads: 7 },
        { reason: "no_need", leads: 0 }
      ]
    )
    assert.deepStrictEqual(findings, [
      { _tag: "Refusals", reason: "price", leads: 7, refusals: 8 },
      { _tag: "Refusals", reason: "timing", leads: 1, refusals: 8 }
    ])
  })

  it("of accounts without any real difference, about 2 of 100 get a finding, with 60 groups each", () => {
    const random = makeRandom(7)
    const accounts = 600
    let accountsWithFindings = 0
    for (let account = 0; account < accounts; account++) {
      const rate = 0.03 + random() * 0.2
      const drawn = (kind: Group["kind"], count: number, tries: number): ReadonlyArray<Group> =>
        Array.from({ length: count }, (_, group) => {
          let hits = 0
          for (let each = 0; each < tries; each++) if (random() < rate) hits += 1
          return { kind, group: `g${group}`, tries, hits }
        })
      const findings = findingsOf(
        [
          ...drawn("reply_day", 5, 300),
          ...drawn("reply_hour", 10, 150),
          ...drawn("sector", 30, 60),
          ...drawn("region", 15, 100)
        ],
        []
      )
      if (findings.some(({ _tag }) => _tag === "Difference")) accountsWithFindings += 1
    }
    assert.isBelow(accountsWithFindings / accounts, 0.035)
  })

  it("a planted effect is found, and what it says is right", () => {
    const random = makeRandom(11)
    let findingCount = 0
    for (let account = 0; account < 50; account++) {
      const groups = Array.from({ length: 10 }, (_, index): Group => {
        const rate = index === 3 ? 0.2 : 0.08
        let hits = 0
        for (let each = 0; each < 250; each++) if (random() < rate) hits += 1
        return { kind: "reply_hour", group: `${8 + index}`, tries: 250, hits }
      })
      const keys = findingsOf(groups, []).map(keyOf)
      if (keys.includes("reply_hour:11:higher")) findingCount += 1
    }
    assert.isAtLeast(findingCount, 45)
  })
})

describe("the text of a finding", () => {
  const [hour] = findingsOf(
    [
      { kind: "reply_hour", group: "9", tries: 420, hits: 74 },
      { kind: "reply_hour", group: "16", tries: 1910, hits: 151 }
    ],
    []
  )
  const [refusal] = findingsOf(
    [],
    [
      { reason: "price", leads: 12 },
      { reason: "timing", leads: 38 }
    ]
  ).slice(1)

  it("is in the account's language, with numbers as that language writes them", () => {
    assert.isDefined(hour)
    assert.isDefined(refusal)
    if (hour === undefined || refusal === undefined) return
    assert.strictEqual(
      contentOf(hour, "pt-BR"),
      "E-mails enviados entre 09:00 e 10:00 recebem mais respostas: 17,6% (74 de 420 e-mails) contra 7,9% nas outras horas (151 de 1.910 e-mails). Intervalo de 95%: 14,3% a 21,6%."
    )
    assert.strictEqual(
      contentOf(hour, "en"),
      "E-mails sent between 09:00 and 10:00 get more replies: 17.6% (74 of 420 e-mails) against 7.9% at the other hours (151 of 1,910 e-mails). 95% interval: 14.3% to 21.6%."
    )
    assert.include(
      contentOf(hour, "es"),
      "Los correos enviados entre las 09:00 y las 10:00 reciben más respuestas: 17,6"
    )
    assert.strictEqual(contentOf(refusal, "pt-BR"), "12 leads recusaram por preço: 24% das 50 recusas registradas.")
  })

  it("a group outside a sentence gets a label", () => {
    const labels = (kind: "reply_day" | "reply_hour" | "opening", group: string) =>
      Language.literals.map((language) => {
        const all = { hits: 8, tries: 120 }
        return summaryOf({ _tag: "NoDifference", kind, all, groups: [{ ...all, group }] }, language).groups[0]?.group
      })
    assert.deepStrictEqual(labels("reply_day", "1"), ["segunda-feira", "Monday", "lunes"])
    assert.deepStrictEqual(labels("reply_hour", "23"), ["23:00–00:00", "23:00–00:00", "23:00–00:00"])
    assert.deepStrictEqual(labels("opening", "greeting"), ["cumprimento", "a greeting", "saludo"])
  })

  it("one refusal is one, in each language", () => {
    const only = { _tag: "Refusals", reason: "price", leads: 1, refusals: 1 } as const
    assert.deepStrictEqual(
      Language.literals.map((language) => contentOf(only, language)),
      [
        "1 lead recusou por preço: a única recusa registrada.",
        "1 lead said no because of the price: the only refusal on record.",
        "1 lead rechazó por el precio: el único rechazo registrado."
      ]
    )
  })

  it.each([
    ["SP", "SP"],
    ["NSW", "NSW"],
    ["CDMX", "CDMX"],
    ["GREATER LONDON", "Greater London"],
    ["QUERÉTARO", "Querétaro"],
    ["RIO GRANDE DO SUL", "Rio Grande do Sul"],
    ["LA PAZ", "La Paz"],
    ["WASHINGTON D.C.", "Washington D.C."],
    ["CÔTES-D'ARMOR", "Côtes-D'Armor"],
    ["ÑUBLE (CHILE)", "Ñuble (Chile)"]
  ])("the region %s is written %s", (group, name) => {
    const region = { _tag: "Difference", kind: "region", group, isHigher: true, probability: 0.001 } as const
    const finding = { ...region, share: { hits: 20, tries: 100 }, others: { hits: 20, tries: 400 } }
    assert.include(contentOf(finding, "en"), `Leads in ${name} get more replies`)
    assert.strictEqual(summaryOf(finding, "en").group, name)
  })

  it("has the same numbers in its summary", () => {
    if (hour === undefined || refusal === undefined) return
    assert.deepInclude(summaryOf(hour, "en"), {
      sample_size: 2330,
      rate: { replies: 74, sample_size: 420, rate_pct: 17.6, interval_low_pct: 14.3, interval_high_pct: 21.6 }
    })
    assert.deepInclude(summaryOf(refusal, "en"), { group: "the price", sample_size: 50 })
    for (const language of Language.literals) {
      assert.isNotEmpty(contentOf(refusal, language))
      assert.isNotEmpty(
        contentOf({ _tag: "NoDifference", kind: "sector", all: { hits: 8, tries: 120 }, groups: [] }, language)
      )
    }
  })

  it.each([
    ["pt-BR", 1, "1 teve resposta"],
    ["pt-BR", 8, "8 tiveram resposta"],
    ["es", 1, "1 tuvo respuesta"],
    ["es", 8, "8 tuvieron respuesta"],
    ["en", 1, "1 got a reply"]
  ] as const)("of one reply is told as of one: %s, %s", (language, hits, phrase) => {
    const all = { hits, tries: 120 }
    assert.include(contentOf({ _tag: "NoDifference", kind: "sector", all, groups: [] }, language), phrase)
  })
})

it("differences come first, then refusals, then kinds without a difference", () => {
  const share = { hits: 1, tries: 10 }
  const difference = (probability: number): Finding => ({
    _tag: "Difference",
    kind: "sector",
    group: "x",
    isHigher: true,
    share,
    others: share,
    probability
  })
  const none: Finding = { _tag: "NoDifference", kind: "sector", all: share, groups: [] }
  const refusals: Finding = { _tag: "Refusals", reason: "price", leads: 5, refusals: 9 }
  assert.deepStrictEqual(inOrder([none, refusals, difference(0.04), difference(0.001)]), [
    difference(0.001),
    difference(0.04),
    refusals,
    none
  ])
})
