import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Option } from "effect"
import { refused } from "../../Errors.ts"
import { AccountId } from "../../Services/Accounts/Ids.ts"
import { AdsFunding } from "../../Services/Ads/AdsFunding.ts"
import { brlOf, largestBudget, microsOf } from "../../Services/Ads/AdsMoney.ts"
import { AdsCampaignId } from "../../Services/Ads/Ids.ts"
import { isSingleLine } from "../../Services/Text/SingleLine.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { makeCampaignRows, remainingOf } from "./CampaignRows.ts"

const longestReference = 200
const largestRecharge = 100 * largestBudget
const smallestRecharge = microsOf(0.01)

const keyShape = /^(\d{1,15})-(\d{1,15})-[A-Za-z0-9_-]{24}$/

export const rechargePath = "/ads/recharge/"

/** The last part of the recharge link, by which its page is found. */
export const rechargeToken = (accountId: number, id: number, key: string): string => `${accountId}-${id}-${key}`

/** The ledger, on the database alone: a recharge wakes the campaign, and the timer goes on with it. */
export const AdsFundingPostgres = Layer.effect(
  AdsFunding,
  Effect.map(SqlClient, (sql) => {
    const rows = makeCampaignRows(sql)
    return AdsFunding.of({
      recharge: Effect.fn("AdsFunding.recharge")(function* ({ accountId, amountMicros, campaign, reference, source }) {
        const name = reference.trim()
        if (name === "" || name.length > longestReference || !isSingleLine(name)) {
          return yield* refused(
            "reference_invalid",
            "The payment's reference is missing, too long or of several lines.",
            `Send what names the payment, of at most ${longestReference} characters.`,
            { parameter: "reference", maximum: longestReference }
          )
        }
        if (!Number.isSafeInteger(amountMicros) || amountMicros < smallestRecharge || amountMicros > largestRecharge) {
          return yield* refused(
            "amount_out_of_range",
            `A recharge is between R$ ${brlOf(smallestRecharge)} and R$ ${brlOf(largestRecharge)}.`,
            "Send the amount that was paid, in reais.",
            { parameter: "amount", minimum: brlOf(smallestRecharge), maximum: brlOf(largestRecharge) }
          )
        }
        const { adsCampaignId } = yield* rows.named(accountId, campaign)
        yield* rows.lock(accountId, adsCampaignId)
        const entered = yield* sql`
          insert into ads_funding_entry (account_id, ads_campaign_id, reference, amount_micros, source)
          values (${accountId}, ${adsCampaignId}, ${name}, ${amountMicros}, ${source})
          on conflict (account_id, reference) do nothing returning entry_id`.pipe(fromSql())
        if (entered.length === 0) {
          const [before] = yield* sql<{ readonly id: number; readonly amount: number }>`
            select ads_campaign_id as id, amount_micros as amount from ads_funding_entry
            where account_id = ${accountId} and reference = ${name}`.pipe(fromSql())
          if (before === undefined || before.id !== adsCampaignId || before.amount !== amountMicros) {
            return yield* refused(
              "reference_used",
              "This reference was entered before, for another amount or campaign.",
              "A payment is entered once: use the reference of the new one.",
              { parameter: "reference" }
            )
          }
        } else yield* rows.wake(accountId, adsCampaignId)
        const row = yield* rows.settle(accountId, adsCampaignId)
        return {
          ads_campaign_id: adsCampaignId,
          is_new: entered.length > 0,
          remaining_brl: row === undefined ? 0 : brlOf(remainingOf(row))
        }
      }),

      page: Effect.fn("AdsFunding.page")(function* (token) {
        const match = keyShape.exec(token)
        if (match === null) return Option.none()
        const accountId = AccountId.make(Number(match[1]))
        const row = yield* rows.byId(accountId, AdsCampaignId.make(Number(match[2])))
        if (row === undefined || row.wanted === "ended") return Option.none()
        if (rechargeToken(accountId, row.adsCampaignId, row.rechargeKey) !== token) return Option.none()
        return Option.some({
          accountId,
          adsCampaignId: row.adsCampaignId,
          name: row.name,
          state: row.state,
          dailyBudgetMicros: row.dailyBudgetMicros,
          rechargedMicros: row.rechargedMicros,
          spentMicros: row.spentMicros
        })
      })
    })
  })
)
