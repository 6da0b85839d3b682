import { Command, Options } from "@effect/cli"
import { Console, Effect, Option } from "effect"
import { refused } from "../../Errors.ts"
import { Accounts } from "../../Services/Accounts/Accounts.ts"
import { AccountId } from "../../Services/Accounts/Ids.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import { refreshLearnings } from "../../Services/Learnings/Learnings.ts"
import { optimizeCampaigns } from "../../Services/Learnings/OptimizerTasks.ts"
import { command } from "../Platform/Room.ts"

const refresh = Command.make(
  "refresh",
  {
    account: Options.integer("account").pipe(
      Options.withDescription("The account's id. Without it, all accounts."),
      Options.optional
    )
  },
  ({ account }) =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const tasks = yield* TaskQueue
      const unit = yield* UnitOfWork
      const accountId = Option.getOrUndefined(Option.map(account, (id) => AccountId.make(id)))
      if (accountId !== undefined && Option.isNone(yield* accounts.planOf(accountId))) {
        return yield* refused("account_not_found", `There is no account ${accountId}.`, "Create one first.")
      }
      yield* unit.write(
        Effect.all([tasks.enqueue(refreshLearnings, { accountId }), tasks.enqueue(optimizeCampaigns, { accountId })])
      )
      yield* Console.log("Queued: a running gateway evaluates the results, and the campaigns that it compares.")
    })
).pipe(Command.withDescription("Evaluates the results of the last 90 days now, instead of at night."))

export const learningCommands = [
  command(
    "learnings",
    Command.make("learnings").pipe(Command.withDescription("What results prove."), Command.withSubcommands([refresh]))
  )
]
