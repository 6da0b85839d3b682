import { Command, Options } from "@effect/cli"
import { Console, Effect, Option } from "effect"
import { refused } from "../../Errors.ts"
import { Accounts } from "../../Services/Accounts/Accounts.ts"
import { AccountId } from "../../Services/Accounts/Ids.ts"
import { UnitOfWork } from "../../Services/Core/UnitOfWork.ts"
import { command } from "../Platform/Room.ts"
import { deleteRollUps } from "./RollUps.ts"

const rebuild = Command.make(
  "rebuild",
  {
    account: Options.integer("account").pipe(
      Options.withDescription("The account's id; all accounts that have roll-ups without it."),
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
        `Queued: a running gateway makes the figures of ${count} account${count === 1 ? "" : "s"} anew. Until then reports count messages and leads one by one.`
      )
    })
).pipe(Command.withDescription("Makes the daily figures that reports are read from anew."))

export const reportCommands = [
  command(
    "reports",
    Command.make("reports").pipe(
      Command.withDescription("What reports are made of."),
      Command.withSubcommands([rebuild])
    )
  )
]
