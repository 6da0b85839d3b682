import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { AccessTokensPostgres } from "../../src/Layers/Accounts/Tokens/AccessTokensPostgres.ts"
import { DatabaseLocation } from "../../src/Layers/Platform/Postgres/Database.ts"
import {
  type GatewayProcess,
  killHard,
  startGateway,
  temporaryDirectory,
  until
} from "../support/processes/GatewayProcess.ts"
import { localHttpServer } from "../support/servers/LocalHttpServer.ts"
import { makeTokenHolder } from "../support/servers/TestServer.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

/** Calls a tool with a key. A broken connection is status 0. */
const call = ({ baseUrl }: GatewayProcess, token: string, tool: string, args: object, key: string) =>
  Effect.promise(async () => {
    try {
      const response = await fetch(`${baseUrl}/rest/v1/tools/${tool}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${token}`, "Idempotency-Key": key },
        body: JSON.stringify(args)
      })
      const text = await response.text()
      return { status: response.status, text, replayed: response.headers.get("idempotency-replayed") }
    } catch {
      return { status: 0, text: "", replayed: null }
    }
  })

layer(AccessTokensPostgres.pipe(Layer.provideMerge(TestDatabase)), { excludeTestServices: true })(
  "a write with a key whose gateway is killed",
  (it) => {
    it.scoped(
      "is done once: one transaction is repeated, and several are not",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const { database, host, port, user } = (yield* DatabaseLocation).connection
          const { caller, token } = yield* makeTokenHolder()
          const { accountId } = caller
          const environment = {
            DATABASE_URL: `postgres://${user}@/${database}?host=${host}&port=${port}`,
            LOG_LEVEL: "WARN",
            OUTBOUND_ALLOW_LOOPBACK: "true"
          }
          const directory = yield* temporaryDirectory
          const first = yield* startGateway(directory, environment)
          // The download never ends, so the tool is between its start and its answer.
          const server = yield* localHttpServer(() => {})
          const upload = { file_name: "prices.csv", url: `${server.url}/prices.csv` }
          const lead = { name: "Rui Prado", email: "rui@example.com" }

          yield* Effect.fork(call(first, token, "upload_customer_file", upload, "in-steps"))
          yield* Effect.sync(() => server.requests.length).pipe(until((requests) => requests === 1, "60 seconds"))
          // The lock stops the other write before its commit. The view of locks is read again within a transaction,
          // and that of sessions is not.
          const isWaiting = Effect.map(
            sql<{ readonly waits: boolean }>`select exists (select from pg_locks
              where relation = 'lead'::regclass and not granted) as waits`,
            ([row]) => row?.waits === true
          )
          yield* sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`lock table lead in share row exclusive mode`
              yield* Effect.fork(call(first, token, "register_lead", lead, "at-once"))
              yield* until<boolean>((waits) => waits, "60 seconds")(isWaiting)
              yield* killHard(first)
            })
          )

          const second = yield* startGateway(directory, environment)
          const registered = yield* call(second, token, "register_lead", lead, "at-once").pipe(
            until(({ status }) => status === 200, "60 seconds")
          )
          assert.isNull(registered.replayed)
          const again = yield* call(second, token, "register_lead", lead, "at-once")
          assert.deepStrictEqual(again, { ...registered, replayed: "true" })
          const leads = yield* sql`select from lead where account_id = ${accountId}`
          assert.lengthOf(leads, 1)

          const running = yield* call(second, token, "upload_customer_file", upload, "in-steps")
          assert.strictEqual(running.status, 409, running.text)
          yield* sql`update keyed_write set begun_at = begun_at - interval '6 minutes'
            where account_id = ${accountId} and is_running`
          for (const _ of [1, 2]) {
            const lost = yield* call(second, token, "upload_customer_file", upload, "in-steps")
            assert.strictEqual(lost.status, 500, lost.text)
            assert.include(lost.text, '"reason":"outcome_unknown"')
            assert.isNull(lost.replayed)
          }
          assert.lengthOf(server.requests, 1)
        }).pipe(Effect.orDie),
      240_000
    )
  }
)
