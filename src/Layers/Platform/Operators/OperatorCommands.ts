import { Command, Options } from "@effect/cli"
import { Console, Data, Effect } from "effect"
import { failed, hasFailed, passed, resultLines } from "../../../Services/Core/Outside/CheckResult.ts"
import { OutboundHttpNode } from "../Outbound/OutboundHttp.ts"
import { type Environment, settingSources } from "../SettingSources.ts"
import { misspeltSettings, type SettingsLoader, settingLines, settingsReport } from "../SettingsReport.ts"
import { type Check, runChecks } from "./Check.ts"
import { printsSafely } from "./PrintedText.ts"

/** Makes the program exit with a code other than 0. The report on standard output says why. */
export class ReportHasProblems extends Data.TaggedError("ReportHasProblems")<{ readonly message: string }> {}

const json = Options.boolean("json").pipe(Options.withDescription("Prints JSON instead of lines."))

const problemsOfSettings = (loaders: ReadonlyArray<SettingsLoader>, environment: Environment) =>
  Effect.map(settingsReport(loaders, settingSources(environment)), (lines) => ({
    lines,
    invalid: lines.filter(({ problem }) => problem !== undefined),
    misspelt: misspeltSettings(environment)
  }))

export const settingsCommand = (loaders: ReadonlyArray<SettingsLoader>, environment: Environment) =>
  Command.make("settings", { json }, (options) =>
    Effect.gen(function* () {
      const { invalid, lines, misspelt } = yield* problemsOfSettings(loaders, environment)
      if (options.json) yield* Console.log(JSON.stringify({ settings: lines, misspelt }, undefined, 2))
      else {
        for (const line of settingLines(lines)) yield* Console.log(line)
        for (const { name, setting } of misspelt) {
          yield* Console.log(`\nNo setting is called ${name}. Did you mean ${setting}?`)
        }
      }
      if (invalid.length > 0) {
        const names = invalid.map(({ name }) => name).join(", ")
        return yield* new ReportHasProblems({ message: `not valid: ${names}` })
      }
    }).pipe(printsSafely)
  ).pipe(
    Command.withDescription(
      "Shows every setting: its value, where it comes from, its default, and whether it is valid. Secrets are hidden."
    )
  )

const settingsCheck = (loaders: ReadonlyArray<SettingsLoader>, environment: Environment): Check => ({
  name: "settings",
  run: Effect.map(problemsOfSettings(loaders, environment), ({ invalid, lines, misspelt }) => {
    if (invalid.length > 0) {
      const texts = invalid.map(({ name, problem }) => `${name}: ${problem}.`)
      return failed(texts.join(" "), "gateway settings shows what each of them accepts.")
    }
    const [first] = misspelt
    if (first !== undefined) {
      return failed(`No setting is called ${first.name}.`, `Rename it to ${first.setting}, or remove it.`)
    }
    return passed(`${lines.filter(({ source }) => source !== "default").length} are set, and all are valid.`)
  })
})

export const doctorCommand = (
  loaders: ReadonlyArray<SettingsLoader>,
  checks: Effect.Effect<ReadonlyArray<Check>>,
  environment: Environment
) =>
  Command.make("doctor", { json }, (options) =>
    Effect.gen(function* () {
      const results = yield* Effect.provide(
        runChecks([settingsCheck(loaders, environment), ...(yield* checks)]),
        OutboundHttpNode
      )
      if (options.json) yield* Console.log(JSON.stringify({ checks: results }, undefined, 2))
      else for (const line of resultLines(results)) yield* Console.log(line)
      if (hasFailed(results)) {
        const names = results.filter(({ status }) => status === "failed").map(({ name }) => name)
        return yield* new ReportHasProblems({ message: `failed: ${names.join(", ")}` })
      }
    }).pipe(printsSafely)
  ).pipe(
    Command.withDescription(
      "Checks the database, the disk, ports, DNS, mail servers, providers' credentials and programs, and says how to fix each problem."
    )
  )
