import { readFileSync } from "node:fs"
import type { RequestListener } from "node:http"
import * as https from "node:https"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"

const file = (name: string) => readFileSync(new URL(`../certificates/${name}`, import.meta.url), "utf8")

/** A self-signed certificate for the names `localhost` and `hooks.example` and the address 127.0.0.1. */
export const localCertificate = file("local-certificate.pem")

/** An HTTPS server of the test on a free port. It closes with its connections when the scope ends. */
export const localHttpsServer = (handler: RequestListener) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const server = https.createServer({ cert: localCertificate, key: file("local-key.pem") }, handler)
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
        return server
      }),
      (server) =>
        Effect.promise(async () => {
          server.closeAllConnections()
          await new Promise((resolve) => server.close(resolve))
        })
    ),
    (server) => {
      const { port } = server.address() as AddressInfo
      return { url: `https://localhost:${port}`, port }
    }
  )
