import { createServer } from "node:http"

/**
 * A receiver of webhooks. It accepts all at once, but never answers one under `/dead`. `/count` returns the number of
 * the others.
 */
let count = 0

const server = createServer((request, response) => {
  if (request.method === "GET") {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ count }))
    return
  }
  request.resume()
  request.once("end", () => {
    if (request.url === "/dead") return
    count++
    response.writeHead(204).end()
  })
})
server.keepAliveTimeout = 60_000
server.listen(Number(process.env["PORT"]), "127.0.0.1")
process.once("SIGTERM", () => process.exit(0))
