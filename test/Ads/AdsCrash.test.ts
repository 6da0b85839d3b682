import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Random } from "effect"
import { zoneMillisAt } from "../../src/Layers/Ads/sandbox/AdsSandbox.ts"
import { simulateAdDay } from "../../src/Layers/Ads/sandbox/AdsSandboxServing.ts"
import { makeSandboxStore, recordsOf, servedCampaign } from "../../src/Layers/Ads/sandbox/AdsSandboxStore.ts"
import { Ads } from "../../src/Services/Ads/Ads.ts"
import { microsOf } from "../../src/Services/Ads/AdsMoney.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { bundledEntry } from "../support/BundledEntry.ts"
import { providerFaultPoints } from "../support/checks/FaultPoints.ts"
import { isKilled, ownConnection } from "../support/processes/DoomedProcess.ts"
import { isWholeRun } from "../support/processes/WholeRun.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { AdsWorld, campaignsThere, fund, readyDraft, tend } from "./AdsWorld.ts"
import { adsSettings } from "./adsSettings.ts"
import type { Order } from "./crashingAdsProcess.ts"

const deeds: ReadonlyArray<Order["deed"]> = ["fund", "go_live", "sync", "Pause", "Resume", "End"]
const day = 86_400_000

/** What the simulated platform charged, added up from its hours: the ledger by which ours is judged. */
const chargedThere = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  const store = makeSandboxStore(sql, accountId)
  const world = { account: yield* store.account, records: yield* store.records }
  const now = yield* Clock.currentTimeMillis
  const zoneMillis = zoneMillisAt(adsSettings.timeZone, now)
  const days = [3, 2, 1, 0].map((back) => new Date(now + zoneMillis - back * day).toISOString().slice(0, 10))
  return recordsOf(world, "campaign")
    .flatMap((campaign) =>
      days.flatMap((each) => simulateAdDay(servedCampaign(world, campaign), each, zoneMillis, now))
    )
    .reduce((sum, { costMicros }) => sum + costMicros, 0)
})

/** As if the campaign had gone live two days ago. */
const servedForDays = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  const earlier = (member: string) => sql`
    update sandbox_ads_record set body = jsonb_set(body, ${[member]}::text[], (
      select jsonb_agg(jsonb_set(e, '{at}', to_jsonb((e ->> 'at')::numeric - ${2 * day}::numeric)))
      from jsonb_array_elements(body -> ${member}::text) e))
    where account_id = ${accountId} and body ? ${member}::text`
  yield* earlier("statuses")
  yield* earlier("amounts")
  yield* sql`
    update sandbox_ads_record set created_at = created_at - interval '2 days' where account_id = ${accountId}`
})

/** What was charged is taken over to the micro; clicks go on meanwhile. */
const chargedOnce = (campaign: string) =>
  Effect.gen(function* () {
    const ads = yield* Ads
    const before = yield* chargedThere
    const { balance } = yield* ads.syncSpend(campaign)
    const after = yield* chargedThere
    assert.isAbove(before, 0)
    assert.isAtLeast(microsOf(balance.spent_brl), before - 5000)
    assert.isAtMost(microsOf(balance.spent_brl), after + 5000)
  })

/** A whole run goes on until so many were killed; the suite has one round of the deeds. */
const crashes = isWholeRun ? 100 : 1

layer(AdsWorld, { excludeTestServices: true })("gateways that are killed while they change ads campaigns", (it) => {
  it.scoped(
    "make no campaign twice, and count every payment once",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const connection = yield* ownConnection
        const entry = yield* bundledEntry("Ads/crashingAdsProcess")
        let killed = 0
        for (let round = 0; killed < crashes; round++) {
          const caller = yield* makeAccount()
          yield* as(caller)(
            Effect.gen(function* () {
              const { accountId } = yield* Caller
              const ads = yield* Ads
              const campaign = `Clínicas ${round}`
              yield* readyDraft(campaign)
              for (const deed of deeds) {
                if (deed === "sync") yield* servedForDays
                const order: Order = {
                  connection,
                  accountId,
                  campaign,
                  deed,
                  reference: `pix-${round}`,
                  amountMicros: microsOf(1000),
                  fault: {
                    point:
                      providerFaultPoints[yield* Random.nextIntBetween(0, providerFaultPoints.length)] ?? "before_call",
                    nth: yield* Random.nextIntBetween(1, deed === "fund" ? 2 : 9)
                  }
                }
                if (yield* isKilled(entry, order)) killed += 1
                // As if the dead one's lease had run out; whoever had no answer repeats the call.
                yield* sql`update ads_campaign set leased_until = null where account_id = ${accountId}`
                if (deed === "fund") yield* fund(campaign, 1000, order.reference)
                else if (deed === "go_live") yield* ads.nudge(campaign)
                else if (deed === "sync") yield* chargedOnce(campaign)
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
                assert.deepInclude(row, { paid: microsOf(1000), entries: 1 }, deed)
                if (deed === "fund") continue
                const wanted =
                  deed === "Pause" ? ["paused", "PAUSED"] : deed === "End" ? ["ended", "REMOVED"] : ["live", "ENABLED"]
                assert.deepStrictEqual([row?.state, there[0]?.status], wanted, `${deed} ${JSON.stringify(order.fault)}`)
              }
              // Nothing was lost by the end, and nothing counted twice.
              yield* chargedOnce(campaign)
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
      }),
    isWholeRun ? 900_000 : 120_000
  )
})
