import { once } from "node:events"
import { connect } from "node:net"
import { assert, layer } from "@effect/vitest"
import { Console, Effect } from "effect"
import * as fc from "fast-check"
import { hostileMail, hostileMails } from "../Mail/Parsing/hostileMails.ts"
import { callOver, until } from "../support/processes/GatewayProcess.ts"
import { badCall, undecided } from "./support/badCalls.ts"
import { badRequest, problemOf, routes } from "./support/badRequests.ts"
import { hostileDocuments } from "./support/hostileDocuments.ts"
import { deliverySettings, signedDelivery } from "./support/signedDeliveries.ts"
import { type ReaderUnderAttack, readersUnderAttack, textsFor } from "./support/strangersTexts.ts"
import {
  atOnce,
  inputs,
  inThousands,
  longestStop,
  memoryMegabytes,
  post,
  readersShare,
  shares,
  stopDuring,
  Target,
  targetWith,
  told
} from "./support/target.ts"

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

layer(targetWith(), { excludeTestServices: true, timeout: "2 minutes" })("the event loop", (it) => {
  for (const mail of hostileMails) {
    it.effect(`goes on beside a mail of ${mail[0]}`, () =>
      Effect.gen(function* () {
        const raw = hostileMail(mail, { from: "stranger@lead.example", to: "owner@mail.example.com" })
        const stop = yield* stopDuring(
          Effect.map(post("/sandbox/mail/inbound", { "Content-Type": "message/rfc822" }, raw), ({ status }) =>
            assert.strictEqual(status, 200)
          )
        )
        assert.isBelow(stop.ofProcessor, longestStop, told(stop))
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
        assert.isBelow(stop.ofProcessor, longestStop, told(stop))
      })
    )
  }
  it.effect("goes on beside bad calls, none of which has an undecided answer or keeps memory", () =>
    Effect.flatMap(inputs, (all) =>
      inThousands("bad calls", shares.calls * all, (round) =>
        fc
          .sample(badCall, { numRuns: 1000, seed: round + 1 })
          // One that revokes the token itself would end the run.
          .filter(({ tool }) => tool !== "revoke_mcp_token")
          .map(({ body, tool }) =>
            Effect.map(post(`/rest/v1/tools/${tool}`, {}, body), ({ status, text }) =>
              assert.isUndefined(undecided(status, text), `${tool} ${body.slice(0, 300)}`)
            )
          )
      )
    )
  )

  it.effect("goes on beside bad requests to all other routes", () =>
    Effect.gen(function* () {
      const { gateway, token } = yield* Target
      yield* inThousands("bad requests", shares.routes * (yield* inputs), (round) =>
        fc.sample(badRequest, { numRuns: 1000, seed: round + 1 }).map((request, index) =>
          Effect.promise(async () => {
            const problem = await problemOf(gateway.baseUrl, request, index % 2 === 0 ? token : undefined)
            assert.isUndefined(problem)
          })
        )
      )
    })
  )

  const unfinished = new Set<unknown>(["queued", "running"])
  for (const [name, what, make] of hostileDocuments) {
    it.effect(`goes on beside a document of ${what}`, () =>
      Effect.gen(function* () {
        const { gateway, token } = yield* Target
        const call = (tool: string, args: object) => callOver(gateway, token, tool, args)
        const before = yield* memoryMegabytes
        const content = make().toString("base64")
        let highest = 0
        const stop = yield* stopDuring(
          Effect.gen(function* () {
            const uploaded = yield* call("upload_customer_file", { file_name: name, content_base64: content })
            assert.strictEqual(uploaded.status, 200, JSON.stringify(uploaded.body))
            const { customer_file_id } = uploaded.body
            const taught = yield* call("register_business_file", { title: name, customer_file_id })
            assert.strictEqual(taught.status, 200, JSON.stringify(taught.body))
            const asked = Effect.zipRight(
              Effect.flatMap(memoryMegabytes, (now) => Effect.sync(() => void (highest = Math.max(highest, now)))),
              Effect.map(call("list_business_files", {}), ({ body }) => {
                const files = body["business_files"] as ReadonlyArray<Record<string, unknown>>
                return files.find((file) => file["business_file_id"] === taught.body["business_file_id"]) ?? {}
              })
            )
            const file = yield* until<Record<string, unknown>>(
              ({ status }) => !unfinished.has(status),
              "3 minutes"
            )(asked)
            yield* Console.log(`a document of ${what}: ${String(file["status"])} ${String(file["failure_reason"])}`)
          })
        )
        yield* Console.log(`  the longest stop is ${told(stop)}, memory grew ${Math.round(highest - before)} MB`)
        assert.isBelow(stop.ofProcessor, longestStop, told(stop))
        // A thread with its 512 MB, and what is read into it.
        assert.isBelow(highest - before, 900)
      })
    )
  }

  it.effect("goes on beside bodies that are never sent to their end, on every route that takes one", () =>
    Effect.gen(function* () {
      const { gateway, token } = yield* Target
      const { hostname, port } = new URL(gateway.baseUrl)
      const before = yield* memoryMegabytes
      const paths = [
        ...routes.filter(({ method }) => method === "POST").map(({ path }) => path.replace(/\{\w+\}/g, "1")),
        "/rest/v1/tools/upload_customer_file"
      ]
      assert.isAtLeast(paths.length, 30)
      const halves = paths.flatMap((path) => Array.from({ length: 10 }, () => path))
      const stop = yield* stopDuring(
        Effect.gen(function* () {
          const sockets = halves.map((path) => {
            const socket = connect(Number(port), hostname)
            socket.on("error", () => {})
            socket.resume()
            socket.write(
              `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: 200000\r\n\r\n`
            )
            socket.write(Buffer.alloc(150_000, 0x20))
            return socket
          })
          yield* Effect.sleep("2 seconds")
          const health = yield* Effect.promise(() => fetch(`${gateway.baseUrl}/health/ready`))
          assert.strictEqual(health.status, 200)
          // A quarter of what may be held, for each of a few parties, and what the system reads ahead.
          assert.isBelow((yield* memoryMegabytes) - before, 300)
          for (const socket of sockets) socket.resetAndDestroy()
        })
      )
      assert.isBelow(stop.ofProcessor, longestStop, told(stop))
      const { status } = yield* callOver(gateway, token, "whoami")
      assert.strictEqual(status, 200)
    })
  )

  it.effect("goes on beside calls whose callers leave", () =>
    Effect.gen(function* () {
      const { gateway, token } = yield* Target
      const leave = Effect.promise(async () => {
        const { hostname, port } = new URL(gateway.baseUrl)
        const socket = connect(Number(port), hostname)
        socket.on("error", () => {})
        await once(socket, "connect")
        socket.write(
          `POST /rest/v1/tools/search_leads HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: 100000\r\n\r\n{"query":"`
        )
        await new Promise((resolve) => setTimeout(resolve, 20))
        socket.resetAndDestroy()
      })
      const stop = yield* stopDuring(
        Effect.all(
          Array.from({ length: 300 }, () => leave),
          { concurrency: atOnce }
        )
      )
      assert.isBelow(stop.ofProcessor, longestStop, told(stop))
    })
  )

  it.effect("would go on beside whatever strangers make of the pieces that each reader knows", () =>
    Effect.gen(function* () {
      const each = Math.ceil((readersShare * (yield* inputs)) / readersUnderAttack.length)
      for (const reader of readersUnderAttack) {
        const { longest, text } = yield* Effect.promise(() => longestRead(reader, each))
        yield* Console.log(`${each} texts for the reader of ${reader.name}: the longest took ${Math.round(longest)} ms`)
        assert.isBelow(longest, longestStop, `${reader.name}: ${JSON.stringify(text.slice(0, 300))}`)
      }
    })
  )
})

layer(targetWith(deliverySettings), { excludeTestServices: true, timeout: "2 minutes" })(
  "providers' deliveries",
  (it) => {
    it.effect("do not stop the event loop where they are signed as they should be and hold what they should not", () =>
      Effect.gen(function* () {
        const { gateway } = yield* Target
        yield* inThousands("signed deliveries", shares.deliveries * (yield* inputs), (round) =>
          fc
            .sample(signedDelivery, { numRuns: 1000, seed: round + 1 })
            .map((request) =>
              Effect.promise(async () => assert.isUndefined(await problemOf(gateway.baseUrl, request, undefined)))
            )
        )
      })
    )
  }
)
