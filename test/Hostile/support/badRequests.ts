import { Agent, request } from "node:http"
import { gzipSync } from "node:zlib"
import * as fc from "fast-check"
import { openApiOf } from "../../../src/Api/OpenApi.ts"
import { AllTools } from "../../../src/Tools/AllTools.ts"

/** A request that no client would send to a route beside the tools. */
export interface BadRequest {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

interface Route {
  readonly method: BadRequest["method"]
  readonly path: string
  readonly query: ReadonlyArray<string>
  readonly host?: string
}

/** Of the description only what a caller would make requests from. */
interface Described {
  readonly paths: Record<
    string,
    Record<string, { readonly parameters?: ReadonlyArray<{ readonly name: string; readonly in: string }> }>
  >
}

const described = JSON.parse(JSON.stringify(openApiOf(AllTools, { baseUrl: "http://gateway.test" }))) as Described

const documented: ReadonlyArray<Route> = Object.entries(described.paths)
  .filter(([path]) => !/^\/(?:rest|api)\/v1\//.test(path))
  .flatMap(([path, operations]) =>
    (["get", "post"] as const).flatMap((method): ReadonlyArray<Route> => {
      const operation = operations[method]
      if (operation === undefined) return []
      const query = (operation.parameters ?? []).filter((one) => one.in === "query").map(({ name }) => name)
      return [{ method: method === "get" ? "GET" : "POST", path, query }]
    })
  )

/** What the document does not name: clients of the protocol, and the hosts of sites with their forms and beacons. */
const others: ReadonlyArray<Route> = [
  ...["/mcp", "/mcp", "/mcp"].map((path): Route => ({ method: "POST", path, query: [] })),
  { method: "GET", path: "/mcp", query: [] },
  ...(["GET", "POST"] as const).flatMap((method) =>
    ["/", "/{page}", "/{page}/{page}", "/_/{page}"].map(
      (path): Route => ({ method, path, query: ["utm_source"], host: "shop.sites.test" })
    )
  )
]

export const routes: ReadonlyArray<Route> = [...documented, ...others]

const places = [
  "1",
  "0",
  "-1",
  "x",
  "%00",
  "a%00b",
  "%zz",
  "%C3",
  "..%2f..%2fetc%2fpasswd",
  "9".repeat(400),
  "1e400",
  "x".repeat(4000),
  "%F0%9F%98%80",
  "%E2%80%AE",
  "hubspot",
  "google",
  "%7B%7D",
  "00000000-0000-0000-0000-000000000000",
  "x.y.z"
]

const number = (digits: number): string => `1${"0".repeat(digits)}`

/** Nested so deeply that whatever goes down into them by calls of itself runs out of stack. */
const deepBodies = [
  `${"[".repeat(20_000)}${"]".repeat(20_000)}`,
  `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`,
  `{"from":${"[".repeat(20_000)}${"]".repeat(20_000)}}`
]

const jsonBodies = [
  "",
  "{",
  "null",
  "[]",
  "1",
  '"x"',
  '{"a":"\\u0000"}',
  '{"\\u0000":1}',
  ...deepBodies,
  "[".repeat(60_000),
  `[${"0,".repeat(9000)}0]`,
  `{"id":${number(10_000)}}`,
  `{"id":${number(308)},"time":-${number(400)}}`,
  `{"a":"${"\\u00e9".repeat(9000)}"}`,
  '{"a":1,"a":2,"__proto__":{"x":1},"constructor":{"prototype":{}}}',
  '{"type":"x","event":{"type":"x"},"data":[],"events":[{}],"entry":[{"changes":[{"value":{"messages":[{}]}}]}]}',
  '{"entry":[null],"events":null,"data":{"object":{"id":{}}},"payload":[[]]}',
  `{"redirect_uris":[${'"https://a.example/x",'.repeat(2000)}"https://a.example"],"client_name":"${"x".repeat(5000)}"}`,
  '{"redirect_uris":["javascript:alert(1)","data:text/html,x","http://169.254.169.254/","http://[::1]:99999/","\\u0000"],"client_name":"\\u202e"}',
  '{"redirect_uris":"https://a.example","grant_types":[null],"token_endpoint_auth_method":{},"scope":1,"jwks_uri":"file:///etc/passwd"}',
  '{"redirect_uris":["https://a.example/\\ud800","//a.example","https://user:pass@a.example#x"],"logo_uri":"http://localhost/","contacts":[[]]}'
]

const calls = [
  "initialize",
  "tools/list",
  "tools/call",
  "ping",
  "resources/read",
  "prompts/get",
  "completion/complete",
  "x"
]

const protocolBody = fc
  .tuple(
    fc.constantFrom(...calls),
    fc.constantFrom("null", "1", '"x"', "{}", number(400), "[]", '"\\u0000"'),
    fc.oneof(
      fc.constantFrom(
        ...jsonBodies.filter((body) => body !== "" && body !== "{" && !body.startsWith("[".repeat(60_000)))
      ),
      fc.constantFrom(
        '{"name":"whoami","arguments":[]}',
        '{"name":"\\u0000"}',
        '{"name":"search_leads","arguments":{"query":"\\u0000"}}',
        '{"uri":"file:///etc/passwd"}',
        '{"cursor":"\\ud800"}',
        '{"protocolVersion":"9999-99-99","capabilities":null,"clientInfo":[]}'
      )
    ),
    fc.boolean()
  )
  .map(([method, id, params, isMany]) => {
    const one = `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`
    return isMany ? `[${one},${one}]` : one
  })

const forms = [
  "a=1",
  "&".repeat(20_000),
  "a=%00",
  "a=%zz&b=%",
  "=".repeat(20_000),
  `${"a[".repeat(5000)}=1`,
  "grant_type=authorization_code&code=%00&redirect_uri=%5C",
  "grant_type=refresh_token&refresh_token=x&client_id=%E2%80%AE",
  "client_id=x&redirect_uri=http%3A%2F%2F169.254.169.254&response_type=code&code_challenge=%00",
  `name=${"é".repeat(10_000)}&email=${"a@".repeat(10_000)}`,
  `step=${number(400)}&page=-1&choice=1e999`
]

const boundary = "--x\r\nContent-Disposition: form-data; name="
const raws = [
  `${boundary}"a"; filename="${"x".repeat(5000)}"\r\n\r\n`,
  boundary.repeat(2000),
  "BEGIN:VCALENDAR\r\n".repeat(3000),
  `From: a@b.example\r\nTo: owner@mail.example.com\r\nContent-Type: text/calendar\r\n\r\nBEGIN:VCALENDAR\r\n${"BEGIN:VEVENT\r\nRRULE:FREQ=SECONDLY;COUNT=999999999\r\n".repeat(500)}`,
  `<?xml version="1.0"?><!DOCTYPE a [${'<!ENTITY b "&c;&c;">'.repeat(500)}]>`,
  "\u0000".repeat(50_000)
]

const kinds = [
  "application/json",
  "application/json; charset=utf-7",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "multipart/form-data",
  "message/rfc822",
  "text/plain",
  "x".repeat(500)
]

const bodyOf = (route: Route): fc.Arbitrary<Buffer> =>
  (route.path === "/mcp"
    ? protocolBody
    : fc.oneof(
        fc.constantFrom(...jsonBodies),
        fc.constantFrom(...forms),
        fc.constantFrom(...raws),
        fc.string({ unit: "binary", maxLength: 300 })
      )
  ).map((text) => Buffer.from(text, "utf8"))

const bomb = gzipSync(Buffer.alloc(32 * 1024 * 1024))

const heads: ReadonlyArray<Readonly<Record<string, string>>> = [
  {},
  {},
  {},
  { authorization: "Bearer x" },
  { authorization: `Bearer ${"x".repeat(5000)}` },
  { authorization: "Basic Og==" },
  { "x-hub-signature-256": "sha256=zz", "x-signature": "t=1,v0=x", "elevenlabs-signature": "t=NaN,v0=%" },
  { "x-twilio-signature": "====", "stripe-signature": `t=${number(400)},v1=00` },
  { cookie: `${"a=1; ".repeat(1000)}session=%00` },
  { range: "bytes=-1,5-1,999999999999999999999-", "if-none-match": '"'.repeat(2000) },
  { "accept-language": "pt-BR;q=1e999,*;q=-1,".repeat(200) },
  { accept: "text/html;q=,*/*;;;".repeat(200), origin: "null", "mcp-protocol-version": "x".repeat(1000) },
  { "mcp-session-id": "x".repeat(3000), "last-event-id": "-1", accept: "application/json, text/event-stream" },
  { traceparent: "00-zz-zz-01", "x-forwarded-for": "1.1.1.1, ".repeat(500) }
]

const requestTo = (route: Route): fc.Arbitrary<BadRequest> =>
  fc
    .record({
      places: fc.array(fc.constantFrom(...places), { minLength: 5, maxLength: 5 }),
      query: fc.array(fc.tuple(fc.constantFrom(...route.query, "x"), fc.constantFrom(...places)), { maxLength: 4 }),
      kind: fc.constantFrom(...kinds),
      head: fc.constantFrom(...heads),
      body: bodyOf(route),
      lot: fc.nat(40)
    })
    .map(({ body, head, kind, lot, places, query }): BadRequest => {
      let at = 0
      const path = route.path.replace(/\{\w+\}/g, () => places[at++ % places.length] ?? "x")
      const search = query.map(([name, value]) => `${name}=${value}`).join("&")
      const isPacked = route.method === "POST" && lot === 0
      return {
        method: route.method,
        path: search === "" ? path : `${path}?${search}`,
        headers: {
          ...head,
          ...(route.host === undefined ? {} : { host: route.host }),
          ...(route.method === "GET"
            ? {}
            : { "content-type": route.path === "/mcp" && lot > 2 ? "application/json" : kind }),
          ...(isPacked ? { "content-encoding": "gzip" } : {})
        },
        body: route.method === "GET" ? Buffer.alloc(0) : isPacked ? bomb : body
      }
    })

/** Each route that takes a body, with each of the deep ones. */
export const deepRequests: ReadonlyArray<BadRequest> = routes
  .filter(({ method }) => method === "POST")
  .flatMap(({ host, path }) =>
    deepBodies.map((body) => ({
      method: "POST",
      path: path.replace(/\{\w+\}/g, "1"),
      headers: { "content-type": "application/json", ...(host === undefined ? {} : { host }) },
      body: Buffer.from(body, "utf8")
    }))
  )

/** Any route, with what its place, query, head and body must not be. */
export const badRequest: fc.Arbitrary<BadRequest> = fc.oneof(...routes.map(requestTo))

const agent = new Agent({ keepAlive: true, maxSockets: 20 })

/** Sends it as it is: also to a host that is another's. */
const sendRaw = (
  baseUrl: string,
  { body, headers, method, path }: BadRequest,
  token: string | undefined
): Promise<{ readonly status: number; readonly text: string }> =>
  new Promise((resolve, reject) => {
    const ownHeaders = token === undefined ? headers : { ...headers, authorization: `Bearer ${token}` }
    const sent = request(
      `${baseUrl}`,
      { method, path, headers: { ...ownHeaders, "content-length": body.length }, agent, timeout: 30_000 },
      (response) => {
        const pieces: Array<Buffer> = []
        const answered = () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(pieces).toString("utf8").slice(0, 100_000) })
        response.on("data", (piece: Buffer) => {
          pieces.push(piece)
          // A stream of news has no end: that it began is the answer.
          if (response.headers["content-type"]?.startsWith("text/event-stream") === true) {
            answered()
            sent.destroy()
          }
        })
        response.once("end", answered)
        response.once("error", reject)
        if (response.headers["content-type"]?.startsWith("text/event-stream") === true) {
          answered()
          sent.destroy()
        }
      }
    )
    sent.once("timeout", () => sent.destroy(new Error("no answer")))
    sent.once("error", reject)
    sent.end(body)
  })

/** Why an answer is none that was decided on; nothing where it is. */
const undecidedAnswer = (status: number, text: string): string | undefined => {
  if (status < 200 || status > 599) return `status ${status}`
  if (text.includes("internal_error") && status >= 500) return "internal_error"
  if (status < 500) return undefined
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === "object" && body !== null && "type" in body) {
      return body.type === "Transient" || body.type === "Permanent" ? undefined : `type ${String(body.type)}`
    }
  } catch {
    // A page for a person says so too.
  }
  return status === 503 ? undefined : `status ${status}: ${text.slice(0, 200)}`
}

/** What is wrong with the answer to the request; nothing where nothing is. */
export const problemOf = async (
  baseUrl: string,
  request: BadRequest,
  token: string | undefined
): Promise<string | undefined> => {
  const told = `${request.method} ${request.path.slice(0, 200)} ${request.body.toString("utf8").slice(0, 200)}`
  try {
    const { status, text } = await sendRaw(baseUrl, request, token)
    const problem = undecidedAnswer(status, text)
    return problem === undefined ? undefined : `${problem}: ${told}`
  } catch (error) {
    return `${String(error)}: ${told}`
  }
}
