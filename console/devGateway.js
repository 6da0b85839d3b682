/**
 * Lets the development server emulate the console's routes, with the token of the variable CONSOLE_TOKEN: a gateway
 * gives its cookie only to its own pages.
 */
const gateway = process.env["GATEWAY_URL"] ?? "http://127.0.0.1:8080"
let token = process.env["CONSOLE_TOKEN"] ?? ""

/** @typedef {import("node:http").IncomingMessage} Incoming */
/** @typedef {import("node:http").ServerResponse} Outgoing */

const bodyOf = async (/** @type {Incoming} */ request) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const answer = (/** @type {Outgoing} */ response, /** @type {number} */ status, /** @type {unknown} */ body) => {
  response.writeHead(status, { "Content-Type": "application/json" })
  response.end(body === undefined ? "" : JSON.stringify(body))
}

const read = async (/** @type {string} */ tool, /** @type {string} */ bearer) =>
  await fetch(`${gateway}/rest/v1/call/${tool}`, { headers: { Authorization: `Bearer ${bearer}` } })

const session = async (/** @type {Incoming} */ request, /** @type {Outgoing} */ response) => {
  if (request.method === "DELETE") {
    token = ""
    return answer(response, 204, undefined)
  }
  const candidate = request.method === "POST" ? JSON.parse((await bodyOf(request)).toString()).token : token
  if (candidate === "") return answer(response, 401, { error: "There is no session.", how_to_fix: "Sign in." })
  const answered = await read("whoami", candidate)
  if (!answered.ok) return answer(response, 401, { error: "The token is not valid.", how_to_fix: "Check it." })
  token = candidate
  const { outside_services, prospecting_eligibility, ...account } = await answered.json()
  answer(response, 200, {
    account: { ...account, time_zone: "America/Sao_Paulo", is_test: process.env["CONSOLE_TEST_ACCOUNT"] === "yes" },
    member: null,
    token: { token_id: 1, label: "Console", scopes: null, confirmation: "when_possible", expires_at: null },
    session: { started_at: new Date().toISOString(), ends_at: new Date(Date.now() + 43_200_000).toISOString() },
    outside_services
  })
}

const forward = async (
  /** @type {Incoming} */ request,
  /** @type {Outgoing} */ response,
  /** @type {string} */ path
) => {
  const isRead = request.method === "GET"
  const upstream = await fetch(`${gateway}${path}`, {
    method: request.method ?? "GET",
    headers: {
      Authorization: `Bearer ${token}`,
      ...(isRead ? {} : { "Content-Type": "application/json" }),
      ...Object.fromEntries(
        ["idempotency-key", "dry-run", "last-event-id"].flatMap((name) => {
          const value = request.headers[name]
          return typeof value === "string" ? [[name, value]] : []
        })
      )
    },
    ...(isRead ? {} : { body: await bodyOf(request) })
  })
  response.writeHead(upstream.status, {
    "Content-Type": upstream.headers.get("content-type") ?? "application/json",
    "X-Request-Id": upstream.headers.get("x-request-id") ?? ""
  })
  response.end(Buffer.from(await upstream.arrayBuffer()))
}

const confirmation = async (/** @type {Incoming} */ request, /** @type {Outgoing} */ response) => {
  const { tool, arguments: args } = JSON.parse((await bodyOf(request)).toString())
  answer(response, 200, {
    confirmation: crypto.randomUUID(),
    expires_at: new Date(Date.now() + 600_000).toISOString(),
    summary: { tool, description: "", arguments: args }
  })
}

const handle = async (
  /** @type {Incoming} */ request,
  /** @type {Outgoing} */ response,
  /** @type {() => void} */ next
) => {
  const url = request.url ?? "/"
  if (url.startsWith("/console/api/session")) return await session(request, response)
  if (url.startsWith("/console/api/confirmations")) return await confirmation(request, response)
  if (url.startsWith("/console/api/platform/v1/events")) return answer(response, 404, { error: "There is no stream." })
  if (url.startsWith("/console/api/")) return await forward(request, response, url.slice("/console/api".length))
  if (url.startsWith("/openapi.json") || url.startsWith("/files/")) return await forward(request, response, url)
  next()
}

/** @typedef {{ middlewares: { use: (handler: (request: Incoming, response: Outgoing, next: () => void) => void) => void } }} Server */

const use = (/** @type {Server} */ server) => {
  server.middlewares.use((request, response, next) => {
    handle(request, response, next).catch((error) => answer(response, 502, { error: String(error), type: "Transient" }))
  })
}

export const devGateway = () => ({ name: "dev-gateway", configureServer: use, configurePreviewServer: use })
