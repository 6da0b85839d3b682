import * as net from "node:net"
import { Effect } from "effect"

/** A host's answer: all of it at once, or a function that writes while the connection is open. */
export type RawAnswer = string | Buffer | ((socket: net.Socket) => void)

/** A server that answers each request with raw bytes, which need not be valid HTTP, and closes. */
export const rawHost = (answerOf: (path: string, url: string) => RawAnswer) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const open = new Set<net.Socket>()
        let url = ""
        const server = net.createServer((socket) => {
          open.add(socket)
          socket.once("close", () => open.delete(socket))
          socket.on("error", () => {})
          socket.once("data", (head) => {
            const [, path = ""] = /^\S+ (\S+)/.exec(head.toString("latin1")) ?? []
            const answer = answerOf(path, url)
            if (typeof answer === "function") answer(socket)
            else socket.end(answer)
          })
        })
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
        const address = server.address()
        url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
        return { open, server, url }
      }),
      ({ open, server }) =>
        Effect.promise(async () => {
          for (const socket of open) socket.destroy()
          await new Promise((resolve) => server.close(resolve))
        })
    ),
    ({ url }) => ({ url })
  )
