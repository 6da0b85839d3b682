import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { compileMessage, messagesFolder, messagesOf } from "../../console/messagesPlugin.js"
import { closestLocale, formatMessage, type Locale, locales } from "../../console/src/i18n/Format.ts"
import { formatTime } from "../../console/src/parts/TimeText.ts"
import { usesIn } from "../../lint/messages.js"

const sourcesFolder = path.join(messagesFolder, "../src")
const sources = fs
  .readdirSync(sourcesFolder, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => ({ name, text: fs.readFileSync(path.join(sourcesFolder, name), "utf8") }))

const sameText = (locale: "en" | "pt-BR" | "es", text: string, values: Readonly<Record<string, string | number>>) =>
  formatMessage(locale, compileMessage(text, text), values)

describe("messages of the console", () => {
  it("exist in all languages, with the same arguments", () => {
    const english = messagesOf("en")
    assert.isAbove(Object.keys(english).length, 100)
    for (const locale of locales) {
      const texts = messagesOf(locale)
      assert.deepStrictEqual(Object.keys(texts).sort(), Object.keys(english).sort(), locale)
      for (const [id, text] of Object.entries(texts)) {
        assert.notStrictEqual(text.trim(), "", `${locale} ${id}`)
        assert.deepStrictEqual(
          [...usesIn([text]).keys()].sort(),
          [...usesIn([english[id] ?? ""]).keys()].sort(),
          `${locale} ${id}`
        )
      }
    }
  })

  it("get the arguments that they print", () => {
    const english = messagesOf("en")
    let calls = 0
    for (const { name: file, text } of sources) {
      for (const [, id = "", rest = ""] of text.matchAll(/\bt\("([\w.]+)"(?:, (\{[^}]*\}))?\)/g)) {
        calls++
        for (const name of usesIn([english[id] ?? assert.fail(`${file}: ${id}`)]).keys()) {
          assert.match(rest, new RegExp(`[{ ,]${name}\\b`), `${file}: ${id}`)
        }
      }
    }
    assert.isAbove(calls, 50)
  })

  it("are formatted as in ICU's message format", () => {
    const text = "{count, plural, =0 {No leads} one {# lead} other {# leads}} of {name}"
    assert.strictEqual(sameText("en", text, { count: 0, name: "Ana" }), "No leads of Ana")
    assert.strictEqual(sameText("en", text, { count: 1, name: "Ana" }), "1 lead of Ana")
    assert.strictEqual(sameText("pt-BR", text, { count: 1_234, name: "Ana" }), "1.234 leads of Ana")
    assert.strictEqual(sameText("en", "{kind, select, a {First} other {Other}}", { kind: "a" }), "First")
    assert.strictEqual(sameText("en", "{kind, select, a {First} other {Other}}", { kind: "b" }), "Other")
  })

  it("have the plural categories of Unicode's rules", () => {
    const text = "{count, plural, one {one} many {many} other {other}}"
    const numbers = [
      ...Array(2_000).keys(),
      -1,
      -2,
      0.5,
      1.5,
      1_000_000,
      1_000_001,
      3_000_000,
      -1_000_000,
      1_000_000_000
    ]
    for (const locale of locales) {
      const rules = new Intl.PluralRules(locale)
      for (const count of numbers) {
        const category = rules.select(count)
        assert.strictEqual(sameText(locale, text, { count }), category, `${locale} ${count}`)
        assert.strictEqual(
          sameText(locale, "{count, number}", { count }),
          count.toLocaleString(locale),
          `${locale} ${count}`
        )
      }
    }
  })

  it("are shown in the reader's language", () => {
    assert.strictEqual(closestLocale(["pt-PT", "en"]), "pt-BR")
    assert.strictEqual(closestLocale(["fr", "es-AR"]), "es")
    assert.strictEqual(closestLocale(["fr"]), "en")
  })
})

describe("times", () => {
  const now = new Date("2026-11-28T12:00:00Z")
  const timeText = (at: string, style: "relative" | "day" | "clock" | "full", locale: Locale = "en", zone = "UTC") =>
    formatTime(new Date(at), now, locale, zone, style)

  it("are near ones by their distance, and others by their date", () => {
    assert.strictEqual(timeText("2026-11-28T09:00:00Z", "relative"), "3 hr. ago")
    assert.strictEqual(timeText("2026-12-01T12:00:00Z", "relative"), "in 3 days")
    assert.strictEqual(timeText("2026-08-03T12:00:00Z", "relative"), "Aug 3")
    assert.strictEqual(timeText("2025-08-03T12:00:00Z", "relative"), "Aug 3, 2025")
  })

  it("are on the clock of the zone", () => {
    assert.strictEqual(timeText("2026-11-28T02:30:00Z", "clock", "pt-BR", "America/Sao_Paulo"), "23:30")
    assert.match(timeText("2026-11-28T02:30:00Z", "day", "pt-BR", "America/Sao_Paulo"), /27/)
  })
})
