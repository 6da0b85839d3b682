import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { AccessTokensPostgres } from "../../src/Layers/Accounts/Tokens/AccessTokensPostgres.ts"
import { DatabaseLocation } from "../../src/Layers/Platform/Postgres/Database.ts"
import { startGateway, temporaryDirectory } from "../support/processes/GatewayProcess.ts"
import { makeTokenHolder } from "../support/servers/TestServer.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { ownPage, ownWrite } from "./browsing.ts"
import { eventsAt } from "./eventStream.ts"

/** Milliseconds in which a stream has to end after its token. */
const longestEnd = 5_000

layer(AccessTokensPostgres.pipe(Layer.provideMerge(TestDatabase)), { excludeTestServices: true })(
  "two gateways on one database",
  (it) => {
    it.scoped("know each other's sessions, and end the streams of a token that the other one revoked", () =>
      Effect.gen(function* () {
        const { token } = yield* makeTokenHolder()
        const { database, host, port, user } = (yield* DatabaseLocation).connection
        const DATABASE_URL = `postgres://${user}@/${database}?host=${host}&port=${port}`
        const directory = yield* temporaryDirectory
        const one = yield* startGateway(directory, { DATABASE_URL })
        const other = yield* startGateway(directory, { DATABASE_URL })
        const ask = (base: string, path: string, init: RequestInit) =>
          Effect.promise(() => fetch(`${base}${path}`, init))

        const body = JSON.stringify({ token })
        const signIn = yield* ask(one.baseUrl, "/console/api/session", { method: "POST", headers: ownWrite, body })
        assert.strictEqual(signIn.status, 200)
        const Cookie = (signIn.headers.get("set-cookie") ?? "").split(";")[0] ?? ""
        const session = yield* ask(other.baseUrl, "/console/api/session", { headers: { Cookie, ...ownPage } })
        assert.strictEqual(session.status, 200)

        const stream = yield* eventsAt(other.baseUrl, "/console/api/platform/v1/events", {
          headers: { Cookie, ...ownPage }
        })
        assert.strictEqual(stream.status, 200)
        const revoked = yield* ask(one.baseUrl, "/platform/v1/revoke", { method: "POST", body })
        assert.strictEqual(revoked.status, 200)
        const at = performance.now()
        assert.deepStrictEqual((yield* stream.next)?.data, { reason: "token_ended" })
        // The machine may be busy with other tests.
        assert.isBelow(performance.now() - at, 3 * longestEnd)
        const ended = yield* ask(other.baseUrl, "/console/api/session", { headers: { Cookie, ...ownPage } })
        assert.strictEqual(ended.status, 401)
        for (const { output } of [one, other]) {
          assert.notInclude(output(), token)
          assert.notInclude(output(), Cookie.split("=")[1] ?? "")
        }
      })
    )
  }
)
