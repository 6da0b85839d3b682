import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { trustedProxies } from "../../../src/Layers/Platform/Http/ClientAddress.ts"
import { Sealing } from "../../../src/Layers/Platform/Sealing.ts"
import { SiteAccess } from "../../../src/Layers/Websites/Serving/Access/SiteAccess.ts"
import { testGateway } from "../../support/servers/TestServer.ts"
import { makeAccount } from "../../support/TestAccount.ts"
import { clinicSite, publish, type VisitOptions, visit } from "./servedSites.ts"

layer(testGateway({ trustedProxies: trustedProxies("127.0.0.1") }), { excludeTestServices: true })(
  "a restricted site",
  (it) => {
    const accessCode = "abcd-efgh-jkmn"
    let networks = 0

    const make = Effect.gen(function* () {
      const sql = yield* SqlClient
      const sealing = yield* Sealing
      const caller = yield* makeAccount()
      const site = yield* publish(caller, clinicSite(), { isRestricted: true })
      const { accountId, websiteId } = site
      const restrict = Effect.suspend(() => {
        const sealed = sealing.seal(Redacted.make(accessCode), `website ${accountId} ${websiteId}`)
        return sql`
          update website set is_restricted = true, access_code = ${sealed}
          where account_id = ${accountId} and website_id = ${websiteId}`
      })
      yield* restrict
      const owner = `dona${accountId}@sorriso.example`
      yield* sql`update account set email = ${owner} where account_id = ${accountId}`
      yield* sql`
        insert into member (account_id, name, phone, email, created_at)
        values (${accountId}, 'Bia', '+5541999990000', ${`Bia${accountId}@Sorriso.example`}, instant())`
      // Each from a network of its own, so that limits of one test are none of another.
      const network = `198.51.${networks++}`
      const ask = (path: string, { headers, ...options }: VisitOptions = {}) =>
        visit(site.host, path, { ...options, headers: { "x-forwarded-for": `${network}.9`, ...headers } })
      const login = (form: { readonly [name: string]: string }, headers = {}) => ask("/_/login", { form, headers })
      /** Does what waits in the queue, and answers the code of the newest mail to the address. */
      const mailed = (address: string) =>
        Effect.gen(function* () {
          const access = yield* SiteAccess
          const waiting = yield* sql<{ readonly id: number }>`
            select website_access_try_id as id from website_access_try
            where account_id = ${accountId} and pending is not null order by 1`
          for (const { id } of waiting) yield* access.mail(accountId, id)
          const mails = yield* sql<{ readonly body: string; readonly subject: string }>`
            select body_text as body, subject from email_message
            where account_id = ${accountId} and to_address = ${address} order by email_message_id desc limit 1`
          return /\d{4} \d{4}/.exec(mails[0]?.body ?? "")?.[0]
        })
      const cookieOf = (headers: { readonly [name: string]: string | undefined }) =>
        (headers["set-cookie"] ?? "").split(";")[0] ?? ""
      return { ...site, owner, ask, login, mailed, restrict, cookieOf }
    })

    it.effect("shows nothing but its door", () =>
      Effect.gen(function* () {
        const { ask } = yield* make
        const page = yield* ask("/contato?utm_source=x")
        assert.deepStrictEqual(
          [page.status, page.headers["location"]],
          [302, "/_/login?to=%2Fcontato%3Futm_source%3Dx"]
        )
        for (const path of [
          "/_/social.png",
          "/_/privacy",
          "/_/hit.gif",
          "/_/form/x",
          "/sitemap.xml",
          "/embed",
          "/nada"
        ]) {
          const answer = yield* ask(path)
          assert.include([302, 403], answer.status)
          assert.notInclude(answer.text, "Sorriso")
        }
        assert.strictEqual((yield* ask("/robots.txt")).text, "User-agent: *\nDisallow: /\n")
        assert.include((yield* ask("/_/login")).text, "acesso restrito")
      })
    )

    it.effect("opens by a code that is mailed to the owner or a member, once", () =>
      Effect.gen(function* () {
        const { accountId, ask, cookieOf, login, mailed, owner } = yield* make
        const asked = yield* login({ address: owner, to: "/contato" })
        assert.strictEqual(asked.status, 200)
        const code = (yield* mailed(owner)) ?? ""
        assert.match(code, /^\d{4} \d{4}$/)
        const wrong = yield* login({ address: owner, code: "0000 0000", to: "/contato" })
        assert.strictEqual(wrong.status, 403)
        assert.isUndefined(wrong.headers["set-cookie"])
        const opened = yield* login({ address: owner.toUpperCase(), code: ` ${code.replace(" ", "")}`, to: "/contato" })
        assert.deepStrictEqual([opened.status, opened.headers["location"]], [303, "/contato"])
        assert.match(
          opened.headers["set-cookie"] ?? "",
          /^__Host-access=[\w-]+; Path=\/; Max-Age=43200; Secure; HttpOnly; SameSite=Lax$/
        )
        const cookie = cookieOf(opened.headers)
        const page = yield* ask("/contato", { headers: { cookie: `a=b; ${cookie}` } })
        assert.strictEqual(page.status, 200)
        assert.strictEqual(page.headers["cache-control"], "private, no-store")
        assert.include(page.text, 'content="noindex"')
        assert.strictEqual((yield* login({ address: owner, code })).status, 403)

        const member = `bia${accountId}@sorriso.example`
        yield* login({ address: member })
        const theirs = (yield* mailed(member)) ?? ""
        assert.strictEqual((yield* login({ address: member, code: theirs })).status, 303)
      })
    )

    it.effect("answers the same whether an address is known or not, and mails nobody else", () =>
      Effect.gen(function* () {
        const { accountId, login, mailed, owner } = yield* make
        const sql = yield* SqlClient
        const stranger = `estranho${accountId}@sorriso.example`
        const known = yield* login({ address: owner })
        const unknown = yield* login({ address: stranger })
        assert.strictEqual(known.text.replaceAll(owner, "X"), unknown.text.replaceAll(stranger, "X"))
        assert.deepStrictEqual(
          [known.status, Object.keys(known.headers)],
          [unknown.status, Object.keys(unknown.headers)]
        )
        assert.isUndefined(yield* mailed(stranger))
        const kept = yield* sql<{ readonly row: string }>`
          select t::text as row from website_access_try t where account_id = ${accountId}`
        assert.strictEqual(kept.length, 2)
        assert.notInclude(JSON.stringify(kept), "sorriso.example")
        assert.strictEqual((yield* login({ address: "ninguem" })).status, 403)
        // What is typed is shown as it was typed, and no more.
        const hostile = yield* login({ address: '"><script>alert(1)</script>@x.example', code: "1" })
        assert.notInclude(hostile.text, "<script>alert")
      })
    )

    it.effect("bounds guesses at a code, codes of an address, and those that one network asks for", () =>
      Effect.gen(function* () {
        const { accountId, ask, login, mailed, owner } = yield* make
        const sql = yield* SqlClient
        yield* login({ address: owner })
        const code = (yield* mailed(owner)) ?? ""
        for (let guess = 0; guess < 5; guess++) yield* login({ address: owner, code: String(10_000_000 + guess) })
        assert.strictEqual((yield* login({ address: owner, code })).status, 403)
        // From many networks: still no more than five codes in an hour.
        for (let index = 0; index < 8; index++) {
          yield* login({ address: owner }, { "x-forwarded-for": `203.0.${index}.1` })
        }
        const tries = yield* sql`select from website_access_try where account_id = ${accountId} and kind = 'mailed'`
        assert.strictEqual(tries.length, 5)
        let refused = 0
        for (let index = 0; index < 25; index++) {
          if ((yield* login({ address: `a${index}@sorriso.example` })).status === 429) refused++
        }
        assert.isAtLeast(refused, 5)
        // Ten minutes later a code is worth nothing.
        yield* sql`update website_access_try set guesses = 0, created_at = created_at - interval '10 minutes' where account_id = ${accountId}`
        assert.strictEqual((yield* login({ address: owner, code })).status, 403)
        assert.strictEqual((yield* ask("/")).status, 302)
      })
    )

    it.effect("opens by its access code, which is not guessed at for long", () =>
      Effect.gen(function* () {
        const { cookieOf, login, ask } = yield* make
        const opened = yield* login({ access: "ABCD efgh jkmn", to: "//evil.test" })
        assert.deepStrictEqual([opened.status, opened.headers["location"]], [303, "/"])
        assert.strictEqual((yield* ask("/", { headers: { cookie: cookieOf(opened.headers) } })).status, 200)
        const statuses: Array<number> = []
        for (let guess = 0; guess < 12; guess++)
          statuses.push((yield* login({ access: `abcd-efgh-jkm${guess}` })).status)
        assert.deepStrictEqual([statuses[0], statuses.at(-1)], [403, 429])
        // Not even with the right one.
        assert.strictEqual((yield* login({ access: accessCode })).status, 429)
        const elsewhere = yield* login({ access: accessCode }, { "x-forwarded-for": "6.6.6.6, 192.0.2.1" })
        assert.strictEqual(elsewhere.status, 303)
      })
    )

    it.effect("takes no session of another site, of an earlier restriction, of yesterday, or that was changed", () =>
      Effect.gen(function* () {
        const sealing = yield* Sealing
        const sql = yield* SqlClient
        const one = yield* make
        const other = yield* make
        const opened = yield* one.login({ access: accessCode })
        const cookie = one.cookieOf(opened.headers)
        assert.strictEqual((yield* one.ask("/", { headers: { cookie } })).status, 200)
        assert.strictEqual((yield* other.ask("/", { headers: { cookie } })).status, 302)
        const changed = `${cookie.slice(0, -2)}${cookie.endsWith("A") ? "BB" : "AA"}`
        for (const bad of [
          changed,
          "__Host-access=",
          `__Host-access=${"A".repeat(9000)}`,
          cookie.replace("__Host-", "")
        ]) {
          assert.strictEqual((yield* one.ask("/", { headers: { cookie: bad } })).status, 302)
        }
        const [row] = yield* sql<{ readonly restriction: string }>`
          select md5(coalesce(access_code::text, '')) as restriction from website
          where account_id = ${one.accountId} and website_id = ${one.websiteId}`
        const sessionUntil = (millis: number) =>
          `__Host-access=${Buffer.from(sealing.seal(Redacted.make(String(millis)), `site access ${one.accountId} ${one.websiteId} ${row?.restriction}`)).toString("base64url")}`
        assert.strictEqual((yield* one.ask("/", { headers: { cookie: sessionUntil(Date.now() + 1000) } })).status, 200)
        assert.strictEqual((yield* one.ask("/", { headers: { cookie: sessionUntil(Date.now() - 1000) } })).status, 302)
        yield* one.restrict
        assert.strictEqual((yield* one.ask("/", { headers: { cookie } })).status, 302)
      })
    )
  }
)
