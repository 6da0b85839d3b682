import { type ConfigError, type Duration, Effect } from "effect"
import { type CheckResult, failed, type NamedResult, skipped } from "../../../Services/Core/Outside/CheckResult.ts"
import type { OutboundHttp } from "../../../Services/Outbound/OutboundHttp.ts"
import { describeConfigError } from "../Environment.ts"

/**
 * One check of the gateway's configuration, shown as one line by `gateway doctor`. It changes nothing, here or at a
 * provider.
 */
export interface Check {
  readonly name: string
  readonly run: Effect.Effect<CheckResult, ConfigError.ConfigError, OutboundHttp>
}

/** The time limit of a check. A DNS look-up, a connection and a sign-in fit into it on a slow network. */
const limit = "25 seconds"
/**
 * The number of checks that run at the same time. With more, a small machine could not finish each within its limit.
 */
const atOnce = 4

const runCheck = ({ name, run }: Check, time: Duration.DurationInput) =>
  run.pipe(
    Effect.catchAll((error) => Effect.succeed(skipped(`Its settings are not valid. ${describeConfigError(error)}`))),
    Effect.timeoutTo({
      duration: time,
      onSuccess: (result): CheckResult => result,
      onTimeout: () => failed("It did not answer in time.", "Check the network, the firewall and the address.")
    }),
    Effect.catchAllDefect(() =>
      Effect.succeed(failed("The check failed unexpectedly.", "Report this to the authors."))
    ),
    Effect.map((result): NamedResult => ({ name, ...result }))
  )

/** Runs all checks. Each one ends at the time limit, so that a slow one cannot delay the report. */
export const runChecks = (
  checks: ReadonlyArray<Check>,
  time: Duration.DurationInput = limit
): Effect.Effect<ReadonlyArray<NamedResult>, never, OutboundHttp> =>
  Effect.forEach(checks, (check) => runCheck(check, time), { concurrency: atOnce })
