import { createHash } from "node:crypto"
import { Agent, request as httpRequest } from "node:http"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { trustedProxies } from "../../../src/Layers/Platform/Http/ClientAddress.ts"
import { ServerAddress } from "../../../src/Layers/Platform/Http/Server.ts"
import { TrafficCounter, TrafficCounterPostgres } from "../../../src/Layers/Websites/Traffic/TrafficCounter.ts"
import { VisitorSalts } from "../../../src/Layers/Websites/Traffic/VisitorSalts.ts"
import { WebsiteTraffic } from "../../../src/Services/Websites/Traffic/WebsiteTraffic.ts"
import { testGateway } from "../../support/servers/TestServer.ts"
import { as, makeAccount } from "../../support/TestAccount.ts"
import { clinicSite, firefox, publish, visit } from "../Serving/servedSites.ts"

/** 100 000 in `npm run test:traffic`. */
const simulated = Number(process.env["VISITS"] ?? 1500)

const iphone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1"
const googlebot = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"

/** Numbers that are the same in each run. */
const numbers = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}

/** What the figures are, counted the slow way: everything is remembered. */
const reference = () => {
  const counts = new Map<string, Map<string, number>>()
  const visitors = new Set<string>()
  return {
    visitors,
    botHits: 0,
    views: 0,
    add: (kind: string, name: string | undefined) => {
      if (name === undefined) return
      const names = counts.get(kind) ?? new Map<string, number>()
      counts.set(kind, names.set(name, (names.get(name) ?? 0) + 1))
    },
    told: (kind: string) => Object.fromEntries([...(counts.get(kind) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}

const sorted = (counted: ReadonlyArray<{ readonly name: string; readonly views: number }>) =>
  Object.fromEntries(counted.map(({ name, views }) => [name, views] as const).sort(([a], [b]) => (a < b ? -1 : 1)))

layer(testGateway({ trustedProxies: trustedProxies("127.0.0.1") }), { excludeTestServices: true })("visits", (it) => {
  const make = Effect.flatMap(makeAccount(), (caller) =>
    Effect.map(publish(caller, clinicSite()), (site) => ({ ...site, caller, me: as(caller) }))
  )
  type Published = Effect.Effect.Success<typeof make>
  const figures = Effect.fnUntraced(function* ({ me, websiteId }: Published, days: number = 1) {
    const counter = yield* TrafficCounter
    const traffic = yield* WebsiteTraffic
    yield* counter.flush
    return yield* me(traffic.of(websiteId, days))
  })

  it.effect(
    `${simulated} that are simulated give the figures of a slow reference`,
    () =>
      Effect.gen(function* () {
        const site = yield* make
        const { host, port } = yield* ServerAddress
        const next = numbers(7)
        const pick = <A>(list: ReadonlyArray<A>): A | undefined => list[Math.floor(next() * list.length)]
        const expected = reference()
        const people = Math.ceil(simulated / 4)
        const requests = Array.from({ length: simulated }, () => {
          const person = Math.floor(next() * people)
          const address = `100.${64 + (person >> 16)}.${(person >> 8) & 255}.${person & 255}`
          const userAgent = person % 3 === 0 ? iphone : firefox
          const path = pick(["/", "/", "/contato"]) ?? "/"
          const kind = next()
          if (kind < 0.15) {
            expected.botHits++
            return { method: "GET", path, address, userAgent: googlebot, body: undefined }
          }
          const referrer =
            pick(["", "https://www.google.com/", "https://parceiro.example/pagina?x=1", `https://${site.host}/`]) ?? ""
          const source = pick([undefined, "news", "instagram"])
          expected.views++
          expected.visitors.add(`${address} ${userAgent}`)
          expected.add("page", path)
          expected.add("device", userAgent === iphone ? "mobile" : "desktop")
          expected.add("source", source)
          expected.add(
            "referrer",
            referrer.includes("google") ? "google.com" : referrer.includes("parceiro") ? "parceiro.example" : undefined
          )
          const query = source === undefined ? "" : `?utm_source=${source}`
          return {
            method: "POST",
            path: "/_/hit",
            address,
            userAgent,
            body: new URLSearchParams({ path, query, referrer, variant: "a" }).toString()
          }
        })
        const agent = new Agent({ keepAlive: true, maxSockets: 16 })
        const sendOne = ({ address, body, method, path, userAgent }: (typeof requests)[number]) =>
          Effect.async<number>((resume) => {
            const headers = { host: site.host, "user-agent": userAgent, "x-forwarded-for": address }
            const asked = httpRequest({ host, port, path, agent, method, headers }, (answer) => {
              answer.resume()
              answer.on("end", () => resume(Effect.succeed(answer.statusCode ?? 0)))
            })
            asked.on("error", (cause) => resume(Effect.die(cause)))
            asked.end(body)
          })
        const statuses = yield* Effect.forEach(requests, sendOne, { concurrency: 16 })
        agent.destroy()
        assert.deepStrictEqual([...new Set(statuses)].sort(), [200, 204])

        const told = yield* figures(site)
        assert.strictEqual(told.views, expected.views)
        assert.strictEqual(told.bot_hits, expected.botHits)
        assert.deepStrictEqual(sorted(told.pages), expected.told("page"))
        assert.deepStrictEqual(sorted(told.devices), expected.told("device"))
        assert.deepStrictEqual(sorted(told.utm_sources), expected.told("source"))
        assert.deepStrictEqual(sorted(told.referrers), expected.told("referrer"))
        const exact = expected.visitors.size
        if (exact <= 600) assert.strictEqual(told.visitors, exact)
        else assert.approximately(told.visitors, exact, 0.05 * exact)
      }),
    120_000
  )

  it.effect("of several processes add up, day by day, and take one row a day", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const site = yield* make
      const { accountId, websiteId } = site
      const today = (yield* figures(site)).last_day
      const days = Array.from({ length: 5 }, (_, index) =>
        new Date(Date.parse(`${today}T00:00:00Z`) - index * 2 * 86_400_000).toISOString().slice(0, 10)
      )
      const count = (share: number) =>
        Effect.scoped(
          Effect.gen(function* () {
            const counter = yield* TrafficCounter
            for (let round = 0; round < 4; round++) {
              for (const [index, day] of days.entries()) {
                for (let person = 0; person < 100 * (index + 1); person++) {
                  const visitor = createHash("sha256").update(`${person} ${share}`).digest("hex")
                  counter.view({
                    accountId,
                    websiteId,
                    day,
                    visitor,
                    parts: [
                      ["page", "/"],
                      ["referrer", `host${person % 70}.example`]
                    ]
                  })
                }
                counter.botHit({ accountId, websiteId, day })
              }
              yield* counter.flush
            }
          }).pipe(Effect.provide(TrafficCounterPostgres), Effect.orDie)
        )
      yield* Effect.all([count(0), count(1), count(2)], { concurrency: 3 })
      const told = yield* figures(site, 9)
      assert.deepStrictEqual(
        told.by_day
          .filter(({ views }) => views > 0)
          .map(({ bot_hits, day, views, visitors }) => [day, views, bot_hits, visitors < 600 ? visitors : 0]),
        days.map((day, index) => [day, 1200 * (index + 1), 12, index === 0 ? 300 : 0]).reverse()
      )
      for (const { day, visitors } of told.by_day.filter(({ views }) => views > 0)) {
        const exact = 300 * (days.indexOf(day) + 1)
        assert.approximately(visitors, exact, 0.05 * exact)
      }
      assert.strictEqual(told.by_day.length, 9)
      assert.isAtMost(told.referrers.length, 21)
      assert.strictEqual(
        told.referrers.reduce((sum, { views }) => sum + views, 0),
        told.views
      )
      const rows = yield* sql<{ readonly days: number; readonly largest: number }>`
        select count(*) as days, max(length(parts::text) + coalesce(length(sketch), 0)) as largest
        from website_traffic_day where account_id = ${accountId} and website_id = ${websiteId}`
      assert.strictEqual(rows[0]?.days, 5)
      assert.isBelow(rows[0]?.largest ?? 0, 12_000)
    })
  )

  it.effect("count where a browser shows the page: by its beacon, or by its picture where no script runs", () =>
    Effect.gen(function* () {
      const site = yield* make
      const { host } = site
      const view = { path: "/", query: "", referrer: "", variant: "a" }
      assert.strictEqual((yield* visit(host, "/")).status, 200)
      assert.strictEqual((yield* figures(site)).views, 0)
      assert.strictEqual((yield* visit(host, "/_/hit", { form: view })).status, 204)
      const picture = yield* visit(host, "/_/hit.gif?path=%2Fcontato&variant=a", {
        headers: { referer: `https://${host}/contato?utm_source=news` }
      })
      assert.deepStrictEqual([picture.status, picture.headers["content-type"]], [200, "image/gif"])
      // Neither programs, nor browsers ahead of a visit, nor pages that there are not.
      yield* visit(host, "/_/hit", { form: view, headers: { "user-agent": googlebot } })
      yield* visit(host, "/_/hit", { form: view, headers: { "sec-purpose": "prefetch;prerender" } })
      yield* visit(host, "/_/hit", { form: { ...view, path: "/nada" } })
      yield* visit(host, "/_/hit", { body: "%%%" })
      yield* visit(host, "/", { headers: { "sec-purpose": "prefetch" } })
      const told = yield* figures(site)
      assert.deepStrictEqual([told.views, told.visitors, told.bot_hits], [2, 1, 1])
      assert.deepStrictEqual(sorted(told.utm_sources), { news: 1 })
      assert.isNull((yield* figures(yield* make)).conversion_rate)
    })
  )

  it.effect("of a flood are kept out, whatever it writes into its links", () =>
    Effect.gen(function* () {
      const site = yield* make
      for (let index = 0; index < 100; index++) {
        yield* visit(site.host, "/_/hit", {
          form: {
            path: "/",
            query: `?utm_source=${"x".repeat(3000)}${index}`,
            referrer: `https://spam${index}.example/`,
            variant: "a"
          },
          headers: { "x-forwarded-for": `9.9.9.${index}, 198.51.100.7` }
        })
      }
      const told = yield* figures(site)
      assert.deepStrictEqual([told.views + told.bot_hits, told.visitors], [100, 1])
      // A minute may end while they come.
      assert.isAtMost(told.views, 60)
      assert.isAtMost(told.referrers.length, 21)
    })
  )

  it.effect("keep nobody's address, and the day's salt goes after the day", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const site = yield* make
      yield* visit(site.host, "/_/hit", {
        form: { path: "/", query: "", referrer: "", variant: "a" },
        headers: { "x-forwarded-for": "203.0.113.77" }
      })
      yield* figures(site)
      const kept = yield* sql<{ readonly row: string }>`
        select t::text as row from website_traffic_day t where account_id = ${site.accountId}`
      assert.strictEqual(kept.length, 1)
      assert.notInclude(JSON.stringify(kept), "203.0.113")

      const salts = yield* VisitorSalts
      yield* sql`insert into visitor_salt (day, salt) values ('2020-01-01', '\\x00') on conflict do nothing`
      yield* sql`
        insert into website_traffic_day (account_id, website_id, day, views, visitors, sketch)
        values (${site.accountId}, ${site.websiteId}, '2020-01-01', 3, 2, '\\x01')`
      yield* salts.forget
      const old = yield* sql`select from visitor_salt where day = '2020-01-01'`
      const sketches = yield* sql<{ readonly visitors: number }>`
        select visitors from website_traffic_day where account_id = ${site.accountId} and day = '2020-01-01' and sketch is null`
      assert.deepStrictEqual([old.length, sketches[0]?.visitors], [0, 2])
      const today = yield* sql`select from visitor_salt where day > '2020-01-01'`
      assert.isAbove(today.length, 0)
      assert.deepStrictEqual((yield* salts.of("2031-05-05")).equals(yield* salts.of("2031-05-05")), true)
      assert.isFalse((yield* salts.of("2031-05-05")).equals(yield* salts.of("2031-05-06")))
    })
  )
})
