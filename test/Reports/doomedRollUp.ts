import { Effect, Layer, Logger, LogLevel, Schema } from "effect"
import { DatabaseLayer, DatabaseLocation } from "../../src/Layers/Platform/Postgres/Database.ts"
import { rollUp } from "../../src/Layers/Reports/RollUps.ts"
import { AccountId } from "../../src/Services/Accounts/Ids.ts"
import { dyingAtStatement } from "../support/checks/FaultPoints.ts"
import { at } from "./at.ts"

const Order = Schema.parseJson(
  Schema.Struct({
    connection: Schema.Struct({ host: Schema.String, port: Schema.Int, user: Schema.String, database: Schema.String }),
    accountId: AccountId,
    now: Schema.Number,
    diesAtStatement: Schema.Int
  })
)

/** A separate process that rolls up an account's days until it dies or has finished. */
void Effect.runPromise(
  Effect.flatMap(Schema.decodeUnknown(Order)(process.argv[2]), ({ accountId, connection, diesAtStatement, now }) =>
    rollUp(accountId).pipe(
      at(now),
      Effect.provide(
        dyingAtStatement(diesAtStatement).pipe(
          Layer.provideMerge(DatabaseLayer),
          Layer.provide(Layer.succeed(DatabaseLocation, { connection, poolSize: 2 }))
        )
      )
    )
  ).pipe(Effect.provide(Logger.minimumLogLevel(LogLevel.None)))
).finally(() => process.exit(0))
