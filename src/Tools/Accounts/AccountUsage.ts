import { AccountUsage, AccountUsageView } from "../../Services/Reports/AccountUsage.ts"
import * as Tool from "../Core/Tool.ts"

export const getAccountUsage = Tool.make("get_account_usage", {
  kind: "read",
  mayLag: true,
  openWorld: false,
  description:
    "Answers the plan with what it leaves out, this month's messages, calls, model tokens and costs by channel, the storage in use, which outside services are real and which only simulated, and how far each limit is used up, the fullest first.",
  parameters: {},
  returns: AccountUsageView,
  example: {},
  run: Tool.via(AccountUsage, (usage) => usage.get)
})
