import { spawn } from "node:child_process"
import * as path from "node:path"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Random } from "effect"
import { DatabaseLocation } from "../../src/Layers/Platform/Postgres/Database.ts"
import { Ads } from "../../src/Services/Ads/Ads.ts"
import { microsOf } from "../../src/Services/Ads/AdsMoney.ts"
import { Caller } from "../../src/Services/Core/Caller.ts"
import { bundledEntry } from "../support/BundledEntry.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { isWholeRun } from "../support/WholeRun.ts"
import { AdsWorld, campaignsThere, fund, readyDraft, tend } from "./AdsWorld.ts"
import { faultPoints, type Order } from "./doomedAds.ts"

const deeds: ReadonlyArray<Order["deed"]> = ["fund", "go_live", "Pause", "Resume", "End"]
/** Twenty rounds of five deeds in a whole run; the suite has one round. */
const rounds = isWholeRun ? 20 : 1

layer(AdsWorld, { excludeTestServices: true })("gateways that are killed while they change ads campaigns", (it) => {
  it.scoped(
    "make no campaign twice, and count every payment once",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { connection } = yield* DatabaseLocation
        const entry = yield* bundledEntry(path.join(import.meta.dirname, "doomedAds.ts"))
        let killed = 0
        for (let round = 0; round < rounds; round++) {
          const caller = yield* makeAccount()
          yield* as(caller)(
            Effect.gen(function* () {
              const { accountId } = yield* Caller
              const ads = yield* Ads
              const campaign = `Clínicas ${round}`
              yield* readyDraft(campaign)
              for (const deed of deeds) {
                const order: Order = {
                  connection: {
                    host: connection.host ?? "",
                    port: connection.port ?? 0,
                    user: connection.user ?? "",
                    database: connection.database ?? ""
                  },
                  accountId,
                  campaign,
                  deed,
                  reference: `pix-${round}`,
                  amountMicros: microsOf(100),
                  fault: {
                    point: faultPoints[yield* Random.nextIntBetween(0, faultPoints.length)] ?? "before_call",
                    nth: yield* Random.nextIntBetween(1, deed === "fund" ? 2 : 9)
                  }
                }
                const child = spawn(process.execPath, [entry, JSON.stringify(order)], {
                  stdio: ["ignore", "ignore", "inherit"]
                })
                const signal = yield* Effect.promise(
                  () => new Promise<string | null>((resolve) => child.once("exit", (_, why) => resolve(why)))
                )
                if (signal === "SIGKILL") killed += 1
                // As if the dead one's lease had run out; whoever had no answer repeats the call.
                yield* sql`update ads_campaign set leased_until = null where account_id = ${accountId}`
                if (deed === "fund") yield* fund(campaign, 100, order.reference)
                else if (deed === "go_live") yield* ads.nudge(campaign)
                else yield* ads.setStatus(campaign, deed)
                // Its go-live is killed too.
                if (deed !== "fund") yield* tend
                const there = yield* campaignsThere
                assert.isAtMost(there.length, 1, deed)
                const [row] = yield* sql<{ readonly state: string; readonly paid: number; readonly entries: number }>`
                  select c.state, (select coalesce(sum(amount_micros), 0)::bigint from ads_funding_entry f
                      where f.account_id = ${accountId}) as paid,
                    (select count(*) from ads_funding_entry f where f.account_id = ${accountId}) as entries
                  from ads_campaign c where c.account_id = ${accountId}`
                assert.deepInclude(row, { paid: microsOf(100), entries: 1 }, deed)
                if (deed === "fund") continue
                const wanted =
                  deed === "Pause" ? ["paused", "PAUSED"] : deed === "End" ? ["ended", "REMOVED"] : ["live", "ENABLED"]
                assert.deepStrictEqual([row?.state, there[0]?.status], wanted, `${deed} ${JSON.stringify(order.fault)}`)
              }
              const records = yield* sql<{ readonly kind: string; readonly count: number }>`
                select kind, count(*) from sandbox_ads_record where account_id = ${accountId}
                  and kind in ('ad', 'keyword', 'adGroup', 'budget') group by kind order by kind`
              assert.deepStrictEqual(
                records.map(({ count, kind }) => `${kind} ${count}`),
                ["ad 1", "adGroup 1", "budget 1", "keyword 2"]
              )
            })
          )
        }
        assert.isAtLeast(killed, rounds)
      }),
    isWholeRun ? 900_000 : 120_000
  )
})
