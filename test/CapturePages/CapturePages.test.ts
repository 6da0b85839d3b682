import { SqlClient } from "@effect/sql/SqlClient"
import { assert, describe, layer, it as plainIt } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { CapturePagesLive } from "../../src/Layers/CapturePages/CapturePagesLive.ts"
import { captureFigures } from "../../src/Services/CapturePages/CaptureFigures.ts"
import { CapturePageView } from "../../src/Services/CapturePages/CapturePages.ts"
import { embedSnippet } from "../../src/Services/CapturePages/EmbedSnippet.ts"
import { JobId } from "../../src/Services/Jobs/Ids.ts"
import { WebsiteTraffic, WebsiteTrafficView } from "../../src/Services/Websites/Traffic/WebsiteTraffic.ts"
import { LeadCapturePagesGroup } from "../../src/Tools/CapturePages/CapturePages.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { answerOf } from "../support/ToolAnswer.ts"
import { DeskServices, register, work } from "../Websites/support/desk.ts"

const catalog = Catalog.make([LeadCapturePagesGroup])

const traffic = Schema.decodeUnknownSync(WebsiteTrafficView)({
  website_id: 1,
  days: 90,
  time_zone: "UTC",
  first_day: "2026-01-01",
  last_day: "2026-03-31",
  views: 50,
  visitors: 40,
  bot_hits: 7,
  submissions: 0,
  conversion_rate: null,
  by_day: [],
  pages: [],
  variants: [
    { page: "/", variant: "a", views: 30 },
    { page: "/", variant: "b", views: 20 }
  ],
  referrers: [],
  utm_sources: [],
  utm_mediums: [],
  utm_campaigns: [],
  devices: []
})

const Services = Layer.fresh(CapturePagesLive).pipe(
  Layer.provide(Layer.succeed(WebsiteTraffic, { of: () => Effect.succeed(traffic) })),
  Layer.provideMerge(DeskServices)
)

const Begun = Schema.Struct({
  lead_capture_page_id: Schema.Int,
  website_code_id: Schema.Int,
  job_id: JobId,
  status: Schema.String
})
const create = Effect.flatMap(
  answerOf(catalog, "create_lead_capture_page", { description: "Peça uma demonstração", language: "pt-BR" }),
  Schema.decodeUnknown(Begun)
)
const write = ({ job_id, lead_capture_page_id, website_code_id }: typeof Begun.Type) =>
  work({ job_id, website_code_id, website_id: lead_capture_page_id, status: "queued" })

const Listed = Schema.Struct({ lead_capture_pages: Schema.Array(CapturePageView), total: Schema.Int })
const list = Effect.flatMap(answerOf(catalog, "list_lead_capture_pages"), Schema.decodeUnknown(Listed))

const failureOf = (name: string, args: object) => Effect.flip(callTool(catalog, name, args))

describe("figures of a page", () => {
  plainIt("are told for each opening, those without any and those that are gone as well", () => {
    const { variants, ...all } = captureFigures(
      ["a", "b"],
      [{ variant: "a", count: 40 }],
      [
        { variant: "a", count: 10 },
        { variant: "old", count: 1 }
      ]
    )
    assert.deepStrictEqual(all, { views: 40, submissions: 11, conversion_rate: 0.275 })
    assert.deepStrictEqual(variants, [
      { variant: "a", views: 40, submissions: 10, conversion_rate: 0.25 },
      { variant: "b", views: 0, submissions: 0, conversion_rate: null },
      { variant: "old", views: 0, submissions: 1, conversion_rate: null }
    ])
  })

  plainIt("never say that more sent than came", () => {
    const { conversion_rate } = captureFigures(["a"], [{ variant: "a", count: 1 }], [{ variant: "a", count: 3 }])
    assert.strictEqual(conversion_rate, 1)
  })
})

describe("the snippet", () => {
  plainIt("is a frame whose title stays text", () => {
    const snippet = embedSnippet({ url: "https://cafe.sites.example/", title: `"><script>alert(1)</script>` })
    assert.include(snippet, `src="https://cafe.sites.example/embed"`)
    assert.notInclude(snippet, "<script>alert")
    assert.include(snippet, `e.origin==="https://cafe.sites.example"`)
    assert.isBelow(snippet.length, 700)
  })
})

layer(Services, { excludeTestServices: true })("lead-capture pages", (it) => {
  it.effect("are websites of that type, with the same id", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const begun = yield* me(create)
      assert.strictEqual(begun.status, "queued")
      const [waiting] = (yield* me(list)).lead_capture_pages
      assert.strictEqual(waiting?.lead_capture_page_id, begun.lead_capture_page_id)
      assert.deepInclude(waiting, { status: "queued", is_published: false })
      yield* me(write(begun))
      const plain = yield* me(register())
      yield* me(work(plain))
      const { lead_capture_pages, total } = yield* me(list)
      assert.strictEqual(total, 1)
      const [page] = lead_capture_pages
      if (page === undefined) throw new Error("There is no page.")
      assert.deepInclude(page, { status: "finished", is_published: true, views: 50 })
      assert.strictEqual(page.embed_url, `${new URL(page.url).origin}/embed`)
      assert.include(page.embed_snippet, page.embed_url)
      for (const [tool, more] of [
        ["change_lead_capture_page", { prompt: "x" }],
        ["archive_lead_capture_page", {}]
      ] as const) {
        const failure = yield* me(failureOf(tool, { lead_capture_page_id: plain.website_id, ...more }))
        assert.strictEqual(failure._tag, "NotFound", tool)
        assert.include(JSON.stringify(failure), "lead_capture_page_id", tool)
      }
      const stranger = as(yield* makeAccount())
      const id = { lead_capture_page_id: page.lead_capture_page_id }
      assert.strictEqual((yield* stranger(failureOf("archive_lead_capture_page", id)))._tag, "NotFound")
      assert.lengthOf((yield* stranger(list)).lead_capture_pages, 0)
    })
  )

  it.effect("are changed and archived", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const begun = yield* me(create)
      yield* me(write(begun))
      const id = { lead_capture_page_id: begun.lead_capture_page_id }
      const changed = yield* me(
        Effect.flatMap(
          answerOf(catalog, "change_lead_capture_page", { ...id, prompt: "Título menor" }),
          Schema.decodeUnknown(Begun)
        )
      )
      const again = yield* me(failureOf("change_lead_capture_page", { ...id, prompt: "Outra coisa" }))
      assert.strictEqual("reason" in again ? again.reason : again._tag, "change_in_progress")
      yield* me(write(changed))
      const archived = yield* me(answerOf(catalog, "archive_lead_capture_page", id))
      assert.include(JSON.stringify(archived), `"archived":true`)
      assert.lengthOf((yield* me(list)).lead_capture_pages, 0)
    })
  )

  it.effect("count what each opening brought", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const me = as(caller)
      const sql = yield* SqlClient
      const begun = yield* me(create)
      yield* me(write(begun))
      yield* sql`
        update website_code set site = jsonb_set(site, '{pages,0,variants}', '[{"id": "b", "blocks": []}]')
        where account_id = ${caller.accountId}`
      for (const variant of ["a", "a", "a", "b"]) {
        yield* sql`
          insert into site_record (account_id, website_id, collection, outcome, filled, page_id, variant, is_embedded,
            consent_version, consent_text, consented_at, was_confirmed)
          values (${caller.accountId}, ${begun.lead_capture_page_id}, 'contato', 'created', '{}', 'home', ${variant}, false,
            '1', '', instant(), false)`
      }
      const [page] = (yield* me(list)).lead_capture_pages
      assert.strictEqual(page?.submissions, 4)
      assert.deepStrictEqual(page?.variants, [
        { variant: "a", views: 30, submissions: 3, conversion_rate: 0.1 },
        { variant: "b", views: 20, submissions: 1, conversion_rate: 0.05 }
      ])
    })
  )
})
