import { createServer } from "node:net"
import { inspect } from "node:util"
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Layer, Redacted } from "effect"
import { attemptDelivery } from "../../src/Layers/Events/Webhooks/Attempt.ts"
import { makeNameResolver } from "../../src/Layers/Platform/Outbound/NameResolver.ts"
import { OutboundPolicy } from "../../src/Layers/Platform/Outbound/OutboundPolicy.ts"
import { checkAttachment } from "../../src/Services/ChatApp/ChatAppAttachment.ts"
import { readPicture } from "../../src/Services/ChatApp/ChatAppPicture.ts"
import { fromMillis } from "../../src/Services/Core/Timestamp.ts"
import { nameServer } from "../Outbound/nameServer.ts"
import { makeTokenHolder, send, testGateway } from "../support/servers/TestServer.ts"
import { as } from "../support/TestAccount.ts"

/** An address of this machine, where the attacker would like to connect to. */
const inside = `127.67.0.${1 + (process.pid % 250)}`
/** An address of the internet. It is only named next to one of this machine, and never connected to. */
const outside = "93.184.216.34"

const hexadecimal = inside
  .split(".")
  .map((part) => Number(part).toString(16).padStart(2, "0"))
  .join("")
const mapped = `0:0:0:0:0:ffff:${hexadecimal.slice(0, 4)}:${hexadecimal.slice(4)}`
const translated = `64:ff9b:0:0:0:0:${hexadecimal.slice(0, 4)}:${hexadecimal.slice(4)}`

/** What the attacker's name server answers about its names, by the first label. */
const answers: { readonly [label: string]: { readonly 4: ReadonlyArray<string>; readonly 6: ReadonlyArray<string> } } =
  {
    private: { 4: [inside], 6: [] },
    second: { 4: [outside, inside], 6: [] },
    first: { 4: [inside, outside], 6: [] },
    six: { 4: [], 6: ["0:0:0:0:0:0:0:1"] },
    mapped: { 4: [], 6: [mapped] },
    translated: { 4: [], 6: [translated] },
    "other-family": { 4: [outside], 6: [mapped] },
    metadata: { 4: ["169.254.169.254"], 6: [] },
    "this-host": { 4: ["0.0.0.0"], 6: [] }
  }

const attackersNames = Effect.gen(function* () {
  const { server } = yield* nameServer((name, family) => answers[name.split(".")[0] ?? ""]?.[family] ?? [])
  const resolve = makeNameResolver({
    servers: [server],
    systemNames: () => Promise.resolve({ hosts: new Map(), searched: [] })
  })
  return resolve
})

/** Counts connections to both ports that addresses of strangers may name, where the system lets the test have them. */
const bird = Effect.acquireRelease(
  Effect.promise(async () => {
    let connections = 0
    const listen = (port: number) =>
      new Promise<{ readonly isOpen: boolean; readonly close: () => void }>((resolve) => {
        const server = createServer((socket) => {
          connections++
          socket.on("error", () => {})
          socket.end("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<p>inside</p>")
        })
        const opened = (isOpen: boolean) => () => resolve({ isOpen, close: () => void server.close() })
        server.once("error", opened(false)).listen(port, inside, opened(true))
      })
    const ports = await Promise.all([listen(80), listen(443)])
    return {
      connections: () => connections,
      isOpen: ports.every(({ isOpen }) => isOpen),
      close: () => {
        for (const { close } of ports) close()
      }
    }
  }),
  ({ close }) => Effect.sync(close)
)

const gateway = (allowLoopback: boolean) =>
  Layer.unwrapScoped(
    Effect.map(attackersNames, (resolve) =>
      testGateway({ outboundAllowLoopback: allowLoopback }).pipe(
        Layer.provide(
          Layer.succeed(OutboundPolicy, {
            allowLoopback,
            resolve: (name: string) => resolve(name, { party: undefined })
          })
        )
      )
    )
  )

const tool = (name: string, args: object, token: string) =>
  send(`/rest/v1/tools/${name}`, { method: "POST", token, body: JSON.stringify(args) })

/** Each way in which a caller, or a stranger, names a host that the gateway then asks. */
const fetchesOf = (host: string) =>
  Effect.gen(function* () {
    const { caller, token } = yield* makeTokenHolder()
    const query = new URLSearchParams({
      client_id: `https://${host}/client.json`,
      redirect_uri: "http://127.0.0.1:49152/callback",
      response_type: "code",
      code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      code_challenge_method: "S256"
    })
    const url = `https://${host}/a`
    const message = {
      ...{ accountId: caller.accountId, url, keys: [Redacted.make(new Uint8Array(32))], eventId: "event" },
      ...{ eventType: "lead.created", occurredAt: fromMillis(0), data: {} }
    }
    const textOf = <A, E, R>(fetching: Effect.Effect<A, E, R>) => Effect.map(Effect.either(fetching), inspect)
    return {
      "a page to crawl": textOf(tool("crawl_website", { url: `http://${host}/` }, token)),
      "a page over TLS": textOf(tool("crawl_website", { url }, token)),
      "a file to upload": textOf(tool("upload_customer_file", { file_name: "a.csv", url }, token)),
      "a program's document": textOf(send(`/oauth/authorize?${query.toString()}`)),
      "a picture of the line": textOf(as(caller)(readPicture({ imageUrl: url, customerFileId: undefined }))),
      "an attachment": textOf(checkAttachment(url)),
      "a webhook": textOf(attemptDelivery(message, Duration.seconds(5)))
    }
  })

layer(gateway(false), { excludeTestServices: true })("names of an attacker's name server", (it) => {
  it.scoped("lead no fetch of the gateway inside", () =>
    Effect.gen(function* () {
      const { connections } = yield* bird
      for (const label of Object.keys(answers)) {
        for (const [way, fetching] of Object.entries(yield* fetchesOf(`${label}.attacker.example`))) {
          const result = yield* fetching
          // The page of consent does not say to strangers why a document was not found.
          if (way !== "a program's document") assert.include(result, "address_not_public", `${way}, ${label}`)
          else assert.match(result, /status: (?:400|503)/, label)
          assert.strictEqual(connections(), 0, `${way}, ${label}`)
        }
      }
    })
  )
})

layer(gateway(true), { excludeTestServices: true })("the same names", (it) => {
  it.scoped("lead inside where the operator allows this machine's addresses, so the attack is one", () =>
    Effect.gen(function* () {
      const { connections, isOpen } = yield* bird
      for (const [way, fetching] of Object.entries(yield* fetchesOf("private.attacker.example"))) {
        const before = connections()
        yield* fetching
        if (isOpen) assert.isAbove(connections(), before, way)
      }
    })
  )
})
