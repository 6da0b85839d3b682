import { Option } from "effect"
import type { Prefix } from "../../Api.ts"
import type { Catalog } from "../../Tools/Core/Catalog.ts"
import type { ParamSpec } from "../../Tools/Core/Param.ts"
import type { Tool } from "../../Tools/Core/Tool.ts"
import { answerFields } from "../../Tools/Core/ToolSchema.ts"

const cell = (text: string): string => text.replaceAll("|", "\\|").replace(/\s+/g, " ")

const code = (text: string): string => `\`${text}\``

const listed = (values: ReadonlyArray<string>): string => values.map(code).join(", ")

const rangeOf = ({ description, lowersToMaximum, maximum, minimum }: ParamSpec): string | undefined => {
  const bounds = (lowersToMaximum === true ? [maximum] : [minimum, maximum]).filter((bound) => bound !== undefined)
  const isSaid = bounds.every((bound) => new RegExp(`(?<![\\d.])${bound}(?![\\d])`).test(description))
  if (isSaid) return undefined
  if (maximum !== undefined && lowersToMaximum === true) return `At most ${maximum}; more is lowered to it.`
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}.`
  if (minimum !== undefined) return `At least ${minimum}.`
  return maximum === undefined ? undefined : `At most ${maximum}.`
}

/** The default limit of texts, which the table does not mention. */
const usualLength = 20_000

const limitsOf = (spec: ParamSpec): ReadonlyArray<string> =>
  [
    spec.enum === undefined ? undefined : `One of ${listed(spec.enum)}.`,
    spec.itemsEnum === undefined ? undefined : `Comma-separated: ${listed(spec.itemsEnum)}.`,
    rangeOf(spec),
    spec.maxLength === undefined || spec.maxLength === usualLength
      ? undefined
      : `At most ${spec.maxLength} characters.`,
    spec.format === "date-time" ? "A date, with or without a time." : undefined,
    spec.format === "date" ? "A date, `YYYY-MM-DD`." : undefined
  ].filter((limit) => limit !== undefined)

const presence = (spec: ParamSpec): string =>
  spec.required ? "required" : spec.default === undefined ? "optional" : code(String(spec.default))

const parameterTable = (tool: Tool<unknown>): ReadonlyArray<string> => {
  const specs = Object.entries(tool.parameters)
  if (specs.length === 0) return ["No parameters.", ""]
  return [
    "| Parameter | Type | Default | Meaning |",
    "|---|---|---|---|",
    ...specs.map(
      ([name, spec]) =>
        `| ${code(name)} | ${spec.type} | ${presence(spec)} | ${cell([spec.description, ...limitsOf(spec)].join(" "))} |`
    ),
    ""
  ]
}

const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** A call that works on the sample account, using the shell variables from the start of the guide. */
export const exampleCall = (tool: Tool<unknown>, prefix: Prefix = "/rest/v1"): string => {
  const args = Object.entries(tool.example).filter(([, value]) => value !== undefined)
  if (tool.kind === "read") {
    const query = args.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join("&")
    return `curl -sS -H "$AUTH" "$BASE${prefix}/call/${tool.name}${query === "" ? "" : `?${query}`}"`
  }
  return `curl -sS -H "$AUTH" "$BASE${prefix}/tools/${tool.name}" --json ${shellQuoted(JSON.stringify(Object.fromEntries(args)))}`
}

/** The read tools that show a job's state: they take an id that the job's tool returns, and return a status. */
const pollers = (catalog: Catalog<unknown>, job: Tool<unknown>): ReadonlyArray<string> => {
  const ids = answerFields(job)
    .map(({ name }) => name)
    .filter((name) => name.endsWith("_id"))
  return catalog.entries.flatMap(({ tool }) => {
    const id = ids.find((name) => tool.parameters[name]?.required === true)
    if (tool.kind !== "read" || id === undefined) return []
    const tellsStatus = answerFields(tool).some(({ name }) => name === "status" || name === "is_finished")
    return tellsStatus ? [`${code(tool.name)} with ${code(id)}`] : []
  })
}

/**
 * Returns the tools that start a background job, each with the tool to poll: a specific one, or else the list of all
 * jobs.
 */
export const backgroundTools = (catalog: Catalog<unknown>): ReadonlyArray<string> =>
  catalog.entries
    .filter(({ tool }) => tool.runsInBackground)
    .map(({ tool }) => {
      const ownPollers = pollers(catalog, tool)
      const listsJobs = Option.isSome(catalog.get("list_background_jobs"))
      const tools = ownPollers.length === 0 && listsJobs ? [code("list_background_jobs")] : ownPollers
      return `- ${code(tool.name)}${tools.length === 0 ? "" : `: poll ${tools.join(" or ")}`}`
    })

const toolEntry = (tool: Tool<unknown>, prefix: Prefix): ReadonlyArray<string> => [
  `## ${tool.name}`,
  "",
  tool.description,
  "",
  [
    `Kind: ${tool.kind}`,
    `Plan: ${tool.requiresPaidPlan ? "paid" : "any"}`,
    ...(tool.runsInBackground ? ["Runs in the background"] : []),
    `Errors: ${tool.errors.join(", ")}`
  ].join(" · "),
  "",
  ...parameterTable(tool),
  `Answers: ${answerFields(tool)
    .map(({ name, type }) => `${code(name)} ${type}`)
    .join(", ")}`,
  "",
  "```sh",
  exampleCall(tool, prefix),
  "```",
  ""
]

/** The tools of a group, sorted by name. */
export const toolEntries = (
  catalog: Catalog<unknown>,
  groupName: string,
  prefix: Prefix = "/rest/v1"
): ReadonlyArray<string> =>
  catalog.entries.filter(({ group }) => group === groupName).flatMap(({ tool }) => toolEntry(tool, prefix))
