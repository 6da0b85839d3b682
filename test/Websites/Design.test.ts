import { gzipSync } from "node:zlib"
import { expect, it } from "@effect/vitest"
import { wcagContrast } from "culori"
import { FastCheck } from "effect"
import { HtmlValidate } from "html-validate"
import { describe } from "vitest"
import { pageDigests, renderPage, renderSite } from "../../src/Layers/Websites/Design/Page.ts"
import { paletteCount, paletteOf } from "../../src/Layers/Websites/Design/Palette.ts"
import { plainContext, type RenderContext } from "../../src/Layers/Websites/Design/RenderContext.ts"
import { pageScript } from "../../src/Layers/Websites/Design/Script.ts"
import { fontBytes, fontPaths } from "../../src/Layers/Websites/Design/Typefaces.ts"
import { SiteTheme } from "../../src/Services/Websites/Site.ts"
import { siteOf } from "./support/everyBlock.ts"

const served: RenderContext = {
  ...plainContext("served"),
  origin: "https://padaria.sites.example",
  pictureUrl: (id) => `https://padaria.sites.example/_/picture/${id}.webp`,
  forms: (block) =>
    block === "form"
      ? { action: "/_/form/form", token: "t", values: { name: "Ana" }, errors: { mail: "?" }, sent: false }
      : { action: "/_/session", token: "t", values: {}, errors: {}, sent: false },
  tracking: { analytics_measurement_id: "G-ABC1234567", ads_conversion_id: null, pixel_id: null },
  beacon: true,
  reportUrl: "/_/report"
}

const layouts = SiteTheme.fields.layout.literals
const validator = new HtmlValidate({
  extends: ["html-validate:recommended"],
  rules: { "long-title": "off", "no-inline-style": "error", "require-sri": "off", "no-trailing-whitespace": "off" }
})
const findings = async (page: string) =>
  (await validator.validateString(page)).results.flatMap(({ messages }) =>
    messages.map(({ line, message, ruleId }) => `${ruleId} ${line}: ${message}`)
  )

describe("palettes", () => {
  it("keep every text legible on whatever it may stand on, for any brand's colour", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.integer({ min: 0, max: 0xffffff }),
        FastCheck.integer({ min: 0, max: paletteCount - 1 }),
        (color, palette) => {
          const p = paletteOf({ brand: `#${color.toString(16).padStart(6, "0")}`, palette })
          const grounds = [p.bg, p.soft, p.card]
          const pairs = [
            ...[p.ink, p.muted, p.link].flatMap((text) => grounds.map((ground) => [text, ground] as const)),
            [p.onBrand, p.brand] as const,
            [p.onAccent, p.accent] as const,
            [p.onDeep, p.deep] as const,
            [p.deepMuted, p.deep] as const
          ]
          for (const [text, ground] of pairs) expect(wcagContrast(text, ground)).toBeGreaterThanOrEqual(4.5)
          for (const ground of grounds) expect(wcagContrast(p.edge, ground)).toBeGreaterThanOrEqual(3)
        }
      ),
      { numRuns: 400 }
    )
  })

  it("differ from one another", () => {
    const all = Array.from({ length: paletteCount }, (_, palette) =>
      JSON.stringify(paletteOf({ brand: "#1d6fd1", palette }))
    )
    expect(new Set(all).size).toBe(10)
  })
})

describe("a page", () => {
  it.each(layouts)("is valid HTML with every kind of block: %s", async (layout) => {
    const page = renderPage(siteOf("Pão na hora & café", { layout }), "home", served)
    expect(await findings(page)).toEqual([])
  })

  it("is valid as a part, a preview, an embedded form and one file", async () => {
    const site = siteOf("Pão na hora")
    for (const mode of ["export", "preview", "embed"] as const)
      expect(await findings(renderPage(site, "home", { ...served, mode }))).toEqual([])
    expect(await findings(renderSite(site, served))).toEqual([])
  })

  const tagsOf = (page: string) =>
    page
      .replace(/<style>.*?<\/style>/s, "")
      .match(/<[a-z/!][^>]*/gi)
      ?.map((tag) => tag.split(/\s/)[0])
  const hostile = FastCheck.oneof(
    FastCheck.constantFrom(
      '"><script>alert(1)</script>',
      "</title><img src=x onerror=alert(1)>",
      "' onmouseover='alert(1)",
      "</style><svg onload=alert(1)>",
      "]]><!--",
      "</script><script>alert(1)",
      "{{constructor}}${1}",
      "\u202egnp.exe"
    ),
    FastCheck.string({ maxLength: 60, unit: "grapheme" })
  ).map((text) => `x${text}`)

  it("has the same elements whatever its texts are", () => {
    const calm = tagsOf(renderPage(siteOf("x"), "home", served))
    FastCheck.assert(
      FastCheck.property(hostile, (text) => {
        expect(tagsOf(renderPage(siteOf(text), "home", served))).toEqual(calm)
      }),
      { numRuns: 60 }
    )
  })

  it("links nothing that is not plain https", () => {
    const site = siteOf("x")
    const [home] = site.pages
    const [hero] = home?.blocks ?? []
    if (home === undefined || hero?._tag !== "Hero") throw new Error("The sample has no hero.")
    for (const url of [
      "javascript:alert(1)",
      "http://example.com",
      "https://a:b@example.com",
      "data:text/html,x",
      "//evil"
    ]) {
      const changed = { ...hero, actions: [{ label: "Link", target: { _tag: "Web", url } as const }] }
      const page = renderPage({ ...site, pages: [{ ...home, blocks: [changed] }] }, "home", plainContext("served"))
      expect(page).not.toContain(">Link<")
    }
  })

  it("weighs at most 60 KB with its fonts, and runs at most 1 KB of script", () => {
    expect(pageScript.length).toBeLessThanOrEqual(1024)
    for (const layout of layouts)
      for (const typefaces of [0, 1, 2, 3]) {
        const site = siteOf("Pão na hora", { layout, typefaces })
        const fonts = fontPaths(site.theme).map(
          (path) => fontBytes(path.slice("/_/font/".length, -".woff2".length))?.length ?? 1e9
        )
        const total = gzipSync(renderPage(site, "home", served)).length + fonts.reduce((sum, size) => sum + size, 0)
        expect(total).toBeLessThanOrEqual(60 * 1024)
      }
  })

  it("names the digests of its style and script", () => {
    const site = siteOf("x")
    const { script, style } = pageDigests(site.theme)
    expect([script, style].every((digest) => /^'sha256-[\w+/]{43}='$/.test(digest))).toBe(true)
  })
})
