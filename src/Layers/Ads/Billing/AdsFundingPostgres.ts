import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Option } from "effect"
import { type Refused, refused } from "../../../Errors.ts"
import { AccountId } from "../../../Services/Accounts/Ids.ts"
import { AdsFunding, type FundingSource } from "../../../Services/Ads/AdsFunding.ts"
import { brlOf, largestBudget, type Micros, microsOf } from "../../../Services/Ads/AdsMoney.ts"
import { refusedRefund } from "../../../Services/Ads/AdsStates.ts"
import { AdsCampaignId } from "../../../Services/Ads/Ids.ts"
import { isSingleLine } from "../../../Services/Text/SingleLine.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { type CampaignRow, makeCampaignRows, missingOf, remainingOf } from "../Campaigns/CampaignRows.ts"

const longestReference = 200
const largestRecharge = 100 * largestBudget
const smallestRecharge = microsOf(0.01)

const keyShape = /^(\d{1,15})-(\d{1,15})-[A-Za-z0-9_-]{24}$/

export const rechargePath = "/ads/recharge/"

/** The last part of the recharge link, which identifies the campaign. */
export const rechargeToken = (accountId: number, id: number, key: string): string => `${accountId}-${id}-${key}`

const checkedReference = (given: string) => {
  const name = given.trim()
  return name === "" || name.length > longestReference || !isSingleLine(name)
    ? refused(
        "reference_invalid",
        "The payment's reference is missing, too long or of several lines.",
        `Send what names the payment, of at most ${longestReference} characters.`,
        { parameter: "reference", maximum: longestReference }
      )
    : name
}

const amountRefused = (amountMicros: Micros) =>
  Number.isSafeInteger(amountMicros) && amountMicros >= smallestRecharge && amountMicros <= largestRecharge
    ? undefined
    : refused(
        "amount_out_of_range",
        `A recharge is between R$ ${brlOf(smallestRecharge)} and R$ ${brlOf(largestRecharge)}.`,
        "Send what was paid, in reais.",
        { parameter: "amount", minimum: brlOf(smallestRecharge), maximum: brlOf(largestRecharge) }
      )

const referenceUsed = refused(
  "reference_used",
  "This reference was entered before, for another amount or campaign.",
  "A payment is entered once: use the reference of the new one.",
  { parameter: "reference" }
)
const campaignEnded = refused(
  "campaign_ended",
  "The campaign has ended: no payment is entered for it any more.",
  "Give the payment back, and do not send it again.",
  { state: "ended" }
)
const moreThanLeft = (remaining: Micros) =>
  refused("more_than_left", "The campaign has less left than this.", "Give back what is left at most.", {
    parameter: "amount",
    maximum: brlOf(Math.max(0, remaining))
  })

interface NewEntry {
  readonly accountId: AccountId
  readonly campaign: string
  readonly reference: string
  /** The amount. A negative one is a refund. Undefined refunds the whole balance. */
  readonly amountMicros: Micros | undefined
  readonly source: FundingSource | "refund"
}

/** The ledger of funds. An entry makes the campaign due for the timer. */
export const AdsFundingPostgres = Layer.effect(
  AdsFunding,
  Effect.map(SqlClient, (sql) => {
    const rows = makeCampaignRows(sql)

    /** Records each reference once. `isRefused` checks new ones. */
    const enter = Effect.fnUntraced(function* (
      { accountId, amountMicros, campaign, reference, source }: NewEntry,
      isRefused: (before: CampaignRow) => Refused | undefined
    ) {
      const { adsCampaignId } = yield* rows.named(accountId, campaign)
      yield* rows.lock(accountId, adsCampaignId)
      const before = yield* rows.byId(accountId, adsCampaignId)
      const [known] = yield* sql<{ readonly id: number; readonly amount: number }>`
        select ads_campaign_id as id, amount_micros as amount from ads_funding_entry
        where account_id = ${accountId} and reference = ${reference}`.pipe(fromSql())
      const isOther = amountMicros !== undefined && known?.amount !== amountMicros
      if (known !== undefined && (known.id !== adsCampaignId || isOther)) return yield* referenceUsed
      if (known === undefined) {
        const wrong = before === undefined ? undefined : isRefused(before)
        if (wrong !== undefined) return yield* wrong
        const amount = amountMicros ?? (before === undefined ? 0 : -remainingOf(before))
        const entered = yield* sql`
          insert into ads_funding_entry (account_id, ads_campaign_id, reference, amount_micros, source)
          values (${accountId}, ${adsCampaignId}, ${reference}, ${amount}, ${source})
          on conflict (account_id, reference) do nothing returning entry_id`.pipe(fromSql())
        // A concurrent request recorded the reference for another campaign.
        if (entered.length === 0) return yield* referenceUsed
        yield* rows.wake(accountId, adsCampaignId)
      }
      const row = yield* rows.settle(accountId, adsCampaignId)
      return {
        ads_campaign_id: adsCampaignId,
        is_new: known === undefined,
        remaining_brl: row === undefined ? 0 : brlOf(remainingOf(row))
      }
    })

    return AdsFunding.of({
      recharge: Effect.fn("AdsFunding.recharge")(function* (recharge) {
        const reference = checkedReference(recharge.reference)
        if (typeof reference !== "string") return yield* reference
        const wrong = amountRefused(recharge.amountMicros)
        if (wrong !== undefined) return yield* wrong
        return yield* enter({ ...recharge, reference }, ({ wanted }) =>
          wanted === "ended" ? campaignEnded : undefined
        )
      }),

      refund: Effect.fn("AdsFunding.refund")(function* ({ amountMicros, ...refund }) {
        const reference = checkedReference(refund.reference)
        if (typeof reference !== "string") return yield* reference
        const wrong = amountMicros === undefined ? undefined : amountRefused(amountMicros)
        if (wrong !== undefined) return yield* wrong
        const entry = amountMicros === undefined ? undefined : -amountMicros
        return yield* enter(
          { ...refund, reference, amountMicros: entry, source: "refund" },
          (before) =>
            refusedRefund({ ...before, isAtPlatform: before.externalId !== null }) ??
            (remainingOf(before) < (amountMicros ?? smallestRecharge) ? moreThanLeft(remainingOf(before)) : undefined)
        )
      }),

      prepareRefund: Effect.fn("AdsFunding.prepareRefund")(function* ({ accountId, campaign }) {
        const { adsCampaignId } = yield* rows.named(accountId, campaign)
        yield* rows.lock(accountId, adsCampaignId)
        yield* sql`
          update ads_campaign set wanted = 'paused'
          where account_id = ${accountId} and ads_campaign_id = ${adsCampaignId} and wanted = 'active'`.pipe(fromSql())
        const row = (yield* rows.settle(accountId, adsCampaignId)) ?? (yield* rows.named(accountId, campaign))
        const isSettled = refusedRefund({ ...row, isAtPlatform: row.externalId !== null }) === undefined
        if (!isSettled) yield* rows.wake(accountId, adsCampaignId)
        return { ads_campaign_id: adsCampaignId, isSettled }
      }),

      page: Effect.fn("AdsFunding.page")(function* (token) {
        const match = keyShape.exec(token)
        if (match === null) return Option.none()
        const accountId = AccountId.make(Number(match[1]))
        const row = yield* rows.byId(accountId, AdsCampaignId.make(Number(match[2])))
        if (row === undefined) return Option.none()
        if (rechargeToken(accountId, row.adsCampaignId, row.rechargeKey) !== token) return Option.none()
        return Option.some({
          accountId,
          adsCampaignId: row.adsCampaignId,
          name: row.name,
          channelType: row.channelType,
          state: row.state,
          missing: missingOf(row),
          dailyBudgetMicros: row.dailyBudgetMicros,
          rechargedMicros: row.rechargedMicros,
          spentMicros: row.spentMicros
        })
      })
    })
  })
)
