import { createServer } from "node:http"

/** The simulated provider of calendars, in a separate process like a real one. Each list contains one changed event. */
let lists = 0

const server = createServer((request, response) => {
  const answer = (body: object) =>
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body))
  request.resume()
  request.once("end", () => {
    const path = (request.url ?? "").split("?", 1)[0] ?? ""
    if (!path.endsWith("/events")) return answer({ lists, resourceId: "resource" })
    lists++
    const start = new Date(Date.now() + 86_400_000).toISOString()
    return answer({
      timeZone: "America/Sao_Paulo",
      accessRole: "owner",
      items: [{ id: `held${lists % 1000}`, status: "confirmed", start: { dateTime: start }, end: { dateTime: start } }],
      nextSyncToken: "s1"
    })
  })
})
server.keepAliveTimeout = 60_000
server.listen(Number(process.env["PORT"]), "127.0.0.1")
process.once("SIGTERM", () => process.exit(0))
