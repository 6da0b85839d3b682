import * as fs from "node:fs/promises"
import * as path from "node:path"
import { assert } from "@effect/vitest"
import { Config, Console, Context, Effect, Layer } from "effect"
import {
  type GatewayProcess,
  ownerToken,
  startGateway,
  temporaryDirectory
} from "../../support/processes/GatewayProcess.ts"

/**
 * Milliseconds of the processor that the event loop's thread may use at a stretch, or a reader for one text. What the
 * clock shows beside it is told: on a machine that does other things too it is not the gateway's doing.
 */
export const longestStop = 100
/** Bad inputs in all; a full run has 1 000 000. */
export const inputs = Config.withDefault(Config.integer("HOSTILE_INPUTS"), 100_000)
/**
 * Of the inputs, what goes over the wire to the tools, to all other routes, as signed deliveries (of each of three kinds of
 * senders), and to sites; the readers of strangers' texts get the rest.
 */
export const shares = { calls: 0.08, routes: 0.02, deliveries: 0.003, sites: 0.003 }
export const readersShare = 1 - shares.calls - shares.routes - 3 * shares.deliveries - shares.sites
export const atOnce = 20

export class Target extends Context.Tag("Target")<
  Target,
  {
    readonly gateway: GatewayProcess
    readonly token: string
    /** The file in which the gateway's stops are written down. */
    readonly stops: string
  }
>() {}

export const targetWith = (settings: Readonly<Record<string, string>> = {}) =>
  Layer.scoped(
    Target,
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const stops = path.join(yield* temporaryDirectory, "stops")
      yield* Effect.promise(() => fs.writeFile(stops, ""))
      const gateway = yield* startGateway(directory, {
        LOG_LEVEL: "ERROR",
        SITE_DOMAIN: "sites.test",
        NODE_OPTIONS: `--import=${new URL("../../support/loopStops.js", import.meta.url).href}`,
        LOOP_STOPS: stops,
        ...settings
      })
      return { gateway, token: yield* ownerToken(directory), stops }
    })
  )

export const memoryMegabytes = Effect.flatMap(Target, ({ gateway }) =>
  Effect.promise(async () => {
    const page = await (await fetch(`${gateway.baseUrl}/metrics`)).text()
    return Number(/^gateway_process_resident_memory_bytes (\S+)$/m.exec(page)?.[1] ?? Number.NaN) / 1024 ** 2
  })
)

interface Stop {
  readonly byClock: number
  readonly ofProcessor: number
}

const worse = (one: Stop, other: Stop): Stop => ({
  byClock: Math.max(one.byClock, other.byClock),
  ofProcessor: Math.max(one.ofProcessor, other.ofProcessor)
})

const none: Stop = { byClock: 0, ofProcessor: 0 }

export const told = ({ byClock, ofProcessor }: Stop): string =>
  `${Math.round(ofProcessor)} ms of the processor, ${Math.round(byClock)} by the clock`

/** Does something to the gateway; answers the longest stop of its event loop meanwhile. */
export const stopDuring = <A, E, R>(attack: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const { stops } = yield* Target
    const { size } = yield* Effect.promise(() => fs.stat(stops))
    yield* attack
    // A turn after the attack the last of them is written down.
    yield* memoryMegabytes
    yield* Effect.sleep("100 millis")
    const lines = (yield* Effect.promise(() => fs.readFile(stops))).subarray(size).toString("latin1").split("\n")
    return lines
      .map((line): Stop => {
        const [byClock = 0, ofProcessor = 0] = line.split(" ").map(Number)
        return { byClock, ofProcessor }
      })
      .reduce(worse, none)
  })

export const post = (path: string, headers: Readonly<Record<string, string>>, body: string | Uint8Array) =>
  Effect.flatMap(Target, ({ gateway, token }) =>
    Effect.promise(async () => {
      const response = await fetch(`${gateway.baseUrl}${path}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${token}`, ...headers },
        body
      })
      return { status: response.status, text: await response.text() }
    })
  )

/** A thousand inputs at a time; what they did to the event loop and to memory. */
export const inThousands = <E, R>(
  name: string,
  count: number,
  attack: (round: number) => ReadonlyArray<Effect.Effect<void, E, R>>
) =>
  Effect.gen(function* () {
    const rounds = Math.ceil(count / 1000)
    let longest = none
    let memory = 0
    const began = performance.now()
    for (let round = 0; round < rounds; round++) {
      const stop = yield* stopDuring(Effect.all(attack(round), { concurrency: atOnce, discard: true }))
      longest = worse(longest, stop)
      if (round % 20 === 19 || round === rounds - 1) {
        const seconds = Math.round((performance.now() - began) / 1000)
        yield* Console.log(
          `${(round + 1) * 1000} ${name} in ${seconds} s: the longest stop is ${told(longest)}, ${Math.round(yield* memoryMegabytes)} MB`
        )
      }
      // By then everything is loaded and warm.
      if (round === Math.floor(rounds / 2)) memory = yield* memoryMegabytes
    }
    assert.isBelow(longest.ofProcessor, longestStop, told(longest))
    assert.isBelow(yield* memoryMegabytes, memory + 100)
  })
