import { Effect, Layer, Logger, LogLevel, Schema } from "effect"
import { AdsPostgres } from "../../src/Layers/Ads/AdsPostgres.ts"
import { AdsSettings } from "../../src/Layers/Ads/AdsSettings.ts"
import { AdsFundingPostgres } from "../../src/Layers/Ads/Billing/AdsFundingPostgres.ts"
import { AdsTransport } from "../../src/Layers/Ads/Calling/AdsTransport.ts"
import { makeAdsSandbox } from "../../src/Layers/Ads/sandbox/AdsSandbox.ts"
import { NotificationsPostgres } from "../../src/Layers/Events/NotificationsPostgres.ts"
import { CustomerFilesPostgres } from "../../src/Layers/Files/CustomerFilesPostgres.ts"
import { DatabaseLayer, DatabaseLocation } from "../../src/Layers/Platform/Postgres/Database.ts"
import { AccountId } from "../../src/Services/Accounts/Ids.ts"
import { Ads } from "../../src/Services/Ads/Ads.ts"
import { AdsFunding } from "../../src/Services/Ads/AdsFunding.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { faultLayers, providerFaultPoints } from "../support/checks/FaultPoints.ts"
import { EarlyServices } from "../support/EarlyServices.ts"
import { TestSettings } from "../support/TestSettings.ts"
import { adsSettings, Unlimited } from "./adsSettings.ts"

const Order = Schema.parseJson(
  Schema.Struct({
    connection: Schema.Struct({ host: Schema.String, port: Schema.Int, user: Schema.String, database: Schema.String }),
    accountId: Schema.Int,
    campaign: Schema.String,
    deed: Schema.Literal("fund", "go_live", "sync", "Pause", "Resume", "End"),
    reference: Schema.String,
    amountMicros: Schema.Int,
    fault: Schema.Struct({ point: Schema.Literal(...providerFaultPoints), nth: Schema.Int })
  })
)
export type Order = typeof Order.Type

/** The gateway's part for ads, which dies when it comes to the fault's point for the nth time. */
const world = ({ connection, fault }: Order) => {
  const { around, unit } = faultLayers(fault)
  const transport = Layer.effect(
    AdsTransport,
    Effect.map(makeAdsSandbox, (sandbox) => ({
      ...sandbox,
      request: (call) => around(sandbox.request(call))
    }))
  )
  return Layer.provide(AdsPostgres, CustomerFilesPostgres).pipe(
    Layer.provide(unit),
    Layer.provide(transport),
    Layer.provideMerge(
      Layer.mergeAll(Unlimited, AdsFundingPostgres, NotificationsPostgres, Layer.succeed(AdsSettings, adsSettings))
    ),
    Layer.provideMerge(TestSettings),
    Layer.provideMerge(EarlyServices),
    Layer.provideMerge(DatabaseLayer),
    Layer.provide(Layer.succeed(DatabaseLocation, { connection, poolSize: 3 })),
    Layer.provide(Logger.minimumLogLevel(LogLevel.None))
  )
}

const work = ({ accountId, amountMicros, campaign, deed, reference }: Order) =>
  Effect.gen(function* () {
    const ads = yield* Ads
    const funding = yield* AdsFunding
    const unit = yield* UnitOfWork
    if (deed === "fund") {
      const recharge = {
        accountId: AccountId.make(accountId),
        campaign,
        amountMicros,
        reference,
        source: "operator" as const
      }
      yield* unit.write(funding.recharge(recharge))
    } else if (deed === "go_live") yield* ads.nudge(campaign)
    else if (deed === "sync") yield* ads.syncSpend(campaign)
    else yield* ads.setStatus(campaign, deed)
  }).pipe(Effect.provideService(Caller, Caller.forTask(AccountId.make(accountId), "paid", "doomed")))

const [, script, order] = process.argv
if (script === import.meta.filename && order !== undefined) {
  void Effect.runPromise(
    Effect.flatMap(Schema.decode(Order)(order), (decoded) =>
      Effect.ignore(Effect.provide(work(decoded), world(decoded)))
    )
  ).then(() => process.exit(0))
}
