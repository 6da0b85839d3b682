import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import autocannon from "autocannon"
import { Console, Effect } from "effect"
import type { Site } from "../../src/Services/Websites/Site.ts"
import type { BenchDatabase } from "../support/BenchDatabase.ts"
import type { BenchSettings } from "../support/BenchSettings.ts"
import { figure, median, table } from "../support/Report.ts"
import { processorMicros, residentBytes, type ServerProcess, startProcess } from "../support/ServerProcess.ts"
import type { ContentFigure } from "./Figure.ts"
import { sendHits } from "./HitLoad.ts"

/** A site's page compared with Fastify's static file of the same bytes, and thousands of visitors' views. */

const host = "padaria.sites.localhost"
const connections = 50

const text =
  "Pão de fermentação natural, assado de madrugada e entregue ainda quente em todo o bairro até as sete da manhã."

const site: Site = {
  language: "pt-br",
  name: "Padaria Aurora",
  tagline: "Pão quente desde 1987",
  theme: { layout: "harbour", brand: "#b4531a", palette: 1, typefaces: 1 },
  pages: ["", "contato"].map((path) => ({
    id: path === "" ? "home" : path,
    path,
    label: path === "" ? "Início" : "Contato",
    title: "Padaria Aurora",
    description: "Pão quente no bairro.",
    blocks: [
      { _tag: "Hero", id: "hero", title: "Pão quente na sua porta", text, actions: [], picture: null },
      ...["manha", "tarde", "noite"].map((id) => ({
        _tag: "Features" as const,
        id,
        title: `Pela ${id}`,
        text,
        items: ["Um", "Dois", "Três", "Quatro"].map((title) => ({ title: `${title} ${id}`, text }))
      }))
    ],
    variants: []
  })),
  pictures: [],
  collections: [],
  campaign: null
}

/** Publishes the site for the first account. */
export const publishPage = ({ client }: BenchDatabase) =>
  Effect.promise(async () => {
    await client.query(
      `insert into website (account_id, application_type, description, title, language, editor_key)
       select min(account_id), 'Website', '', 'Padaria', 'pt-br', 'key' from account`
    )
    await client.query(
      `insert into website_name (name, account_id, website_id) select 'padaria', account_id, website_id from website`
    )
    await client.query(
      `insert into website_code (account_id, website_id, kind, prompt, request, site, finished_at)
       select account_id, website_id, 'generation', '', '{}', $1, instant() from website`,
      [JSON.stringify(site)]
    )
    await client.query(
      `update website w set published_code_id = c.website_code_id from website_code c where c.website_id = w.website_id`
    )
  })

const load = (options: autocannon.Options) => Effect.promise(() => autocannon(options))

const answerBytes = (gateway: ServerProcess) =>
  Effect.gen(function* () {
    const headers = { host, "accept-encoding": "br" }
    const answers = yield* load({ url: gateway.url, headers, amount: 50, connections: 1 })
    if (answers.non2xx > 0) return yield* Effect.dieMessage("The page is not served.")
    return Math.round(answers.throughput.total / answers.requests.total)
  })

/** The same size, so that both send about as many bytes. */
const startPeer = (bytes: number) =>
  Effect.gen(function* () {
    const directory = yield* Effect.acquireRelease(
      Effect.promise(() => fs.mkdtemp(path.join(os.tmpdir(), "page-"))),
      (directory) => Effect.promise(() => fs.rm(directory, { recursive: true, force: true }))
    )
    const file = path.join(directory, "page.html.br")
    yield* Effect.promise(() => fs.writeFile(file, Buffer.alloc(Math.max(500, bytes - 900), "x")))
    return yield* startProcess({
      name: "fastify",
      args: ["--import", "tsx", "bench/peers/StaticPage.ts"],
      env: { PAGE_FILE: file }
    })
  })

interface Measured {
  readonly name: string
  readonly perSecond: number
  readonly p99: number
  readonly cpuMicros: number
}

export const servedPage = (gateway: ServerProcess, settings: BenchSettings) =>
  Effect.gen(function* () {
    const bytes = yield* answerBytes(gateway)
    const peer = yield* startPeer(bytes)
    const served = [
      { name: "site's page", pid: gateway.pid, url: `${gateway.url}/` },
      { name: "Fastify, file", pid: peer.pid, url: `${peer.url}/file` },
      { name: "Fastify, memory", pid: peer.pid, url: `${peer.url}/memory` }
    ]
    const headers = { host, "accept-encoding": "br", "user-agent": "Mozilla/5.0 Firefox/128.0" }
    const apply = (url: string, duration: number) => load({ url, connections, duration, headers })
    for (const { url } of served) yield* apply(url, 1)
    const measured: Array<Measured> = []
    for (let round = 0; round < settings.rounds; round++) {
      for (const [index] of served.entries()) {
        const server = served[(index + round) % served.length]
        if (server === undefined) continue
        const before = yield* Effect.promise(() => processorMicros(server.pid))
        const { errors, latency, non2xx, requests } = yield* apply(server.url, settings.seconds)
        const after = yield* Effect.promise(() => processorMicros(server.pid))
        if (non2xx + errors > 0) return yield* Effect.dieMessage(`${server.name} failed ${non2xx + errors} times`)
        measured.push({
          name: server.name,
          perSecond: requests.average,
          p99: latency.p99,
          cpuMicros: (after - before) / requests.total
        })
      }
    }
    const of = (name: string, field: "perSecond" | "p99" | "cpuMicros"): number =>
      median(measured.filter((one) => one.name === name).map((one) => one[field]))
    const over = (name: string) => of(name, "perSecond") / of("Fastify, file", "perSecond")
    yield* Console.log(
      `\n${settings.rounds} rounds of ${settings.seconds} s, ${connections} connections, ${bytes} bytes an answer\n\n${table(
        ["page", "requests/s", "p99 ms", "CPU µs", "requests/s ÷ file"],
        served.map(({ name }) => [
          name,
          figure(of(name, "perSecond")),
          figure(of(name, "p99")),
          figure(of(name, "cpuMicros")),
          figure(over(name))
        ])
      )}\n`
    )
    return [
      {
        what: "served page ÷ Fastify's static file, requests/s",
        value: over("site's page"),
        unit: "",
        bound: { least: 0.8 }
      },
      { what: "served page, p99", value: of("site's page", "p99"), unit: "ms", bound: { most: 20 } }
    ] satisfies ReadonlyArray<ContentFigure>
  })

const hitsPerSecond = 5000

export const countedHits = (gateway: ServerProcess, { client }: BenchDatabase, settings: BenchSettings) =>
  Effect.gen(function* () {
    const port = Number(new URL(gateway.url).port)
    const apply = (seconds: number) =>
      Effect.promise(() => sendHits({ port, host, perSecond: hitsPerSecond, seconds, connections }))
    // Measured after a warm-up, so that its memory is not mixed with that of compiled code.
    yield* apply(2)
    const counted = Effect.promise(async () => {
      const { rows } = await client.query<{ views: string; bytes: number }>(
        "select sum(views + bot_hits) as views, max(pg_column_size(t))::int as bytes from website_traffic_day t"
      )
      return { views: Number(rows[0]?.views ?? 0), bytes: rows[0]?.bytes ?? 0 }
    })
    yield* Effect.sleep("5 seconds")
    const earlier = yield* counted
    const [memoryBefore, cpuBefore] = yield* Effect.promise(() =>
      Promise.all([residentBytes(gateway.pid), processorMicros(gateway.pid)])
    )
    const hits = yield* apply(settings.seconds)
    const [memoryAfter, cpuAfter] = yield* Effect.promise(() =>
      Promise.all([residentBytes(gateway.pid), processorMicros(gateway.pid)])
    )
    // The last views are stored within a few seconds.
    yield* Effect.sleep("5 seconds")
    const { bytes, views } = yield* counted
    yield* Console.log(
      `views: ${figure(hits.perSecond)}/s, p99 ${figure(hits.p99)} ms, ${hits.refused} refused, ${figure((cpuAfter - cpuBefore) / hits.answered)} µs of the gateway's processor time each; ${views - earlier.views} of ${hits.answered} counted, in a row of ${bytes} bytes`
    )
    return [
      { what: "hits of visitors", value: hits.perSecond, unit: "/s", bound: { least: 0.98 * hitsPerSecond } },
      {
        what: "memory that hits take",
        value: Math.max(0, memoryAfter - memoryBefore) / 2 ** 20,
        unit: "MB",
        bound: { most: 64 }
      },
      {
        what: "hits that were not counted",
        value: hits.answered - (views - earlier.views),
        unit: "",
        // Each connection may have one request in progress at the end.
        bound: { most: 0 }
      }
    ] satisfies ReadonlyArray<ContentFigure>
  })
