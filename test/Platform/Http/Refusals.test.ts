import { once } from "node:events"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import * as net from "node:net"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { makeRefusals } from "../../../src/Layers/Platform/Http/Admission/Refusals.ts"
import { boundedServer } from "../../../src/Layers/Platform/Http/BoundedServer.ts"

const turns = async (count: number) => {
  for (let passed = 0; passed < count; passed++) await new Promise<void>((resolve) => setImmediate(resolve))
}

/** Refusals with a clock that the test moves. */
const book = () => {
  let time = 0
  let timers: Array<{ readonly at: number; readonly run: () => void }> = []
  const sentRefusals: Array<string> = []
  const refuse = makeRefusals(
    () => false,
    () => time,
    (run, millis) => void timers.push({ at: time + millis, run })
  )
  return {
    told: sentRefusals,
    refuse,
    tell: (address: string, name: string, cost = 1) => refuse(address, cost, () => void sentRefusals.push(name)),
    pass: (millis: number) => {
      time += millis
      const due = timers.filter(({ at }) => at <= time)
      timers = timers.filter(({ at }) => at > time)
      for (const { run } of due) run()
    }
  }
}

describe("refusals", () => {
  it("are told at once while they are few, and a second later where one address has very many", async () => {
    const { pass, tell, told } = book()
    for (let number = 0; number < 300; number++) tell("a", `a${number}`)
    assert.lengthOf(told, 200)
    tell("b", "b")
    assert.strictEqual(told.at(-1), "b")
    pass(999)
    await turns(40)
    assert.lengthOf(told, 201)
    pass(1)
    await turns(1)
    assert.isAtMost(told.length, 205, "a few in each turn of the event loop")
    await turns(40)
    assert.deepStrictEqual(
      told.slice(201),
      Array.from({ length: 100 }, (_, number) => `a${200 + number}`)
    )
    tell("a", "later")
    assert.strictEqual(told.at(-1), "later")
  })

  it("count for more where much of a body is left to read", () => {
    const { tell, told } = book()
    for (let number = 0; number < 10; number++) tell("a", String(number), 65)
    assert.lengthOf(told, 4)
  })

  it("do not wait in any number", () => {
    const { tell, told } = book()
    const waited = Array.from({ length: 3000 }, (_, number) => tell("a", String(number)))
    assert.lengthOf(
      waited.filter((isWaited) => !isWaited),
      800
    )
    assert.lengthOf(told, 1000)
  })

  it("are all told, each once", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({ address: fc.constantFrom("a", "b"), cost: fc.nat({ max: 90 }), after: fc.nat({ max: 700 }) }),
          { maxLength: 40 }
        ),
        async (request) => {
          const { pass, tell, told } = book()
          for (const [number, { address, after, cost }] of request.entries()) {
            tell(address, String(number), 1 + cost)
            pass(after)
          }
          pass(1000)
          await turns(12)
          assert.deepStrictEqual(told.toSorted(), request.map((_, number) => String(number)).toSorted())
        }
      ),
      { numRuns: 50 }
    ))
})

describe("whoever repeats a request that is refused before its body was read", () => {
  it("is answered a second later and not read until then; the connection goes on, and others wait for nothing", async () => {
    const { pass, refuse } = book()
    const server = boundedServer({ refusals: refuse })
    const reading: Array<net.Socket> = []
    server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      if (request.method === "POST") reading.push(request.socket)
      response.writeHead(request.method === "POST" ? 401 : 200, { "Content-Length": 2 }).end("{}")
    })
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    const { port } = server.address() as AddressInfo
    const length = 900_000
    const sockets: Array<net.Socket> = []
    const connections = Array.from({ length: 12 }, () => {
      const connection = { answer: "", socket: net.connect(port, "127.0.0.1") }
      sockets.push(connection.socket)
      connection.socket.on("data", (bytes) => {
        connection.answer += bytes.toString("latin1")
      })
      connection.socket.write(`POST / HTTP/1.1\r\nHost: gateway.test\r\nContent-Length: ${length}\r\n\r\n`)
      connection.socket.write(Buffer.alloc(length, 0x20))
      return connection
    })
    const answered = (text: string) => connections.filter(({ answer }) => answer.includes(text)).length
    const until = async (isSo: () => boolean) => {
      while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await until(() => reading.length === 12 && answered("401") >= 4)
    // One turn after their answers, everything that will be read has been read.
    assert.strictEqual((await fetch(`http://127.0.0.1:${port}`)).status, 200)
    assert.isAtLeast(reading.filter(({ bytesRead }) => bytesRead < length / 2).length, 8)
    assert.strictEqual(answered("401"), 4)
    pass(1000)
    await until(() => answered("401") === 12)
    for (const { socket } of connections) socket.write("GET / HTTP/1.1\r\nHost: gateway.test\r\n\r\n")
    await until(() => answered("200 OK") === 12)
    for (const socket of sockets) socket.destroy()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
})
