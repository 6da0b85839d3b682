import { createServer, type IncomingMessage } from "node:http"
import { makePeerPool } from "./PeerPool.ts"
import { findToken, getLead, registerLead, searchLeads, whoami } from "./ToolStatements.ts"

/**
 * The least code that could answer the four calls: `node:http` and `pg`, with a token look-up and without checks of
 * parameters. It is not a product, but a lower bound for the others.
 */

const pool = makePeerPool("floor")

const bodyOf = (request: IncomingMessage): Promise<string> =>
  new Promise((resolve, reject) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.once("end", () => resolve(Buffer.concat(chunks).toString("utf8")))
    request.once("error", reject)
  })

interface Arguments {
  readonly lead_id: number
  readonly query?: string
  readonly page?: number
  readonly page_size?: number
  readonly name: string
  readonly email?: string
  readonly company?: string
}

const answerOf = (tool: string, accountId: number, args: Arguments): Promise<unknown> => {
  switch (tool) {
    case "whoami":
      return whoami(pool, accountId)
    case "get_lead":
      return getLead(pool, accountId, args.lead_id)
    case "search_leads":
      return searchLeads(
        pool,
        accountId,
        { query: args.query },
        { sort: "date_created", page: args.page ?? 0, pageSize: args.page_size ?? 20 }
      )
    default:
      return registerLead(pool, accountId, {
        name: args.name,
        email: args.email,
        phone: undefined,
        company: args.company,
        status: "Cold",
        campaign: undefined
      })
  }
}

const call = async (request: IncomingMessage): Promise<readonly [status: number, body: string]> => {
  if (request.url === "/health/live") return [200, "{}"]
  const holder = await findToken(pool, request.headers.authorization?.slice("Bearer ".length) ?? "")
  if (holder === undefined || holder.is_revoked || holder.is_expired) return [401, "{}"]
  const args = JSON.parse((await bodyOf(request)) || "{}") as Arguments
  const tool = request.url?.slice("/rest/v1/tools/".length) ?? ""
  return [200, JSON.stringify(await answerOf(tool, holder.account_id, args))]
}

const server = createServer((request, response) => {
  call(request).then(
    ([status, body]) => {
      response.writeHead(status, {
        "Content-Type": "application/json; charset=utf-8",
        "Content-Length": Buffer.byteLength(body)
      })
      response.end(body)
    },
    () => response.writeHead(500).end()
  )
})
server.listen(Number(process.env["PORT"]), "127.0.0.1")
process.once("SIGTERM", () => {
  server.close(() => void pool.end())
  server.closeAllConnections()
})
