import { createServer } from "node:http"
import { Effect } from "effect"

/** A collector that accepts spans and discards them. Returns its address and the number of requests so far. */
export const startOtlpSink = Effect.gen(function* () {
  let batches = 0
  const server = createServer((request, response) => {
    if (request.method === "POST") batches++
    request.resume()
    request.once("end", () => response.writeHead(200, { "content-type": "application/json" }).end("{}"))
  })
  const port = yield* Effect.acquireRelease(
    Effect.async<number>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resume(Effect.succeed(address !== null && typeof address === "object" ? address.port : 0))
      })
    }),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )
  return { url: `http://127.0.0.1:${port}`, batches: () => batches }
})
