import { Command } from "@effect/cli"
import { Console, Effect } from "effect"
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

/** What operators do with accounts' domains. */
export const domainCommands = [command("domain", domain)]
