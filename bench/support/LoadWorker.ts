import { readFileSync } from "node:fs"
import { Agent, request } from "node:http"
import { setTimeout } from "node:timers/promises"
import autocannon from "autocannon"
import { callsUnderTest, type RunOfCalls, updateLead, withKey } from "./CallsUnderTest.ts"
import { type Flood, floods } from "./Floods.ts"
import { sendHalfRequests } from "./HalfSentRequests.ts"
import { percentile } from "./Percentile.ts"
import { messageOf, type Protocol } from "./Protocols.ts"
import { readCalls } from "./ReadCalls.ts"

/** One run of a load, as the benchmark requests it. */
export interface LoadOrder {
  readonly url: string
  readonly token: string
  readonly call: string
  readonly connections: number
  readonly seconds: number
  readonly run: RunOfCalls
  /** The protocol of the calls. By default REST. */
  readonly protocol?: Protocol
  /** Whether each call opens a new connection. */
  readonly isAnew?: boolean
  /** Milliseconds between the end of a call on a new connection and the next connection. */
  readonly pause?: number
  /** The local address of its connections. By default, the system chooses. */
  readonly localAddress?: string
  /** The process id of the gateway, whose waits for a processor core are read before and after each call. */
  readonly gatewayPid?: number
}

/** The result. Times are in milliseconds. */
export interface LoadResult {
  readonly answers: number
  readonly requestsPerSecond: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly longest: number
  /**
   * The 99th percentile without the time in which the main thread of the gateway or of this process was ready to run
   * and no core was free. The same as `p99` without a `gatewayPid`.
   */
  readonly p99WithoutWaits: number
  /** Answers other than 200 within the time limit. A run with failures does not count. */
  readonly failures: number
  /** The failures and how often each occurred: the status with the beginning of the answer, or the error. */
  readonly reasons: { readonly [reason: string]: number }
}

/** Milliseconds after which a call without an answer counts as failed, if the library does not send it. */
const patience = 10_000

interface Answer {
  readonly status: number
  readonly body: string
}

interface Connecting {
  readonly agent: Agent
  readonly localAddress: string | undefined
}

const answerOf = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  { agent, localAddress }: Connecting
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const from = localAddress === undefined ? {} : { localAddress }
    const sent = request(url, { method: "POST", headers, agent, timeout: patience, ...from }, (response) => {
      let text = ""
      response.setEncoding("utf8")
      response.on("data", (piece: string) => {
        text += piece
      })
      response.once("error", reject)
      response.once("end", () => resolve({ status: response.statusCode ?? 0, body: text }))
    })
    sent.once("timeout", () => sent.destroy(new Error("no answer")))
    sent.once("error", reject)
    sent.end(body)
  })

/** Milliseconds that a process's main thread was ready to run and had no core, since it began. Linux only. */
const waitedForCore = (pid: number): number => {
  const [, nanoseconds = "0"] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")
  return Number(nanoseconds) / 1e6
}

/** The library's histogram only has whole milliseconds, so each time is recorded here. */
const apply = async ({
  call: name,
  connections,
  gatewayPid,
  isAnew = false,
  localAddress,
  pause = 0,
  protocol = "rest",
  run,
  seconds,
  token,
  url
}: LoadOrder): Promise<LoadResult> => {
  const calls = [...callsUnderTest, updateLead]
  const called: ReadonlyArray<Flood> = [...calls, ...calls.map(withKey), ...readCalls, ...floods]
  const call = called.find((candidate) => candidate.name === name)
  if (call === undefined) throw new Error(`There is no call ${name}.`)
  const times: Array<number> = []
  const timesWithoutWaits: Array<number> = []
  const reasons: Record<string, number> = {}
  let failures = 0
  const failed = (reason: string): void => {
    failures++
    reasons[reason] = (reasons[reason] ?? 0) + 1
  }
  let sent = 0
  const started = performance.now()
  let last = started
  const { headers, path } = messageOf(protocol, call.tool, {})
  const bodyOf = (n: number): string =>
    call.path === undefined ? messageOf(protocol, call.tool, call.args(n, run)).body : JSON.stringify(call.args(n, run))
  const address = `${url}${call.path ?? path}`
  const allHeaders = { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers }
  const answered = (took: number, waited = 0): void => {
    last = performance.now()
    times.push(took)
    timesWithoutWaits.push(Math.max(0, took - waited))
  }
  const waits = (): number => (gatewayPid === undefined ? 0 : waitedForCore(gatewayPid) + waitedForCore(process.pid))
  const opensAnew = isAnew || call.isAnew === true
  const connecting: Connecting = { agent: new Agent({ keepAlive: !opensAnew }), localAddress }
  /** Sequential calls over one connection, or each over a new one. As many run at a time as there are connections. */
  const callInTurn = async (): Promise<void> => {
    while (performance.now() < started + 1000 * seconds) {
      const waitsBefore = waits()
      const began = performance.now()
      try {
        const { body, status } = await answerOf(address, allHeaders, bodyOf(sent++), connecting)
        if (status !== 200) failed(`${status} ${body.slice(0, 200)}`)
      } catch (error) {
        failed(error instanceof Error ? error.message : "unknown")
      }
      const took = performance.now() - began
      answered(took, waits() - waitsBefore)
      if (opensAnew && pause > 0) await setTimeout(pause)
    }
  }
  const options: autocannon.Options = {
    url: address,
    connections,
    duration: seconds,
    sampleInt: 50,
    requests: [
      {
        method: "POST",
        headers: allHeaders,
        setupRequest: (request) => {
          const n = sent++
          return { ...request, headers: { ...allHeaders, ...call.headers?.(n, run) }, body: bodyOf(n) }
        },
        onResponse: (status, body) => {
          if (status !== 200) failed(`${status} ${body.slice(0, 200)}`)
        }
      }
    ]
  }
  if (call.halfSent !== undefined) {
    const { closed, times: delays } = await sendHalfRequests(url, call.halfSent, seconds)
    for (const delay of delays) answered(delay)
    failures = closed
    reasons["closed"] = closed
    // The library cannot choose the local address of its connections.
  } else if (opensAnew || localAddress !== undefined) await Promise.all(Array.from({ length: connections }, callInTurn))
  else
    await new Promise((resolve) => {
      const load = autocannon(options, resolve)
      load.on("response", (_client, _status, _bytes, time) => answered(time))
      load.on("reqError", (error: Error) => failed(error.message))
    })
  connecting.agent.destroy()
  const sorted = Float64Array.from(times).sort()
  return {
    answers: times.length,
    requestsPerSecond: (times.length / (last - started)) * 1000,
    p50: percentile(sorted, 0.5),
    p95: percentile(sorted, 0.95),
    p99: percentile(sorted, 0.99),
    longest: percentile(sorted, 1),
    p99WithoutWaits: percentile(Float64Array.from(timesWithoutWaits).sort(), 0.99),
    failures,
    reasons
  }
}

process.on("message", (order: LoadOrder) => {
  void apply(order).then((result) => process.send?.(result))
})
