import { Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import type { Client } from "../../typescript/src/index.ts"
import { type Args, type CallChoices, callTool, parsedArguments } from "./CallTool.ts"
import { formats, note, print, renderRows } from "./Output.ts"
import { type KnownTool, type Parameter, searchTools, toolNamed } from "./ToolCatalog.ts"

export const outputOption = Options.choice("output", formats).pipe(
  Options.withAlias("o"),
  Options.withDescription("How the answer is printed: a table in a terminal, else json."),
  Options.optional
)

const flagOf = (name: string): string => name.replaceAll("_", "-")

const descriptionOf = ({ default: fallback, description, required }: Parameter): string =>
  `${required ? "Required. " : ""}${description}${fallback === undefined ? "" : ` Default: ${fallback}.`}`

type Value = string | number | boolean

/** A parameter as a flag. All are optional here, as --json may have them. */
const parameterOption = (parameter: Parameter): Options.Options<Option.Option<Value>> => {
  const { choices, name, type } = parameter
  const flag = flagOf(name)
  const described = <A extends Value>(option: Options.Options<A>) =>
    Options.optional(Options.withDescription(option, descriptionOf(parameter)))
  if (choices !== undefined) return described(Options.choice(flag, choices))
  switch (type) {
    case "integer":
      return described(Options.integer(flag))
    case "number":
      return described(Options.float(flag))
    case "boolean":
      return described(Options.map(Options.choice(flag, ["true", "false"]), (text) => text === "true"))
    case "string":
      return described(Options.text(flag))
  }
}

const choiceOptions = (tool: KnownTool) => ({
  output: outputOption,
  json: Options.text("json").pipe(
    Options.withDescription("All arguments as a JSON object; - reads them from standard input."),
    Options.optional
  ),
  all: Options.boolean("all").pipe(
    Options.withDescription(tool.rows === undefined ? "Only for lists: all pages." : "All pages.")
  ),
  watch: Options.integer("watch").pipe(
    Options.withDescription("Repeats a read every so many seconds, and prints changes."),
    Options.optional
  ),
  dryRun: Options.boolean("dry-run").pipe(Options.withDescription("Tries a write, and undoes it.")),
  key: Options.text("idempotency-key").pipe(
    Options.withDescription("Names a write, so that it is done once however often it is sent."),
    Options.optional
  ),
  yes: Options.boolean("yes").pipe(
    Options.withAlias("y"),
    Options.withDescription("Does not ask before a destructive call.")
  )
})

const readStandardInput = async (): Promise<string> => {
  let text = ""
  for await (const chunk of process.stdin) text += String(chunk)
  return text
}

const readJson = async (json: Option.Option<string>): Promise<Args> =>
  Option.isNone(json) ? {} : parsedArguments(json.value === "-" ? await readStandardInput() : json.value)

/** `pgw call TOOL` for one tool. */
const toolCommand = (tool: KnownTool, client: () => Promise<Client>) => {
  const parameters = Object.fromEntries(
    tool.parameters.map((parameter) => [parameter.name, parameterOption(parameter)])
  )
  return Command.make(tool.name, { parameters, choices: choiceOptions(tool) }, ({ choices, parameters: values }) =>
    Effect.tryPromise({
      try: async () => {
        const flags = Object.entries(values).flatMap(([name, value]) =>
          Option.isSome(value) ? [[name, value.value] as const] : []
        )
        const args: Args = { ...(await readJson(choices.json)), ...Object.fromEntries(flags) }
        const { all, dryRun, yes } = choices
        const callChoices: CallChoices = {
          all,
          dryRun,
          yes,
          format: Option.getOrUndefined(choices.output),
          watch: Option.getOrUndefined(choices.watch),
          key: Option.getOrUndefined(choices.key)
        }
        await callTool(await client(), tool, args, callChoices)
      },
      catch: (cause) => cause
    })
  ).pipe(Command.withDescription(tool.description))
}

/** `pgw call`, with the tool that is named, or all of them for help and completion. */
export const callCommand = (
  tools: ReadonlyArray<KnownTool>,
  name: string | undefined,
  client: () => Promise<Client>
) => {
  const named = name === undefined || name.startsWith("-") ? tools : [toolNamed(tools, name)]
  const [first, ...rest] = named.map((tool) => toolCommand(tool, client))
  const call = Command.make("call").pipe(Command.withDescription("Calls a tool, with its parameters as flags."))
  return first === undefined ? call : call.pipe(Command.withSubcommands([first, ...rest]))
}

/** `pgw tools`: all tools, or those that a search finds. */
export const printTools = async (
  tools: ReadonlyArray<KnownTool>,
  query: string,
  format: (typeof formats)[number]
): Promise<void> => {
  const matches = searchTools(tools, query)
  if (matches.length === 0) note(`No tool has ${query}.`)
  const rows = matches.map(({ description, group, kind, name }) => ({ name, kind, group, description }))
  await print(renderRows(rows, format))
}

/** `pgw describe`: what a tool does, its parameters and the reasons of its errors. */
export const describeTool = async (tools: ReadonlyArray<KnownTool>, name: string): Promise<void> => {
  const { description, group, kind, name: exact, parameters, reasons } = toolNamed(tools, name)
  const lines = parameters.flatMap((parameter) => [
    `  --${flagOf(parameter.name)} ${parameter.choices?.join("|") ?? parameter.type}`,
    `      ${descriptionOf(parameter)}`
  ])
  await print(
    [
      `${exact} (${kind}, ${group})`,
      "",
      description,
      ...(lines.length === 0 ? [] : ["", "Parameters:", ...lines]),
      "",
      "Errors:",
      ...Object.entries(reasons).map(([type, names]) => `  ${type}: ${names.join(", ")}`)
    ].join("\n")
  )
}
