import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { ConnectionsPostgres } from "../../src/Layers/Connections/ConnectionsPostgres.ts"
import { NotificationsPostgres } from "../../src/Layers/Events/NotificationsPostgres.ts"
import { makeSealing, Sealing } from "../../src/Layers/Platform/Sealing.ts"
import { Connections } from "../../src/Services/Connections/Connections.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { Notifications } from "../../src/Services/Events/Notifications.ts"
import { LeadServices } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"

const first = Redacted.make("the first secret, of a length that will do")
const second = Redacted.make("the second secret, of a length that will do")
const sealedBy = (...keys: readonly [Redacted.Redacted, ...Array<Redacted.Redacted>]) =>
  Layer.succeed(Sealing, makeSealing(keys))

const Services = ConnectionsPostgres.pipe(
  Layer.provideMerge(sealedBy(first)),
  Layer.provideMerge(NotificationsPostgres),
  Layer.provideMerge(LeadServices)
)

const lost = { name: { "pt-BR": "o CRM", en: "the CRM", es: "el CRM" }, tool: "connect_crm" }

const own = <A, E, R>(test: Effect.Effect<A, E, R>) => Effect.flatMap(makeAccount(), (caller) => as(caller)(test))

const connect = (key: string, identity = "company 1") =>
  Effect.flatMap(Connections, (connections) =>
    connections.connect({
      service: "crm.test",
      identity,
      settings: { pipeline_id: 7 },
      secrets: { api_token: Redacted.make(key) },
      isVerified: true,
      isSandbox: true
    })
  )

const keyOf = Effect.flatMap(Connections, (connections) => connections.secrets("crm.test")).pipe(
  Effect.map(Option.map((secrets) => (secrets["api_token"] === undefined ? "" : Redacted.value(secrets["api_token"]))))
)

layer(Services, { excludeTestServices: true })("a connection", (it) => {
  it.effect("keeps its secrets sealed, for its own account alone", () =>
    own(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        yield* connect("key that nobody may read")
        assert.deepStrictEqual(yield* keyOf, Option.some("key that nobody may read"))
        const [row] = yield* sql<{ readonly secrets: Uint8Array }>`
          select secrets from connection where account_id = ${accountId}`
        assert.notInclude(Buffer.from(row?.secrets ?? []).toString("latin1"), "nobody may read")

        const other = yield* makeAccount()
        yield* connect("of another").pipe(as(other))
        // A row that somebody copied into another account opens for nobody.
        yield* sql`update connection set secrets = ${row?.secrets ?? null} where account_id = ${other.accountId}`
        assert.deepStrictEqual(yield* as(other)(keyOf), Option.none())
      })
    )
  )

  it.effect("is sealed anew with a new key when it is next used", () =>
    own(
      Effect.gen(function* () {
        yield* connect("kept")
        const withKeys = (...keys: readonly [Redacted.Redacted, ...Array<Redacted.Redacted>]) =>
          keyOf.pipe(Effect.provide(ConnectionsPostgres.pipe(Layer.provide(sealedBy(...keys)))))
        assert.deepStrictEqual(yield* withKeys(second), Option.none())
        assert.deepStrictEqual(yield* withKeys(second, first), Option.some("kept"))
        assert.deepStrictEqual(yield* withKeys(second), Option.some("kept"))
      })
    )
  )

  it.effect("that loses access tells the account once, and comes back when it is connected anew", () =>
    own(
      Effect.gen(function* () {
        const connections = yield* Connections
        const notifications = yield* Notifications
        yield* connect("revoked")
        yield* connections.loseAccess("crm.test", "unauthorized", lost)
        yield* connections.loseAccess("crm.test", "unauthorized", lost)
        assert.strictEqual((yield* notifications.pending).total, 1)
        assert.deepStrictEqual(yield* keyOf, Option.none())
        const found = Option.getOrThrow(yield* connections.get("crm.test"))
        assert.deepInclude(found, { state: "needs_reconnect", lastError: "unauthorized" })

        yield* connect("new")
        assert.deepInclude(Option.getOrThrow(yield* connections.get("crm.test")), {
          state: "connected",
          lastError: null
        })
        assert.deepStrictEqual(yield* keyOf, Option.some("new"))
      })
    )
  )

  it.effect("keeps what was used of its limits with the same account there, not with another", () =>
    own(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        // By the check, before there is a connection.
        yield* sql`
          insert into connection_bucket (account_id, service, bucket, tokens, filled_at)
          values (${accountId}, 'crm.test', 'calls', 0, instant())`
        const left = Effect.map(
          sql`select tokens from connection_bucket where account_id = ${accountId}`,
          (rows) => rows.length
        )
        yield* connect("first")
        yield* connect("second")
        assert.strictEqual(yield* left, 1)
        yield* connect("third", "company 2")
        assert.strictEqual(yield* left, 0)
      })
    )
  )

  it.effect("that is disconnected forgets its secrets", () =>
    own(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        const connections = yield* Connections
        yield* connect("forgotten")
        assert.isTrue(yield* connections.disconnect("crm.test"))
        assert.isFalse(yield* connections.disconnect("crm.test"))
        assert.deepStrictEqual(yield* sql`select secrets from connection where account_id = ${accountId}`, [
          { secrets: null }
        ])
        // What comes late from a call under way changes nothing any more.
        yield* connections.loseAccess("crm.test", "unauthorized", lost)
        assert.strictEqual(Option.getOrThrow(yield* connections.get("crm.test")).state, "disconnected")
      })
    )
  )
})
