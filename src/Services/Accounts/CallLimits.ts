import { Context } from "effect"
import type { CallVerdict } from "./CallLimit.ts"
import type { TokenHolder } from "./Tokens/AccessTokens.ts"

/** How many calls a token and an account may make, where the operator or the owner has set a limit. */
export class CallLimits extends Context.Reference<CallLimits>()("CallLimits", {
  defaultValue: (): {
    /** Counts one call if the limit allows it. Uses the last known counts of other processes, without a query. */
    readonly take: (holder: Pick<TokenHolder, "accountId" | "tokenId" | "callsPerMinute">) => CallVerdict | undefined
  } => ({ take: () => undefined })
}) {}
