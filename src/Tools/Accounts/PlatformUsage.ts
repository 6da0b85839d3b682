import { Effect } from "effect"
import { Refused } from "../../Errors.ts"
import { AccessTokenId } from "../../Services/Accounts/Ids.ts"
import { usageDays } from "../../Services/Accounts/RequestTrail.ts"
import { now } from "../../Services/Core/Timestamp.ts"
import {
  mostIntervals,
  PlatformUsage,
  PlatformUsageView,
  usageIntervals,
  usageRange
} from "../../Services/Reports/PlatformUsage.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

const getUsage = Tool.make("get_usage", {
  kind: "read",
  replicaAllowed: true,
  openWorld: false,
  description: `Shows how much the account used: calls, messages, minutes of calls, tokens of models and storage, by hour or day of UTC, and in total by tool, token, channel and model. Calls are known for ${usageDays} days.`,
  parameters: {
    interval: Param.withDefault(Param.oneOf(usageIntervals, "How long one row of intervals is."), "day"),
    since: Param.optional(Param.instant("Where the range starts. Without it, 30 days or 24 hours before its end.")),
    until: Param.optional(
      Param.inclusiveUpperBound(`Where the range ends, at most ${mostIntervals} intervals later. Without it, now.`)
    ),
    tool: Param.optional(Param.text("Counts only calls of this tool.", { maxLength: 100 })),
    token_id: Param.optional(Param.id(AccessTokenId, "Counts only calls with this token."))
  },
  returns: PlatformUsageView,
  errors: { Refused: ["range_empty", "range_too_long"] },
  example: { interval: "day" },
  run: Effect.fnUntraced(function* ({ interval, since, token_id, tool, until }) {
    const range = usageRange(interval, since, until, yield* now)
    if (range instanceof Refused) return yield* range
    const usage = yield* PlatformUsage
    return yield* usage.get(range, { tool, tokenId: token_id })
  })
})

/** The tools about the account's usage of the API. */
export const platformUsage = [getUsage] as const
