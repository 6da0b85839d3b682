import { Command, Options } from "@effect/cli"
import { Clock, Console, Effect, Option, Schema } from "effect"
import { refused } from "../../Errors.ts"
import { Accounts } from "../../Services/Accounts/Accounts.ts"
import { AuditTrail, auditDays, noFilter } from "../../Services/Accounts/AuditTrail.ts"
import { AccessTokenId, AccountId, Plan } from "../../Services/Accounts/Ids.ts"
import { AccessTokens } from "../../Services/Accounts/Tokens/AccessTokens.ts"
import { confirmations } from "../../Services/Accounts/Tokens/TokenBounds.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { fromMillis, parseInstant, type Timestamp } from "../../Services/Core/Timestamp.ts"
import { command, type RoomCommand } from "../Platform/Room.ts"

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
    return yield* Effect.provideService(effect, Caller, Caller.forTask(accountId, plan, "command"))
  })

const optionalText = (name: string, description: string) =>
  Options.text(name).pipe(Options.withDescription(description), Options.optional)

const countryOption = (description: string) =>
  Options.text("country").pipe(
    Options.withSchema(Schema.String.pipe(Schema.pattern(/^[A-Z]{2}$/))),
    Options.withDescription(description),
    Options.optional
  )

const createAccount = Command.make(
  "create",
  {
    name: Options.text("name").pipe(Options.withDescription("What the account is called.")),
    email: optionalText("email", "The owner's e-mail address."),
    phone: optionalText("phone", "The owner's phone, in international format."),
    country: countryOption(
      "The account's country, two letters (BR); without it the phone tells. The account begins in its language and time zone."
    ),
    business: optionalText("business", "The name that leads know the business by. Nobody is contacted without it."),
    sender: optionalText("sender", "In whose name leads are written to. Nobody is contacted without it."),
    plan: Options.choice("plan", Plan.literals).pipe(
      Options.withDescription("free_trial or paid."),
      Options.withDefault("free_trial" as const)
    )
  },
  ({ business, country, email, name, phone, plan, sender }) =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const accountId = yield* accounts.create({
        name,
        email: Option.getOrUndefined(email),
        phone: Option.getOrUndefined(phone),
        country: Option.getOrUndefined(country),
        business: Option.getOrUndefined(business),
        sender: Option.getOrUndefined(sender),
        plan
      })
      yield* Console.log(`account ${accountId} (${plan})`)
    })
).pipe(Command.withDescription("Creates an account."))

const updateAccount = Command.make(
  "update",
  {
    account: accountOption,
    phone: optionalText("phone", "The owner's phone, in international format; none removes it."),
    country: countryOption("The account's country, two letters (BR).")
  },
  ({ account, country, phone }) =>
    Effect.gen(function* () {
      if (Option.isNone(country) && Option.isNone(phone)) {
        return yield* refused("nothing_to_change", "The call changes nothing.", "Send --phone or --country.")
      }
      const accounts = yield* Accounts
      const unit = yield* UnitOfWork
      const changed = yield* unit.write(
        accounts.update(AccountId.make(account), {
          ...(Option.isSome(phone) ? { phone: phone.value.trim() === "none" ? null : phone.value } : {}),
          ...(Option.isSome(country) ? { country: country.value } : {})
        })
      )
      yield* Console.log(
        `account ${changed.account_id}: phone ${changed.phone ?? "none"}, country ${changed.country ?? "not set"}`
      )
    })
).pipe(
  Command.withDescription(
    "Changes the owner's phone or the country of an account. The owner changes the e-mail, the language and the time zone."
  )
)

const listAccounts = Command.make("list", {}, () =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    yield* Console.table(yield* accounts.list)
  })
).pipe(Command.withDescription("Lists the accounts."))

const expiry = (text: Option.Option<string>) =>
  Option.match(text, {
    onNone: () => Effect.succeed(Option.none<Timestamp>()),
    onSome: (value) => {
      const instant = parseInstant(value)
      return instant === undefined
        ? Effect.fail(refused("not_a_date", `${value} is not a date.`, "Send YYYY-MM-DD or ISO 8601."))
        : Effect.flatMap(Clock.currentTimeMillis, (now) =>
            instant.millis <= now
              ? Effect.fail(refused("expiry_past", `${value} has passed.`, "Send a time to come."))
              : Effect.succeed(Option.some(fromMillis(instant.millis)))
          )
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
    Effect.flatMap(expiry(expires), (expiresAt) =>
      Effect.gen(function* () {
        const tokens = yield* AccessTokens
        const { token, view } = yield* tokens.generate({ label: Option.getOrUndefined(label), expiresAt })
        yield* Console.log(`token ${view.token_id} (its value is shown this once):\n${token}`)
      }).pipe((effect) => asAccount(account, effect))
    )
).pipe(Command.withDescription("Creates an access token and shows its value once."))

const listTokens = Command.make("list", { account: accountOption }, ({ account }) =>
  Effect.gen(function* () {
    const tokens = yield* AccessTokens
    yield* Console.table(yield* tokens.list)
  }).pipe((effect) => asAccount(account, effect))
).pipe(Command.withDescription("Lists an account's tokens, never their values."))

const revokeToken = Command.make(
  "revoke",
  { account: accountOption, token: Options.integer("token").pipe(Options.withDescription("The token's id.")) },
  ({ account, token }) =>
    Effect.gen(function* () {
      const tokens = yield* AccessTokens
      yield* tokens.revoke(AccessTokenId.make(token))
      yield* Console.log(`token ${token} is revoked`)
    }).pipe((effect) => asAccount(account, effect))
).pipe(Command.withDescription("Revokes a token from the next request on."))

const confirmToken = Command.make(
  "confirm",
  {
    account: accountOption,
    token: Options.integer("token").pipe(Options.withDescription("The token's id.")),
    when: Options.choice("when", confirmations).pipe(
      Options.withDescription(
        "when_possible: where the program can ask its person; always: a program that cannot ask is refused; never."
      )
    )
  },
  ({ account, token, when }) =>
    Effect.gen(function* () {
      const tokens = yield* AccessTokens
      yield* tokens.setConfirmation(AccessTokenId.make(token), when)
      yield* Console.log(`token ${token}: a person is asked ${when.replaceAll("_", " ")}`)
    }).pipe((effect) => asAccount(account, effect))
).pipe(Command.withDescription("Whether agents with a token ask a person before something is taken away."))

const account = Command.make("account").pipe(
  Command.withDescription("Accounts."),
  Command.withSubcommands([createAccount, updateAccount, listAccounts])
)

const token = Command.make("token").pipe(
  Command.withDescription("Access tokens."),
  Command.withSubcommands([createToken, listTokens, revokeToken, confirmToken])
)

const listAudited = Command.make(
  "list",
  {
    account: accountOption,
    tool: optionalText("tool", "Calls of this tool only."),
    outcome: optionalText("outcome", "Success, an error's type (Refused, NotFound, …), Defect or Interrupted."),
    since: optionalText("since", "Calls from this time on (ISO 8601)."),
    limit: Options.integer("limit").pipe(Options.withDescription("At most."), Options.withDefault(100))
  },
  ({ account, limit, outcome, since, tool }) =>
    Effect.gen(function* () {
      const trail = yield* AuditTrail
      const instant = Option.map(since, parseInstant)
      if (Option.isSome(instant) && instant.value === undefined) {
        return yield* Effect.fail(refused("not_a_date", "--since is not a date.", "Send YYYY-MM-DD or ISO 8601."))
      }
      const from = Option.getOrUndefined(instant)
      const calls = yield* trail.list(
        AccountId.make(account),
        {
          ...noFilter,
          tool: Option.getOrUndefined(tool),
          outcome: Option.getOrUndefined(outcome),
          since: from === undefined ? undefined : fromMillis(from.millis)
        },
        { limit: Math.min(Math.max(limit, 1), 10_000), before: undefined }
      )
      for (const { call } of calls) {
        const { argument_names, at, milliseconds, reason, request_id, token_id } = call
        const why = reason === null ? "" : ` (${reason})`
        yield* Console.log(
          `${at} ${call.tool}(${argument_names.join(", ")}) ${call.outcome}${why} ${milliseconds} ms token ${token_id ?? "-"} request ${request_id}`
        )
      }
      yield* Console.log(`${calls.length} calls`)
    })
).pipe(Command.withDescription("Lists an account's calls of tools that write, newest first; never what was sent."))

const audit = Command.make("audit").pipe(
  Command.withDescription(`Who called what in the last ${auditDays} days.`),
  Command.withSubcommands([listAudited])
)

/** The operators' commands for accounts. */
export const accountCommands: ReadonlyArray<RoomCommand<Accounts | AccessTokens | AuditTrail | UnitOfWork>> = [
  command("account", account),
  command("token", token),
  command("audit", audit)
]
