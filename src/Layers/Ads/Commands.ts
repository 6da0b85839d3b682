import { Command, Options } from "@effect/cli"
import { Console, Effect, Option } from "effect"
import { refused } from "../../Errors.ts"
import { AccountId } from "../../Services/Accounts/Ids.ts"
import { AdsFunding, type EnteredRecharge } from "../../Services/Ads/AdsFunding.ts"
import { microsOf } from "../../Services/Ads/AdsMoney.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { command, type RoomCommand } from "../Platform/Room.ts"
import { refundCampaign } from "./Billing/RefundCampaign.ts"

const options = {
  account: Options.integer("account").pipe(Options.withDescription("The account's id.")),
  campaign: Options.text("campaign").pipe(Options.withDescription("The ads campaign's name or id.")),
  amount: Options.float("amount").pipe(Options.withDescription("What was paid, or is given back, in reais.")),
  reference: Options.text("reference").pipe(
    Options.withDescription("Names the payment: the same one is entered once, however often this is run.")
  )
}

/** Without an amount, the whole balance is refunded. */
const refundOptions = { ...options, amount: Options.optional(options.amount) }

const checkedAmount = (amount: number) =>
  amount > 0 && Math.abs(amount * 100 - Math.round(amount * 100)) <= 1e-6
    ? Effect.succeed(microsOf(amount))
    : refused("amount_invalid", "The amount has to be above zero, in whole cents.", "Send --amount 100.00.")

const told = ({ ads_campaign_id, is_new, remaining_brl }: EnteredRecharge) =>
  Console.log(
    `ads campaign ${ads_campaign_id}: ${is_new ? "entered" : "entered before"}, R$ ${remaining_brl.toFixed(2)} remaining`
  )

const fund = Command.make("fund", options, ({ account, amount, campaign, reference }) =>
  Effect.gen(function* () {
    const unit = yield* UnitOfWork
    const funding = yield* AdsFunding
    const amountMicros = yield* checkedAmount(amount)
    const accountId = AccountId.make(account)
    yield* told(
      yield* unit.write(funding.recharge({ accountId, campaign, amountMicros, reference, source: "operator" }))
    )
  })
).pipe(Command.withDescription("Enters a payment for an ads campaign; go-live is looked at within a minute."))

const refund = Command.make("refund", refundOptions, ({ account, amount, campaign, reference }) =>
  Effect.gen(function* () {
    const amountMicros = Option.isNone(amount) ? undefined : yield* checkedAmount(amount.value)
    yield* told(yield* refundCampaign({ accountId: AccountId.make(account), campaign, amountMicros, reference }))
  })
).pipe(
  Command.withDescription(
    "Pauses a campaign, waits until its spend is synced, and enters what is given back: the amount, or all that is left. Works for one that has ended or is held too."
  )
)

const ads = Command.make("ads").pipe(Command.withDescription("Ads campaigns."), Command.withSubcommands([fund, refund]))

/** The operators' commands for ads campaigns. */
export const adsCommands: ReadonlyArray<RoomCommand<AdsFunding | UnitOfWork>> = [command("ads", ads)]
