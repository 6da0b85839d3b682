import { setFlagsFromString } from "node:v8"
import { Command, Options, ValidationError } from "@effect/cli"
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Cause, Clock, ConfigError, Console, Effect, Layer, Option, Schema } from "effect"
import { refused } from "./Errors.ts"
import { App, Operations } from "./Layers/App.ts"
import { describeConfigError } from "./Layers/Platform/Environment.ts"
import { AccessTokens } from "./Services/Accounts/AccessTokens.ts"
import { Accounts } from "./Services/Accounts/Accounts.ts"
import { AccessTokenId, AccountId, Plan } from "./Services/Accounts/Ids.ts"
import { Caller } from "./Services/Core/Caller.ts"
import { serverVersion } from "./Services/Core/ServerVersion.ts"
import { fromMillis, parseInstant, type Timestamp } from "./Services/Core/Timestamp.ts"

const accountOption = Options.integer("account").pipe(Options.withDescription("The account's id."))

/** Runs a command's effect as the account, so that operators use the very services that tools use. */
const asAccount = <A, E, R>(id: number, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const accountId = AccountId.make(id)
    const plan = yield* Effect.flatMap(
      accounts.planOf(accountId),
      Option.match({
        onNone: () => Effect.fail(refused("account_not_found", `There is no account ${id}.`, "Create one first.")),
        onSome: Effect.succeed
      })
    )
    return yield* Effect.provideService(effect, Caller, { accountId, plan, tokenId: undefined, requestId: "command" })
  })

/** Or V8 lets garbage grow to several times what is alive: the memory of an import would follow the size of its file. */
const collectGarbageEarly = Effect.sync(() => setFlagsFromString("--heap-growing-percent=50"))

const serve = Command.make("serve", {}, () => Effect.zipRight(collectGarbageEarly, Layer.launch(App))).pipe(
  Command.withDescription("Starts the gateway, on its own database unless DATABASE_URL is set.")
)

const migrateCommand = Command.make("migrate", {}, () =>
  Effect.zipRight(Accounts, Console.log("The database is at the newest version.")).pipe(Effect.provide(Operations))
).pipe(Command.withDescription("Brings the database to the newest version and ends."))

const optionalText = (name: string, description: string) =>
  Options.text(name).pipe(Options.withDescription(description), Options.optional)

const createAccount = Command.make(
  "create",
  {
    name: Options.text("name").pipe(Options.withDescription("What the account is called.")),
    email: optionalText("email", "The owner's e-mail address."),
    phone: optionalText("phone", "The owner's phone, in international format."),
    country: Options.text("country").pipe(
      Options.withSchema(Schema.String.pipe(Schema.pattern(/^[A-Z]{2}$/))),
      Options.withDescription("The account's country, two letters (BR); without it the phone and the language tell."),
      Options.optional
    ),
    plan: Options.choice("plan", Plan.literals).pipe(
      Options.withDescription("free_trial or paid."),
      Options.withDefault("free_trial" as const)
    )
  },
  ({ country, email, name, phone, plan }) =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const accountId = yield* accounts.create({
        name,
        email: Option.getOrUndefined(email),
        phone: Option.getOrUndefined(phone),
        country: Option.getOrUndefined(country),
        plan
      })
      yield* Console.log(`account ${accountId} (${plan})`)
    }).pipe(Effect.provide(Operations))
).pipe(Command.withDescription("Creates an account."))

const expiry = (text: Option.Option<string>) =>
  Option.match(text, {
    onNone: () => Effect.succeed(Option.none<Timestamp>()),
    onSome: (value) => {
      const instant = parseInstant(value)
      return instant === undefined
        ? Effect.fail(refused("not_a_date", `${value} is not a date.`, "Send YYYY-MM-DD or ISO 8601."))
        : Effect.succeed(Option.some(fromMillis(instant.millis)))
    }
  })

const createToken = Command.make(
  "create",
  {
    account: accountOption,
    label: optionalText("label", "What the token is for."),
    expires: optionalText("expires", "When it ends to work (ISO 8601); never unless told.")
  },
  ({ account, expires, label }) =>
    Effect.gen(function* () {
      const tokens = yield* AccessTokens
      const expiresAt = yield* expiry(expires)
      const { token, view } = yield* tokens.generate({ label: Option.getOrUndefined(label), expiresAt })
      yield* Console.log(`token ${view.token_id} (its value is shown this once):\n${token}`)
    }).pipe((effect) => asAccount(account, effect), Effect.provide(Operations))
).pipe(Command.withDescription("Creates an access token and shows its value once."))

const listTokens = Command.make("list", { account: accountOption }, ({ account }) =>
  Effect.gen(function* () {
    const tokens = yield* AccessTokens
    yield* Console.table(yield* tokens.list)
  }).pipe((effect) => asAccount(account, effect), Effect.provide(Operations))
).pipe(Command.withDescription("Lists an account's tokens, never their values."))

const revokeToken = Command.make(
  "revoke",
  { account: accountOption, token: Options.integer("token").pipe(Options.withDescription("The token's id.")) },
  ({ account, token }) =>
    Effect.gen(function* () {
      const tokens = yield* AccessTokens
      yield* tokens.revoke(AccessTokenId.make(token))
      yield* Console.log(`token ${token} is revoked`)
    }).pipe((effect) => asAccount(account, effect), Effect.provide(Operations))
).pipe(Command.withDescription("Revokes a token from the next request on."))

const sample = Command.make(
  "sample",
  {
    seed: Options.integer("seed").pipe(
      Options.withDescription("The same seed on a new database gives the same account."),
      Options.withDefault(1)
    ),
    days: Options.integer("days").pipe(
      Options.withDescription("How far its past goes back, 7 to 365."),
      Options.withDefault(120)
    ),
    contacted: Options.integer("contacted").pipe(
      Options.withDescription("Leads that were contacted in that time, 10 to 4000: they are what takes time."),
      Options.withDefault(500)
    )
  },
  ({ contacted, days, seed }) =>
    Effect.gen(function* () {
      // Its lists of names are of no use to a gateway that serves.
      const { makeSampleHistory, sizeOf } = yield* Effect.promise(() => import("./Layers/Sample/SampleHistory.ts"))
      const { accountId, leadCount, token } = yield* makeSampleHistory({
        seed,
        end: Math.floor((yield* Clock.currentTimeMillis) / 1000) * 1000,
        size: yield* sizeOf({ days, contacted }),
        progress: Console.log
      })
      yield* Console.log(`account ${accountId} with ${leadCount} leads; its token, shown this once:\n${token}`)
    }).pipe(Effect.provide(Operations))
).pipe(
  Command.withDescription(
    "Makes an account of 5 000 invented leads in three campaigns with months of history, to try things on."
  )
)

const gateway = Command.make("gateway").pipe(
  Command.withDescription("The prospecting gateway. Settings come from the environment; see README.md."),
  Command.withSubcommands([
    serve,
    sample,
    migrateCommand,
    Command.make("account").pipe(Command.withDescription("Accounts."), Command.withSubcommands([createAccount])),
    Command.make("token").pipe(
      Command.withDescription("Access tokens."),
      Command.withSubcommands([createToken, listTokens, revokeToken])
    )
  ])
)

/** What ended the program, as one readable line; the command line explains its own errors itself. */
const explain = (cause: Cause.Cause<object>) => {
  if (Cause.isInterruptedOnly(cause)) return Effect.void
  const error = Option.getOrUndefined(Cause.failureOption(cause))
  if (error === undefined) return Console.error(`gateway: it failed unexpectedly\n${Cause.pretty(cause)}`)
  if (ValidationError.isValidationError(error)) return Effect.void
  if (ConfigError.isConfigError(error)) return Console.error(`gateway: ${describeConfigError(error)}`)
  const said = "error" in error ? error.error : "message" in error ? error.message : error
  return Console.error(`gateway: ${String(said)}`)
}

const cli = Command.run(gateway, { name: "Prospecting gateway", version: serverVersion })

cli(process.argv).pipe(
  Effect.tapErrorCause(explain),
  Effect.provide(NodeContext.layer),
  NodeRuntime.runMain({ disableErrorReporting: true, disablePrettyLogger: true })
)
