import { createHash } from "node:crypto"
import { createInterface } from "node:readline"
import { Effect, Layer, Logger, LogLevel, Redacted, Schema } from "effect"
import { ConnectionsPostgres } from "../../src/Layers/Connections/ConnectionsPostgres.ts"
import { OAuthPostgres } from "../../src/Layers/Connections/OAuthPostgres.ts"
import { NotificationsPostgres } from "../../src/Layers/Events/NotificationsPostgres.ts"
import { DatabaseLayer, DatabaseLocation } from "../../src/Layers/Platform/Postgres/Database.ts"
import { AccountId } from "../../src/Services/Accounts/Ids.ts"
import { OAuth } from "../../src/Services/Connections/OAuth.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import type { OutboundRequest } from "../../src/Services/Outbound/OutboundHttp.ts"
import { EarlyServices } from "../support/EarlyServices.ts"
import { SealingOfTests } from "../support/SealingOfTests.ts"
import { TestSettings } from "../support/TestSettings.ts"
import { askJudge, judgeProvider } from "./JudgeProvider.ts"

const Order = Schema.parseJson(
  Schema.Struct({
    connection: Schema.Struct({ host: Schema.String, port: Schema.Int, user: Schema.String, database: Schema.String }),
    accountId: AccountId,
    /** Where the judge listens. */
    judgePort: Schema.Int
  })
)

const layers = (order: typeof Order.Type) =>
  OAuthPostgres.pipe(
    Layer.provideMerge(ConnectionsPostgres),
    Layer.provideMerge(NotificationsPostgres),
    Layer.provideMerge(Layer.mergeAll(SealingOfTests, TestSettings, EarlyServices)),
    Layer.provideMerge(DatabaseLayer),
    Layer.provideMerge(Layer.succeed(DatabaseLocation, { connection: order.connection, poolSize: 2 }))
  )

const requestTo =
  (port: number) =>
  ({ body, headers, method, url }: OutboundRequest) => {
    const { pathname, search } = new URL(url)
    return Effect.map(askJudge(port, method, `${pathname}${search}`, { ...headers }, body), (answer) => ({
      ...answer,
      headers: { "content-type": answer.headers["content-type"] ?? "" }
    }))
  }

/** Says that it is there, and when told to go on asks for the access token; says a hash of it. */
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const line = Effect.promise(async () => {
  const next = await lines.next()
  return next.done === true ? "" : next.value
})
const said = (text: string) => Effect.promise(() => new Promise((done) => process.stdout.write(`${text}\n`, done)))

const program = Effect.gen(function* () {
  const order = yield* Schema.decode(Order)(yield* line)
  yield* Effect.gen(function* () {
    const oauth = yield* OAuth
    const connection = yield* oauth.register(judgeProvider(requestTo(order.judgePort)))
    yield* said("ready")
    yield* line
    const token = yield* connection.accessToken
    yield* said(createHash("sha256").update(Redacted.value(token)).digest("hex"))
  }).pipe(
    Effect.provideService(Caller, Caller.forTask(order.accountId, "paid", "refreshing")),
    Effect.provide(layers(order))
  )
}).pipe(
  Effect.catchAllCause((cause) => said(`failed ${String(cause)}`)),
  Effect.provide(Logger.minimumLogLevel(LogLevel.None))
)
void Effect.runPromise(program).finally(() => process.exit(0))
