import { createSocket } from "node:dgram"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"

/** What the name server does with a question: addresses of the family, no such name, or nothing at all. */
export type Reply = ReadonlyArray<string> | "no such name" | "silence"

const nameOf = (question: Buffer): { readonly name: string; readonly end: number } => {
  const labels: Array<string> = []
  let at = 12
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString("latin1", at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join("."), end: at + 5 }
}

const bytesOf = (address: string, family: 4 | 6): Buffer =>
  family === 4
    ? Buffer.from(address.split(".").map(Number))
    : Buffer.from(
        address
          .split(":")
          .map((part) => part.padStart(4, "0"))
          .join(""),
        "hex"
      )

/** A name server (RFC 1035) on a port of its own, with the names that it was asked, once for each family. */
export const nameServer = (reply: (name: string, family: 4 | 6) => Reply) =>
  Effect.gen(function* () {
    const asked: Array<string> = []
    const socket = yield* Effect.acquireRelease(
      Effect.sync(() => createSocket("udp4")),
      (socket) => Effect.sync(() => socket.close())
    )
    socket.on("message", (question, from) => {
      const { end, name } = nameOf(question)
      const family = question.readUInt16BE(end - 4) === 28 ? 6 : 4
      asked.push(name)
      const found = reply(name.toLowerCase(), family)
      if (found === "silence") return
      const answers = typeof found === "string" ? [] : found.map((address) => bytesOf(address, family))
      const head = Buffer.alloc(12)
      question.copy(head, 0, 0, 2)
      head.writeUInt16BE(found === "no such name" ? 0x8183 : 0x8180, 2)
      head.writeUInt16BE(1, 4)
      head.writeUInt16BE(answers.length, 6)
      const records = answers.map((bytes) => {
        const record = Buffer.alloc(12)
        record.writeUInt16BE(0xc00c, 0)
        record.writeUInt16BE(family === 6 ? 28 : 1, 2)
        record.writeUInt16BE(1, 4)
        record.writeUInt32BE(60, 6)
        record.writeUInt16BE(bytes.length, 10)
        return Buffer.concat([record, bytes])
      })
      socket.send(Buffer.concat([head, question.subarray(12, end), ...records]), from.port, from.address)
    })
    yield* Effect.async<void>((resume) => {
      socket.bind(0, "127.0.0.1", () => resume(Effect.void))
    })
    const { port }: AddressInfo = socket.address()
    return { asked, server: `127.0.0.1:${port}` }
  })
