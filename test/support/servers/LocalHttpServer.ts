import * as http from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"

export interface LocalHttpServer {
  /** `http://127.0.0.1:port`, without a trailing slash. */
  readonly url: string
  readonly port: number
  /** The received requests, as `METHOD path`. */
  readonly requests: ReadonlyArray<string>
}

/** A server of the test on a free port of this machine. It closes with its connections when the scope ends. */
export const localHttpServer = (handler: http.RequestListener, host = "127.0.0.1") =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const requests: Array<string> = []
        const server = http.createServer((request, response) => {
          requests.push(`${request.method} ${request.url}`)
          handler(request, response)
        })
        await new Promise<void>((resolve) => server.listen(0, host, resolve))
        return { server, requests }
      }),
      ({ server }) =>
        Effect.promise(async () => {
          server.closeAllConnections()
          await new Promise((resolve) => server.close(resolve))
        })
    ),
    ({ requests, server }): LocalHttpServer => {
      const { port } = server.address() as AddressInfo
      return { url: `http://127.0.0.1:${port}`, port, requests }
    }
  )
