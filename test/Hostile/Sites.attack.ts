import { assert, layer } from "@effect/vitest"
import { Console, Effect, Option, Schema } from "effect"
import * as fc from "fast-check"
import { until } from "../support/processes/GatewayProcess.ts"
import { rawHost } from "../support/servers/RawHost.ts"
import { type VisitOptions, visitAt } from "../Websites/Serving/servedSites.ts"
import { hiddenIn } from "../Websites/Traffic/visits.ts"
import { undecided } from "./support/badCalls.ts"
import { type BadRequest, problemOf } from "./support/badRequests.ts"
import { goodPage, hostileRobots, longPages, openRobots, quickAnswers, slowAnswers } from "./support/hostileHosts.ts"
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
  hookPaths,
  publicUrl,
  telephoneNotice,
  telephoneSettings,
  tellingCrms
} from "./support/signedDeliveries.ts"
import {
  inputs,
  inThousands,
  longestStop,
  memoryMegabytes,
  post,
  shares,
  stopDuring,
  Target,
  targetWith,
  told
} from "./support/target.ts"

/** Capture pages that are made, as many as an account may well have. */
const pagesMade = 60

const call = (tool: string, args: object) =>
  Effect.map(post(`/rest/v1/tools/${tool}`, {}, JSON.stringify(args)), ({ status, text }) => {
    assert.isUndefined(undecided(status, text), `${tool} ${JSON.stringify(args).slice(0, 500)}`)
    const json: unknown = JSON.parse(text)
    return { status, text, json }
  })

const visit = (host: string, path: string, options: VisitOptions = {}) =>
  Effect.flatMap(Target, ({ gateway }) => {
    const { hostname, port } = new URL(gateway.baseUrl)
    return visitAt({ host: hostname, port: Number(port) }, host, path, options)
  })

const Pages = Schema.Struct({
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
const listed = Effect.flatMap(call("list_lead_capture_pages", {}), ({ json }) =>
  Effect.map(Schema.decodeUnknown(Pages)(json), ({ lead_capture_pages }) => lead_capture_pages)
)
const written = until<Effect.Effect.Success<typeof listed>>(
  (pages) => pages.every(({ status }) => status === "finished" || status === "failed"),
  "3 minutes"
)(Effect.zipRight(Effect.sleep("500 millis"), listed))

const nothingRuns = (page: string): void =>
  assert.deepStrictEqual([...whatRuns(page), ...scriptsWithMark(page)], [], page.slice(0, 2000))

const idOf = (json: unknown) =>
  Option.map(
    Schema.decodeUnknownOption(Schema.Struct({ lead_capture_page_id: Schema.Int }))(json),
    ({ lead_capture_page_id }) => lead_capture_page_id
  )

layer(targetWith({ ...telephoneSettings, OUTBOUND_ALLOW_LOOPBACK: "true" }), {
  excludeTestServices: true,
  timeout: "2 minutes"
})("the event loop", (it) => {
  it.effect("goes on beside capture pages that are made of attacks, and nothing runs in them", () =>
    Effect.gen(function* () {
      const orders = fc.sample(fc.tuple(hostileDescription, hostileLanguage, hostileWish), {
        numRuns: pagesMade,
        seed: 1
      })
      const stop = yield* stopDuring(
        Effect.gen(function* () {
          for (const [description, language] of orders) {
            const made = yield* call("create_lead_capture_page", { description, language })
            // So many are written at a time.
            if (made.status !== 200 && made.text.includes("too_many")) yield* written
          }
          const pages = yield* written
          for (const [at, { lead_capture_page_id }] of pages.entries()) {
            const prompt = orders[at % orders.length]?.[2] ?? ""
            const changed = yield* call("change_lead_capture_page", { lead_capture_page_id, prompt })
            if (changed.status !== 200 && changed.text.includes("too_many")) yield* written
          }
        })
      )
      const pages = yield* written
      const published = pages.filter(({ is_published }) => is_published)
      yield* Console.log(
        `${published.length} of ${pages.length} pages are published; the longest stop is ${told(stop)}`
      )
      assert.isAtLeast(published.length, pagesMade / 4)
      for (const { embed_snippet, url } of published) {
        // The address is of letters, digits and hyphens, whatever the page is called.
        nothingRuns(embed_snippet.replaceAll(new URL(url).host, ""))
        for (const path of ["/", "/embed"]) nothingRuns((yield* visit(new URL(url).hostname, path)).text)
      }
      assert.isBelow(stop.ofProcessor, longestStop, told(stop))
    })
  )

  it.effect("goes on beside what strangers send to these pages, and nothing of it runs", () =>
    Effect.gen(function* () {
      const made = yield* call("create_lead_capture_page", {
        description:
          "Página para a Clínica Sol pedir contatos. Formulário com nome, e-mail, telefone, empresa e mensagem.",
        language: "pt-br"
      })
      const id = Option.getOrThrow(idOf(made.json))
      const page = (yield* written).find(({ lead_capture_page_id }) => lead_capture_page_id === id)
      const host = new URL(page?.url ?? "").hostname
      const shown = yield* visit(host, "/")
      const action = /<form[^>]*action="([^"]+)"/.exec(shown.text)?.[1] ?? ""
      const fields = [...shown.text.matchAll(/\bname="([a-z][a-z0-9-]*)"/g)].flatMap(([, name]) =>
        name === undefined ? [] : [name]
      )
      assert.isAtLeast(fields.length, 3)
      yield* inThousands("submissions", shares.sites * (yield* inputs), (round) => {
        const tokens = [hiddenIn(shown.text, "_token")]
        return fc
          .sample(hostileSubmission({ action, fields }, tokens), { numRuns: 1000, seed: round + 1 })
          .map(({ body, headers, path }) =>
            Effect.map(visit(host, path, { method: "POST", body, headers }), (answer) => {
              assert.isTrue(
                answer.status < 500 || answer.status === 503,
                `${answer.status} ${path} ${body.slice(0, 300)}`
              )
              nothingRuns(answer.text)
              const led = answer.headers["location"] ?? "/"
              assert.isTrue(led.startsWith("/") && !led.startsWith("//"), led)
            })
          )
      })
    })
  )

  const answers = { ...quickAnswers, ...longPages, ...slowAnswers }
  it.effect("goes on beside hosts that want to hold whoever crawls them", () =>
    Effect.gen(function* () {
      const host = yield* rawHost((path, url) => {
        if (path === "/robots.txt") return openRobots
        return answers[path.split("?")[0] ?? ""]?.(url) ?? goodPage
      })
      const robots = yield* Effect.forEach(Object.entries(hostileRobots), ([name, answer]) =>
        Effect.map(
          rawHost((path, url) => (path === "/robots.txt" ? answer(url) : goodPage)),
          ({ url }) => [name, `${url}/page`] as const
        )
      )
      const crawled = (name: string, url: string) =>
        Effect.gen(function* () {
          const began = performance.now()
          const { status, text } = yield* call("crawl_website", { url, chunk_index: 0 })
          const seconds = (performance.now() - began) / 1000
          if (seconds > 5) yield* Console.log(`${name}: ${status} after ${seconds.toFixed(1)} s`)
          // Twenty for the page, and what waits before it.
          assert.isBelow(seconds, 45, `${name} ${text.slice(0, 200)}`)
        })
      const before = yield* memoryMegabytes
      const targets = [...Object.keys(answers).map((path) => [path, `${host.url}${path}`] as const), ...robots]
      const stop = yield* stopDuring(
        Effect.forEach(targets, ([name, url]) => crawled(name, url), { concurrency: 3, discard: true })
      )
      const grown = (yield* memoryMegabytes) - before
      yield* Console.log(
        `${targets.length} hosts: the longest stop is ${told(stop)}, memory grew ${Math.round(grown)} MB`
      )
      assert.isBelow(grown, 300)
      assert.isBelow(stop.ofProcessor, longestStop, told(stop))
      const { text } = yield* call("crawl_website", { url: `${host.url}/good`, chunk_index: 0 })
      assert.match(text, /a good page|crawl_limit/)
    }).pipe(Effect.scoped)
  )

  const deliveries = (name: string, made: fc.Arbitrary<BadRequest>) =>
    Effect.gen(function* () {
      const { gateway } = yield* Target
      yield* inThousands(name, shares.deliveries * (yield* inputs), (round) =>
        fc
          .sample(made, { numRuns: 1000, seed: round + 1 })
          .map((request) =>
            Effect.promise(async () => assert.isUndefined(await problemOf(gateway.baseUrl, request, undefined)))
          )
      )
    })

  it.effect("goes on beside signed notices of telephone calls that hold what they should not", () =>
    deliveries("notices of calls", telephoneNotice())
  )

  it.effect("goes on beside deliveries of CRMs that hold what they should not", () =>
    Effect.gen(function* () {
      for (const [crm_name, credentials] of Object.entries(tellingCrms)) {
        assert.strictEqual((yield* call("connect_crm", { crm_name, ...credentials })).status, 200)
      }
      const { gateway, token } = yield* Target
      const shown = yield* Effect.promise(async () =>
        (await fetch(`${gateway.baseUrl}/sandbox/crm`, { headers: { authorization: `Bearer ${token}` } })).text()
      )
      const paths = hookPaths(shown)
      assert.isAtLeast(paths.length, 6, publicUrl)
      yield* deliveries("deliveries of CRMs", crmDelivery(paths))
    })
  )
})
