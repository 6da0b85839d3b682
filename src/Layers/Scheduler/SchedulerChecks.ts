import { Effect } from "effect"
import { skipped } from "../../Services/Core/Outside/CheckResult.ts"
import type { Check } from "../Platform/Operators/Check.ts"
import { checkOAuthClient } from "../Platform/Outbound/ProviderCheck.ts"
import { loadSchedulerSettings } from "./SchedulerSettings.ts"

const schedulerCheck = Effect.flatMap(loadSchedulerSettings, ({ authorizationUrl, client, mode }) =>
  mode === "sandbox"
    ? Effect.succeed(skipped("SCHEDULER_MODE is sandbox: the scheduling tool is simulated."))
    : checkOAuthClient({
        tokenUrl: `${authorizationUrl}/oauth/token`,
        clientId: client.id,
        clientSecret: client.secret,
        setting: "SCHEDULER_CLIENT_ID"
      })
)

export const schedulerChecks: ReadonlyArray<Check> = [{ name: "scheduler", run: schedulerCheck }]
