import type { RequestListener } from "node:http"
import { createRequire } from "node:module"
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, FastCheck as fc, Layer } from "effect"
import iconv from "iconv-lite"
import { OutboundHttpNode } from "../../../src/Layers/Platform/Outbound/OutboundHttp.ts"
import { OutboundPolicy } from "../../../src/Layers/Platform/Outbound/OutboundPolicy.ts"
import { PageCrawlerPostgres, piecesIn } from "../../../src/Layers/Websites/Crawling/PageCrawlerPostgres.ts"
import { decodedSlices, decodePage } from "../../../src/Services/Text/Web/PageCharset.ts"
import type { CrawledChunk } from "../../../src/Services/Websites/Pages/PageCrawler.ts"
import {
  crawlerToken,
  isAllowedByRobots,
  robotsMatch,
  robotsRules,
  rulesInTurns
} from "../../../src/Services/Websites/Pages/RobotsRules.ts"
import * as Catalog from "../../../src/Tools/Core/Catalog.ts"
import * as Tool from "../../../src/Tools/Core/Tool.ts"
import { crawlWebsite } from "../../../src/Tools/Websites/WebPages.ts"
import { localHttpServer } from "../../support/servers/LocalHttpServer.ts"
import { as, callTool, makeAccount } from "../../support/TestAccount.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { TestSettings } from "../../support/TestSettings.ts"
import { answerOf } from "../../support/ToolAnswer.ts"

interface RobotsReader {
  readonly isAllowed: (url: string, agent: string) => boolean | undefined
}
const isReader = (read: unknown): read is (url: string, text: string) => RobotsReader => typeof read === "function"

/** A widely used reader of robots.txt, which may take a page's whole time over a hostile one. */
const readRobots: unknown = createRequire(import.meta.url)("robots-parser")
const robotsParser = isReader(readRobots) ? readRobots : assert.fail("There is no such reader.")

const catalog = Catalog.make([Tool.group("Pages", "Pages of the web.", [crawlWebsite])])

const LoopbackAllowed = Layer.effect(
  OutboundPolicy,
  Effect.map(OutboundPolicy, (policy) => ({ ...policy, allowLoopback: true }))
)

const crawlerWith = (policy: Layer.Layer<never>) =>
  PageCrawlerPostgres.pipe(Layer.provide(OutboundHttpNode.pipe(Layer.provide(policy))))

const Ground = crawlerWith(LoopbackAllowed).pipe(Layer.provideMerge(TestDatabase), Layer.provideMerge(TestSettings))

const chunk = (url: string, chunk_index = 0) =>
  Effect.map(answerOf(catalog, "crawl_website", { url, chunk_index }), (answer) => answer as typeof CrawledChunk.Type)
const reasonOf = (args: object) =>
  Effect.map(Effect.flip(callTool(catalog, "crawl_website", args)), (failure) =>
    "reason" in failure ? failure.reason : failure._tag
  )
const mine = <A, E, R>(test: Effect.Effect<A, E, R>) => Effect.flatMap(makeAccount(), (caller) => as(caller)(test))

const html: { readonly [name: string]: string } = { "content-type": "text/html" }

/** A host whose pages are these, with robots.txt and whatever else `more` answers. */
const host = (pages: { readonly [path: string]: string }, more: RequestListener = () => {}) =>
  localHttpServer((request, response) => {
    const page = pages[request.url ?? ""]
    if (page !== undefined) response.writeHead(200, html).end(page)
    else {
      more(request, response)
      if (!response.headersSent) response.writeHead(404, html).end("missing")
    }
  })

layer(Ground, { excludeTestServices: true })("pages that are crawled", (it) => {
  it.scoped("are fetched once, and their chunks together are the page to the character", () =>
    mine(
      Effect.gen(function* () {
        let version = 0
        const text = `<title>Olá</title>${"maçã 🍎 ".repeat(900)}fim`
        const server = yield* host({}, (request, response) => {
          if (request.url === "/page?q=1") response.writeHead(200, html).end(`${text}${version++}`)
        })
        const url = `${server.url}/page?q=1#part`
        // At once: they wait for the same fetch.
        const [first] = yield* Effect.all([chunk(url), chunk(url, 1)], { concurrency: "unbounded" })
        const chunks = yield* Effect.forEach(Array.from({ length: first.total_chunks }), (_, index) =>
          chunk(url, index)
        )
        assert.strictEqual(chunks.map((each) => each.chunk).join(""), `${text}0`)
        assert.isTrue(chunks.slice(0, -1).every((each) => [...each.chunk].length === 1000))
        assert.deepInclude(first, { status: 200, final_url: `${server.url}/page?q=1`, content_type: "text/html" })
        assert.strictEqual(first.total_characters, [...`${text}0`].length)
        assert.strictEqual(version, 1)
        assert.strictEqual(yield* reasonOf({ url, chunk_index: first.total_chunks }), "chunk_index_past_end")
        const sql = yield* SqlClient
        yield* sql`update crawled_page set fetched_at = fetched_at - interval '16 minutes'`
        assert.include((yield* chunk(url, first.total_chunks - 1)).chunk, "fim1")
        // Another account's page is its own.
        yield* mine(chunk(url))
        assert.strictEqual(version, 3)
      })
    )
  )

  it.scoped("are read in their own charset, however they are packed, within bounds", () =>
    mine(
      Effect.gen(function* () {
        const latin = Buffer.from("<p>a\u00e7\u00e3o</p>", "latin1")
        const bomb = gzipSync(Buffer.alloc(6 * 1024 * 1024, 32))
        const answers: { readonly [path: string]: readonly [string, Buffer, string?] } = {
          "/header": ["text/html; charset=iso-8859-1", latin],
          "/meta": ["text/html", Buffer.concat([Buffer.from('<meta charset="latin1">'), latin])],
          "/mark": ["text/html; charset=iso-8859-1", Buffer.from("\ufeff<p>ação</p>", "utf8")],
          "/wide": ["text/html", Buffer.from("\ufeff<p>ação</p>", "utf16le")],
          "/gzip": ["text/html", gzipSync("<p>ação</p>"), "gzip"],
          "/br": ["text/html", brotliCompressSync("<p>ação</p>"), "br"],
          "/deflate": ["text/html", deflateSync("<p>ação</p>"), "deflate"],
          "/twice": ["text/html", brotliCompressSync(gzipSync("<p>ação</p>")), "gzip, br"],
          "/bomb": ["text/html", bomb, "gzip"],
          "/bombs": ["text/html", gzipSync(bomb), "gzip, gzip"],
          "/torn": ["text/html", gzipSync("<p>ação</p>").subarray(0, 20), "gzip"],
          "/unknown": ["text/html", Buffer.from("x"), "zstd"],
          "/large": ["text/html", Buffer.alloc(6 * 1024 * 1024, 32)],
          "/nul": ["text/html", Buffer.from("<p>a\0\ud800b</p>")],
          "/picture": ["image/png", Buffer.from("x")]
        }
        const server = yield* host({}, (request, response) => {
          const found = answers[request.url ?? ""]
          if (found === undefined) return
          const [type, body, encoding] = found
          response
            .writeHead(200, {
              "content-type": type,
              ...(encoding === undefined ? {} : { "content-encoding": encoding })
            })
            .end(body)
        })
        for (const path of ["/header", "/meta", "/mark", "/wide", "/gzip", "/br", "/deflate", "/twice"]) {
          assert.include((yield* chunk(server.url + path)).chunk, "<p>ação</p>", path)
        }
        assert.strictEqual((yield* chunk(`${server.url}/nul`)).chunk.startsWith("<p>a\ufffd"), true)
        const refused = { "/bomb": "page_too_large", "/bombs": "page_too_large", "/large": "page_too_large" }
        for (const [path, reason] of Object.entries({
          ...refused,
          "/torn": "url_unreadable",
          "/unknown": "url_unreadable",
          "/picture": "page_not_text"
        })) {
          assert.strictEqual(yield* reasonOf({ url: server.url + path }), reason, path)
        }
      })
    )
  )

  it.scoped("are those that robots.txt allows, on every host on the way", () =>
    mine(
      Effect.gen(function* () {
        const secret = yield* host({
          "/robots.txt": `User-agent: ${crawlerToken}\nDisallow: /secret`,
          "/secret": "x",
          "/open": "yes"
        })
        const broken = yield* host({ "/page": "x" }, (request, response) => {
          if (request.url === "/robots.txt") response.writeHead(503).end()
        })
        const lost = yield* host({ "/page": "fine" })
        const moved = yield* host({}, (request, response) => {
          if (request.url === "/robots.txt") response.writeHead(301, { location: `${secret.url}/robots.txt` }).end()
          if (request.url === "/to-secret") response.writeHead(302, { location: `${secret.url}/secret` }).end()
          if (request.url === "/to-open") response.writeHead(302, { location: `${secret.url}/open` }).end()
          if (request.url === "/circle") response.writeHead(302, { location: "/circle" }).end()
          if (request.url === "/to-inside") response.writeHead(302, { location: "http://10.0.0.1/" }).end()
        })
        assert.strictEqual(yield* reasonOf({ url: `${secret.url}/secret` }), "robots_disallowed")
        assert.strictEqual(yield* reasonOf({ url: `${broken.url}/page` }), "robots_disallowed")
        assert.strictEqual((yield* chunk(`${lost.url}/page`)).chunk, "fine")
        assert.deepInclude(yield* chunk(`${lost.url}/gone`), { status: 404, chunk: "missing", total_chunks: 1 })
        assert.deepInclude(yield* chunk(`${moved.url}/to-open`), { chunk: "yes", final_url: `${secret.url}/open` })
        for (const [path, reason] of [
          ["/to-secret", "robots_disallowed"],
          ["/circle", "too_many_redirects"],
          ["/to-inside", "address_not_public"],
          ["/secret", "robots_disallowed"]
        ]) {
          assert.strictEqual(yield* reasonOf({ url: moved.url + path }), reason, path)
        }
        assert.notInclude(secret.requests, "GET /secret")
        assert.notInclude(broken.requests, "GET /page")
      })
    )
  )

  it.scoped("of private addresses are refused, and an account fetches so many", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const server = yield* host({ "/page": "x" })
      const Strict = crawlerWith(Layer.empty).pipe(Layer.fresh)
      for (const url of [
        `${server.url}/page`,
        "http://localhost/",
        "https://169.254.169.254/",
        "http://[::1]/",
        "ftp://a.example/"
      ]) {
        const reason = yield* Effect.provide(me(reasonOf({ url })), Strict)
        assert.match(String(reason), /^(?:address_not_public|url_not_https|url_port_not_allowed)$/, url)
      }
      assert.deepEqual(server.requests, [])
      assert.strictEqual(yield* me(reasonOf({ url: server.url, chunk_index: -1 })), "out_of_range")
      for (let page = 0; page < 60; page++) yield* me(chunk(`${server.url}/${page}`))
      assert.strictEqual(yield* me(reasonOf({ url: `${server.url}/61` })), "crawl_limit")
      assert.strictEqual((yield* me(chunk(`${server.url}/5`))).chunk, "missing")
      yield* mine(chunk(`${server.url}/61`))
    })
  )
})

describe("rules of robots.txt", () => {
  it("are read in turns where they are tens of thousands", () => {
    const text = ["User-agent: *", ...Array.from({ length: 25_000 }, (_, index) => `Disallow: /%41${index}`)].join("\n")
    const reading = rulesInTurns(text, crawlerToken)
    let turns = 1
    let turn = reading.next()
    for (; turn.done !== true; turn = reading.next()) turns++
    assert.isAtLeast(turns, 12)
    assert.lengthOf(turn.value, 25_000)
    assert.isFalse(isAllowedByRobots(turn.value, "/A24999"))
    assert.isTrue(isAllowedByRobots(turn.value, "/B"))
  })

  it("are those of the groups that name the crawler, else of everybody", () => {
    const text = `\ufeffUser-agent: *\nDisallow: /\n\nuser-agent: Prospecting-Gateway/2.0 # us\nUser-agent: other\nDisallow: /private\nCrawl-delay: 3\nAllow: /private/open$\n\nUser-agent: ${crawlerToken}\nDisallow: /*.pdf$\nSitemap: https://a.example/s.xml\nDisallow:`
    const rules = robotsRules(text, crawlerToken)
    const isAllowed = (path: string) => isAllowedByRobots(rules, path)
    assert.deepEqual(
      ["/", "/private", "/private/x", "/private/open", "/private/open/x", "/a.pdf", "/a.pdf?x", "/robots.txt"].filter(
        isAllowed
      ),
      ["/", "/private/open", "/a.pdf?x", "/robots.txt"]
    )
    assert.isFalse(isAllowedByRobots(robotsRules(text, "somebody"), "/"))
    assert.isTrue(isAllowedByRobots(robotsRules("Disallow: /", crawlerToken), "/"))
    const encoded = robotsRules(
      "User-agent: *\nDisallow: /pre%C3%A7o\nDisallow: /%7Ejoe\nDisallow: /ação",
      crawlerToken
    )
    assert.deepEqual(
      ["/preço", "/pre%c3%a7o", "/~joe", "/a%C3%A7%C3%A3o", "/other"].map((path) => isAllowedByRobots(encoded, path)),
      [false, false, false, false, true]
    )
  })

  const pattern = fc
    .array(fc.constantFrom("/", "a", "b", "*", "a*", "-", "/a"), { minLength: 0, maxLength: 8 })
    .map((parts) => `/${parts.join("")}`)
  const path = fc.array(fc.constantFrom("/", "a", "b", "-"), { maxLength: 10 }).map((parts) => `/${parts.join("")}`)

  it("mean what another reader of them finds", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), pattern, fc.boolean()), { maxLength: 6 }), path, (given, at) => {
        const text = `User-agent: *\n${given.map(([isAllowed, rule, isWhole]) => `${isAllowed ? "Allow" : "Disallow"}: ${rule}${isWhole ? "$" : ""}`).join("\n")}`
        const other = robotsParser("https://a.example/robots.txt", text).isAllowed(
          `https://a.example${at}`,
          crawlerToken
        )
        assert.strictEqual(isAllowedByRobots(robotsRules(text, crawlerToken), at), other ?? true, text)
      }),
      { numRuns: 150 }
    )
  })

  it("are the same however their characters are written, and of any length", () => {
    const rulesFor = (pattern: string) => robotsRules(`user-agent: *\ndisallow: ${pattern}`, crawlerToken)
    const ways = ["/ação", "/a%c3%a7%C3%A3o", "/%61%c3%a7ão"]
    for (const pattern of ways)
      for (const path of ways) assert.isFalse(isAllowedByRobots(rulesFor(pattern), path), `${pattern} ${path}`)
    assert.lengthOf(robotsRules(`user-agent: *\ndisallow: /${"éa".repeat(170_000)}`, crawlerToken), 1)
    assert.lengthOf(robotsRules("\n".repeat(500_000), crawlerToken), 0)
  })

  it("take time linear in their length", () => {
    assert.isFalse(robotsMatch(`/${"*a".repeat(100_000)}b`, `/${"a".repeat(2000)}`))
  })
})

it("a page that is decoded in slices is the page", () => {
  for (const charset of ["utf-8", "utf-16le", "shift_jis", "latin1"]) {
    const bytes = iconv.encode("ação 日本語\0<p>".repeat(40_000), charset)
    const slices = [...decodedSlices(bytes, `text/html; charset=${charset}`)]
    assert.isAbove(slices.length, 3)
    assert.isAtMost(Math.max(...slices.map(({ length }) => length)), 128 * 1024)
    assert.strictEqual(slices.join(""), decodePage(bytes, `text/html; charset=${charset}`))
  }
})

it("pieces of a text together are the text, and none tears a character", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), fc.integer({ min: 1, max: 9 }), (text, length) => {
      const pieces = [...piecesIn(text, length)]
      assert.strictEqual(pieces.join(""), text)
      assert.isTrue(pieces.every((piece) => piece.isWellFormed() === text.isWellFormed() || piece.isWellFormed()))
      assert.isTrue(pieces.slice(0, -1).every((piece) => [...piece].length === length))
    }),
    { numRuns: 30 }
  )
})
