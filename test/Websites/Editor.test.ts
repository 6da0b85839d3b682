import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Either, Schema } from "effect"
import fc from "fast-check"
import { editableBlocks, withTexts } from "../../src/Services/Websites/Editor/EditedTexts.ts"
import { Site } from "../../src/Services/Websites/Site.ts"
import { siteText } from "../../src/Services/Websites/SiteText.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { catalog, change, DeskServices, made, register, websiteOf, work } from "./support/desk.ts"
import { openEditor } from "./support/editor.ts"
import { everyBlock } from "./support/everyBlock.ts"

const own = <A, E, R>(test: Effect.Effect<A, E, R>) => Effect.flatMap(makeAccount(), (caller) => as(caller)(test))

const siteWith = (text: string): Site => ({
  language: "pt-br",
  name: "Casa",
  tagline: "",
  theme: { layout: "harbour", brand: "#1d6fd1", palette: 0, typefaces: 0 },
  pages: [
    {
      id: "home",
      path: "",
      label: "Início",
      title: "Casa",
      description: "",
      blocks: everyBlock(text),
      variants: [{ id: "b", blocks: everyBlock(`${text} b`) }]
    }
  ],
  pictures: [{ id: "front", prompt: "a house", shape: "wide" }],
  collections: [],
  campaign: null
})

/** Everything of a value but its texts. */
const structureOf = (value: unknown): unknown =>
  typeof value === "string" || value === null
    ? "text"
    : Array.isArray(value)
      ? value.map(structureOf)
      : typeof value === "object"
        ? Object.fromEntries(
            Object.entries(value ?? {}).map(([key, member]) => [
              key,
              key === "id" || key === "_tag" || key === "target" ? member : structureOf(member)
            ])
          )
        : value

layer(DeskServices, { excludeTestServices: true })("the editor of a site", (it) => {
  it.effect("changes the named texts and nothing else, whatever is typed", () =>
    Effect.sync(() => {
      const site = siteWith("Texto")
      const [page] = site.pages
      if (page === undefined) return assert.fail("no page")
      const texts = editableBlocks(page).flatMap((block) => block.texts)
      assert.strictEqual(new Set(texts.map(({ path }) => path)).size, texts.length)
      fc.assert(
        fc.property(
          fc.uniqueArray(fc.nat(texts.length - 1), { minLength: 1, maxLength: 5 }),
          fc.oneof(
            fc.string({ maxLength: 19 }),
            fc.constantFrom("<script>alert(1)</script>".slice(0, 19), "\u202Eabc", "", " x\n y ")
          ),
          (places, typed) => {
            const paths = new Set(places.map((place) => texts[place]?.path ?? ""))
            const edited = withTexts(site, new Map([...paths].map((path) => [path, typed])))
            if (Either.isLeft(edited)) return assert.fail(edited.left.error)
            const after = edited.right.site
            assert.deepEqual(structureOf(after), structureOf(site))
            assert.isTrue(Schema.is(Site)(after))
            const [changedPage = page] = after.pages
            for (const { path, value } of editableBlocks(changedPage).flatMap((block) => block.texts)) {
              if (!paths.has(path)) assert.strictEqual(value, texts.find((text) => text.path === path)?.value)
            }
          }
        ),
        { numRuns: 40 }
      )
      const long = withTexts(site, new Map([["home.hero.title", "x".repeat(161)]]))
      assert.strictEqual(Either.isLeft(long) ? long.left.reason : "", "text_too_long")
      const nothing = withTexts(
        site,
        new Map([
          ["home.hero.actions.0.target.block", "x"],
          ["home.hero.id", "x"],
          ["__proto__", "x"]
        ])
      )
      assert.deepEqual(Either.getOrThrow(nothing), { site, changed: [] })
      assert.isAbove(siteText(site)[0]?.passages.length ?? 0, 10)
    })
  )

  it.effect("publishes texts at once, with what is typed escaped, and keeps what was before", () =>
    own(
      Effect.gen(function* () {
        const { website_code_id, website_id } = yield* made()
        const editor = yield* openEditor(website_id)
        const opened = yield* editor.get()
        assert.strictEqual(opened.status, 200)
        assert.include(opened.body, 'name="text:home.hero.title"')
        assert.match(
          opened.headers.get("content-security-policy") ?? "",
          /default-src 'none'.*frame-src 'self'.*frame-ancestors 'none'/
        )
        assert.notMatch(opened.body, /<script/)
        const typed = `"><img src=x onerror=alert(1)>`
        const saved = yield* editor.press({ act: "texts", page: "home", "text:home.hero.title": typed })
        assert.strictEqual(saved.status, 200)
        assert.include(saved.body, "The texts are published.")
        assert.notInclude(saved.body, "<img src=x")
        assert.include(saved.body, "&quot;&gt;&lt;img src=x onerror=alert(1)&gt;")
        const now = yield* websiteOf(website_id)
        assert.deepInclude(now.last_change, { kind: "edit", prompt: "" })
        assert.notStrictEqual(now.published_website_code_id, website_code_id)
        const preview = yield* editor.get("/preview?page=home")
        assert.include(preview.body, "&lt;img src=x onerror=alert(1)&gt;")
        assert.match(preview.headers.get("content-security-policy") ?? "", /^sandbox; default-src 'none'/)
        assert.include((yield* editor.press({ act: "texts", "text:home.hero.title": typed })).body, "Nothing changed")
        const back = yield* editor.press({ act: "restore", code: `${website_code_id}` })
        assert.include(back.body, "The version is published again.")
        assert.deepInclude((yield* websiteOf(website_id)).last_change, { kind: "restoration" })
      }).pipe(Effect.scoped)
    )
  )

  it.effect("adds, moves and removes sections and sets colours, and publishes each at once", () =>
    own(
      Effect.gen(function* () {
        const { website_id } = yield* made()
        const editor = yield* openEditor(website_id)
        const preview = Effect.map(editor.get("/preview?page=home"), ({ body }) => body)
        const form = { act: "add", page: "home", kind: "Prices", section_title: "Cortes" }
        const added = yield* editor.press({ ...form, section_text: "Corte: R$ 60\nBarba: R$ 35" })
        assert.include(added.body, "The change is published.")
        const withPrices = yield* preview
        assert.include(withPrices, "R$ 60")
        assert.isAbove(withPrices.indexOf("Cortes"), 0)
        const moves = yield* editor.press({ act: "move", page: "home", block: "cortes", direction: "up" })
        assert.include(moves.body, "The change is published.")
        const refused = yield* editor.press({ ...form, section_text: "Corte sem valor" })
        assert.strictEqual(refused.status, 422)
        assert.include(refused.body, "Corte sem valor")
        const unknown = yield* editor.press({ act: "remove", page: "home", block: "nothing" })
        assert.strictEqual(unknown.status, 422)
        yield* editor.press({ act: "colors", page: "home", brand: "#7a1f5c", accent: "#f0b429" })
        assert.include((yield* editor.get()).body, 'value="#7a1f5c"')
        assert.strictEqual((yield* editor.press({ act: "colors", brand: "red", accent: "#f0b429" })).status, 422)
        yield* editor.press({ act: "remove", page: "home", block: "cortes" })
        assert.notInclude(yield* preview, "R$ 60")
        assert.deepEqual((yield* websiteOf(website_id)).last_change.changes, ["Seção retirada à mão: Cortes"])
      }).pipe(Effect.scoped)
    )
  )

  it.effect("makes a picture anew in the background, and saves nothing meanwhile", () =>
    own(
      Effect.gen(function* () {
        const { website_id } = yield* made()
        const editor = yield* openEditor(website_id)
        const before = yield* editor.get()
        const shown = (body: string) => /\/picture\/(\w+)"/.exec(body)?.[1] ?? ""
        const picture = yield* editor.get(`/picture/${shown(before.body)}`)
        assert.strictEqual(picture.headers.get("content-type"), "image/webp")
        assert.include(
          (yield* editor.press({ act: "picture", picture: "front", prompt: " " })).body,
          "A picture is described in 1 to 1000 characters."
        )
        assert.include((yield* editor.press({ act: "picture", picture: "other", prompt: "x" })).body, "no such picture")
        const begun = yield* editor.press({ act: "picture", picture: "front", prompt: "croissants on a marble table" })
        assert.include(begun.body, "The picture is being made.")
        const { job_id, last_change } = yield* websiteOf(website_id)
        const refused = yield* editor.press({ act: "texts", "text:home.hero.title": "Typed and kept" })
        assert.strictEqual(refused.status, 422)
        assert.include(refused.body, 'value="Typed and kept"')
        if (job_id === null) return assert.fail("no job")
        yield* work({ job_id, website_id, website_code_id: last_change.website_code_id, status: "queued" })
        const after = yield* editor.get()
        assert.notStrictEqual(shown(after.body), shown(before.body))
        assert.deepEqual((yield* websiteOf(website_id)).last_change.changes, [
          "A imagem foi refeita: croissants on a marble table"
        ])
      }).pipe(Effect.scoped)
    )
  )

  it.effect("gives what visitors sent as CSV", () =>
    own(
      Effect.gen(function* () {
        const { website_id } = yield* made()
        const sql = yield* SqlClient
        yield* sql`
          insert into site_record (account_id, website_id, collection, outcome, filled, page_id, variant, is_embedded,
            consent_version, consent_text, consented_at, was_confirmed)
          select account_id, website_id, 'pedidos', 'stored', '{"sabor":"=1+1"}', 'home', 'a', false, '1', '', instant(), false
          from website where website_id = ${website_id}`
        const editor = yield* openEditor(website_id)
        assert.include((yield* editor.get()).body, "/records?collection=pedidos")
        const csv = yield* editor.get("/records?collection=pedidos")
        assert.match(csv.headers.get("content-type") ?? "", /^text\/csv/)
        assert.include(csv.body, "sabor")
        assert.notMatch(csv.body, /(?:^|,)=1/m)
      }).pipe(Effect.scoped)
    )
  )

  it.effect("has another address where its owner wants one, and none at the one before", () =>
    own(
      Effect.gen(function* () {
        const site = yield* made()
        const editor = yield* openEditor(site.website_id)
        const shown = yield* editor.press({ act: "renew" })
        assert.strictEqual(shown.status, 200)
        assert.include(shown.body, "new address")
        assert.strictEqual((yield* editor.get()).status, 404)
        assert.strictEqual((yield* editor.get("/preview")).status, 404)
        const renewed = yield* openEditor(site.website_id)
        assert.notStrictEqual(renewed.url.split("/").at(-1), editor.url.split("/").at(-1))
        assert.include((yield* renewed.get()).body, "<h1>")
        // A page of the editor before is of no use at the new one.
        const stale = yield* renewed.post({ token: "AAAA", act: "renew" })
        assert.strictEqual(stale.status, 422)
      }).pipe(Effect.scoped)
    )
  )

  it.effect("is opened by its own link alone, and believes no form that it did not show", () =>
    Effect.gen(function* () {
      const mine = yield* makeAccount()
      const other = yield* as(mine)(made())
      const elsewhere = yield* own(made())
      const site = yield* as(mine)(made())
      yield* Effect.gen(function* () {
        const editor = yield* openEditor(site.website_id)
        const key = editor.url.split("/").at(-1) ?? ""
        const strange = [
          key.slice(1),
          `${key.slice(0, -1)}${key.endsWith("A") ? "B" : "A"}`,
          `${"A".repeat(43)}`,
          "..%2f..%2fhealth",
          "%00",
          "x".repeat(5000)
        ]
        for (const text of strange) {
          const answer = yield* Effect.promise(() => fetch(`${editor.base}/site-editor/${text}`))
          assert.strictEqual(answer.status, 404, text.slice(0, 60))
        }
        // Entries of other sites, of this account or of another one, are none of this link's.
        for (const code of [other.website_code_id, elsewhere.website_code_id, -1, 1.5]) {
          yield* editor.press({ act: "restore", code: `${code}` })
        }
        const untouched = yield* websiteOf(site.website_id)
        assert.strictEqual(untouched.published_website_code_id, site.website_code_id)
        const forged = { act: "texts", "text:home.hero.title": "Forged" }
        const otherEditor = yield* openEditor(other.website_id)
        const foreign = /name="token" value="([^"]+)"/.exec((yield* otherEditor.get()).body)?.[1] ?? ""
        for (const token of ["", "AAAA", foreign]) {
          assert.strictEqual((yield* editor.post({ token, ...forged })).status, 422)
        }
        const good = /name="token" value="([^"]+)"/.exec((yield* editor.get()).body)?.[1] ?? ""
        assert.strictEqual(
          (yield* editor.post({ token: good, ...forged }, { "sec-fetch-site": "cross-site" })).status,
          403
        )
        assert.strictEqual((yield* editor.post({ token: good, ...forged, junk: "x".repeat(600_000) })).status, 413)
        const many = Object.fromEntries(Array.from({ length: 3000 }, (_, number) => [`f${number}`, ""]))
        assert.strictEqual((yield* editor.post({ token: good, ...forged, ...many })).status, 422)
        assert.deepEqual(yield* websiteOf(site.website_id), untouched)
        // What was looked at is no longer what is published.
        yield* work(yield* change(site.website_id, "Outro slogan"))
        const late = yield* editor.post({ token: good, ...forged })
        assert.include(late.body, "The site was changed since this page was opened.")
        assert.include(late.body, 'value="Forged"')
        yield* callTool(catalog, "archive_website", { website_id: site.website_id })
        assert.strictEqual((yield* editor.get()).status, 404)
        assert.strictEqual((yield* editor.get("/preview")).status, 404)
        const unwritten = yield* openEditor((yield* register()).website_id)
        assert.include((yield* unwritten.get()).body, "not written yet")
      }).pipe(Effect.scoped, as(mine))
    })
  )
})
