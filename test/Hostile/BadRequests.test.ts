import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Schema } from "effect"
import * as fc from "fast-check"
import { ServerAddress } from "../../src/Layers/Platform/Http/Server.ts"
import { backgroundJobHandlers } from "../../src/Layers/Platform/Jobs/BackgroundJob.ts"
import { JobId } from "../../src/Services/Jobs/Ids.ts"
import { type Websites, websiteJob } from "../../src/Services/Websites/Websites.ts"
import { rawHost } from "../support/servers/RawHost.ts"
import { makeTokenHolder, send, testGateway } from "../support/servers/TestServer.ts"
import { clinicSite, publish, visit } from "../Websites/Serving/servedSites.ts"
import { form, hiddenIn } from "../Websites/Traffic/visits.ts"
import { undecided } from "./support/badCalls.ts"
import { type BadRequest, badRequest, deepRequests, problemOf, routes } from "./support/badRequests.ts"
import { goodPage, openRobots, quickAnswers } from "./support/hostileHosts.ts"
import {
  hostileDescription,
  hostileLanguage,
  hostileSubmission,
  hostileWish,
  scriptsWithMark,
  whatRuns
} from "./support/hostileSites.ts"
import {
  crmDelivery,
  deliverySettings,
  hookPaths,
  publicUrl,
  signedDelivery,
  tellingCrms
} from "./support/signedDeliveries.ts"

// Samples; `npm run test:hostile` sends as many as one wants.
const inputs = 500
const seed = 20261122

const Gateway = testGateway({ bodyLimit: 1024 * 1024, baseUrl: publicUrl, outboundAllowLoopback: true }).pipe(
  Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(deliverySettings)))))
)

/** What is wrong with the answers; every other request has a token. */
const problemsOf = (requests: ReadonlyArray<BadRequest>) =>
  Effect.gen(function* () {
    const { host, port } = yield* ServerAddress
    const { token } = yield* makeTokenHolder()
    const problems = yield* Effect.forEach(
      requests,
      (request, index) =>
        Effect.promise(() => problemOf(`http://${host}:${port}`, request, index % 2 === 0 ? token : undefined)),
      { concurrency: 10 }
    )
    return problems.filter((problem) => problem !== undefined)
  })

/** Calls a tool; the answer has a shape that was decided on. */
const call = (token: string, tool: string, args: object) =>
  Effect.map(send(`/rest/v1/tools/${tool}`, { method: "POST", token, body: JSON.stringify(args) }), (answer) => {
    assert.isUndefined(undecided(answer.status, answer.text), `${tool} ${JSON.stringify(args).slice(0, 500)}`)
    return answer
  })

const Begun = Schema.Struct({ lead_capture_page_id: Schema.Int, job_id: JobId })
const decodeBegun = Schema.decodeUnknown(Begun)
const Listed = Schema.Struct({
  lead_capture_pages: Schema.Array(
    Schema.Struct({
      lead_capture_page_id: Schema.Int,
      status: Schema.String,
      is_published: Schema.Boolean,
      url: Schema.String,
      embed_snippet: Schema.String
    })
  )
})

layer(Gateway, { excludeTestServices: true })("a request to any other route", (it) => {
  it.effect("is answered in a shape that the platform decided on", () =>
    Effect.gen(function* () {
      const requests = fc.sample(badRequest, { numRuns: inputs, seed })
      assert.isAtLeast(new Set(requests.map(({ path }) => path.split("/")[1])).size, 15)
      assert.isAtLeast(routes.length, 60)
      assert.deepStrictEqual(yield* problemsOf(requests), [])
    })
  )

  it.effect("is answered so too where its body is nested twenty thousand deep", () =>
    Effect.gen(function* () {
      assert.isAtLeast(deepRequests.length, 60)
      assert.deepStrictEqual(yield* problemsOf(deepRequests.flatMap((each) => [each, each])), [])
    })
  )

  it.effect("is answered so too where it is signed as its provider signs, whatever stands in it", () =>
    Effect.gen(function* () {
      const deliveries = fc.sample(signedDelivery, { numRuns: 150, seed })
      assert.strictEqual(new Set(deliveries.map(({ path }) => path)).size, 3)
      assert.deepStrictEqual(yield* problemsOf(deliveries), [])
    })
  )

  it.effect("and where it comes from a CRM that knows its address and its secret", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      for (const [crm_name, credentials] of Object.entries(tellingCrms)) {
        assert.strictEqual((yield* call(token, "connect_crm", { crm_name, ...credentials })).status, 200)
      }
      const paths = hookPaths((yield* send("/sandbox/crm", { token })).text)
      assert.isAtLeast(paths.length, 6)
      const deliveries = fc.sample(crmDelivery(paths), { numRuns: 60, seed })
      const statuses = yield* Effect.forEach(deliveries, ({ body, headers, path }) =>
        Effect.map(send(path, { method: "POST", headers, body }), ({ status }) => status)
      )
      // None is taken for forged, and none for an accident of ours.
      assert.deepStrictEqual([...new Set(statuses)], [200])
    })
  )

  it.effect("a page that is made of attacks has none that runs, whatever is asked of it and sent to it", () =>
    Effect.gen(function* () {
      const { caller, token } = yield* makeTokenHolder()
      const [, render] = backgroundJobHandlers<Websites>([websiteJob])
      const written = (begun: unknown) =>
        Effect.flatMap(decodeBegun(begun), ({ job_id }) =>
          render.run({ account_id: caller.accountId, job_id }, { id: "1", attempt: 1, maxAttempts: 1000 })
        )
      const plain =
        "Clínica Sorriso: página para pedir uma avaliação gratuita, com nome, telefone e e-mail. WhatsApp (41) 99999-0000."
      // Descriptions made of attacks leave open what the business is, so they wait for their owner. A plain page is
      // published, and what it is asked to become is made of attacks.
      const orders = [
        ...fc.sample(fc.tuple(hostileDescription, hostileLanguage, hostileWish), { numRuns: 16, seed }),
        ...fc.sample(fc.tuple(fc.constant(plain), fc.constant("pt-br"), hostileWish), { numRuns: 8, seed })
      ]
      for (const [description, language, prompt] of orders) {
        const made = yield* call(token, "create_lead_capture_page", { description, language })
        if (made.status !== 200) continue
        yield* written(made.json)
        const { lead_capture_page_id } = yield* decodeBegun(made.json)
        const changed = yield* call(token, "change_lead_capture_page", { lead_capture_page_id, prompt })
        if (changed.status === 200) yield* written(changed.json)
      }
      const { lead_capture_pages: pages } = yield* Effect.flatMap(
        call(token, "list_lead_capture_pages", {}),
        ({ json }) => Schema.decodeUnknown(Listed)(json)
      )
      assert.isAtLeast(pages.filter(({ is_published }) => is_published).length, 3)
      for (const { embed_snippet, is_published, status, url } of pages) {
        assert.include(["finished", "failed"], status)
        assert.deepStrictEqual(whatRuns(embed_snippet), [])
        // The address is of letters, digits and hyphens, whatever the page is called.
        assert.deepStrictEqual(scriptsWithMark(embed_snippet.replaceAll(new URL(url).host, "")), [])
        if (!is_published) continue
        for (const path of ["/", "/embed", "/privacidade"]) {
          const page = yield* visit(new URL(url).hostname, path)
          if (path === "/") assert.strictEqual(page.status, 200)
          assert.deepStrictEqual([...whatRuns(page.text), ...scriptsWithMark(page.text)], [], page.text.slice(0, 2000))
          assert.notMatch(page.text, /[\0\u202a-\u202e\u2066-\u2069]/)
        }
      }
    })
  )

  it.effect("what is sent to a real site is answered by a page in which nothing of it runs", () =>
    Effect.gen(function* () {
      const { caller, token } = yield* makeTokenHolder()
      const page = { id: "home", path: "", label: "Início", title: "Agende", description: "", variants: [] }
      const site = yield* publish(caller, clinicSite({ pages: [{ ...page, blocks: [form()] }] }), {
        type: "LeadCapturePage"
      })
      const shown = yield* visit(site.host, "/")
      const tokens = [hiddenIn(shown.text, "_token"), hiddenIn((yield* visit(site.host, "/embed")).text, "_token")]
      assert.isAbove(Math.min(...tokens.map(({ length }) => length)), 20)
      const fields = ["nome", "email", "telefone", "empresa", "mensagem"]
      const sent = fc.sample(hostileSubmission({ action: "/_/form/contato", fields }, tokens), { numRuns: 100, seed })
      const statuses = new Set<number>()
      for (const { body, headers, path } of sent) {
        const answer = yield* visit(site.host, path, { method: "POST", body, headers })
        statuses.add(answer.status)
        assert.isTrue(answer.status < 500 || answer.status === 503, `${answer.status} ${path} ${body.slice(0, 300)}`)
        assert.deepStrictEqual([...whatRuns(answer.text), ...scriptsWithMark(answer.text)], [], body.slice(0, 500))
        const led = answer.headers["location"] ?? "/"
        assert.isTrue(led.startsWith("/") && !led.startsWith("//"), led)
      }
      assert.includeMembers([...statuses], [200, 403, 410, 413, 415, 422])
      // The next visitor must confirm once, since no person fills in a form so fast. The token is a fresh one, because
      // the first two may be old enough by now on a busy machine.
      const next = { nome: "Bia Lima", email: "bia@client.example", _consent: "yes" }
      const fresh = hiddenIn((yield* visit(site.host, "/")).text, "_token")
      const asked = yield* visit(site.host, "/_/form/contato", { form: { ...next, _token: fresh } })
      const confirmed = { ...next, _token: hiddenIn(asked.text, "_token") }
      assert.strictEqual((yield* visit(site.host, "/_/confirm", { form: confirmed })).status, 303)
      assert.include((yield* call(token, "search_leads", { query: "Bia Lima" })).text, "bia@client.example")
    })
  )

  it.effect("a host that is crawled and answers as no host does is told of, and the next page is read", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      const host = yield* rawHost((path, url) => {
        if (path === "/robots.txt") return openRobots
        return quickAnswers[path.split("?")[0] ?? ""]?.(url) ?? goodPage
      })
      const crawled = (path: string) => call(token, "crawl_website", { url: `${host.url}${path}`, chunk_index: 0 })
      const paths = Object.keys(quickAnswers)
      const answers = yield* Effect.forEach(paths, crawled, { concurrency: 3 })
      const late = answers.flatMap(({ text }, at) => (/timed_out|overloaded/.test(text) ? [paths[at]] : []))
      assert.deepStrictEqual(late, [])
      assert.include((yield* crawled("/good")).text, "a good page")
    }).pipe(Effect.scoped)
  )
})
