import { createInterface } from "node:readline"
import { Effect, Layer, Logger, LogLevel, Schema } from "effect"
import { loadCompanies } from "../../src/Layers/Companies/CompanyLoad.ts"
import { DatabaseLayer, DatabaseLocation } from "../../src/Layers/Platform/Postgres/Database.ts"
import { AccountId } from "../../src/Services/Accounts/Ids.ts"
import { LeadGeneration } from "../../src/Services/Companies/LeadGeneration.ts"
import { dyingAtStatement, faultLayers, faultPoints } from "../support/checks/FaultPoints.ts"
import { EarlyServices } from "../support/EarlyServices.ts"
import { companyLayers } from "./CompanyLayers.ts"

const Connection = Schema.Struct({
  host: Schema.String,
  port: Schema.Int,
  user: Schema.String,
  database: Schema.String
})

const Order = Schema.parseJson(
  Schema.Union(
    Schema.Struct({ connection: Connection, folder: Schema.String, diesAtStatement: Schema.Int }),
    Schema.Struct({
      connection: Connection,
      accountId: AccountId,
      fault: Schema.Struct({ point: Schema.Literal(...faultPoints), nth: Schema.Int })
    })
  )
)

const work = (order: typeof Order.Type): Effect.Effect<void, unknown> => {
  const location = Layer.succeed(DatabaseLocation, { connection: order.connection, poolSize: 4 })
  if ("folder" in order) {
    return loadCompanies(order.folder, () => undefined, { keepMonthBefore: 0 }).pipe(
      Effect.provide(
        dyingAtStatement(order.diesAtStatement).pipe(Layer.provide(DatabaseLayer), Layer.provide(location))
      ),
      Effect.asVoid
    )
  }
  const database = EarlyServices.pipe(
    Layer.provideMerge(faultLayers(order.fault).unit.pipe(Layer.provideMerge(DatabaseLayer))),
    Layer.provideMerge(location)
  )
  return Effect.flatMap(LeadGeneration, (generation) => generation.acquire(order.accountId)).pipe(
    Effect.provide(Layer.provide(companyLayers, database)),
    Effect.asVoid
  )
}

/** A separate process that loads or acquires companies until it dies or has finished. */
createInterface({ input: process.stdin }).once("line", (line) => {
  void Effect.runPromise(
    Effect.flatMap(Schema.decode(Order)(line), work).pipe(
      Effect.catchAllCause((cause) => Effect.sync(() => process.stderr.write(`${String(cause)}\n`))),
      Effect.provide(Logger.minimumLogLevel(LogLevel.None))
    )
  ).finally(() => process.exit(0))
})
