import { brotliCompressSync } from "node:zlib"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { settingsOfSites } from "../../../bench/sites/SettingsOfSites.ts"
import { OutboundPolicy } from "../../../src/Layers/Platform/Outbound/OutboundPolicy.ts"
import { BrowserChromium } from "../../../src/Layers/Websites/Browser/BrowserChromium.ts"
import { findChromium } from "../../../src/Layers/Websites/Browser/Chromium.ts"
import { AccountId } from "../../../src/Services/Accounts/Ids.ts"
import { Browser } from "../../../src/Services/Websites/Pages/Browser.ts"
import { localHttpServer } from "../../support/servers/LocalHttpServer.ts"
import { TestSettings } from "../../support/TestSettings.ts"
import { canary, hostileNames } from "../../Websites/Pages/hostilePages.ts"

/** Ways out of the rendering browser are in test/Websites/Pages: here is what a page may leave, learn or break. */

const isThere = Option.isSome(await Effect.runPromise(findChromium(Option.none())))

const titleOf = (url: string, account = 1) =>
  Effect.gen(function* () {
    const browser = yield* Browser
    const { views } = yield* browser.look(AccountId.make(account), {
      page: { url },
      viewports: [{ width: 400, height: 300 }],
      picture: "view"
    })
    return views[0]?.facts.title
  })

const page = (body: string): string =>
  `<!doctype html><html lang="en"><title>start</title><body><h1>Hi</h1>${body}</body></html>`

/** Shows in its title what earlier looks left in the browser, then leaves something itself. */
const storage = page(`<script>
  const left = () => [document.cookie, localStorage.mark ?? "", navigator.serviceWorker.controller ? "worker" : ""].join("|")
  document.title = "left:" + left()
  document.cookie = "mark=cookie; max-age=1000"
  localStorage.mark = "storage"
  caches.open("mark").then((cache) => cache.put("/cached", new Response("x")))
  navigator.serviceWorker.register("/worker.js").then(() => navigator.serviceWorker.ready)
    .then(() => { document.title += "|registered" }, (error) => { document.title += "|" + error })
</script><img src="/slow" alt="">`)

/** Answers in place of the site. */
const worker = `
  self.addEventListener("install", (event) => event.waitUntil(self.skipWaiting()))
  self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()))
  self.addEventListener("fetch", (event) => event.respondWith(new Response("<title>taken over</title>", { headers: { "content-type": "text/html" } })))
`

const peers = page(`<script>
  const found = []
  const peer = new RTCPeerConnection({ iceServers: [{ urls: "stun:stun.example:3478" }] })
  peer.onicecandidate = ({ candidate }) => { if (candidate) found.push(candidate.candidate) }
  peer.createDataChannel("x")
  peer.createOffer().then((offer) => peer.setLocalDescription(offer)).catch(() => {})
  document.title = "asked:"
  const timer = setInterval(() => { document.title = "asked:" + found.join(";") }, 20)
</script>`)

/** A font whose packed table becomes large, and others that end early or say what is not so. */
const fontBomb = (() => {
  const packed = brotliCompressSync(Buffer.alloc(64 * 1024 * 1024))
  const head = Buffer.alloc(48)
  head.write("wOF2", 0, "latin1")
  head.writeUInt32BE(0x00010000, 4)
  head.writeUInt16BE(1, 12)
  head.writeUInt32BE(0xffffffff, 16)
  head.writeUInt32BE(packed.length, 20)
  const font = Buffer.concat([head, Buffer.from([0x0a, 0x83, 0x80, 0x80, 0x80, 0x00]), packed])
  font.writeUInt32BE(font.length, 8)
  return font
})()

const fonts: { readonly [name: string]: Buffer } = {
  "bomb.woff2": fontBomb,
  "half.woff2": fontBomb.subarray(0, 60),
  "nothing.ttf": Buffer.concat([
    Buffer.from([0, 1, 0, 0, 0xff, 0xff, 0, 0, 0, 0, 0, 0]),
    Buffer.alloc(1_000_000, 0xff)
  ]),
  "text.otf": Buffer.from("OTTO<script>alert(1)</script>"),
  "picture.woff": Buffer.from(
    "<svg xmlns='http://www.w3.org/2000/svg'><script>parent.document.title='ran'</script></svg>"
  )
}

const fontPage = (target: string) => {
  const sources = [
    ...Object.keys(fonts).map((name) => `url(/font/${name})`),
    `url(${target}font.woff2)`,
    "url(file:///etc/passwd)",
    "url(/font/away)",
    "local('../../etc/passwd')",
    `url("data:font/woff2;base64,${Buffer.from("wOF2".repeat(1000)).toString("base64")}")`
  ]
  const faces = sources.map((source, at) => `@font-face{font-family:f${at};src:${source}}.f${at}{font-family:f${at}}`)
  const texts = sources.map((_, at) => `<p class="f${at}">Text ${"\u202e\ufdfd\u0300".repeat(200)}</p>`)
  return page(`<style>${faces.join("")}</style>${texts.join("")}`)
}

layer(Layer.empty, { excludeTestServices: true, timeout: "3 minutes" })("a page in the rendering browser", (it) => {
  it.scoped.skipIf(!isThere)(
    "leaves nothing for the next look, learns no address of the machine, and breaks by no font",
    () =>
      Effect.gen(function* () {
        const bird = yield* canary
        const target = bird.isOnPort80 ? `http://${bird.address}/` : `http://127.0.0.1:${bird.port}/`
        const server = yield* localHttpServer((request, response) => {
          const path = request.url ?? ""
          if (path === "/worker.js") {
            return void response.writeHead(200, { "content-type": "text/javascript" }).end(worker)
          }
          // Until then the page has not loaded, so what it does is done.
          if (path === "/slow") return void setTimeout(() => response.writeHead(404).end(), 2000)
          if (path === "/font/away") return void response.writeHead(302, { location: `${target}away` }).end()
          if (path.startsWith("/font/")) {
            return void response.writeHead(200, { "content-type": "font/woff2" }).end(fonts[path.slice(6)])
          }
          const pages: { readonly [path: string]: string } = {
            "/storage": storage,
            "/peers": peers,
            "/fonts": fontPage(target)
          }
          response.writeHead(200, { "content-type": "text/html; charset=utf-8" })
          response.end(pages[path] ?? "<!doctype html><title>good</title><h1>Good</h1>")
        })
        const site = `http://attack.sites.localhost:${server.port}`
        yield* Effect.gen(function* () {
          const first = yield* titleOf(`${site}/storage`)
          assert.strictEqual(first, "left:|||registered", "a worker can be registered at all")
          assert.strictEqual(yield* titleOf(`${site}/storage`, 2), "left:|||registered")

          const candidates = yield* titleOf(`${site}/peers`)
          assert.match(candidates ?? "", /^asked:/)
          assert.notMatch(candidates ?? "", /\d+\.\d+\.\d+\.\d+|[0-9a-f]*:[0-9a-f]*:[0-9a-f]+::/)

          assert.strictEqual(yield* titleOf(`${site}/fonts`), "start")
          assert.isAbove(server.requests.filter((line) => line.includes(" /font/")).length, 4)
          assert.strictEqual(yield* titleOf(`${site}/anything`), "good")
        }).pipe(
          Effect.provide(
            BrowserChromium.pipe(
              Layer.provide(settingsOfSites(server.port)),
              Layer.provide(
                Layer.succeed(OutboundPolicy, {
                  allowLoopback: false,
                  resolve: (name: string) => Promise.resolve(hostileNames(bird)(name))
                })
              ),
              Layer.provide(TestSettings),
              Layer.fresh
            )
          )
        )
        assert.strictEqual(bird.hits(), 0)
      })
  )
})
