import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import fc from "fast-check"
import { isPrefetch, makeBrowsers, makeFloodGuard } from "../../../src/Layers/Websites/Traffic/Visitors.ts"
import { safePath } from "../../../src/Services/Websites/SiteAccess.ts"
import {
  bounded,
  mergedParts,
  mostNames,
  otherName,
  readParts,
  storedParts
} from "../../../src/Services/Websites/Traffic/TrafficParts.ts"
import { viewOf } from "../../../src/Services/Websites/Traffic/Visit.ts"
import {
  emptySketch,
  mergedSketch,
  visitorCount,
  withVisitors
} from "../../../src/Services/Websites/Traffic/VisitorSketch.ts"
import { checkedTrackingId } from "../../../src/Services/Websites/Traffic/WebsiteTracking.ts"
import { clinicSite, firefox } from "../Serving/servedSites.ts"

const hashOf = (visitor: number): string => createHash("sha256").update(String(visitor)).digest("hex").slice(0, 32)
const hashes = (from: number, count: number) => Array.from({ length: count }, (_, index) => hashOf(from + index))

describe("a sketch of visitors", () => {
  it("is of all, in whatever order and however often they come and are merged", () => {
    const visitors = fc.array(fc.nat({ max: 1500 }), { maxLength: 1200 })
    fc.assert(
      fc.property(visitors, visitors, (some, others) => {
        const one = withVisitors(emptySketch, some.map(hashOf))
        const other = withVisitors(emptySketch, others.map(hashOf))
        const all = withVisitors(withVisitors(emptySketch, others.map(hashOf)), some.reverse().map(hashOf))
        assert.deepStrictEqual(mergedSketch(one, other), mergedSketch(other, one))
        assert.deepStrictEqual(mergedSketch(one, other), all)
        assert.deepStrictEqual(mergedSketch(all, one), all)
        const different = new Set([...some, ...others]).size
        if (different <= 600) assert.strictEqual(visitorCount(all), different)
        else assert.approximately(visitorCount(all), different, 0.07 * different)
      }),
      { numRuns: 60 }
    )
  })

  it("counts many within its error, in 4 KiB", () => {
    for (const count of [601, 2000, 10_000, 60_000]) {
      const sketch = withVisitors(emptySketch, hashes(count, count))
      assert.isAtMost(sketch.length, 4097)
      assert.approximately(visitorCount(sketch), count, 0.05 * count)
    }
  })
})

describe("views by name", () => {
  const counts = fc
    .array(fc.tuple(fc.string({ maxLength: 4 }), fc.integer({ min: 1, max: 50 })), { maxLength: 150 })
    .map((entries) => new Map(entries))
  const total = (names: ReadonlyMap<string, number>) => [...names.values()].reduce((sum, one) => sum + one, 0)

  it("are never lost, and their names are bounded", () => {
    fc.assert(
      fc.property(counts, counts, (one, other) => {
        const sum =
          mergedParts(new Map([["referrer", one]]), new Map([["referrer", other]])).get("referrer") ?? new Map()
        assert.strictEqual(total(sum), total(one) + total(other))
        assert.isAtMost(sum.size, mostNames)
        const stored = storedParts(new Map([["referrer", sum]]))
        assert.deepStrictEqual(readParts(stored).get("referrer") ?? new Map(), sum)
      }),
      { numRuns: 100 }
    )
  })

  it("keep the names with the most views", () => {
    const flood = new Map([
      ...Array.from({ length: 500 }, (_, index) => [`spam${index}`, 1] as const),
      ["google.com", 40]
    ])
    const kept = bounded(flood)
    assert.strictEqual(kept.get("google.com"), 40)
    assert.strictEqual(kept.get(otherName), 540 - 40 - (mostNames - 2))
  })
})

describe("a view", () => {
  const read = (told: Partial<Parameters<typeof viewOf>[0]>) => {
    const parts = viewOf(
      { path: "/", query: "", referrer: "", variant: "a", ...told },
      { site: clinicSite(), ownHost: "clinica.sites.test", device: "desktop" }
    )
    return parts === undefined ? undefined : Object.fromEntries(parts)
  }
  for (const [name, told, parts] of [
    ["of the home page", {}, { page: "/", device: "desktop" }],
    ["of another page", { path: "/contato" }, { page: "/contato", device: "desktop" }],
    ["of no page", { path: "/nada" }, undefined],
    ["of a frame", { path: "/embed" }, { page: "/embed", device: "desktop" }],
    [
      "from a search",
      { referrer: "https://www.Google.com/search?q=me@x.io" },
      { page: "/", referrer: "google.com", device: "desktop" }
    ],
    ["from the site itself", { referrer: "https://clinica.sites.test/" }, { page: "/", device: "desktop" }],
    ["from a program", { referrer: "javascript:alert(1)" }, { page: "/", device: "desktop" }],
    ["from a huge address", { referrer: `https://a.example/${"x".repeat(10_000)}` }, { page: "/", device: "desktop" }],
    [
      "of a campaign",
      { query: "?utm_source=news&utm_medium=email&utm_campaign=verao&utm_content=x" },
      { page: "/", source: "news", medium: "email", campaign: "verao", device: "desktop" }
    ],
    [
      "of a link that names a person",
      { query: "?utm_source=ana@example.com&utm_medium=5541999998888&utm_campaign=%00%0A%20" },
      { page: "/", device: "desktop" }
    ],
    [
      "of a long name",
      { query: `?utm_source=${"s".repeat(500)}` },
      { page: "/", source: "s".repeat(60), device: "desktop" }
    ]
  ] as const) {
    it(`${name} counts ${parts === undefined ? "for nothing" : "by what it says"}`, () =>
      assert.deepStrictEqual(read(told), parts))
  }
})

describe("who visits", () => {
  const browserOf = makeBrowsers()
  for (const [userAgent, isBot, device] of [
    [firefox, false, "desktop"],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
      false,
      "mobile"
    ],
    [
      "Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1",
      false,
      "tablet"
    ],
    ["Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", true, "other"],
    ["curl/8.5.0", true, "other"],
    [undefined, true, "other"],
    ["x".repeat(5000), true, "other"]
  ] as const) {
    it(`is told by ${(userAgent ?? "nothing").slice(0, 50)}`, () =>
      assert.deepStrictEqual(browserOf(userAgent), { isBot, device }))
  }

  it("asks ahead where the browser says so", () => {
    assert.isTrue(isPrefetch({ "sec-purpose": "prefetch;prerender" }))
    assert.isTrue(isPrefetch({ "x-moz": "prefetch" }))
    assert.isFalse(isPrefetch({ "sec-fetch-mode": "navigate" }))
  })

  it("is a flood beyond some views in a minute, and forgiven after it", () => {
    let now = 0
    const isFlood = makeFloodGuard(3, () => now)
    const visitor = hashOf(1)
    assert.deepStrictEqual(
      [1, 2, 3, 4, 5].map(() => isFlood(visitor)),
      [false, false, false, true, true]
    )
    assert.isFalse(isFlood(hashOf(2)))
    now = 60_000
    assert.isFalse(isFlood(visitor))
  })
})

it("a tracking id has the form of its service, and an empty one takes it away", () => {
  const read = (kind: Parameters<typeof checkedTrackingId>[0], text: string) =>
    Either.getOrElse(checkedTrackingId(kind, text), ({ reason }) => reason)
  assert.deepStrictEqual(
    [
      read("analytics_measurement_id", " g-abcdef1234 "),
      read("analytics_measurement_id", "UA-12345-1"),
      read("analytics_measurement_id", "G-ABC');alert(1)//"),
      read("ads_conversion_id", "AW-123456789"),
      read("ads_conversion_id", "123456789"),
      read("pixel_id", "123456789012345"),
      read("pixel_id", "12345678901234５"),
      read("pixel_id", "  ")
    ],
    [
      "G-ABCDEF1234",
      "invalid_tracking_id",
      "invalid_tracking_id",
      "AW-123456789",
      "invalid_tracking_id",
      "123456789012345",
      "invalid_tracking_id",
      null
    ]
  )
})

it("the door leads on within the site alone", () => {
  assert.deepStrictEqual(
    [
      "/contato?x=1",
      "//evil.test",
      "/\\evil.test",
      "https://evil.test",
      "javascript:alert(1)",
      "/a\nSet-Cookie: x",
      "/_/login",
      null
    ].map(safePath),
    ["/contato?x=1", "/", "/", "/", "/", "/", "/", "/"]
  )
})
