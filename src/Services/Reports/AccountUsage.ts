import { Context, type Effect, Schema } from "effect"
import type { Transient } from "../../Errors.ts"
import { Plan } from "../Accounts/Ids.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import { IntegrationMode } from "../Core/Outside/IntegrationModes.ts"
import { Timestamp } from "../Core/Timestamp.ts"

export const UsageLimit = Schema.Struct({
  name: Schema.Literal(
    "storage_bytes",
    "members",
    "access_tokens",
    "unfinished_jobs",
    "chatapp_openings_today_brl",
    "chatapp_openings_month_brl"
  ),
  used: Schema.Number,
  limit: Schema.Number,
  used_percent: Schema.Number,
  is_near: Schema.Boolean.annotations({ description: "Whether at least four fifths are used up." })
})
export type UsageLimit = typeof UsageLimit.Type

export const AccountUsageView = Schema.Struct({
  plan: Schema.Struct({
    name: Plan,
    includes_all_tools: Schema.Boolean,
    tools_not_included: Schema.Array(Schema.String).annotations({
      description: "Tools that return PlanRequired; empty on the paid plan."
    }),
    plan_with_these_tools: Schema.NullOr(Plan)
  }),
  month: Schema.Struct({
    starts_at: Timestamp.annotations({ description: "The first of the month in the account's zone." }),
    time_zone: Schema.String
  }),
  email: Schema.Struct({
    sent: Schema.Int,
    received: Schema.Int,
    failed: Schema.Int
  }),
  chatapp: Schema.Struct({
    sent: Schema.Int,
    received: Schema.Int,
    failed: Schema.Int,
    paid_openings: Schema.Int,
    cost_brl: Schema.Number.annotations({
      description: "Reserved before a message leaves, then as the provider bills."
    })
  }),
  voice: Schema.Struct({
    calls: Schema.Int,
    answered: Schema.Int,
    minutes: Schema.Number
  }),
  models: Schema.Struct({
    calls: Schema.Int,
    input_tokens: Schema.Int,
    output_tokens: Schema.Int,
    cost_usd: Schema.Number.annotations({
      description: "By the prices that the operator configured; uses without a price count as zero."
    }),
    by_purpose: Schema.Array(
      Schema.Struct({
        purpose: Schema.String.annotations({ description: "What it was for, for example write_message." }),
        model: Schema.String.annotations({ description: "sandbox where rules did the work." }),
        calls: Schema.Int,
        input_tokens: Schema.Int,
        output_tokens: Schema.Int,
        cost_usd: Schema.Number
      })
    ).annotations({ description: "By calendar days in UTC, the most expensive first." })
  }),
  storage: Schema.Struct({ files: Schema.Int, bytes: Schema.Int }),
  outside_services: Schema.Record({ key: Schema.String, value: IntegrationMode }).annotations({
    description:
      "For each outside service whether it is live, a sandbox whose deeds never reach the real world, or unavailable for want of a program on this machine."
  }),
  limits: Schema.Array(UsageLimit).annotations({ description: "The fullest first." })
})
export type AccountUsageView = typeof AccountUsageView.Type

/** From this percentage on, a limit counts as near. */
const near = 80

/** The used percentage of each limit, highest first. Limits that are not set are left out. */
export const limitsOf = (
  used: ReadonlyArray<readonly [name: UsageLimit["name"], used: number, limit: number | null]>
): ReadonlyArray<UsageLimit> =>
  used
    .flatMap(([name, amount, limit]): ReadonlyArray<UsageLimit> => {
      if (limit === null || limit <= 0) return []
      const percent = (amount / limit) * 100
      return [{ name, used: amount, limit, used_percent: Math.round(percent * 10) / 10, is_near: percent >= near }]
    })
    .sort((one, other) => other.used / other.limit - one.used / one.limit)

/** What the account's plan includes, and how much of it was used. */
export class AccountUsage extends Context.Tag("AccountUsage")<
  AccountUsage,
  { readonly get: Effect.Effect<AccountUsageView, Transient, Caller> }
>() {}
