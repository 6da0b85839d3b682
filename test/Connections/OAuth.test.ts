import * as http from "node:http"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { transient } from "../../src/Errors.ts"
import { connectEndpoints } from "../../src/Layers/Connections/ConnectEndpoints.ts"
import { ConnectionsPostgres } from "../../src/Layers/Connections/ConnectionsPostgres.ts"
import { OAuthPostgres } from "../../src/Layers/Connections/OAuthPostgres.ts"
import { NotificationsPostgres } from "../../src/Layers/Events/NotificationsPostgres.ts"
import { DatabaseLocation } from "../../src/Layers/Platform/Postgres/Database.ts"
import { Connections } from "../../src/Services/Connections/Connections.ts"
import {
  OAuth,
  type OAuthConnection,
  type OAuthProvider,
  SimulatedConsents
} from "../../src/Services/Connections/OAuth.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { Notifications } from "../../src/Services/Events/Notifications.ts"
import { OutboundFailure, type OutboundRequest } from "../../src/Services/Outbound/OutboundHttp.ts"
import { bundledEntry } from "../support/BundledEntry.ts"
import { talkingProcess } from "../support/processes/OrderedProcesses.ts"
import { SealingOfTests } from "../support/SealingOfTests.ts"
import { serveEndpoints } from "../support/servers/ServedEndpoints.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { TestSettings, testBaseUrl } from "../support/TestSettings.ts"
import { makeJudge } from "./AuthorizationJudge.ts"
import { judgeProvider, judgeScopes, judgeSecret } from "./JudgeProvider.ts"

/** How many processes ask for one token; `npm run test:refresh` takes more. */
const processes = Number(process.env["PROCESSES"] ?? 3)

const Ground = ConnectionsPostgres.pipe(
  Layer.provideMerge(NotificationsPostgres),
  Layer.provideMerge(Layer.mergeAll(SealingOfTests, TestSettings, TestDatabase))
)

/** What happens to the next request for tokens. */
type Fate = "sent" | "lost before" | "lost after" | "down"

interface World {
  readonly judge: Effect.Effect.Success<typeof makeJudge>
  readonly provider: OAuthProvider
  readonly connection: OAuthConnection
  readonly fate: { next: Fate; leavingFails: boolean; left: Array<string> }
  readonly address: string
}
class TheWorld extends Context.Tag("TheWorld")<TheWorld, World>() {}

const makeWorld = Effect.gen(function* () {
  const judge = yield* makeJudge
  const fate: World["fate"] = { next: "sent", leavingFails: false, left: [] }
  const lost = (mayHaveArrived: boolean) => new OutboundFailure({ reason: "timed_out", mayHaveArrived })
  const request = ({ body, headers, method, url }: OutboundRequest) =>
    Effect.gen(function* () {
      const { pathname, search } = new URL(url)
      const { next } = fate
      if (pathname === "/token") fate.next = "sent"
      if (pathname === "/token" && next === "lost before") return yield* lost(true)
      if (pathname === "/token" && next === "down") {
        return { status: 503, headers: { "content-type": "text/html" }, body: Buffer.from("<h1>down</h1>") }
      }
      const answer = yield* judge.send(method, `${pathname}${search}`, { ...headers }, body)
      if (pathname === "/token" && next === "lost after") return yield* lost(true)
      return { ...answer, headers: { "content-type": answer.headers["content-type"] ?? "" } }
    })
  const provider: OAuthProvider = {
    ...judgeProvider(request),
    leaving: (accessToken) =>
      fate.leavingFails
        ? transient("judge_unavailable", "The judge does not answer.")
        : Effect.sync(() => {
            fate.left.push(Redacted.value(accessToken))
          })
  }
  const connection = yield* Effect.flatMap(OAuth, (oauth) => oauth.register(provider))
  const address = yield* serveEndpoints(yield* connectEndpoints)
  return { judge, provider, connection, fate, address }
})

const Services = Layer.scoped(TheWorld, makeWorld).pipe(Layer.provideMerge(OAuthPostgres), Layer.provideMerge(Ground))

interface Page {
  readonly status: number
  readonly text: string
  readonly cookie: string | undefined
}

/** Opens a page of the gateway, with the cookie that it set before. */
const open = (url: string, cookie?: string) =>
  Effect.gen(function* () {
    const { address } = yield* TheWorld
    const { pathname, search } = new URL(url)
    return yield* Effect.promise(
      () =>
        new Promise<Page>((resolve, reject) =>
          http
            .get(
              `${address}${pathname}${search}`,
              { headers: { "accept-language": "en", ...(cookie === undefined ? {} : { cookie }) } },
              (response) => {
                let text = ""
                response.on("data", (chunk: Buffer) => {
                  text += chunk.toString()
                })
                response.on("end", () =>
                  resolve({
                    status: response.statusCode ?? 0,
                    text,
                    cookie: response.headers["set-cookie"]?.[0]?.split(";")[0]
                  })
                )
              }
            )
            .on("error", reject)
        )
    )
  })

/** Sends the form of a page; answers where it leads. */
const post = (url: string, form: string) =>
  Effect.gen(function* () {
    const { address } = yield* TheWorld
    const { pathname, search } = new URL(url)
    const answer = yield* Effect.promise(() =>
      fetch(`${address}${pathname}${search}`, {
        method: "POST",
        body: form,
        headers: { "content-type": "application/x-www-form-urlencoded" },
        redirect: "manual"
      })
    )
    assert.strictEqual(answer.status, 303)
    return answer.headers.get("location") ?? ""
  })

const onwards = (text: string): string =>
  (/class="button" href="([^"]+)"/.exec(text)?.[1] ?? "").replaceAll("&#38;", "&").replaceAll("&amp;", "&")

/** The owner opens the link, consents at the judge's page, and comes back. */
const consent = (act: Partial<World["judge"]["person"]> = {}) =>
  Effect.gen(function* () {
    const { connection, judge } = yield* TheWorld
    Object.assign(judge.person, { account: "owner-1", withheld: [], declines: false }, act)
    const opened = yield* open(yield* connection.connectionUrl)
    const back = yield* judge.browse(onwards(opened.text))
    assert.strictEqual(back.origin, testBaseUrl)
    return { back: back.href, cookie: opened.cookie, end: yield* open(back.href, opened.cookie) }
  })

const mine = <A, E, R>(test: Effect.Effect<A, E, R>) => Effect.flatMap(makeAccount(), (caller) => as(caller)(test))

const stateOf = Effect.gen(function* () {
  const found = yield* Effect.flatMap(Connections, (connections) => connections.get("judge"))
  return found._tag === "Some" ? found.value : undefined
})
const pending = Effect.flatMap(Notifications, (notifications) =>
  Effect.map(notifications.pending, ({ total }) => total)
)
const tokenCalls = Effect.map(TheWorld, ({ judge }) => judge.requests.filter((line) => line === "POST /token").length)
const renewable = Effect.gen(function* () {
  const { connection } = yield* TheWorld
  yield* connection.reject(yield* connection.accessToken)
})

layer(Services, { excludeTestServices: true })("a consent, judged by oidc-provider", (it) => {
  it.effect("connects: the page names the account, tokens are had and renewed, the old refresh token is not kept", () =>
    mine(
      Effect.gen(function* () {
        const { connection } = yield* TheWorld
        const url = yield* connection.connectionUrl
        assert.isTrue(url.startsWith(`${testBaseUrl}/connect/judge?link=`))
        const opened = yield* open(url)
        assert.match(opened.text, /Account \d+/)
        assert.match(opened.cookie ?? "", /^__Host-connect-judge=/)
        const target = new URL(onwards(opened.text))
        assert.strictEqual(target.searchParams.get("code_challenge_method"), "S256")
        assert.strictEqual(target.searchParams.get("prompt"), "consent")

        const { end } = yield* consent()
        assert.strictEqual(end.status, 200)
        assert.include(end.text, "owner-1@judge.example")
        assert.deepInclude(yield* stateOf, { state: "connected", identity: "owner-1", isVerified: true })

        const first = Redacted.value(yield* connection.accessToken)
        assert.strictEqual(Redacted.value(yield* connection.accessToken), first)
        yield* renewable
        const second = Redacted.value(yield* connection.accessToken)
        assert.notStrictEqual(second, first)
        yield* renewable
        assert.notStrictEqual(Redacted.value(yield* connection.accessToken), second)
      })
    )
  )

  it.effect("has a page for every other end, and each leaves what was there", () =>
    mine(
      Effect.gen(function* () {
        const { connection, judge } = yield* TheWorld
        const declined = yield* consent({ declines: true })
        assert.include(declined.end.text, "did not give access")
        const withheld = yield* consent({ withheld: ["calendar"] })
        assert.strictEqual(withheld.end.status, 409)
        assert.include(withheld.end.text, "<code>calendar</code>")
        assert.isUndefined(yield* stateOf)
        // What is not required may be ticked off.
        assert.strictEqual((yield* consent({ withheld: ["contacts"] })).end.status, 200)

        // A state serves once, and a second code with it buys nothing.
        const calls = yield* tokenCalls
        const connected = yield* consent()
        assert.strictEqual((yield* open(connected.back, connected.cookie)).status, 410)
        assert.strictEqual(yield* tokenCalls, calls + 1)

        // Another browser may not finish what this one began, and spends nothing by trying.
        const opened = yield* open(yield* connection.connectionUrl)
        const back = yield* judge.browse(onwards(opened.text))
        assert.strictEqual((yield* open(back.href)).status, 409)
        assert.strictEqual((yield* open(back.href, `__Host-connect-judge=${"x".repeat(43)}`)).status, 409)
        assert.strictEqual((yield* open(back.href, opened.cookie)).status, 200)

        // Ten minutes later it is too late.
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        const late = yield* open(yield* connection.connectionUrl)
        const lateBack = yield* judge.browse(onwards(late.text))
        yield* sql`update oauth_state set expires_at = instant() - interval '1 second' where account_id = ${accountId}`
        assert.strictEqual((yield* open(lateBack.href, late.cookie)).status, 410)

        // Another account is said to be one.
        const other = yield* consent({ account: "owner-2" })
        assert.include(other.end.text, "owner-2@judge.example")
        assert.include(other.end.text, "in the place of owner-1@judge.example")
        assert.deepInclude(yield* stateOf, { state: "connected", identity: "owner-2" })
        assert.strictEqual(yield* pending, 0)
      })
    )
  )

  it.effect("takes no link and no state that was not made here, nor one of another account's browser", () =>
    mine(
      Effect.gen(function* () {
        const { connection } = yield* TheWorld
        const url = yield* connection.connectionUrl
        const flipped = url.slice(0, -5) + (url.at(-5) === "A" ? "B" : "A") + url.slice(-4)
        for (const forged of [
          flipped,
          `${testBaseUrl}/connect/judge`,
          `${testBaseUrl}/connect/judge?link=${"A".repeat(5000)}`,
          url.replace("/connect/judge", "/connect/other")
        ]) {
          assert.strictEqual((yield* open(forged)).status, 404, forged)
        }
        for (const state of ["", "x", "A".repeat(43), "../".repeat(20)]) {
          const callback = `${testBaseUrl}/connect/judge/callback?code=abc&state=${encodeURIComponent(state)}`
          assert.strictEqual((yield* open(callback)).status, 410, state)
        }
        assert.isUndefined(yield* stateOf)
      })
    )
  )

  it.effect("whose grant was revoked is told once and waits; a new consent goes on", () =>
    mine(
      Effect.gen(function* () {
        const { connection, judge } = yield* TheWorld
        yield* consent()
        const connections = yield* Connections
        const secrets = Option.getOrThrow(yield* connections.secrets("judge"))
        const token = secrets["refresh_token"]
        assert.isDefined(token)
        const basic = Buffer.from(`gateway:${encodeURIComponent(judgeSecret)}`).toString("base64")
        yield* judge.send(
          "POST",
          "/token/revocation",
          { authorization: `Basic ${basic}`, "content-type": "application/x-www-form-urlencoded" },
          new URLSearchParams({ token: token === undefined ? "" : Redacted.value(token) }).toString()
        )
        yield* renewable
        const answers = yield* Effect.all(
          Array.from({ length: 5 }, () => Effect.flip(connection.accessToken)),
          { concurrency: "unbounded" }
        )
        for (const answer of answers) assert.deepInclude(answer, { _tag: "Refused", reason: "judge_needs_reconnect" })
        assert.strictEqual((yield* stateOf)?.state, "needs_reconnect")
        assert.strictEqual(yield* pending, 1)
        assert.strictEqual((yield* consent()).end.status, 200)
        assert.strictEqual((yield* stateOf)?.state, "connected")
        assert.isNotEmpty(Redacted.value(yield* connection.accessToken))
      })
    )
  )

  it.effect("is renewed once for twenty that ask at a time, in five runtimes on one database", () =>
    mine(
      Effect.gen(function* () {
        const { connection, provider } = yield* TheWorld
        yield* consent()
        yield* renewable
        const before = yield* tokenCalls
        const asking = Effect.gen(function* () {
          const oauth = yield* OAuth
          const own = yield* oauth.register(provider)
          return yield* Effect.all(
            Array.from({ length: 4 }, () => own.accessToken),
            { concurrency: "unbounded" }
          )
        }).pipe(Effect.provide(Layer.fresh(OAuthPostgres)))
        const answers = yield* Effect.all(
          Array.from({ length: 5 }, () => asking),
          { concurrency: "unbounded" }
        )
        const tokens = new Set(answers.flat().map((token) => Redacted.value(token)))
        assert.strictEqual(tokens.size, 1)
        assert.strictEqual(yield* tokenCalls, before + 1)
        assert.isTrue(tokens.has(Redacted.value(yield* connection.accessToken)))
      })
    )
  )

  it.scoped(
    "is renewed once for processes that ask at a time",
    () =>
      mine(
        Effect.gen(function* () {
          const { judge } = yield* TheWorld
          const { accountId } = yield* Caller
          const { connection } = yield* DatabaseLocation
          yield* consent()
          yield* renewable
          const before = yield* tokenCalls
          const entry = yield* bundledEntry("Connections/refreshingWorker")
          const workers = yield* Effect.forEach(Array.from({ length: processes }), () => talkingProcess(entry), {
            concurrency: "unbounded"
          })
          const order = JSON.stringify({ connection, accountId, judgePort: judge.port })
          const all = (line: string) => Effect.forEach(workers, ({ ask }) => ask(line), { concurrency: "unbounded" })
          for (const said of yield* all(order)) assert.strictEqual(said, "ready")
          const tokens = yield* all("go")
          assert.lengthOf(tokens, processes)
          assert.deepStrictEqual([...new Set(tokens.map((token) => /^[0-9a-f]{64}$/.test(token)))], [true])
          assert.lengthOf([...new Set(tokens)], 1)
          assert.strictEqual(yield* tokenCalls, before + 1)
        })
      ),
    120_000
  )

  it.effect(
    "keeps its tokens when a request for new ones has no answer; whether that one served shows at the next",
    () =>
      mine(
        Effect.gen(function* () {
          const { connection, fate } = yield* TheWorld
          yield* consent()
          for (const next of ["lost before", "down"] as const) {
            yield* renewable
            fate.next = next
            assert.deepInclude(yield* Effect.flip(connection.accessToken), {
              _tag: "Transient",
              reason: "judge_unavailable"
            })
            assert.strictEqual((yield* stateOf)?.state, "connected")
            assert.isNotEmpty(Redacted.value(yield* connection.accessToken))
          }
          yield* renewable
          fate.next = "lost after"
          assert.strictEqual((yield* Effect.flip(connection.accessToken))._tag, "Transient")
          assert.deepInclude(yield* stateOf, { state: "connected", lastError: "timed_out" })
          assert.strictEqual(yield* pending, 0)
          // The judge gave the one new token to nobody.
          const ended = yield* Effect.flip(connection.accessToken)
          assert.deepInclude(ended, { _tag: "Refused", reason: "judge_needs_reconnect" })
          assert.deepInclude(yield* stateOf, { state: "needs_reconnect", lastError: "invalid_grant" })
          yield* Effect.flip(connection.accessToken)
          assert.strictEqual(yield* pending, 1)
        })
      )
  )

  it.effect("ends here for certain, and there as far as the service answers; again it is done already", () =>
    mine(
      Effect.gen(function* () {
        const { connection, fate } = yield* TheWorld
        assert.deepStrictEqual(yield* connection.disconnect, { changed: false, atService: "nothing_to_do" })
        yield* consent()
        const token = Redacted.value(yield* connection.accessToken)
        fate.left = []
        assert.deepStrictEqual(yield* connection.disconnect, { changed: true, atService: "done" })
        assert.deepStrictEqual(fate.left, [token])
        assert.deepStrictEqual(yield* connection.disconnect, { changed: false, atService: "nothing_to_do" })
        assert.deepInclude(yield* Effect.flip(connection.accessToken), {
          _tag: "Refused",
          reason: "judge_not_connected"
        })
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        yield* consent()
        fate.leavingFails = true
        assert.deepStrictEqual(yield* connection.disconnect, { changed: true, atService: "unconfirmed" })
        fate.leavingFails = false
        assert.deepStrictEqual(yield* sql`select secrets from connection where account_id = ${accountId}`, [
          { secrets: null }
        ])
      })
    )
  )

  it.effect("another account has none of it", () =>
    mine(
      Effect.gen(function* () {
        const { connection } = yield* TheWorld
        yield* consent()
        const other = yield* makeAccount()
        const refused = yield* Effect.flip(connection.accessToken).pipe(as(other))
        assert.deepInclude(refused, { _tag: "Refused", reason: "judge_not_connected" })
        assert.deepStrictEqual(yield* connection.disconnect.pipe(as(other)), {
          changed: false,
          atService: "nothing_to_do"
        })
        assert.strictEqual((yield* stateOf)?.state, "connected")
      })
    )
  )

  it.effect("in sandbox goes the same way, to a page of the gateway's own", () =>
    mine(
      Effect.gen(function* () {
        const { provider } = yield* TheWorld
        const oauth = yield* OAuth
        const consents = yield* SimulatedConsents
        const holders: Array<string> = []
        const connection = yield* oauth.register({
          ...provider,
          service: "pretended",
          mode: "sandbox",
          identify: (accessToken) =>
            Effect.map(consents.of("pretended", Redacted.value(accessToken)), (found) => {
              const { holder } = Option.getOrThrow(found)
              holders.push(holder)
              return { identity: holder, label: holder, settings: {} }
            })
        })
        const act = (form: Array<[string, string]>) =>
          Effect.gen(function* () {
            const opened = yield* open(yield* connection.connectionUrl)
            const target = onwards(opened.text)
            assert.isTrue(target.startsWith(`${testBaseUrl}/sandbox/oauth/pretended?`))
            assert.include((yield* open(target)).text, "simulated")
            const back = yield* post(target, new URLSearchParams(form).toString())
            return yield* open(back, opened.cookie)
          })
        const scopes = judgeScopes.map((scope): [string, string] => ["scope", scope])
        const allowed: Array<[string, string]> = [
          ["holder", "dev@sandbox.example"],
          ["answer", "allow"]
        ]
        assert.include(
          (yield* act([
            ["holder", "dev@sandbox.example"],
            ["answer", "decline"]
          ])).text,
          "did not give access"
        )
        assert.strictEqual((yield* act(allowed)).status, 409)
        assert.include((yield* act([...allowed, ...scopes])).text, "dev@sandbox.example is connected")
        const first = Redacted.value(yield* connection.accessToken)
        assert.strictEqual(yield* consents.expireAll("pretended"), 1)
        yield* connection.reject(Redacted.make(first))
        const second = Redacted.value(yield* connection.accessToken)
        assert.notStrictEqual(second, first)
        assert.isTrue(Option.isNone(yield* consents.of("pretended", first)))
        yield* consents.revokeAll("pretended")
        yield* connection.reject(Redacted.make(second))
        assert.deepInclude(yield* Effect.flip(connection.accessToken), { reason: "pretended_needs_reconnect" })
        yield* oauth.consentInSandbox("pretended", "dev@sandbox.example")
        assert.isNotEmpty(Redacted.value(yield* connection.accessToken))
        assert.deepStrictEqual(holders, ["dev@sandbox.example", "dev@sandbox.example"])
        assert.deepInclude(yield* Effect.flip(oauth.consentInSandbox("judge", "x@y.example")), { _tag: "Refused" })

        // The page sends nobody to an address that is not the gateway's.
        const opened = yield* open(yield* connection.connectionUrl)
        const elsewhere = new URL(onwards(opened.text))
        elsewhere.searchParams.set("redirect_uri", "https://elsewhere.example/")
        assert.strictEqual((yield* open(elsewhere.href)).status, 404)
      })
    )
  )
})
