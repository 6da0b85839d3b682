import { setFlagsFromString } from "node:v8"
import { Args, Command } from "@effect/cli"
import { Console, Effect } from "effect"
import { command } from "../Platform/Room.ts"
import { loadCompanies } from "./CompanyLoad.ts"

/** The heap may grow to twice the used memory by default, which is too much for a load. */
const collectGarbageEarlier = Effect.sync(() => setFlagsFromString("--heap-growing-percent=40"))

const load = Command.make(
  "load",
  {
    folder: Args.directory({ name: "folder", exists: "yes" }).pipe(
      Args.withDescription("The folder with the published files of one month, zipped or unpacked.")
    )
  },
  ({ folder }) =>
    Effect.gen(function* () {
      yield* collectGarbageEarlier
      const runtime = yield* Effect.runtime()
      const count = yield* loadCompanies(folder, (line) => Effect.runSync(Effect.provide(Console.log(line), runtime)))
      yield* Console.log(`${count.toLocaleString("en-US")} active places of business can be looked for.`)
    })
).pipe(
  Command.withDescription(
    "Loads the open company data that the Brazilian federal revenue service publishes each month. It replaces the previous month."
  )
)

/** Commands for operators. */
export const companyCommands = [
  command(
    "companies",
    Command.make("companies").pipe(
      Command.withDescription("The directory of companies that leads are acquired from."),
      Command.withSubcommands([load])
    )
  )
]
