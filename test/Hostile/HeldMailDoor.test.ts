import * as net from "node:net"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Redacted } from "effect"
import { inboundHeadSignature, inboundSignature } from "../../src/Layers/Mail/Inbox/InboundEndpoint.ts"
import { ServerAddress } from "../../src/Layers/Platform/Http/Server.ts"
import { makeTokenHolder, send, testGateway } from "../support/servers/TestServer.ts"
import { deliverySettings } from "./support/signedDeliveries.ts"

const mebibyte = 1024 * 1024

/** The limits of a gateway with default settings. */
const gateway = testGateway({ bodyLimit: 16 * mebibyte, bodyBufferLimit: 256 * mebibyte }).pipe(
  Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(deliverySettings)))))
)

/** Connections that begin large mails with forged signatures and never end them. */
const heldBodies = (host: string, port: number, localAddress: string, count: number) =>
  Effect.acquireRelease(
    Effect.promise(() =>
      Promise.all(
        Array.from({ length: count }, () => {
          const socket = net.connect({ host, port, localAddress })
          socket.on("error", () => {}).resume()
          const head = [
            "POST /inbound/mail HTTP/1.1",
            "Host: gateway.test",
            "Content-Type: message/rfc822",
            `X-Mail-Timestamp: ${Math.floor(Date.now() / 1000)}`,
            "X-Mail-Recipient: anyone@mail.example.com",
            `X-Mail-Signature: sha256=${"0".repeat(64)}`,
            `X-Mail-Head-Signature: sha256=${"0".repeat(64)}`,
            `Content-Length: ${4 * mebibyte}`
          ]
          const content = Buffer.alloc(4 * mebibyte - 1, "a")
          return new Promise<net.Socket>((resolve) => {
            // Written once the system has taken all, or the gateway has answered.
            socket.once("close", () => resolve(socket))
            socket.write(`${head.join("\r\n")}\r\n\r\n`)
            socket.write(content, () => resolve(socket))
          })
        })
      )
    ),
    (sockets) => Effect.sync(() => sockets.forEach((socket) => void socket.destroy()))
  )

layer(gateway, { excludeTestServices: true })("three connections that never end a mail", (it) => {
  it.scoped("do not close the door to the operator's mail server", () =>
    Effect.gen(function* () {
      const { caller } = yield* makeTokenHolder()
      const sql = yield* SqlClient
      const [account] = yield* sql<{ readonly handle: string }>`
        select handle from account where account_id = ${caller.accountId}`
      const recipient = `${account?.handle}@mail.example.com`
      const secret = Redacted.make(deliverySettings["MAIL_INBOUND_SECRET"] ?? "")
      const deliver = (id: string, bytes: number) => {
        const at = String(Math.floor(Date.now() / 1000))
        const head = `From: Lead <lead@lead.example>\r\nTo: ${recipient}\r\nSubject: Hi\r\nMessage-ID: <${id}@lead.example>\r\n\r\n`
        const body = Buffer.from(`${head}${"line of text\r\n".repeat(bytes / 14)}`)
        return send("/inbound/mail", {
          method: "POST",
          headers: {
            "content-type": "message/rfc822",
            "x-mail-timestamp": at,
            "x-mail-recipient": recipient,
            "x-mail-signature": inboundSignature(secret, at, recipient, body),
            "x-mail-head-signature": inboundHeadSignature(secret, at, recipient)
          },
          body
        })
      }
      const { host, port } = yield* ServerAddress
      // Of the mail server's address, and of eight others, which together have the whole share of bodies without a key.
      yield* heldBodies(host, port, "127.0.0.1", 3)
      for (let number = 1; number <= 8; number++) yield* heldBodies(host, port, `127.0.3.${number}`, 3)
      for (const [id, bytes] of [
        ["short", 1000],
        ["long", 6 * mebibyte]
      ] as const) {
        const { status, text } = yield* deliver(id, bytes)
        assert.strictEqual(status, 200, text)
      }
    })
  )
})
