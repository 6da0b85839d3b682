import { Args, Command, Options } from "@effect/cli"
import { Console, Effect } from "effect"
import { AccountId } from "../../Services/Accounts/Ids.ts"
import { SenderDomains } from "../../Services/SenderDomains/SenderDomains.ts"
import { command } from "../Platform/Room.ts"

const records = Command.make("records", {}, () =>
  Effect.gen(function* () {
    const domains = yield* SenderDomains
    for (const line of yield* domains.zoneLines) yield* Console.log(line)
  })
).pipe(Command.withDescription("Prints the records of accounts' subdomains as lines of the mail domain's zone file."))

const domain = Command.make("domain").pipe(
  Command.withDescription("Names in the platform's mail domain."),
  Command.withSubcommands([records])
)

const approve = Command.make(
  "approve",
  {
    account: Options.integer("account").pipe(Options.withDescription("The account's id.")),
    name: Args.text({ name: "name" })
  },
  ({ account, name }) =>
    Effect.gen(function* () {
      const domains = yield* SenderDomains
      const domain = yield* domains.approveSubdomain(AccountId.make(account), name)
      yield* Console.log(`Account ${account} may set up ${domain} now.`)
    })
).pipe(Command.withDescription("Lets an account have the name of a brand, a bank or a public body."))

const subdomain = Command.make("subdomain").pipe(
  Command.withDescription("Names that accounts ask for under the platform's mail domain."),
  Command.withSubcommands([approve])
)

/** The operators' commands for accounts' domains. */
export const domainCommands = [command("domain", domain), command("subdomain", subdomain)]
