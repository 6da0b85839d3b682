import { createHash } from "node:crypto"
import { connect } from "node:net"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ServerAddress } from "../../../src/Layers/Platform/Http/Server.ts"
import { pagePolicy } from "../../../src/Layers/Websites/Serving/PagePolicy.ts"
import { websiteCommands } from "../../../src/Layers/Websites/Serving/Reports/Commands.ts"
import { Caller } from "../../../src/Services/Core/Calls/Caller.ts"
import { SitePictures } from "../../../src/Services/Websites/SitePictures.ts"
import * as Catalog from "../../../src/Tools/Core/Catalog.ts"
import * as Tool from "../../../src/Tools/Core/Tool.ts"
import { websiteTrafficTools } from "../../../src/Tools/Websites/WebsiteTraffic.ts"
import { runCommand } from "../../support/leads/RoomCommands.ts"
import { makeTokenHolder, send, testGateway } from "../../support/servers/TestServer.ts"
import { as, callTool, makeAccount } from "../../support/TestAccount.ts"
import { clinicSite, contactForm, publish, publishCode, siteDomain, visit } from "./servedSites.ts"

layer(testGateway(), { excludeTestServices: true })("a site", (it) => {
  const make = (site = clinicSite(), options: Parameters<typeof publish>[2] = {}) =>
    Effect.flatMap(makeTokenHolder(), ({ caller, token }) =>
      Effect.map(publish(caller, site, options), (published) => ({ ...published, caller, token }))
    )

  it.effect("is served on its own host, with what browsers and search engines need", () =>
    Effect.gen(function* () {
      const { host, name } = yield* make()
      const home = yield* visit(host, "/")
      assert.strictEqual(home.status, 200)
      assert.strictEqual(home.headers["content-type"], "text/html; charset=utf-8")
      assert.include(home.text, "Bem-vindo")
      assert.include(home.text, '<html lang="pt-BR"')
      assert.include(home.text, `<link rel="canonical" href="https://${host}/">`)
      assert.include(home.text, `https://${host}/_/social.png`)
      assert.include(home.text, "application/ld+json")
      assert.include(home.text, 'data-hit="a"')
      assert.include((yield* visit(host, "/contato")).text, "ola@sorriso.example")
      assert.strictEqual((yield* visit(host, "/contato/")).headers["location"], `https://${host}/contato`)

      const policy = home.headers["content-security-policy"] ?? ""
      assert.match(policy, /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; img-src 'self'; /)
      assert.notInclude(policy, "unsafe")
      assert.include(policy, "frame-ancestors 'none'")
      assert.strictEqual(home.headers["x-content-type-options"], "nosniff")
      assert.isUndefined(home.headers["set-cookie"])

      const robots = yield* visit(host, "/robots.txt")
      assert.include(robots.text, `Sitemap: https://${host}/sitemap.xml`)
      const sitemap = yield* visit(host, "/sitemap.xml")
      const today = new Date().toISOString().slice(0, 10)
      assert.include(sitemap.text, `<loc>https://${host}/contato</loc><lastmod>${today}</lastmod>`)
      const missing = yield* visit(host, "/precos")
      assert.strictEqual(missing.status, 404)
      assert.include(missing.text, "Página não encontrada")
      assert.strictEqual(name.length > 3, true)
    })
  )

  it.effect("allows the style and the script that its pages have, and a frame of its form on other sites alone", () =>
    Effect.gen(function* () {
      const [home] = clinicSite().pages
      assert.isDefined(home)
      const site = clinicSite({ pages: home ? [{ ...home, blocks: [contactForm] }] : [] })
      const { host } = yield* make(site, { type: "LeadCapturePage" })
      for (const [path, ancestors] of [
        ["/", "'none'"],
        ["/embed", "*"]
      ] as const) {
        const page = yield* visit(host, path)
        const policy = page.headers["content-security-policy"] ?? ""
        assert.strictEqual(page.status, 200)
        const inline = [...page.text.matchAll(/<(style|script)>([\s\S]*?)<\/\1>/g)]
        assert.deepStrictEqual(
          inline.map(([, tag]) => tag),
          ["style", "script"]
        )
        for (const [, tag, text = ""] of inline) {
          assert.include(policy, `${tag}-src 'sha256-${createHash("sha256").update(text).digest("base64")}'`)
        }
        assert.include(policy, `frame-ancestors ${ancestors}`)
        assert.strictEqual(page.headers["x-frame-options"], path === "/" ? "DENY" : undefined)
        assert.notMatch(page.text, /<[^>]+ (?:style|on[a-z]+)=/)
      }
    })
  )

  it.effect("is compressed as the browser takes it, and not sent to who has it", () =>
    Effect.gen(function* () {
      const { host } = yield* make()
      const plain = yield* visit(host, "/")
      const gzip = yield* visit(host, "/", { headers: { "accept-encoding": "gzip" } })
      const brotli = yield* visit(host, "/", { headers: { "accept-encoding": "gzip, deflate, br" } })
      const refused = yield* visit(host, "/", { headers: { "accept-encoding": "br;q=0, gzip;q=0.0, identity" } })
      assert.strictEqual(gunzipSync(gzip.bytes).toString(), plain.text)
      assert.strictEqual(brotliDecompressSync(brotli.bytes).toString(), plain.text)
      assert.strictEqual(brotli.headers["content-encoding"], "br")
      assert.strictEqual(brotli.headers["vary"], "Accept-Encoding")
      assert.isUndefined(refused.headers["content-encoding"])
      assert.isBelow(brotli.bytes.length, 60 * 1024)
      const etag = brotli.headers["etag"] ?? ""
      assert.notStrictEqual(etag, plain.headers["etag"])
      const again = yield* visit(host, "/", { headers: { "accept-encoding": "br", "if-none-match": `"x", W/${etag}` } })
      assert.deepStrictEqual([again.status, again.bytes.length], [304, 0])
      const head = yield* visit(host, "/", { method: "HEAD" })
      assert.deepStrictEqual(
        [head.status, head.bytes.length, head.headers["content-length"]],
        [200, 0, String(plain.bytes.length)]
      )
    })
  )

  it.effect("changes, is archived, suspended and renamed on the next request", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId, host, name, websiteId } = yield* make()
      assert.strictEqual((yield* visit(host, "/")).status, 200)
      const changed = clinicSite({ tagline: "Agora também aos sábados" })
      yield* publishCode({ accountId, websiteId }, changed)
      assert.include((yield* visit(host, "/")).text, "Agora também aos sábados")

      yield* sql`update website set suspended_at = instant() where account_id = ${accountId} and website_id = ${websiteId}`
      const suspended = yield* visit(host, "/", { headers: { "accept-language": "en" } })
      assert.strictEqual(suspended.status, 451)
      assert.include(suspended.text, "Site suspended")
      assert.notInclude(suspended.text, "sábados")
      yield* sql`update website set suspended_at = null where account_id = ${accountId} and website_id = ${websiteId}`

      yield* sql`update website_name set given_up_at = instant() where name = ${name}`
      yield* sql`insert into website_name (name, account_id, website_id) values (${`${name}-novo`}, ${accountId}, ${websiteId})`
      const moved = yield* visit(host, "/contato?utm_source=x")
      assert.strictEqual(moved.status, 301)
      assert.strictEqual(moved.headers["location"], `https://${name}-novo.${siteDomain}/contato?utm_source=x`)
      const posted = yield* visit(host, "/_/form/form", { form: { a: "b" } })
      assert.strictEqual(posted.status, 308)
      assert.strictEqual((yield* visit(`${name}-novo.${siteDomain}`, "/")).status, 200)
      yield* sql`update website_name set given_up_at = instant() - interval '91 days' where name = ${name}`
      assert.strictEqual((yield* visit(host, "/")).status, 404)

      yield* sql`update website set archived_at = instant() where account_id = ${accountId} and website_id = ${websiteId}`
      assert.strictEqual((yield* visit(`${name}-novo.${siteDomain}`, "/")).status, 404)
    })
  )

  it.effect("has no route of the gateway, and the gateway none of a site", () =>
    Effect.gen(function* () {
      const { host, token } = yield* make()
      const bearer = { authorization: `Bearer ${token}` }
      for (const path of [
        "/rest/v1/tools/whoami",
        "/rest/v1/tools",
        "/SKILL.md",
        "/openapi.json",
        "/mcp",
        "/health/ready",
        "/metrics",
        "/sites/tls-check?domain=x"
      ]) {
        const answer = yield* visit(host, path, { headers: bearer })
        assert.deepStrictEqual([path, answer.status], [path, 404])
        assert.notInclude(answer.text, "account")
      }
      const called = yield* visit(host, "/rest/v1/tools/whoami", { body: "{}", headers: bearer })
      assert.strictEqual(called.status, 405)
      for (const path of ["/_/privacy", "/_/hit.gif", "/sitemap.xml"]) {
        assert.strictEqual((yield* send(path)).status, 404)
      }
      assert.strictEqual((yield* send("/rest/v1/tools/whoami", { token })).status, 200)
    })
  )

  it.effect("is told by a Host that cannot be read in two ways", () =>
    Effect.gen(function* () {
      const { host, name, token } = yield* make()
      const statuses: Array<readonly [string, number]> = []
      for (const [given, path, status] of [
        [host.toUpperCase(), "/", 200],
        [`${host}:8443`, "/", 200],
        [`${host}.`, "/", 200],
        [`www.${host}`, "/", 404],
        [`xn--${name}.${siteDomain}`, "/", 404],
        [siteDomain, "/", 404],
        [`${name}.${siteDomain}@evil.test`, "/", 404],
        // Would stand in the address that a lead is said to come from.
        [`${host}:@evil.test`, "/", 404],
        [`${host}:443@evil.test`, "/", 404],
        [host, `http://${host}/contato`, 200],
        [host, `http://${host}`, 200],
        [host, "http://other.sites.test/", 400],
        [host, "http://gateway.test/rest/v1/tools/whoami", 400],
        ["gateway.test", `http://${host}/`, 400],
        [host, "//evil.test/", 404],
        [host, "/..%2f..%2fetc%2fpasswd", 404],
        [host, "/_/font/..%2f..%2f..%2fpackage.json", 404],
        [host, "/_/picture/../../x.webp", 404],
        [host, "/%00", 404],
        [host, `/${"a".repeat(5000)}`, 414],
        [host, "*", 400]
      ] as const) {
        const answer = yield* visit(given, path)
        if (answer.status !== status) statuses.push([`${given} ${path.slice(0, 60)}`, answer.status])
        assert.notInclude(answer.text, "root:")
      }
      assert.deepStrictEqual(statuses, [])
      for (const method of ["PUT", "DELETE", "OPTIONS", "TRACE"]) {
        assert.strictEqual((yield* visit(host, "/", { method })).status, 405)
      }
      const address = yield* ServerAddress
      for (const [first, second] of [
        [host, "gateway.test"],
        ["gateway.test", host]
      ]) {
        const said = yield* Effect.async<string>((resume) => {
          const socket = connect(address.port, address.host, () =>
            socket.write(
              `GET / HTTP/1.1\r\nHost: ${first}\r\nhOST: ${second}\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`
            )
          )
          let text = ""
          socket.on("data", (piece) => {
            text += piece.toString("latin1")
          })
          socket.on("error", () => {})
          socket.on("close", () => resume(Effect.succeed(text)))
        })
        assert.match(said, /^HTTP\/1\.1 400 /)
      }
      const forwarded = yield* visit("gateway.test", "/rest/v1/tools/whoami", {
        headers: { "x-forwarded-host": host, authorization: `Bearer ${token}` }
      })
      assert.strictEqual(forwarded.status, 200)
      const other = yield* make(clinicSite({ name: "Outra Casa" }))
      const mixed = yield* visit(host, "/", { headers: { "x-forwarded-host": other.host, "x-host": other.host } })
      assert.notInclude(mixed.text, "Outra Casa")
      assert.include((yield* visit(other.host, "/")).text, "Outra Casa")
      assert.notInclude((yield* visit(host, "/")).text, other.host)
    })
  )

  it.effect("loads pictures, fonts and the picture for links from its own host alone, for good", () =>
    Effect.gen(function* () {
      const pictures = yield* SitePictures
      const picture = { id: "front", prompt: "a clinic #1a5fb4", shape: "wide" } as const
      const site = clinicSite({ pictures: [picture] })
      const { accountId, caller, host, websiteId } = yield* make(site)
      const other = yield* make()
      yield* Effect.provideService(pictures.make(accountId, websiteId, [picture]), Caller, caller)
      const digest = (yield* pictures.urls(accountId, websiteId, site)).get("front") ?? ""
      const shown = yield* visit(host, `/_/picture/${digest}.webp`)
      assert.deepStrictEqual(
        [shown.status, shown.headers["content-type"], shown.headers["cache-control"]],
        [200, "image/webp", "public, max-age=31536000, immutable"]
      )
      assert.isBelow((yield* visit(host, `/_/picture/${digest}-small.webp`)).bytes.length, shown.bytes.length)
      assert.strictEqual((yield* visit(other.host, `/_/picture/${digest}.webp`)).status, 404)
      const fonts = /\/_\/font\/[a-z]+\.woff2/.exec((yield* visit(host, "/")).text)?.[0] ?? ""
      const font = yield* visit(host, fonts)
      assert.deepStrictEqual([font.status, font.headers["content-type"]], [200, "font/woff2"])
      assert.include(font.headers["cache-control"], "immutable")
      const social = yield* visit(host, "/_/social.png")
      assert.deepStrictEqual([social.status, social.bytes.subarray(1, 4).toString()], [200, "PNG"])
    })
  )

  it.effect("says in its privacy page what is kept, and no more", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { host } = yield* make()
      const plain = yield* visit(host, "/_/privacy")
      assert.include(plain.text, "sem cookies")
      assert.include(plain.text, "ola@sorriso.example")
      assert.include(plain.text, "não tem formulários")
      assert.notInclude(plain.text, "Google")
      const [home, contact] = clinicSite().pages
      assert.isDefined(home)
      assert.isDefined(contact)
      const withForm = yield* make(
        clinicSite({ language: "en-us", pages: home && contact ? [{ ...home, blocks: [contactForm] }, contact] : [] })
      )
      yield* sql`
        update website set analytics_measurement_id = 'G-ABCDEF1234'
        where account_id = ${withForm.accountId} and website_id = ${withForm.websiteId}`
      const told = yield* visit(withForm.host, "/_/privacy")
      assert.include(told.text, "What you send by a form is stored")
      assert.include(told.text, "Google Analytics")
      assert.include(told.text, "Withdraw")
      assert.match(told.headers["content-security-policy"] ?? "", /script-src 'sha256-/)
      assert.strictEqual((yield* visit(withForm.host, "/")).headers["cache-control"], "private, no-store")
    })
  )

  it.effect("opens its policy to the services that it is measured by, and to no other", () =>
    Effect.gen(function* () {
      const { theme } = clinicSite()
      const none = { analytics_measurement_id: null, ads_conversion_id: null, pixel_id: null }
      assert.notInclude(pagePolicy(theme, none), "https:")
      const pixel = pagePolicy(theme, { ...none, pixel_id: "123456789012" })
      assert.include(pixel, "https://connect.facebook.net")
      assert.notInclude(pixel, "google")
      const analytics = pagePolicy(theme, { ...none, analytics_measurement_id: "G-ABCDEF1234" })
      assert.include(analytics, "https://*.google-analytics.com")
      assert.notInclude(analytics, "facebook")
      assert.notInclude(analytics, "doubleclick")
    })
  )

  it.effect("lets a proxy ask for certificates of hosts that are served, and no others", () =>
    Effect.gen(function* () {
      const { host } = yield* make()
      for (const [domain, status] of [
        [host, 200],
        [host.toUpperCase(), 200],
        [`nobody-here.${siteDomain}`, 404],
        [siteDomain, 404],
        ["gateway.test", 404],
        [`a.${host}`, 404],
        [`${host}:443`, 404],
        ["x".repeat(5000), 404],
        ["", 404]
      ] as const) {
        assert.deepStrictEqual(
          [domain.slice(0, 30), (yield* send(`/sites/tls-check?domain=${domain}`)).status],
          [domain.slice(0, 30), status]
        )
      }
    })
  )

  it.effect("can be reported to the operators, a few times a day from one network", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId, host } = yield* make()
      assert.include((yield* visit(host, "/_/report")).text, "Fraude ou golpe")
      const missing = yield* visit(host, "/_/report", { form: { reason: "fraud", message: "<b>" + " ".repeat(3) } })
      assert.strictEqual(missing.status, 200)
      assert.strictEqual((yield* visit(host, "/_/report", { form: { reason: "nonsense", message: "x" } })).status, 400)
      for (let index = 0; index < 4; index++) {
        yield* visit(host, "/_/report", { form: { reason: "fraud", message: "É golpe", contact: "ana@example.com" } })
      }
      assert.strictEqual(
        (yield* visit(host, "/_/report", { form: { reason: "fraud", message: "De novo" } })).status,
        429
      )
      const rows = yield* sql<{
        readonly isMailed: boolean
      }>`select mail_status is not null as "isMailed" from website_report where account_id = ${accountId}
        order by website_report_id`
      // The operators get one mail until they have looked at the site.
      assert.deepStrictEqual(
        rows.map(({ isMailed }) => isMailed),
        [true, false, false, false, false]
      )
    })
  )

  it.effect("does not take what a page of another site sends", () =>
    Effect.gen(function* () {
      const { host } = yield* make()
      const form = { reason: "fraud", message: "x" }
      const foreign = yield* visit(host, "/_/report", { form, headers: { origin: "https://evil.test" } })
      assert.strictEqual(foreign.status, 403)
      assert.strictEqual(
        (yield* visit(host, "/_/report", { form, headers: { origin: `https://${host}` } })).status,
        200
      )
      const huge = yield* visit(host, "/_/report", { body: "a".repeat(70_000) })
      assert.strictEqual(huge.status, 413)
    })
  )

  it.effect("is tracked by what its owner sets, from the next request on", () =>
    Effect.gen(function* () {
      const { caller, host, websiteId } = yield* make()
      const other = yield* makeAccount()
      const tools = Tool.group("Traffic", "", websiteTrafficTools)
      const call = (who: typeof caller, name: string, args: object) =>
        as(who)(callTool(Catalog.make([tools]), name, args))
      const nothing = yield* call(caller, "get_website_tracking", { website_id: websiteId })
      assert.deepInclude(nothing, { analytics_measurement_id: null, asks_for_consent: false })
      assert.notInclude((yield* visit(host, "/")).text, 'siteConsent"')

      const set = yield* call(caller, "set_website_tracking", {
        website_id: websiteId,
        analytics_measurement_id: "g-abcdef1234",
        pixel_id: "123456789012"
      })
      assert.deepInclude(set, {
        analytics_measurement_id: "G-ABCDEF1234",
        ads_conversion_id: null,
        asks_for_consent: true
      })
      const page = yield* visit(host, "/")
      assert.include(page.text, 'data-analytics="G-ABCDEF1234"')
      assert.include(page.text, 'id="siteConsent"')
      assert.include(page.headers["content-security-policy"], "https://connect.facebook.net")
      // Nothing is loaded of a service by the page itself.
      assert.notMatch(page.text, /<(?:script|img|link|iframe)[^>]+(?:googletagmanager|facebook)/)

      yield* call(caller, "set_website_tracking", {
        website_id: websiteId,
        analytics_measurement_id: "",
        pixel_id: " "
      })
      const cleared = yield* visit(host, "/")
      assert.notInclude(cleared.text, 'siteConsent"')
      assert.notInclude(cleared.headers["content-security-policy"], "https:")

      for (const [who, args, tag] of [
        [caller, { website_id: websiteId, pixel_id: "<script>" }, "invalid_tracking_id"],
        [caller, { website_id: websiteId }, "nothing_to_change"],
        [other, { website_id: websiteId, pixel_id: "123456789012" }, "website_not_found"]
      ] as const) {
        const refused = yield* Effect.flip(call(who, "set_website_tracking", args))
        assert.include(JSON.stringify(refused), tag)
      }
      for (const name of ["get_website_tracking", "get_website_traffic"]) {
        assert.include(
          JSON.stringify(yield* Effect.flip(call(other, name, { website_id: websiteId }))),
          "website_not_found"
        )
      }
      const traffic = yield* call(caller, "get_website_traffic", { website_id: websiteId, days: 365 })
      assert.deepInclude(traffic, { days: 365, views: 0, conversion_rate: null })
      assert.include(
        JSON.stringify(yield* Effect.flip(call(caller, "get_website_traffic", { website_id: websiteId, days: 366 }))),
        "days"
      )
    })
  )

  it.effect("is another account's on the next request, where its name is", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [one, other] = [yield* make(), yield* make(clinicSite({ name: "Padaria Aurora" }))]
      assert.include((yield* visit(one.host, "/")).text, "Clínica Sorriso")
      assert.include((yield* visit(other.host, "/")).text, "Padaria Aurora")
      yield* sql`delete from website_name where name in (${one.name}, ${other.name})`
      assert.strictEqual((yield* visit(one.host, "/")).status, 404)
      yield* sql`insert into website_name (name, account_id, website_id)
        values (${one.name}, ${other.accountId}, ${other.websiteId})`
      assert.include((yield* visit(one.host, "/")).text, "Padaria Aurora")
      assert.strictEqual((yield* visit(other.host, "/")).status, 404)
    })
  )

  it.effect("is taken from the web and given back by the operators' commands", () =>
    Effect.gen(function* () {
      const { accountId, host, name } = yield* make()
      const run = (...args: ReadonlyArray<string>) => runCommand(websiteCommands, ["website", ...args])
      assert.include(yield* run("suspend", name.toUpperCase(), "--reason", "Phishing"), "is suspended")
      assert.strictEqual((yield* visit(host, "/")).status, 451)
      assert.strictEqual((yield* visit(host, "/_/report")).status, 451)
      assert.include(yield* run("resume", name), "is served again")
      assert.strictEqual((yield* visit(host, "/")).status, 200)
      yield* visit(host, "/_/report", {
        form: { reason: "fraud", message: "Golpe\u001b[2J", contact: "ana@example.com" }
      })
      const list = yield* run("reports")
      const line = list.split("\n").find((each) => each.includes(name)) ?? ""
      assert.match(line, /fraud .* from ana@example\.com: Golpe\?\[2J$/)
      const report = /report (\d+)/.exec(line)?.[1] ?? ""
      assert.include(yield* run("close-report", "--account", String(accountId), "--report", report), "is closed")
      assert.notInclude(yield* run("reports"), name)
      const unknown = yield* Effect.flip(run("suspend", "nobody-has-it", "--reason", "x"))
      assert.include(JSON.stringify(unknown), "website_not_found")
    })
  )
})
