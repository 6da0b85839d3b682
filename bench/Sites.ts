import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import { NodeRuntime } from "@effect/platform-node"
import autocannon from "autocannon"
import { Console, Effect } from "effect"
import type { Site } from "../src/Services/Websites/Site.ts"
import { type BenchDatabase, makeDatabase, startServer } from "./support/BenchDatabase.ts"
import { benchSettings } from "./support/BenchSettings.ts"
import { startGateway } from "./support/Gateway.ts"
import { conditions, figure, median, table, writeResults } from "./support/Report.ts"
import { seedAccounts } from "./support/SampleLeads.ts"
import { processorMicros, startProcess } from "./support/ServerProcess.ts"

/** A site's page beside Fastify's static file of the same bytes, and views of visitors by the thousand; see README.md. */

const host = "padaria.sites.localhost"
const hitsPerSecond = 5000

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

const publish = ({ client }: BenchDatabase) =>
  Effect.promise(async () => {
    await client.query(
      `insert into website (account_id, application_type, description, title, language, editor_key)
       select account_id, 'Website', '', 'Padaria', 'pt-br', 'key' from account limit 1`
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

const residentBytes = (pid: number) =>
  Effect.promise(async () => {
    const status = await fs.readFile(`/proc/${pid}/status`, "utf8")
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024
  })

const load = (options: autocannon.Options) => Effect.promise(() => autocannon(options))

const program = Effect.gen(function* () {
  const settings = yield* benchSettings
  const postgres = yield* startServer
  const database = yield* makeDatabase(postgres, "bench")
  yield* seedAccounts(database.client, [{ name: "Bench", leads: 10 }])
  yield* publish(database)
  const gateway = yield* startGateway(database, { TRACE_SAMPLE_RATIO: "0", TRUSTED_PROXIES: "127.0.0.1" })

  const page = yield* Effect.promise(async () => {
    const answers = await autocannon({
      url: gateway.url,
      headers: { host, "accept-encoding": "br" },
      amount: 50,
      connections: 1
    })
    if (answers.non2xx > 0) throw new Error("The page is not served.")
    return Math.round(answers.throughput.total / answers.requests.total)
  })
  const directory = yield* Effect.acquireRelease(
    Effect.promise(() => fs.mkdtemp(path.join(os.tmpdir(), "page-"))),
    (made) => Effect.promise(() => fs.rm(made, { recursive: true, force: true }))
  )
  const file = path.join(directory, "page.html.br")
  // Of the same size: both send about as many bytes.
  yield* Effect.promise(() => fs.writeFile(file, Buffer.alloc(Math.max(500, page - 900), "x")))
  const peer = yield* startProcess({
    name: "fastify",
    args: ["--import", "tsx", "bench/peers/StaticPage.ts"],
    env: { PAGE_FILE: file }
  })

  const started = conditions()
  const served = [
    { name: "site's page", pid: gateway.pid, url: `${gateway.url}/` },
    { name: "Fastify, file", pid: peer.pid, url: `${peer.url}/file` },
    { name: "Fastify, memory", pid: peer.pid, url: `${peer.url}/memory` }
  ]
  const measured: Array<{
    readonly name: string
    readonly perSecond: number
    readonly p99: number
    readonly cpuMicros: number
  }> = []
  const apply = (url: string, duration: number) =>
    load({
      url,
      connections: 50,
      duration,
      headers: { host, "accept-encoding": "br", "user-agent": "Mozilla/5.0 Firefox/128.0" }
    })
  for (const { url } of served) yield* apply(url, 1)
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

  const before = yield* residentBytes(gateway.pid)
  let visitor = 0
  const hits = yield* load({
    url: `${gateway.url}/_/hit`,
    method: "POST",
    connections: 50,
    duration: settings.seconds,
    overallRate: hitsPerSecond,
    headers: { host, "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0" },
    requests: [
      {
        setupRequest: (request) => {
          const next = ++visitor
          return {
            ...request,
            headers: {
              ...request.headers,
              "x-forwarded-for": `100.${(next >> 16) & 127}.${(next >> 8) & 255}.${next & 255}`
            },
            body: `path=%2F&query=%3Futm_source%3Ds${next % 300}&referrer=https%3A%2F%2Fh${next % 1000}.example%2F&variant=a`
          }
        }
      }
    ]
  })
  const after = yield* residentBytes(gateway.pid)
  const { rows } = yield* Effect.promise(async () => {
    // The last ones are written down within some seconds.
    await new Promise((resolve) => setTimeout(resolve, 5000))
    return database.client.query<{ views: string; bytes: number }>(
      "select sum(views + bot_hits) as views, max(pg_column_size(t))::int as bytes from website_traffic_day t"
    )
  })

  const of = (name: string, field: "perSecond" | "p99" | "cpuMicros"): number =>
    median(measured.filter((one) => one.name === name).map((one) => one[field]))
  yield* writeResults(settings.results, measured)
  yield* Console.log(
    `${started}\n${settings.rounds} rounds of ${settings.seconds} s, 50 connections, ${page} bytes an answer\n\n${table(
      ["page", "requests/s", "p99 ms", "CPU µs", "requests/s ÷ file"],
      served.map(({ name }) => [
        name,
        figure(of(name, "perSecond")),
        figure(of(name, "p99")),
        figure(of(name, "cpuMicros")),
        figure(of(name, "perSecond") / of("Fastify, file", "perSecond"))
      ])
    )}\n\nviews: ${figure(hits.requests.average)}/s of ${hitsPerSecond} asked for, p99 ${hits.latency.p99} ms, ${hits.non2xx} refused; memory ${figure((after - before) / 2 ** 20)} MB more; ${rows[0]?.views} of ${hits.requests.total} counted in a row of ${rows[0]?.bytes} bytes`
  )
}).pipe(Effect.scoped)

NodeRuntime.runMain(program)
