import { NodeRuntime } from "@effect/platform-node"
import { Config, Console, Effect, Layer, Option, Schedule } from "effect"
import { adapters } from "../../src/Layers/Crm/Adapters/Adapters.ts"
import { acceptedCredentials } from "../../src/Layers/Crm/Calling/CrmAdapter.ts"
import { AccountId } from "../../src/Services/Accounts/Ids.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { isCrmName } from "../../src/Services/Crm/Ids.ts"
import { bucketOf, RateLimits } from "../../src/Services/Outbound/RateLimits.ts"
import { atOrigin, CrmOverHttp, checkServer } from "../support/crm/CrmServerCheck.ts"

/**
 * Sends the gateway's requests to a real CRM: `CHECK_URL=… CHECK_API_KEY=… npm run check:crm -- odoo`; see
 * docs/how-to/crm.md. Credentials come from the environment, so that process lists do not show them.
 */

const [name = ""] = process.argv.slice(2)

/** The rate limit of the CRM's calls, for this process alone: one at a time at the allowed rate. */
const Paced = Layer.sync(RateLimits, () => {
  const free = new Map<string, number>()
  return {
    takeMany: ({ costs: [cost = 1], limits }) =>
      Effect.sync(() => {
        const now = Date.now()
        // A daily budget is not spread over the day here.
        const paced = limits.filter(({ allowance }) => allowance.seconds <= 60)
        const next = Math.max(0, ...paced.map(({ bucket }) => free.get(bucket) ?? 0))
        if (next > now) return { granted: 0, seconds: (next - now) / 1000, limit: paced[0] }
        for (const { allowance, bucket, largestCost } of paced) {
          const { perSecond } = bucketOf(allowance, largestCost)
          free.set(bucket, now + (1000 * (largestCost === undefined ? 1 : cost)) / perSecond)
        }
        return { granted: 1, seconds: 0, limit: undefined }
      }),
    take: () => Effect.succeed(0),
    left: () => Effect.succeed(Number.POSITIVE_INFINITY),
    correct: () => Effect.void,
    blockedFor: () => Effect.succeed(0)
  }
})

const program = Effect.gen(function* () {
  if (!isCrmName(name)) {
    return yield* Effect.dieMessage(`Say which: npm run check:crm -- ${Object.keys(adapters).join(" | ")}`)
  }
  const adapter = adapters[name]
  const credentialPairs = yield* Effect.forEach(acceptedCredentials(adapter), (credential) =>
    Effect.map(Config.option(Config.redacted(`CHECK_${credential.toUpperCase()}`)), (value) => ({ credential, value }))
  )
  const credentials = new Map(
    credentialPairs.flatMap(({ credential, value }) =>
      Option.isSome(value) ? [[credential, value.value] as const] : []
    )
  )
  const missing = adapter.needs.filter((credential) => !credentials.has(credential))
  if (missing.length > 0) {
    return yield* Effect.dieMessage(
      `Set ${missing.map((credential) => `CHECK_${credential.toUpperCase()}`).join(", ")} in the environment.`
    )
  }
  // Overrides the vendor's address, for a simulated vendor.
  const base = yield* Config.option(Config.nonEmptyString("CHECK_BASE_URL"))
  const checkedAdapter = Option.match(base, { onNone: () => adapter, onSome: (origin) => atOrigin(adapter, origin) })
  yield* Console.log(`Asking ${checkedAdapter.baseUrl(credentials)} as ${adapter.name}. Records are left there.`)
  const lines = yield* checkServer(
    checkedAdapter,
    credentials,
    Schedule.spaced("3 seconds").pipe(Schedule.upTo("45 seconds"))
  )
  for (const { trouble, what } of lines)
    yield* Console.log(trouble === undefined ? `ok    ${what}` : `WRONG ${what}: ${trouble}`)
  const wrong = lines.filter(({ trouble }) => trouble !== undefined).length
  yield* Console.log(`${lines.length - wrong} of ${lines.length} as the gateway expects.`)
  if (wrong > 0) process.exitCode = 1
})

NodeRuntime.runMain(
  program.pipe(
    Effect.provide(Layer.merge(CrmOverHttp, Paced)),
    Effect.provideService(Caller, Caller.forTask(AccountId.make(1), "paid", "check-crm")),
    Effect.withTracerEnabled(false)
  )
)
