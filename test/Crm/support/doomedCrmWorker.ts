import { createInterface } from "node:readline"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Logger, LogLevel, Schema } from "effect"
import { CrmTransport } from "../../../src/Layers/Crm/Calling/CrmTransport.ts"
import { makeCrmSandboxTransport } from "../../../src/Layers/Crm/sandbox/CrmSandboxTransport.ts"
import { DatabaseLayer, DatabaseLocation } from "../../../src/Layers/Platform/Postgres/Database.ts"
import { AccountId } from "../../../src/Services/Accounts/Ids.ts"
import { Caller } from "../../../src/Services/Core/Calls/Caller.ts"
import { dyingAtStatement } from "../../support/checks/FaultPoints.ts"
import { EarlyServices } from "../../support/EarlyServices.ts"
import { crmLayers, resync, Syncing, Unlimited } from "./CrmLayers.ts"

const Order = Schema.parseJson(
  Schema.Struct({
    connection: Schema.Struct({ host: Schema.String, port: Schema.Int, user: Schema.String, database: Schema.String }),
    accountId: AccountId,
    dies: Schema.Struct({
      /** A statement of its own that was handed to the driver, or a call before or after the CRM did it. */
      at: Schema.Literal("statement", "call_before", "call_after"),
      nth: Schema.Int
    })
  })
)
type Order = typeof Order.Type

const killed = Effect.zipRight(
  Effect.sync(() => process.kill(process.pid, "SIGKILL")),
  Effect.never
)

const dyingRoad = ({ dies }: Order) =>
  Layer.effect(
    CrmTransport,
    Effect.map(makeCrmSandboxTransport, ({ request }) => {
      let calls = 0
      return CrmTransport.of({
        mode: "sandbox",
        request: (crm, outbound) =>
          Effect.suspend(() => {
            const isLast = dies.at !== "statement" && ++calls === dies.nth
            if (isLast && dies.at === "call_before") return killed
            return isLast ? Effect.zipRight(request(crm, outbound), killed) : request(crm, outbound)
          })
      })
    })
  )

/** Queues what a resync queues and sends it, until nothing waits. */
const work = (order: Order) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = order
    const { round } = yield* Syncing
    yield* Effect.provideService(resync(), Caller, Caller.forTask(accountId, "paid", "doomed"))
    for (let turn = 0; turn < 50; turn++) {
      // As if the time had passed that leads were put off for, and a process's lease after its death.
      yield* sql`update crm_link set began_at = began_at - interval '1 hour' where account_id = ${accountId}`
      yield* sql`update crm_lead set due_at = instant() where account_id = ${accountId} and state = 'pending'`
      yield* sql`update crm_integration set resumes_at = null, leased_until = null where account_id = ${accountId}`
      yield* round
      const rows = yield* sql`select from crm_lead where account_id = ${accountId} and state = 'pending' limit 1`
      if (rows.length === 0) return
    }
  }).pipe(
    Effect.provide(
      crmLayers(Unlimited).pipe(
        Layer.provideMerge(dyingRoad(order)),
        Layer.provideMerge(
          EarlyServices.pipe(
            Layer.provideMerge(
              dyingAtStatement(order.dies.at === "statement" ? order.dies.nth : undefined).pipe(
                Layer.provideMerge(DatabaseLayer)
              )
            ),
            Layer.provideMerge(Layer.succeed(DatabaseLocation, { connection: order.connection, poolSize: 4 }))
          )
        )
      )
    )
  )

/** A process of its own that brings an account's leads to its CRM, until it dies or is done. */
createInterface({ input: process.stdin }).once("line", (line) => {
  void Effect.runPromise(
    Effect.flatMap(Schema.decode(Order)(line), work).pipe(
      Effect.catchAllCause((cause) => Effect.sync(() => process.stderr.write(`${String(cause)}\n`))),
      Effect.provide(Logger.minimumLogLevel(LogLevel.None))
    )
  ).finally(() => process.exit(0))
})
