import { Effect, Option } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { refusedChange } from "../../../Services/Ads/AdsStates.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { makeAdsReconcile } from "../AdsReconcile.ts"
import { type AdsFailure, toolError } from "../Calling/AdsFailure.ts"
import type { CampaignRow } from "./CampaignRows.ts"

/** Makes the functions that find and change the caller's campaigns, and pass changes on to the platform. */
export const makeCampaignChanges = Effect.gen(function* () {
  const unit = yield* UnitOfWork
  const reconciling = yield* makeAdsReconcile
  const { goLive, reconcile, rows } = reconciling

  const campaignNamed = (campaign: string) => Effect.flatMap(Caller, ({ accountId }) => rows.named(accountId, campaign))

  const refreshed = Effect.fnUntraced(function* (row: CampaignRow) {
    const { accountId } = yield* Caller
    return (yield* rows.byId(accountId, row.adsCampaignId)) ?? row
  })

  /** Sends changes to the platform if it has the campaign. The timer retries what fails. */
  const passOn = Effect.fnUntraced(function* (row: CampaignRow) {
    if (row.externalId === null && row.rechargedMicros <= 0) return yield* refreshed(row)
    yield* reconcile(row.adsCampaignId)
    return yield* refreshed(row)
  })

  /** Changes a campaign that has not ended, under its lock, and makes it due for the platform. */
  const changing = <A, E>(
    campaign: string,
    change: (row: CampaignRow, accountId: AccountId) => Effect.Effect<A, E, Caller>
  ) =>
    Effect.gen(function* () {
      const { accountId } = yield* Caller
      return yield* unit.write(
        Effect.gen(function* () {
          const { adsCampaignId } = yield* rows.named(accountId, campaign)
          yield* rows.lock(accountId, adsCampaignId)
          const row = (yield* rows.byId(accountId, adsCampaignId)) ?? (yield* rows.named(accountId, campaign))
          const ended = refusedChange(row.wanted)
          if (ended !== undefined) return yield* ended
          const changed = yield* change(row, accountId)
          yield* rows.wake(accountId, adsCampaignId)
          yield* rows.settle(accountId, adsCampaignId)
          return { changed, row }
        })
      )
    })

  /** Returns the campaign's ids at the platform, once it exists there. */
  const place = Effect.fnUntraced(function* (row: CampaignRow) {
    const { accountId } = yield* Caller
    const customer = yield* goLive.storedCustomer(accountId)
    return row.externalId === null || Option.isNone(customer)
      ? undefined
      : { accountId, customerId: customer.value.customerId, externalId: row.externalId }
  })

  const withToolErrors = <A, R>(effect: Effect.Effect<A, AdsFailure | Transient, R>) =>
    Effect.mapError(effect, (error) => (error._tag === "AdsFailure" ? toolError(error) : error))

  return { ...reconciling, withToolErrors, changing, campaignNamed, passOn, place, refreshed }
})

export type CampaignChanges = Effect.Effect.Success<typeof makeCampaignChanges>
