import { assert, layer } from "@effect/vitest"
import { Config, Console, Context, Effect, Layer } from "effect"
import * as fc from "fast-check"
import { hostileMail, hostileMails } from "../Mail/hostileMails.ts"
import { type GatewayProcess, ownerToken, startGateway, temporaryDirectory } from "../support/GatewayProcess.ts"
import { badCall, undecided } from "./badCalls.ts"
import { type ReaderUnderAttack, readersUnderAttack, textsFor } from "./strangersTexts.ts"

/** Milliseconds that the event loop may stand still. */
const longestStop = 100
/** Bad inputs in all; a full run has 1 000 000. */
const inputs = Config.withDefault(Config.integer("HOSTILE_INPUTS"), 100_000)
/** Of the inputs, what goes over the wire; the readers of strangers' texts get the rest. */
const callShare = 0.1
const atOnce = 20

class Target extends Context.Tag("Target")<Target, { readonly gateway: GatewayProcess; readonly token: string }>() {}

const TargetLive = Layer.scoped(
  Target,
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory
    const gateway = yield* startGateway(directory, { LOG_LEVEL: "ERROR" })
    return { gateway, token: yield* ownerToken(directory) }
  })
)

/** The figures of `/metrics` by name; the longest stop is counted anew from each reading. */
const figures = Effect.flatMap(Target, ({ gateway }) =>
  Effect.promise(async () => {
    const page = await (await fetch(`${gateway.baseUrl}/metrics`)).text()
    const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(page)?.[1] ?? Number.NaN)
    return {
      stopMillis: 1000 * figure("gateway_nodejs_eventloop_lag_max_seconds"),
      memoryMegabytes: figure("gateway_process_resident_memory_bytes") / 1024 ** 2
    }
  })
)

/** Does something to the gateway; answers how long its event loop stood still meanwhile. */
const stopDuring = <A, E, R>(attack: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    yield* figures
    yield* attack
    return (yield* figures).stopMillis
  })

const post = (path: string, headers: Readonly<Record<string, string>>, body: string | Uint8Array) =>
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

const mebibytes16 = 16 * 1024 * 1024
const bodies: ReadonlyArray<readonly [name: string, body: string]> = [
  ["numbers", `{"a":[${"0,".repeat(mebibytes16 / 2 - 10)}0]}`],
  ["objects", `{"a":[${"{},".repeat(mebibytes16 / 3 - 10)}0]}`],
  ["depth", `{"a":${"[".repeat(mebibytes16 / 2 - 10)}`],
  ["escapes", `{"a":"${'\\"'.repeat(mebibytes16 / 2 - 10)}"}`],
  ["a long number in lead_id", `{"lead_id":${"1".repeat(mebibytes16 - 20)}}`],
  ["spaces", `{"a":1${" ".repeat(mebibytes16 - 10)}}`]
]

/** The text that takes a reader longest, in processor time; read again where it is long, since the machine may have paused. */
const longestRead = async (reader: ReaderUnderAttack, count: number) => {
  const took = async (text: string): Promise<number> => {
    const before = process.cpuUsage()
    await reader.read(text)
    const { system, user } = process.cpuUsage(before)
    return (system + user) / 1000
  }
  let longest = { longest: 0, text: "" }
  for (let done = 0; done < count; done += 1000) {
    for (const text of fc.sample(textsFor(reader, { longest: 20_000, rare: 200 }), {
      numRuns: Math.min(1000, count - done),
      seed: done
    })) {
      let time = await took(text)
      for (let again = 0; again < 3 && time >= longestStop / 2; again++) time = Math.min(time, await took(text))
      if (time > longest.longest) longest = { longest: time, text }
    }
  }
  return longest
}

layer(TargetLive, { excludeTestServices: true, timeout: "2 minutes" })("the event loop", (it) => {
  for (const mail of hostileMails) {
    it.effect(`goes on beside a mail of ${mail[0]}`, () =>
      Effect.gen(function* () {
        const raw = hostileMail(mail, { from: "stranger@lead.example", to: "owner@mail.example.com" })
        const stop = yield* stopDuring(
          Effect.map(post("/sandbox/mail/inbound", { "Content-Type": "message/rfc822" }, raw), ({ status }) =>
            assert.strictEqual(status, 200)
          )
        )
        assert.isBelow(stop, longestStop)
      })
    )
  }
  for (const [name, body] of bodies) {
    it.effect(`goes on beside 16 MiB of ${name}`, () =>
      Effect.gen(function* () {
        const stop = yield* stopDuring(
          Effect.map(post("/rest/v1/tools/get_lead", {}, body), ({ status, text }) => {
            assert.isUndefined(undecided(status, text))
            assert.strictEqual(status, 400)
          })
        )
        assert.isBelow(stop, longestStop)
      })
    )
  }
  it.effect("goes on beside bad calls, none of which has an undecided answer or keeps memory", () =>
    Effect.gen(function* () {
      const calls = callShare * (yield* inputs)
      const rounds = Math.ceil(calls / 1000)
      let longest = 0
      let slow = 0
      let memory = 0
      for (let round = 0; round < rounds; round++) {
        const stop = yield* stopDuring(
          Effect.forEach(
            // One that revokes the token itself would end the run.
            fc.sample(badCall, { numRuns: 1000, seed: round + 1 }).filter(({ tool }) => tool !== "revoke_mcp_token"),
            ({ body, tool }) =>
              Effect.map(post(`/rest/v1/tools/${tool}`, {}, body), ({ status, text }) =>
                assert.isUndefined(undecided(status, text), `${tool} ${body.slice(0, 300)}`)
              ),
            { concurrency: atOnce, discard: true }
          )
        )
        longest = Math.max(longest, stop)
        if (stop >= longestStop) slow++
        if (round % 20 === 19) {
          const { memoryMegabytes } = yield* figures
          yield* Console.log(
            `${(round + 1) * 1000} bad calls: the longest stop is ${Math.round(longest)} ms, ${slow} of ${round + 1} thousands had one of ${longestStop} ms, ${Math.round(memoryMegabytes)} MB`
          )
        }
        // By then everything is loaded and warm.
        if (round === Math.floor(rounds / 2)) memory = (yield* figures).memoryMegabytes
      }
      assert.isBelow(longest, longestStop)
      assert.isBelow((yield* figures).memoryMegabytes, memory + 100)
    })
  )

  it.effect("would go on beside whatever strangers make of the pieces that each reader knows", () =>
    Effect.gen(function* () {
      const each = Math.ceil(((1 - callShare) * (yield* inputs)) / readersUnderAttack.length)
      for (const reader of readersUnderAttack) {
        const { longest, text } = yield* Effect.promise(() => longestRead(reader, each))
        yield* Console.log(`${each} texts for the reader of ${reader.name}: the longest took ${Math.round(longest)} ms`)
        assert.isBelow(longest, longestStop, `${reader.name}: ${JSON.stringify(text.slice(0, 300))}`)
      }
    })
  )
})
