import { Command, Options } from "@effect/cli"
import { Console, Effect, Option } from "effect"
import { refused } from "../../Errors.ts"
import { Accounts } from "../../Services/Accounts/Accounts.ts"
import { AccountId } from "../../Services/Accounts/Ids.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { command } from "../Platform/Room.ts"
import { deleteRollUps } from "./RollUps.ts"

const rebuild = Command.make(
  "rebuild",
  {
    account: Options.integer("account").pipe(
      Options.withDescription("The account's id. Without it, all accounts with roll-ups."),
      Options.optional
    )
  },
  ({ account }) =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const unit = yield* UnitOfWork
      const accountId = Option.getOrUndefined(Option.map(account, (id) => AccountId.make(id)))
      if (accountId !== undefined && Option.isNone(yield* accounts.planOf(accountId))) {
        return yield* refused("account_not_found", `There is no account ${accountId}.`, "Create one first.")
      }
      const count = yield* unit.write(deleteRollUps(accountId))
      yield* Console.log(
        `Queued: a running gateway computes the figures of ${count} account${count === 1 ? "" : "s"} again. Until then, reports count messages and leads directly.`
      )
    })
).pipe(Command.withDescription("Computes the daily figures of reports again."))

export const reportCommands = [
  command(
    "reports",
    Command.make("reports").pipe(
      Command.withDescription("What reports are made of."),
      Command.withSubcommands([rebuild])
    )
  )
]
