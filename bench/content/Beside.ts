import { Console, Effect, Schedule } from "effect"
import { siteMaterials } from "../sites/SiteMaterials.ts"
import { pathOf } from "../support/CallsUnderTest.ts"
import type { LoadOrder, LoadResult } from "../support/LoadWorker.ts"
import { figure } from "../support/Report.ts"
import type { SampleAccount } from "../support/SampleLeads.ts"
import type { ServerProcess } from "../support/ServerProcess.ts"
import { type ContentFigure, percentile } from "./Figure.ts"

/** How much content generation delays an account's calls. */

/** Milliseconds by which rendering may delay calls at the 99th percentile. */
const allowance = 50

type Answer = { readonly [name: string]: unknown }

const caller =
  ({ url }: ServerProcess, { token }: SampleAccount) =>
  (tool: string, args: object) =>
    Effect.promise(async (): Promise<Answer> => {
      const response = await fetch(`${url}${pathOf(tool)}`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify(args)
      })
      const answer: unknown = await response.json()
      if (response.status !== 200) throw new Error(`${tool}: ${response.status} ${JSON.stringify(answer)}`)
      return typeof answer === "object" && answer !== null ? { ...answer } : {}
    })

const ended = new Set(["finished", "failed", "cancelled"])

/** Waits for one of the states. Returns the seconds. */
const waitFor = (ask: Effect.Effect<Answer>, states: ReadonlySet<string>, every: `${number} millis`) =>
  Effect.gen(function* () {
    const started = performance.now()
    const last = yield* ask.pipe(
      Effect.filterOrFail(({ status }) => states.has(String(status))),
      Effect.retry(Schedule.spaced(every).pipe(Schedule.upTo("10 minutes"))),
      Effect.orDie
    )
    return { last, seconds: (performance.now() - started) / 1000 }
  })

export interface Neighbours {
  readonly gateway: ServerProcess
  readonly busy: ReadonlyArray<SampleAccount>
  readonly neighbour: SampleAccount
  readonly load: (order: LoadOrder) => Effect.Effect<LoadResult>
  readonly seconds: number
}

const connectionsOf = 2

const leadsRead = ({ gateway, load, neighbour, seconds }: Neighbours, id: string) =>
  load({
    url: gateway.url,
    token: neighbour.token,
    call: "get_lead",
    connections: connectionsOf,
    seconds,
    run: { id, firstLeadId: neighbour.firstLeadId, leads: neighbour.leads }
  })

const compared = (what: string, idle: LoadResult, beside: LoadResult): ReadonlyArray<ContentFigure> => [
  {
    what: `get_lead p99 ${what}, over the idle one`,
    value: beside.p99 - idle.p99,
    unit: "ms",
    bound: { most: allowance }
  },
  { what: `get_lead failures ${what}`, value: beside.failures, unit: "", bound: { most: 0 } }
]

const logLatency = (what: string, { answers, p50, p99 }: LoadResult) =>
  Console.log(`get_lead ${what}: p50 ${figure(p50)} ms, p99 ${figure(p99)} ms, ${answers} answers`)

/** The calls alone and while videos are rendered. */
export const besideRenders = (all: Neighbours) =>
  Effect.gen(function* () {
    const [busy] = all.busy
    if (busy === undefined) return []
    const call = caller(all.gateway, busy)
    yield* leadsRead({ ...all, seconds: 1 }, "warm")
    const idle = yield* leadsRead(all, "idle")
    const videos = yield* Effect.forEach([1, 2], (n) =>
      call("create_video", {
        prompt: `Vídeo para clínica odontológica: "Seu sorriso merece cuidado" "Agende online ${n}"`,
        model: "VideoEnginePro",
        duration: 8,
        resolution: "1080p"
      })
    )
    const [first] = videos
    const id = { video_id: first?.["video_id"] }
    yield* waitFor(call("get_video", id), new Set(["running", "finished", "failed"]), "50 millis")
    const beside = yield* leadsRead(all, "render")
    const { status } = yield* call("get_video", id)
    yield* logLatency("alone", idle)
    yield* logLatency(`while a video is rendered (${String(status)} afterwards)`, beside)
    for (const { video_id } of videos) yield* waitFor(call("get_video", { video_id }), ended, "500 millis")
    return compared("beside a render", idle, beside)
  })

/** The same while a hundred sites are written. */
export const besideSites = (all: Neighbours) =>
  Effect.gen(function* () {
    const idle = yield* leadsRead(all, "idle2")
    const startedSites = yield* Effect.forEach(
      Array.from({ length: 100 }, (_, index) => index),
      (index) => {
        const account = all.busy[index % all.busy.length]
        const material = siteMaterials[index % siteMaterials.length]
        if (account === undefined || material === undefined) return Effect.dieMessage("There is nothing to write.")
        const call = caller(all.gateway, account)
        return Effect.map(
          call("register_website", { description: material.description, language: material.language }),
          ({ website_id }) => ({ call, args: { website_id } })
        )
      },
      { concurrency: 10 }
    )
    const started = performance.now()
    const beside = yield* leadsRead(all, "sites")
    const states = yield* Effect.forEach(startedSites, ({ args, call }) => call("get_website", args), {
      concurrency: 4
    })
    const open = states.filter(({ status }) => !ended.has(String(status))).length
    yield* logLatency("alone", idle)
    yield* logLatency(`while 100 sites are written (${open} left afterwards)`, beside)
    let failed = 0
    for (const { args, call } of startedSites) {
      const { last } = yield* waitFor(call("get_website", args), ended, "1000 millis")
      if (last["status"] !== "finished") failed++
    }
    yield* Console.log(
      `100 sites were written after ${figure((performance.now() - started) / 1000)} s, ${failed} failed`
    )
    return [
      ...compared("beside 100 sites", idle, beside),
      { what: "sites of 100 that failed", value: failed, unit: "", bound: { most: 0 } }
    ] satisfies ReadonlyArray<ContentFigure>
  })

const knowledge = `# Planos da Clínica Sorriso
O plano básico custa R$ 199 por mês e inclui três usuários. O plano profissional custa R$ 399 por mês.
A Clínica Sorriso atende de segunda a sexta, das 8h às 18h, na Avenida Paulista.`

/** Searches in the sandbox, from the call to the result. */
export const searches = ({ busy: [account], gateway }: Neighbours) =>
  Effect.gen(function* () {
    if (account === undefined) return []
    const call = caller(gateway, account)
    yield* call("upload_customer_file", { file_name: "planos.md", text: knowledge })
    const durations: Array<number> = []
    for (const query of ["Quanto custa o plano básico?", "Quando a clínica atende?", "Qual é o plano profissional?"]) {
      for (const type of ["Fast", "Standard", "Deep"]) {
        const started = performance.now()
        const search = yield* call("register_online_search", { query, type })
        yield* waitFor(call("get_online_search", { online_search_id: search["online_search_id"] }), ended, "20 millis")
        durations.push((performance.now() - started) / 1000)
      }
    }
    return [
      { what: "search in the sandbox, slowest of 9", value: Math.max(...durations), unit: "s", bound: { most: 1 } }
    ] satisfies ReadonlyArray<ContentFigure>
  })

/** Screenshots of a site's page, once the browser is running. */
export const looks = ({ busy: [account], gateway }: Neighbours, page: string) =>
  Effect.gen(function* () {
    if (account === undefined) return []
    const call = caller(gateway, account)
    const look = call("screenshot_website", { url: page, prompt: "Is the offer clear without scrolling?" })
    yield* look
    const durations: Array<number> = []
    for (let round = 0; round < 5; round++) {
      const started = performance.now()
      yield* look
      durations.push((performance.now() - started) / 1000)
    }
    return [
      { what: "screenshot, warm, half of 5", value: percentile(durations, 0.5), unit: "s", bound: { most: 2 } },
      { what: "screenshot, warm, slowest of 5", value: Math.max(...durations), unit: "s", bound: { most: 2 } }
    ] satisfies ReadonlyArray<ContentFigure>
  })
