import { once } from "node:events"
import { Agent, createServer, request } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import {
  admitConnections,
  type ConnectionAdmissionOptions
} from "../../../src/Layers/Platform/Http/Admission/ConnectionAdmission.ts"
import { makeConnectionArrivals } from "../../../src/Layers/Platform/Http/Admission/ConnectionArrivals.ts"
import { makeBodyReads } from "../../../src/Layers/Platform/Http/Bodies/BodyReads.ts"

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

describe("work that can wait", () => {
  it("lets turns pass in which connections are taken, four fifths of the time at most", () => {
    let time = 0
    const arrivals = makeConnectionArrivals(() => time)
    const givesWay = arrivals.watch()
    assert.isFalse(givesWay())
    const pauses: Array<boolean> = []
    for (; time < 200; time += 5) {
      arrivals.record()
      pauses.push(givesWay())
    }
    assert.strictEqual(pauses.filter((isHeld) => isHeld).length, 32)
    assert.isFalse(pauses.slice(0, 10).every((isHeld) => isHeld))
    assert.isFalse(givesWay())
  })

  it("is told of each kind of work by itself", () => {
    const arrivals = makeConnectionArrivals(() => 0)
    const [one, other] = [arrivals.watch(), arrivals.watch()]
    arrivals.record()
    assert.deepStrictEqual([one(), one(), other(), other()], [true, false, true, false])
  })
})

/** A server with connection admission. `get` calls it over a new connection from an address of this machine. */
const served = async (options: Omit<ConnectionAdmissionOptions, "arrivals">) => {
  const answered: Array<string | undefined> = []
  const server = createServer((incoming, response) => {
    answered.push(incoming.socket.remoteAddress)
    response.end("there")
  })
  admitConnections(server, { ...options, arrivals: makeConnectionArrivals() })
  server.listen({ port: 0, host: "127.0.0.1", backlog: 4096 })
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  const agent = new Agent({ keepAlive: false })
  const get = (localAddress: string) =>
    new Promise<string>((resolve, reject) => {
      request({ port, host: "127.0.0.1", localAddress, agent }, (response) => {
        let text = ""
        response.on("data", (piece: Buffer) => {
          text += piece.toString()
        })
        response.once("end", () => resolve(text))
      })
        .once("error", reject)
        .end()
    })
  const of = (address: string) => answered.filter((each) => each === address).length
  return { answered, get, of, close: () => new Promise((resolve) => server.close(resolve)) }
}

const several = (count: number, get: () => Promise<string>) => Array.from({ length: count }, get)

describe("connections", () => {
  it("are all taken before any is read, and one of another address is read before hundreds of one", async () => {
    // With a stopped clock, no connection is read while others arrive, whatever the machine does.
    const { answered, close, get } = await served({ accepted: makeConnectionArrivals(() => 0) })
    const texts = await Promise.all([...several(300, () => get("127.0.0.1")), get("127.0.0.2")])
    assert.deepStrictEqual(new Set(texts), new Set(["there"]))
    assert.strictEqual(answered.length, 301)
    assert.isBelow(answered.indexOf("127.0.0.2"), 100)
    await close()
  })

  it("of one address are begun a hundred at a time while another address comes too", async () => {
    let time = 0
    const { close, get, of } = await served({ now: () => time })
    // Many clients, because each may only connect so often within a window.
    let came = 0
    const getAsAnother = () => get(`127.0.0.${2 + (came++ % 200)}`)
    await getAsAnother()
    const flood = several(250, () => get("127.0.0.1"))
    for (const others of [100, 200, 250]) {
      while (of("127.0.0.1") < others) await getAsAnother().then(() => void (time += others === 250 ? 100 : 0))
      // Waiting connections are admitted as often as before, but none fits into the stopped window.
      if (others < 250) {
        await new Promise((resolve) => setTimeout(resolve, 150))
        assert.strictEqual(of("127.0.0.1"), others)
      }
      time += 100
    }
    assert.deepStrictEqual(new Set(await Promise.all(flood)), new Set(["there"]))
    await close()
  })

  it("of one address alone, or of a proxy, wait for nothing", async () => {
    const alone = await served({ now: () => 0 })
    await Promise.all(several(250, () => alone.get("127.0.0.1")))
    await alone.close()
    const behind = await served({ now: () => 0, isProxy: (address) => address === "127.0.0.1" })
    await behind.get("127.0.0.2")
    await Promise.all(several(250, () => behind.get("127.0.0.1")))
    await behind.close()
  })
})

describe("the reading of long bodies", () => {
  it("takes one piece in a turn of the event loop, of each party in its turn, and the oldest body first", async () => {
    const reading = makeBodyReads(() => false)
    const read: Array<string> = []
    const body = (party: string, name: string, pieces: number) => {
      const { end, next } = reading(party)
      const step = (left: number) => {
        if (left > 0)
          next(() => {
            read.push(name)
            step(left - 1)
          })
      }
      step(pieces)
      return end
    }
    for (let at = 1; at <= 5; at++) body("a", `a${at}`, 2)
    const end = body("b", "b1", 1)
    body("b", "b2", 2)
    end()
    await turn()
    assert.deepStrictEqual(read, ["a1"])
    for (let passed = 0; passed < 3; passed++) await turn()
    assert.deepStrictEqual(read, ["a1", "b2", "a1", "b2"])
    for (let passed = 0; passed < 8; passed++) await turn()
    assert.deepStrictEqual(read.slice(4), ["a2", "a2", "a3", "a3", "a4", "a4", "a5", "a5"])
  })

  it("waits while connections come", async () => {
    const arrivals = makeConnectionArrivals(() => 0)
    let read = 0
    makeBodyReads(arrivals.watch())("a").next(() => void read++)
    for (let passed = 0; passed < 5; passed++) {
      arrivals.record()
      await turn()
    }
    assert.strictEqual(read, 0)
    await turn()
    await turn()
    assert.strictEqual(read, 1)
  })
})
