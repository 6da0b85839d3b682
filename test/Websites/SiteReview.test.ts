import { assert, describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { browserOf } from "../../bench/sites/CheckedSite.ts"
import { materialOf } from "../../bench/sites/SiteMaterials.ts"
import { transient } from "../../src/Errors.ts"
import { sandboxLanguageModel } from "../../src/Layers/Models/sandbox/LanguageModelSandbox.ts"
import { findChromium } from "../../src/Layers/Websites/Browser/Chromium.ts"
import { SiteReviewerInBrowser } from "../../src/Layers/Websites/Writer/SiteReviewerInBrowser.ts"
import { SiteWriterConfigured } from "../../src/Layers/Websites/Writer/SiteWriterConfigured.ts"
import { AccountId } from "../../src/Services/Accounts/Ids.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { PictureEncoder } from "../../src/Services/Media/PictureEncoder.ts"
import { LanguageModel } from "../../src/Services/Models/LanguageModel.ts"
import {
  Browser,
  browserUnavailable,
  type LookRequest,
  type PageFacts,
  type Violation
} from "../../src/Services/Websites/Pages/Browser.ts"
import { composeSite, themesFor } from "../../src/Services/Websites/Writing/ComposeSite.ts"
import { type SiteEffort, SiteWriter } from "../../src/Services/Websites/Writing/SiteWriter.ts"
import { fakeModel } from "../Models/FakeLanguageModel.ts"
import { bakery, software } from "./support/materials.ts"

const isThere = Option.isSome(await Effect.runPromise(findChromium(Option.none())))

const caller = Layer.succeed(Caller, Caller.forTask(AccountId.make(1), "paid", "test"))
const fast: SiteEffort = { generation: "Fast", reasoning: "Fast" }
const quality: SiteEffort = { generation: "Quality", reasoning: "Fast" }
const thinking: SiteEffort = { generation: "Fast", reasoning: "Thinking" }

const facts: PageFacts = {
  title: "",
  description: "",
  language: "pt-br",
  headings: [{ level: 1, text: "Padaria", isInView: true }],
  texts: [],
  actions: [],
  links: 0,
  emails: [],
  phones: [],
  forms: [],
  images: 0,
  imagesWithoutText: 0,
  hasViewportMeta: true,
  overflow: 0,
  wide: [],
  height: 900,
  status: 0,
  textLength: 1
}
const pale: Violation = { rule: "color-contrast", impact: "serious", help: "Contrast", count: 1, places: ["<p>"] }

/** What a browser would see of each document that it is shown, and what it was asked. */
const stubBrowser = (
  seen: (html: string, time: number) => Partial<PageFacts> & { readonly violations?: ReadonlyArray<Violation> }
) => {
  const asked: Array<LookRequest> = []
  const layer = Layer.succeed(
    Browser,
    Browser.of({
      mode: "live",
      look: (_, request) =>
        Effect.sync(() => {
          asked.push(request)
          const { violations = [], ...more } = seen("html" in request.page ? request.page.html : "", asked.length)
          return {
            url: "about:blank",
            views: request.viewports.map((viewport) => ({
              viewport,
              facts: { ...facts, ...more },
              violations,
              picture: request.picture === "none" ? undefined : new Uint8Array([1])
            }))
          }
        })
    })
  )
  return { asked, layer }
}

const encoder = Layer.succeed(
  PictureEncoder,
  PictureEncoder.of({
    webp: () => Effect.succeed([]),
    png: (_, bytes) => Effect.succeed(bytes),
    jpeg: (_, bytes) => Effect.succeed(bytes)
  })
)
const sandbox = Layer.succeed(LanguageModel, sandboxLanguageModel)

const written = (
  browser: Layer.Layer<Browser>,
  effort: SiteEffort,
  {
    material = bakery,
    model = sandbox
  }: { readonly material?: typeof bakery; readonly model?: Layer.Layer<LanguageModel> } = {}
) =>
  Effect.flatMap(SiteWriter, (writer) => writer.write(material, effort)).pipe(
    Effect.provide(
      Layer.merge(
        caller,
        SiteWriterConfigured.pipe(
          Layer.provide(SiteReviewerInBrowser),
          Layer.provide(Layer.mergeAll(browser, model, encoder))
        )
      )
    )
  )

const bodyOf = (html: string): string => /<body class="([^"]*)"/.exec(html)?.[1] ?? ""

describe("a site by rules of which quality is wanted", () => {
  it.effect("is not looked at where it is wanted fast", () =>
    Effect.gen(function* () {
      const { asked, layer } = stubBrowser(() => ({}))
      const { notes, site } = yield* written(layer, fast)
      expect(asked).toEqual([])
      const composed = composeSite(bakery)
      expect({ site, notes }).toEqual({ site: composed.site, notes: composed.notes })
    })
  )

  it.effect("is the one of three that looks best at three widths, and says what was looked at", () =>
    Effect.gen(function* () {
      const looks = themesFor(bakery, 3)
      expect(looks).toHaveLength(3)
      // What the owner wishes of the look holds for each.
      expect(new Set(looks.map(({ palette }) => palette)).size).toBeLessThanOrEqual(2)
      const { asked, layer } = stubBrowser((_, time) => (time === 3 ? {} : { violations: [pale] }))
      const { notes, site } = yield* written(layer, quality)
      expect(site).toEqual(composeSite(bakery, looks[2]).site)
      expect(asked).toHaveLength(3)
      expect(asked[0]?.viewports.map(({ width }) => width)).toEqual([390, 820, 1366])
      expect(notes.at(-1)).toBe(
        "3 versões foram vistas num navegador em 390, 820, 1366 px (largura, acessibilidade); ficou a melhor. Nenhum problema ficou."
      )
      // Of equals the first: the same material gives the same site.
      const again = yield* written(stubBrowser(() => ({})).layer, quality)
      expect(again.site).toEqual(composeSite(bakery).site)
    })
  )

  it.effect("is repaired at most twice, and only for the better", () =>
    Effect.gen(function* () {
      const palette = composeSite(bakery).site.theme.palette
      // Each repair brings one fault less, and there are more than two.
      const many = (count: number) => ({ violations: Array.from({ length: Math.max(0, count) }, () => pale) })
      const better = stubBrowser((_, time) => many(5 - time))
      const mended = yield* written(better.layer, thinking)
      expect(better.asked).toHaveLength(3)
      expect(mended.site.theme.palette).toBe((palette + 2) % 10)
      expect(mended.notes.at(-1)).toContain("Reparos feitos: 2. Ficou por resolver: color-contrast.")
      const worse = stubBrowser((_, time) => many(time))
      const kept = yield* written(worse.layer, thinking)
      expect(worse.asked).toHaveLength(2)
      expect(kept.site).toEqual(composeSite(bakery).site)
      // What is too wide gets the plainest layout.
      const wide = stubBrowser((html) => (bodyOf(html) === "harbour" ? {} : { overflow: 40, wide: ["div x"] }))
      expect((yield* written(wide.layer, thinking)).site.theme).toMatchObject({ layout: "harbour", typefaces: 0 })
    })
  )

  it.effect("looks at every page of the one that is taken", () =>
    Effect.gen(function* () {
      const { asked, layer } = stubBrowser(() => ({}))
      const { site } = yield* written(layer, thinking, { material: software })
      expect(site.pages.length).toBeGreaterThan(1)
      expect(asked).toHaveLength(1 + site.pages.length)
    })
  )

  it.effect("is the best by what it says where no browser answers, and says so", () =>
    Effect.gen(function* () {
      const without = Browser.of({ mode: "unavailable", look: () => Effect.fail(browserUnavailable) })
      const slow = Browser.of({ mode: "live", look: () => Effect.fail(transient("page_not_shown", "Slow.", 5)) })
      for (const browser of [without, slow]) {
        const { notes, site } = yield* written(Layer.succeed(Browser, browser), quality)
        expect(site).toEqual(composeSite(bakery).site)
        expect(notes.at(-1)).toContain("nenhum navegador respondeu")
      }
      const { notes } = yield* written(Layer.succeed(Browser, without), thinking, {
        material: materialOf("A site for a florist", "en-us")
      })
      expect(notes.at(-1)).toContain("not looked at in a browser")
    })
  )

  it.live.skipIf(!isThere)("is looked at in a real browser, and has no fault there", () =>
    Effect.gen(function* () {
      const { notes } = yield* written(
        Layer.orDie(browserOf({ port: 1, originOf: String, show: async () => {} })),
        thinking
      )
      assert.strictEqual(
        notes.at(-1),
        "A página foi vista num navegador em 390, 820, 1366 px (largura, acessibilidade). Nenhum problema ficou."
      )
    })
  )
})

describe("a site by a model of which quality is wanted", () => {
  const answer = (title: string) => ({
    name: "Padaria Aurora",
    tagline: "",
    theme: { layout: "atelier", brand: "#8a5a2b", palette: 1, typefaces: 1 },
    pages: [
      {
        id: "home",
        path: "",
        label: "Início",
        title: "Padaria Aurora",
        description: "",
        blocks: [{ _tag: "Hero", id: "hero", title, text: "Pães de fermentação natural.", actions: [], picture: null }]
      }
    ],
    pictures: [],
    collections: []
  })
  const marked = (mark: number, ...remarks: ReadonlyArray<string>) => ({ mark, remarks })

  it.effect("is judged by its picture too, and repaired by operations that say nothing new", () =>
    Effect.gen(function* () {
      const { asked, layer } = fakeModel([
        answer("Padaria"),
        answer("Padaria artesanal"),
        answer("Padaria em Curitiba"),
        marked(3),
        marked(4),
        marked(8, "The heading says little."),
        {
          understood: true,
          operations: [
            {
              _tag: "ReplaceBlock",
              page: "home",
              variant: null,
              block: {
                _tag: "Hero",
                id: "hero",
                title: "Padaria artesanal em Curitiba",
                text: "Pães de fermentação natural.",
                actions: [],
                picture: null
              }
            },
            {
              _tag: "AddBlock",
              page: "home",
              after: "hero",
              block: { _tag: "Clients", id: "clients", title: "Clientes", names: ["Hotel Imperial"] }
            }
          ],
          notes: []
        },
        { blocks: [] },
        marked(9)
      ])
      const { notes, site, usage } = yield* written(stubBrowser(() => ({})).layer, quality, { model: layer })
      expect(asked.map(({ purpose }) => purpose)).toEqual([
        "write_website",
        "write_website",
        "write_website",
        "review_website",
        "review_website",
        "review_website",
        "repair_website",
        "repair_website",
        "review_website"
      ])
      expect(asked[3]?.prompt.images).toHaveLength(1)
      expect(asked[6]?.prompt.user).toContain("The heading says little.")
      expect(site.pages[0]?.blocks).toHaveLength(1)
      expect(site.pages[0]?.blocks[0]?.title).toBe("Padaria artesanal em Curitiba")
      expect(notes).toEqual([
        "3 versões foram vistas num navegador em 390, 820, 1366 px (largura, acessibilidade, imagem); ficou a melhor. Reparos feitos: 1. Nenhum problema ficou."
      ])
      expect(usage).toMatchObject({ inputTokens: 900 })
    })
  )
})
