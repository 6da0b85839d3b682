import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { AccessTokensPostgres } from "../../../src/Layers/Accounts/Tokens/AccessTokensPostgres.ts"
import { TenantUsage } from "../../../src/Layers/Platform/Fairness/TenantUsage.ts"
import { DatabasePools } from "../../../src/Layers/Platform/Postgres/Database.ts"
import { AccessTokenId } from "../../../src/Services/Accounts/Ids.ts"
import { AccessTokens } from "../../../src/Services/Accounts/Tokens/AccessTokens.ts"
import { fromMillis } from "../../../src/Services/Core/Timestamp.ts"
import { as, makeAccount } from "../../support/TestAccount.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

const TestLayer = AccessTokensPostgres.pipe(Layer.provideMerge(TestDatabase))

const generate = (label: string, expiresAt = Option.none<ReturnType<typeof fromMillis>>()) =>
  Effect.flatMap(AccessTokens, (tokens) => tokens.generate({ label, expiresAt }))

layer(TestLayer, { excludeTestServices: true })("AccessTokens", (it) => {
  it.effect("a generated token stands for its account and plan", () =>
    Effect.gen(function* () {
      const tokens = yield* AccessTokens
      const caller = yield* makeAccount("free_trial")
      const { token, view } = yield* as(caller)(generate("first"))
      const holder = yield* tokens.authenticate(token)
      assert.deepStrictEqual(holder, { tokenId: view.token_id, accountId: caller.accountId, plan: "free_trial" })
    })
  )

  it.effect("only the digest of a token is stored", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { token } = yield* as(yield* makeAccount())(generate("secret"))
      const rows = yield* sql<{ readonly row: string }>`select access_token::text as row from access_token`
      assert.isFalse(rows.some(({ row }) => row.includes(token.slice(4))))
    })
  )

  it.effect("a revocation holds on the next look-up, for that token alone", () =>
    Effect.gen(function* () {
      const tokens = yield* AccessTokens
      const caller = yield* makeAccount()
      const kept = yield* as(caller)(generate("kept"))
      const dropped = yield* as(caller)(generate("dropped"))
      yield* tokens.authenticate(dropped.token)
      const view = yield* as(caller)(tokens.revoke(dropped.view.token_id))
      assert.isTrue(view.revoked)
      const failure = yield* Effect.flip(tokens.authenticate(dropped.token))
      assert.strictEqual(failure._tag, "Unauthorized")
      yield* tokens.authenticate(kept.token)
    })
  )

  it.effect("an expired token is refused", () =>
    Effect.gen(function* () {
      const tokens = yield* AccessTokens
      const { token } = yield* as(yield* makeAccount())(generate("old", Option.some(fromMillis(1_000_000_000_000))))
      const failure = yield* Effect.flip(tokens.authenticate(token))
      assert.deepInclude(failure, { _tag: "Unauthorized", error: "The access token has expired." })
    })
  )

  it.effect("an account may have so many that hold, and lists them with the newest of the others", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const tokens = yield* AccessTokens
      const caller = yield* makeAccount()
      const { view } = yield* as(caller)(generate("first"))
      yield* sql`
        insert into access_token (account_id, label, token_hash, revoked_at)
        select ${caller.accountId}, 'old', sha256(convert_to(n::text || ${`${caller.accountId}`}, 'UTF8')),
          case when n > 199 then now() end
        from generate_series(1, 900) n`
      assert.deepInclude(yield* Effect.flip(as(caller)(generate("more"))), { reason: "too_many_tokens" })
      const listed = yield* as(caller)(tokens.list)
      assert.lengthOf(listed, 500)
      assert.lengthOf(
        listed.filter(({ revoked }) => !revoked),
        200
      )
      yield* as(caller)(tokens.revoke(view.token_id))
      yield* as(caller)(generate("more"))
    })
  )

  it.effect("tokens of other accounts can be neither seen nor revoked", () =>
    Effect.gen(function* () {
      const tokens = yield* AccessTokens
      const owner = yield* makeAccount()
      const other = yield* makeAccount()
      const { token, view } = yield* as(owner)(generate("mine"))
      assert.deepStrictEqual(yield* as(other)(tokens.list), [])
      const foreign = yield* Effect.flip(as(other)(tokens.revoke(view.token_id)))
      const unused = yield* Effect.flip(as(other)(tokens.revoke(AccessTokenId.make(987_654_321))))
      assert.strictEqual(foreign._tag, "NotFound")
      assert.strictEqual(foreign.message.replaceAll(`${view.token_id}`, "987654321"), unused.message)
      yield* tokens.authenticate(token)
    })
  )

  it.effect("look-ups of one turn are answered each with its own", () =>
    Effect.gen(function* () {
      const tokens = yield* AccessTokens
      const callers = yield* Effect.replicateEffect(makeAccount(), 20)
      const generated = yield* Effect.forEach(callers, (caller) => as(caller)(generate("one of many")))
      const holders = yield* Effect.forEach(generated, ({ token }) => tokens.authenticate(token), {
        concurrency: "unbounded"
      }).pipe(Effect.withTracerEnabled(false))
      assert.deepStrictEqual(
        holders.map(({ accountId }) => accountId),
        callers.map(({ accountId }) => accountId)
      )
    })
  )
})

layer(TestDatabase, { excludeTestServices: true })("AccessTokens use", (it) => {
  it.effect("is written down when the service closes", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      yield* Effect.gen(function* () {
        const tokens = yield* AccessTokens
        const { token } = yield* as(caller)(generate("used"))
        yield* tokens.authenticate(token)
      }).pipe(Effect.provide(AccessTokensPostgres))
      const rows = yield* sql<{ readonly is_recent: boolean }>`
        select last_used_at > now() - interval '1 minute' as is_recent from access_token
        where account_id = ${caller.accountId}`
      assert.deepStrictEqual(rows, [{ is_recent: true }])
    })
  )
})

/** Where turns of sessions tell nobody's presence. */
const CallsAlone = Layer.provideMerge(
  Layer.effect(
    DatabasePools,
    Effect.map(DatabasePools, (pools) => ({ ...pools, use: new TenantUsage(() => 0) }))
  ),
  TestDatabase
)

layer(Layer.provideMerge(AccessTokensPostgres, CallsAlone), { excludeTestServices: true })("AccessTokens", (it) => {
  it.effect("tells that its account is there, so that another with long statements leaves it some", () =>
    Effect.gen(function* () {
      const tokens = yield* AccessTokens
      const { use } = yield* DatabasePools
      const { accountId } = yield* makeAccount()
      const { token } = yield* as(yield* makeAccount())(generate("neighbour"))
      for (let turn = 0; turn < 10; turn++) use.add(accountId, 100)
      assert.isFalse(use.isHeavy(accountId))
      yield* tokens.authenticate(token)
      assert.isTrue(use.isHeavy(accountId))
    })
  )
})
