import { readdirSync, readFileSync } from "node:fs"
import { assert, it, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Option } from "effect"
import { settingsOfSites } from "../../../bench/sites/SettingsOfSites.ts"
import { OutboundPolicy } from "../../../src/Layers/Platform/Outbound/OutboundPolicy.ts"
import { BrowserChromium } from "../../../src/Layers/Websites/Browser/BrowserChromium.ts"
import { findChromium } from "../../../src/Layers/Websites/Browser/Chromium.ts"
import { AccountId } from "../../../src/Services/Accounts/Ids.ts"
import { Browser, type LookRequest } from "../../../src/Services/Websites/Pages/Browser.ts"
import { localHttpServer } from "../../support/servers/LocalHttpServer.ts"
import { TestSettings } from "../../support/TestSettings.ts"
import {
  attacker,
  type Canary,
  canary,
  hostileNames,
  leavingPages,
  loadingPages,
  writtenAddresses
} from "./hostilePages.ts"

const isThere = Option.isSome(await Effect.runPromise(findChromium(Option.none())))

/** All routes one by one, as the npm script does it; else they share pages, and only some go alone. */
const isWhole = process.env["BROWSER_ROUTES"] === "all"

const me = AccountId.make(1)
const view = { width: 800, height: 600 }

/** A browser whose own sites are at `port`, on a network where names are answered by `names`. */
const browserAt = (
  port: number,
  names: ReturnType<typeof hostileNames>,
  { allowLoopback = false }: { readonly allowLoopback?: boolean } = {}
) =>
  BrowserChromium.pipe(
    Layer.provide(settingsOfSites(port)),
    Layer.provide(
      Layer.succeed(OutboundPolicy, {
        allowLoopback,
        resolve: (name: string) => {
          const found = names(name)
          return found.length > 0
            ? Promise.resolve(found)
            : Promise.reject(Object.assign(new Error("unknown"), { code: "ENOTFOUND" }))
        }
      })
    ),
    Layer.provide(TestSettings),
    Layer.fresh
  )

const look = (page: LookRequest["page"], picture: LookRequest["picture"] = "none") =>
  Effect.flatMap(Browser, (browser) => browser.look(me, { page, viewports: [view], picture }))

/** Runs with an attacker's site, the canary that it is after, and a browser between the two. */
const attack = <A, E, R>(
  use: (site: string, bird: Canary, target: string) => Effect.Effect<A, E, R>,
  options: { readonly allowLoopback?: boolean } = {}
) =>
  Effect.gen(function* () {
    const bird = yield* canary
    const target = bird.isOnPort80 ? `http://${bird.address}/` : `http://127.0.0.1:${bird.port}/`
    const pages = [...Object.values(loadingPages(target, bird)), ...Object.values(leavingPages(target))]
    // Everything at once, but for what takes the page away.
    const together = Object.values(loadingPages(target, bird)).map((page) =>
      page.replace(/^.*<h1>Attack<\/h1>|<\/body>.*$/g, "")
    )
    const server = yield* localHttpServer(
      attacker([...pages, `<!doctype html><title>all</title><body>${together.join("\n")}`], target)
    )
    const site = `http://attack.sites.localhost:${server.port}`
    return yield* Effect.provide(use(site, bird, target), browserAt(server.port, hostileNames(bird), options))
  }).pipe(Effect.scoped)

/** What runs on this machine: state, parent and group of each process. */
const processes = () =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        // The name stands in brackets and may have spaces.
        const [state, parent, group] = readFileSync(`/proc/${pid}/stat`, "latin1")
          .replace(/^.*\) /s, "")
          .split(" ")
        return [{ pid, state, parent: Number(parent), group }]
      } catch {
        return []
      }
    })

/** Browsers of this process alone: other tests have theirs at the same time. Each leads a group of its own. */
const ownBrowsers = (): ReadonlyArray<string> =>
  processes()
    .filter(({ pid, parent, group }) => parent === process.pid && group === pid)
    .map(({ pid }) => pid)

layer(Layer.empty, { excludeTestServices: true, timeout: "10 minutes" })("pages in a browser", (it) => {
  it.scoped.skipIf(!isThere)(
    "none of a page's ways leads to an address that is not public",
    () =>
      attack((site, bird, target) =>
        Effect.gen(function* () {
          const loading = Object.keys(loadingPages(target, bird)).length
          const all = loading + Object.keys(leavingPages(target)).length
          const shown = yield* look({ url: `${site}/${all}` })
          assert.strictEqual(shown.views[0]?.facts.title, "ran")
          for (const [way, url] of Object.entries(writtenAddresses(bird))) {
            const result = yield* Effect.either(look({ url }))
            assert.strictEqual(result._tag, "Left", `${way}: ${url} was shown`)
          }
          const single = isWhole ? Array.from({ length: all }, (_, index) => index) : [all - 6]
          for (const index of single) yield* Effect.either(look({ url: `${site}/${index}` }))
          const redirects = [`/redirect?left=4&to=${encodeURIComponent(target)}`, "/permanent", "/to-file", "/headers"]
          const names = ["private.test", "mixed.test", "rebind.test", "rebind.test"]
          const led = names.map((name) => `/redirect?to=${encodeURIComponent(`http://${name}/`)}`)
          for (const path of isWhole ? [...redirects, ...led] : redirects.slice(0, 1)) {
            const result = yield* Effect.either(look({ url: `${site}${path}` }))
            if (path !== "/headers") assert.strictEqual(result._tag, "Left", `${path} was shown`)
          }
          assert.strictEqual(bird.hits(), 0)
        })
      ),
    300_000
  )

  it.scoped.skipIf(!isThere || !isWhole)("the same ways lead there where loopback is allowed: the canary sings", () =>
    attack(
      (site, bird, target) =>
        Effect.gen(function* () {
          const all = Object.keys(loadingPages(target, bird)).length + Object.keys(leavingPages(target)).length
          yield* look({ url: `${site}/${all}` })
          assert.isAbove(bird.hits(), 10)
          const before = bird.hits()
          yield* look({ url: `${site}/permanent` })
          assert.isAbove(bird.hits(), before)
        }),
      { allowLoopback: true }
    )
  )

  it.scoped.skipIf(!isThere)("a page is read as visitors see it, and nothing is left of its browser", () =>
    Effect.gen(function* () {
      const html = `<!doctype html><html lang="pt-br"><head><title>Padaria Aurora</title><meta name="viewport" content="width=device-width">
        <meta name="description" content="Pães de fermentação natural"></head><body><h1>Pão quente às seis</h1>
        <p style="color:#bbb;background:#fff">Texto apagado.</p><a href="#x" style="background:#136;color:#fff;padding:12px">Peça agora</a>
        <form><label>Nome <input name="n"></label><label>E-mail <input type="email"></label><button>Enviar</button></form>
        <div style="width:1200px;height:10px;background:#eee">largo</div><img src="data:," >
        <script>Array.prototype.slice = () => "forged"; String.prototype.slice = () => "forged"; document.title = "Padaria Aurora"</script>`
      const server = yield* localHttpServer((request, response) => {
        if (request.url === "/moved") return void response.writeHead(302, { location: "/" }).end()
        if (request.url === "/file") {
          return void response
            .writeHead(200, { "content-type": "application/zip", "content-disposition": "attachment" })
            .end("x")
        }
        response.writeHead(404, { "content-type": "text/html; charset=utf-8" }).end(html)
      })
      const before = ownBrowsers()
      let group: string | undefined
      yield* Effect.gen(function* () {
        const site = `http://padaria.sites.localhost:${server.port}`
        const seen = yield* look({ url: `${site}/moved` }, "view")
        const [first] = seen.views
        assert.strictEqual(seen.url, `${site}/`)
        assert.deepInclude(first?.facts, {
          title: "Padaria Aurora",
          description: "Pães de fermentação natural",
          language: "pt-br",
          status: 404,
          imagesWithoutText: 1,
          hasViewportMeta: true
        })
        assert.deepEqual(first?.facts.headings[0], { level: 1, text: "Pão quente às seis", isInView: true })
        assert.deepEqual(
          first?.facts.actions.map(({ text }) => text),
          ["Peça agora", "Enviar"]
        )
        assert.deepEqual(
          first?.facts.forms[0]?.fields.map(({ kind, label }) => [label, kind]),
          [
            ["Nome", "text"],
            ["E-mail", "email"]
          ]
        )
        assert.isAbove(first?.facts.overflow ?? 0, 300)
        assert.include(
          (first?.violations ?? []).map(({ rule }) => rule),
          "color-contrast"
        )
        assert.strictEqual(Buffer.from(first?.picture ?? []).readUInt32BE(16), view.width)
        group = ownBrowsers().find((pid) => !before.includes(pid))
        assert.isDefined(group)
        const file = yield* Effect.flip(look({ url: `${site}/file` }))
        assert.deepInclude(file, { _tag: "Refused", reason: "page_not_shown" })
        const gone = yield* Effect.flip(look({ url: "http://nobody.test/" }))
        assert.deepInclude(gone, { _tag: "Refused" })
      }).pipe(Effect.provide(browserAt(server.port, () => [])))
      assert.deepEqual(
        processes().filter((one) => one.group === group && one.state !== "Z"),
        []
      )
    })
  )

  it.scoped.skipIf(!isThere || !isWhole)(
    "a page that never ends is given up, and the next one is shown",
    () =>
      Effect.gen(function* () {
        const server = yield* localHttpServer((request, response) => {
          response.writeHead(200, { "content-type": "text/html" })
          const pages: { readonly [path: string]: string } = {
            "/loop": "<title>x</title><script>for(;;);</script>",
            "/alert": "<title>x</title><script>for(;;)alert('x'.repeat(1e6))</script>",
            "/console": "<title>x</title><script>setInterval(()=>console.log('x'.repeat(1e7)))</script>",
            "/memory":
              "<title>x</title><script>const a=[];setInterval(()=>{for(let i=0;i<50;i++)a.push(new Uint8Array(4e6).fill(1))},1)</script>",
            "/good": "<title>good</title><h1>Good</h1>"
          }
          if (request.url === "/hang") return
          response.end(pages[request.url ?? ""] ?? "")
        })
        yield* Effect.gen(function* () {
          const site = `http://bad.sites.localhost:${server.port}`
          for (const path of ["/loop", "/alert", "/console", "/memory", "/hang"]) {
            yield* Effect.either(look({ url: `${site}${path}` }, "view"))
            const good = yield* look({ url: `${site}/good` })
            assert.strictEqual(good.views[0]?.facts.title, "good", path)
          }
        }).pipe(Effect.provide(browserAt(server.port, () => [])))
      }),
    300_000
  )
})

it.effect("where the machine has no browser, what needs it is refused", () =>
  Effect.gen(function* () {
    const browser = yield* Browser
    assert.strictEqual(browser.mode, "unavailable")
    const refusal = yield* Effect.flip(
      browser.look(me, { page: { url: "https://a.example" }, viewports: [view], picture: "none" })
    )
    assert.deepInclude(refusal, { _tag: "Refused", reason: "browser_unavailable" })
  }).pipe(
    Effect.provide(
      BrowserChromium.pipe(
        Layer.provide(
          Layer.setConfigProvider(ConfigProvider.fromMap(new Map([["BROWSER_PATH", "/nowhere/chromium"]])))
        ),
        Layer.provide(TestSettings)
      )
    )
  )
)
