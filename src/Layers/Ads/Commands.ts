import { Command, Options } from "@effect/cli"
import { Console, Effect } from "effect"
import { refused } from "../../Errors.ts"
import { AccountId } from "../../Services/Accounts/Ids.ts"
import { AdsFunding } from "../../Services/Ads/AdsFunding.ts"
import { microsOf } from "../../Services/Ads/AdsMoney.ts"
import { UnitOfWork } from "../../Services/Core/UnitOfWork.ts"
import { command, type RoomCommand } from "../Platform/Room.ts"

const fund = Command.make(
  "fund",
  {
    account: Options.integer("account").pipe(Options.withDescription("The account's id.")),
    campaign: Options.text("campaign").pipe(Options.withDescription("The ads campaign's name or id.")),
    amount: Options.float("amount").pipe(Options.withDescription("What was paid, in reais.")),
    reference: Options.text("reference").pipe(
      Options.withDescription("Names the payment: the same one is entered once, however often this is run.")
    )
  },
  ({ account, amount, campaign, reference }) =>
    Effect.gen(function* () {
      const unit = yield* UnitOfWork
      const funding = yield* AdsFunding
      if (!(amount > 0) || Math.abs(amount * 100 - Math.round(amount * 100)) > 1e-6) {
        return yield* refused(
          "amount_invalid",
          "The amount has to be above zero, in whole cents.",
          "Send --amount 100.00."
        )
      }
      const { ads_campaign_id, is_new, remaining_brl } = yield* unit.write(
        funding.recharge({
          accountId: AccountId.make(account),
          campaign,
          amountMicros: microsOf(amount),
          reference,
          source: "operator"
        })
      )
      yield* Console.log(
        `ads campaign ${ads_campaign_id}: ${is_new ? "entered" : "entered before"}, R$ ${remaining_brl.toFixed(2)} remaining`
      )
    })
).pipe(Command.withDescription("Enters a payment for an ads campaign; go-live is looked at within a minute."))

const ads = Command.make("ads").pipe(Command.withDescription("Ads campaigns."), Command.withSubcommands([fund]))

/** What operators do with ads campaigns. */
export const adsCommands: ReadonlyArray<RoomCommand<AdsFunding | UnitOfWork>> = [command("ads", ads)]
