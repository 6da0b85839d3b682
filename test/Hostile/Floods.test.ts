import { once } from "node:events"
import { Agent, request } from "node:http"
import * as net from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { makeBodyBudget } from "../../src/Layers/Platform/Http/Admission/BodyBudget.ts"
import { takeBody } from "../../src/Layers/Platform/Http/Bodies/RequestBody.ts"
import { type BoundedServerOptions, boundedServer } from "../../src/Layers/Platform/Http/BoundedServer.ts"

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** More than the system takes from a server for a client that does not read. */
const longAnswer = Buffer.alloc(8 * 1024 * 1024, "x")

/** A server that answers each request once its body is read. */
const served = async (options: BoundedServerOptions) => {
  const server = boundedServer(options)
  server.on("request", (incoming, response) => {
    incoming.resume()
    const answer = incoming.url === "/long" ? longAnswer : "ok"
    if (incoming.url === "/refused") response.statusCode = 401
    incoming.once("end", () => response.end(answer))
  })
  server.listen({ port: 0, host: "127.0.0.1", backlog: 4096 })
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const sockets: Array<net.Socket> = []
  return {
    port,
    /** Opens a connection and sends a text on it, without an end. */
    open: (localAddress: string, text: string) => {
      const socket = net.connect({ port, host: "127.0.0.1", localAddress })
      socket.on("error", () => {})
      // Without a reader, a socket does not notice that the other side closed it.
      socket.resume()
      socket.write(text)
      sockets.push(socket)
      return socket
    },
    connections: () =>
      new Promise<number>((resolve, reject) => {
        server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)))
      }),
    closeAll: async () => {
      for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}

const get = (port: number, localAddress: string, agent = new Agent({ keepAlive: false })) =>
  new Promise<string>((resolve, reject) => {
    request({ port, host: "127.0.0.1", localAddress, agent }, (response) => {
      response.setEncoding("utf8").on("data", resolve)
    })
      .once("error", reject)
      .end()
  })

const halfHead = "GET / HTTP/1.1\r\nHost: gateway.test\r\nX-Half: "
const halfBody = "POST / HTTP/1.1\r\nHost: gateway.test\r\nContent-Length: 10\r\n\r\n12345"

describe("a flood of connections from one address", () => {
  for (const [name, text] of [
    ["that say nothing", ""],
    ["with half-sent heads", halfHead],
    ["with half-sent bodies", halfBody],
    ["that stay open after a request", "GET / HTTP/1.1\r\nHost: gateway.test\r\n\r\n"]
  ] as const) {
    it(`${name} displaces itself: each of 100 new connections of another address is answered`, async () => {
      const { closeAll, open, port } = await served({ places: 200 })
      let displaced = 0
      for (let opened = 0; opened < 600; opened++) {
        open("127.0.0.1", text).once("close", () => displaced++)
        if (opened % 20 === 0) await turn()
        if (opened % 6 === 0) assert.strictEqual(await get(port, "127.0.0.2"), "ok")
      }
      assert.isAtLeast(displaced, 400)
      await closeAll()
    })
  }

  it("whose long answers are never read displaces itself too, and an answer that is read arrives whole", async () => {
    const { closeAll, connections, open, port } = await served({ places: 50 })
    const long = "GET /long HTTP/1.1\r\nHost: gateway.test\r\n\r\n"
    let answered = 0
    for (let opened = 0; opened < 100; opened++) {
      open("127.0.0.1", long).pause()
      if (opened === 10) {
        open("127.0.0.2", long).on("data", (bytes) => {
          answered += bytes.length
        })
      }
      await turn()
      if (opened % 10 === 9) {
        // The server looks for such clients now and then.
        await new Promise((resolve) => setTimeout(resolve, 110))
        assert.strictEqual(await get(port, "127.0.0.3"), "ok")
      }
    }
    assert.isAtMost(await connections(), 47)
    await until(() => answered >= longAnswer.length)
    await closeAll()
  })

  it("leaves the connections of other addresses open", async () => {
    const { closeAll, open, port } = await served({ places: 200 })
    const slow = Array.from({ length: 10 }, (_, number) => open(`127.0.1.${number + 1}`, halfBody))
    await Promise.all(slow.map((socket) => once(socket, "connect")))
    for (let opened = 0; opened < 400; opened++) open("127.0.0.1", halfHead)
    assert.strictEqual(await get(port, "127.0.0.2"), "ok")
    for (const socket of slow) {
      const answer = once(socket, "data")
      socket.write("67890")
      assert.match(String((await answer)[0]), /^HTTP\/1\.1 200 /)
    }
    await closeAll()
  })

  it("through a proxy displaces the requests of its forwarded address, and no idle connection of the proxy", async () => {
    const { closeAll, open } = await served({ places: 200, isProxy: (address) => address === "127.0.0.1" })
    const forwarded = (address: string) => halfBody.replace("\r\n\r\n", `\r\nX-Forwarded-For: ${address}\r\n\r\n`)
    const idle = Array.from({ length: 20 }, () => open("127.0.0.1", ""))
    const honest = open("127.0.0.1", forwarded("203.0.113.1"))
    await Promise.all([...idle, honest].map((socket) => once(socket, "connect")))
    let displaced = 0
    for (let opened = 0; opened < 400; opened++) {
      const socket = open("127.0.0.1", forwarded("203.0.113.2")).once("close", () => displaced++)
      if (opened % 10 > 0) continue
      await once(socket, "connect")
      // The server has read them by now, so it knows whose they are.
      for (let passed = 0; passed < 20; passed++) await turn()
    }
    while (displaced < 200) await turn()
    const answer = once(honest, "data")
    honest.write("67890")
    assert.match(String((await answer)[0]), /^HTTP\/1\.1 200 /)
    assert.isTrue(idle.every(({ destroyed }) => !destroyed))
    await closeAll()
  })
})

describe("a client that is refused again and again", () => {
  it("is slowed down as one, from however many addresses of its network it asks", async () => {
    const { closeAll, open } = await served({ isProxy: (address) => address === "127.0.0.1" })
    const requestOf = (address: string) =>
      `GET /refused HTTP/1.1\r\nHost: gateway.test\r\nX-Forwarded-For: ${address}\r\n\r\n`
    /** How many requests of a connection are answered so far. */
    const answersTo = (requests: string) => {
      let text = ""
      open("127.0.0.1", requests).on("data", (bytes) => {
        text += bytes.toString("latin1")
      })
      return () => text.split("HTTP/1.1 401").length - 1
    }
    const addresses = Array.from({ length: 201 }, (_, number) => `2001:db8::${(number + 1).toString(16)}`)
    const ofNetwork = answersTo(addresses.map(requestOf).join(""))
    const ofOther = answersTo(requestOf("2001:db8:0:1::1"))
    const timeOf = async (isSo: () => boolean) => {
      await until(isSo)
      return performance.now()
    }
    const [first, last, other] = await Promise.all([
      timeOf(() => ofNetwork() >= 1),
      timeOf(() => ofNetwork() === addresses.length),
      timeOf(() => ofOther() === 1)
    ])
    assert.isBelow(other, last)
    assert.isAbove(last - first, 700)
    await closeAll()
  })
})

describe("a client that is answered 408", () => {
  it("is disconnected, even if it never closes its side", async () => {
    const times = { headers: 60, request: 120, keepAlive: 60, silence: 60_000, check: 10 }
    const { closeAll, port } = await served({ times })
    const socket = net.connect({ port, host: "127.0.0.1", allowHalfOpen: true })
    socket.on("error", () => {})
    let answer = ""
    socket.on("data", (bytes) => {
      answer += bytes.toString("latin1")
    })
    socket.write(halfHead)
    await once(socket, "end")
    assert.match(answer, /^HTTP\/1\.1 408 /)
    // The server no longer has the connection, so what is sent on it is reset.
    socket.on("close", () => {})
    while (!socket.destroyed) {
      socket.write("more")
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await closeAll()
  })
})

/** A server whose clients have no token, except for those that name a key. */
const bodyServer = async (totalBytes: number, paceWindowMillis = 60_000) => {
  const budget = { ...makeBodyBudget(totalBytes), paceWindowMillis }
  const server = boundedServer()
  server.on("request", (incoming, response) => {
    const tenant = incoming.url === "/key" ? "key /inbound/mail" : budget.anonymous(incoming)
    takeBody(incoming, response, { budget, limit: totalBytes, tenant }, (body) => {
      response.writeHead(Either.isRight(body) ? 200 : body.left._tag === "Transient" ? 503 : body.left.status).end("ok")
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const sockets: Array<net.Socket> = []
  return {
    budget,
    /** Announces a body and sends a part of it. */
    send: (localAddress: string, path: string, announced: number, sent: number) => {
      const socket = net.connect({ port, host: "127.0.0.1", localAddress })
      const connection = { socket, answer: "" }
      socket.on("error", () => {})
      socket.on("data", (bytes) => {
        connection.answer += bytes.toString("latin1")
      })
      socket.write(`POST ${path} HTTP/1.1\r\nHost: gateway.test\r\nContent-Length: ${announced}\r\n\r\n`)
      socket.write(Buffer.alloc(sent, 0x20))
      sockets.push(socket)
      return connection
    },
    closeAll: async () => {
      for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}

describe("bodies without a token", () => {
  it("that are never sent to their end leave room for other addresses, and for mail whose key is proved", async () => {
    const mebibyte = 1024 * 1024
    // Addresses share 1 MiB, of which each gets 128 KiB.
    const { budget, closeAll, send } = await bodyServer(8 * mebibyte)
    const flood = Array.from({ length: 30 }, () => send("127.0.0.1", "/", mebibyte, 100_000))
    await until(() => flood.filter(({ answer }) => answer.includes(" 503 ")).length >= 29)
    assert.isAtMost(budget.reservedBytes(), mebibyte / 8)
    const other = send("127.0.0.2", "/", 100_000, 100_000)
    const mail = send("127.0.0.1", "/key", 2 * mebibyte, 2 * mebibyte)
    await until(() => other.answer !== "" && mail.answer !== "")
    assert.match(other.answer, /^HTTP\/1\.1 200 /)
    assert.match(mail.answer, /^HTTP\/1\.1 200 /)

    // Not even a flood from very many addresses takes the room of those who proved a key.
    const many = Array.from({ length: 30 }, (_, number) => send(`127.0.2.${number + 1}`, "/", mebibyte, 100_000))
    await until(() => many.filter(({ answer }) => answer.includes(" 503 ")).length >= 19)
    const second = send("127.0.0.1", "/key", 2 * mebibyte, 2 * mebibyte)
    await until(() => second.answer !== "")
    assert.match(second.answer, /^HTTP\/1\.1 200 /)
    await closeAll()
  })

  it("that trickle are refused, and give their room back", async () => {
    const { budget, closeAll, send } = await bodyServer(8 * 1024 * 1024, 50)
    const slow = send("127.0.0.1", "/", 100_000, 10_000)
    const keyed = send("127.0.0.1", "/key", 100_000, 10_000)
    const timer = setInterval(() => slow.socket.write(" "), 10)
    await until(() => slow.answer !== "")
    clearInterval(timer)
    assert.match(slow.answer, /^HTTP\/1\.1 400 /)
    await until(() => budget.reservedBytes() === 10_000)
    assert.strictEqual(keyed.answer, "")
    await closeAll()
  })
})
