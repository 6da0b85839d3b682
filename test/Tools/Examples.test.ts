import { NodeContext } from "@effect/platform-node"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Logger, LogLevel } from "effect"
import { Background, Domain } from "../../src/Layers/App.ts"
import { AccessTokensPostgres } from "../../src/Layers/Postgres/AccessTokens.ts"
import { AccountsPostgres } from "../../src/Layers/Postgres/Accounts.ts"
import { makeSampleAccount } from "../../src/Layers/Sample/SampleAccount.ts"
import { Caller } from "../../src/Services/Caller.ts"
import { Jobs } from "../../src/Services/Jobs.ts"
import { AllTools } from "../../src/Tools/AllTools.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { TestSettings } from "../support/TestSettings.ts"
import { answerOf } from "../support/ToolAnswer.ts"

/** The sample account, made once for all examples. */
class Sample extends Context.Tag("Sample")<Sample, Caller["Type"]>() {}

const SampleLive = Layer.effect(
  Sample,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    // As in a gateway that was started before, the first token is the owner's.
    const owner = yield* makeAccount()
    yield* sql`insert into access_token (account_id, token_hash) values (${owner.accountId}, sha256('owner'::bytea))`
    const { accountId } = yield* makeSampleAccount(1)
    return Caller.of({ accountId, plan: "paid", tokenId: undefined, requestId: "examples" })
  })
)

const SampleGateway = SampleLive.pipe(
  Layer.provide(Background),
  Layer.provideMerge(Domain),
  Layer.provideMerge(Layer.merge(AccountsPostgres, AccessTokensPostgres)),
  Layer.provideMerge(TestDatabase),
  Layer.provideMerge(TestSettings),
  Layer.provide(Logger.minimumLogLevel(LogLevel.None)),
  Layer.provideMerge(NodeContext.layer)
)

/** Arguments that no fixed example can know. */
const argumentsOf = (name: string, example: object) =>
  Effect.gen(function* () {
    if (name !== "cancel_background_job") return example
    const jobs = yield* Jobs
    return { job_id: yield* jobs.enqueue({ kind: "lead_export", subjectId: undefined }) }
  })

/** The changes of an example are undone, so that each finds the account as it was made. */
class Undone<A> {
  constructor(readonly answer: A) {}
}

const undoing = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(SqlClient, (sql) =>
    effect.pipe(
      Effect.flatMap((answer) => Effect.fail(new Undone(answer))),
      sql.withTransaction,
      Effect.catchAll((error) => (error instanceof Undone ? Effect.succeed(error.answer) : Effect.fail(error)))
    )
  )

layer(SampleGateway, { excludeTestServices: true, timeout: "60 seconds" })("examples", (it) => {
  it.effect.each(AllTools.entries.map(({ tool }) => tool))(
    "$name runs on the sample account and answers as declared",
    (tool) =>
      Effect.gen(function* () {
        const caller = yield* Sample
        const answer = yield* undoing(
          Effect.flatMap(argumentsOf(tool.name, tool.example), (args) => answerOf(AllTools, tool.name, args))
        ).pipe(as(caller))
        assert.isObject(answer)
      })
  )
})
