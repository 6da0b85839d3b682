import { createReadStream, readFileSync } from "node:fs"
import { stat } from "node:fs/promises"
import Fastify from "fastify"

/** A precompressed page: from a file, as static servers do it, and from memory, which is the fastest way. */

const file = process.env["PAGE_FILE"] ?? ""
const bytes = readFileSync(file)

const app = Fastify()
const headers = { "content-type": "text/html; charset=utf-8", "content-encoding": "br", "cache-control": "no-cache" }

app.get("/health/live", () => "live")
app.get("/file", async (_request, reply) => {
  const { mtimeMs, size } = await stat(file)
  reply.headers({ ...headers, "content-length": size, etag: `W/"${size.toString(16)}-${mtimeMs.toString(16)}"` })
  return reply.send(createReadStream(file))
})
app.get("/memory", (_request, reply) => {
  reply.headers({ ...headers, etag: '"page"' }).send(bytes)
})

await app.listen({ host: "127.0.0.1", port: Number(process.env["PORT"]) })
