import { Command } from "@effect/cli"
import { NodeContext } from "@effect/platform-node"
import { Console, Effect } from "effect"
import type { RoomCommand } from "../../../src/Layers/Platform/Room.ts"

/** Runs a room's command like the command line. Returns the output. */
export const runCommand = <R>(commands: ReadonlyArray<RoomCommand<R>>, args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const console = yield* Console.consoleWith(Effect.succeed)
    const collecting: Console.Console = {
      ...console,
      log: (...values) => Effect.sync(() => void lines.push(values.map(String).join(" "))),
      table: (rows) => Effect.sync(() => void lines.push(JSON.stringify(rows)))
    }
    const [first, ...rest] = commands.map((descriptor) => Command.fromDescriptor(descriptor, ({ run }) => run))
    if (first === undefined) return ""
    const gateway = Command.make("gateway").pipe(Command.withSubcommands([first, ...rest]))
    const run = Command.run(gateway, { name: "gateway", version: "0" })
    yield* run(["node", "gateway", ...args]).pipe(Effect.withConsole(collecting), Effect.provide(NodeContext.layer))
    return lines.join("\n")
  })
