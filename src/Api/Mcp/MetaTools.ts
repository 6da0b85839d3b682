import { Effect, Option } from "effect"
import { refused } from "../../Errors.ts"
import { allows } from "../../Services/Accounts/Tokens/TokenBounds.ts"
import type { Caller } from "../../Services/Core/Calls/Caller.ts"
import type { Jobs } from "../../Services/Jobs/Jobs.ts"
import type { Catalog } from "../../Tools/Core/Catalog.ts"
import type { Kind, Tool } from "../../Tools/Core/Tool.ts"
import { answerFields, argumentsSchema } from "../../Tools/Core/ToolSchema.ts"
import { memberSource } from "../JsonSource.ts"
import { annotationsOf, failedBy } from "./CatalogTools.ts"
import { waitForJob } from "./Jobs.ts"
import { isObject, type JsonObject, objectOf } from "./Protocol.ts"
import type { ScopeGuard } from "./ScopeGuard.ts"
import type { FoundTool } from "./Search/ToolSearch.ts"
import { answered, type CallByName, type McpTool, type Outcome } from "./Toolbox.ts"

const text = (description: string): JsonObject => ({ type: "string", description })

const schema = (properties: JsonObject, required: ReadonlyArray<string>): JsonObject => ({
  type: "object",
  properties,
  required,
  additionalProperties: false
})

const wrongArgument = (error: string, detail: string): Outcome => failedBy(refused("arguments_unusable", error, detail))

const mostDescribed = 10
const mostFound = 15
const usualFound = 8
const longestQuery = 500
const longestWait = 50

interface MetaOptions<R> {
  readonly catalog: Catalog<R>
  readonly search: (query: string, limit: number, isShown: (tool: FoundTool) => boolean) => ReadonlyArray<FoundTool>
  /** Tools that the endpoint excludes, under any name. */
  readonly isForbidden: (tool: Tool<unknown>) => boolean
  readonly callByName: CallByName<R>
  readonly guard: ScopeGuard
}

const describedTool = (group: string, tool: Tool<unknown>): object => ({
  name: tool.name,
  group,
  kind: tool.kind,
  description: tool.description,
  requires_paid_plan: tool.requiresPaidPlan,
  runs_in_background: tool.runsInBackground,
  input_schema: argumentsSchema(tool),
  answers: Object.fromEntries(answerFields(tool).map(({ name, type }) => [name, type])),
  errors: tool.errors,
  reasons: tool.reasons,
  example: tool.example
})

const firstSentence = (description: string): string => /^.*?[.:](?=\s|$)/.exec(description)?.[0] ?? description

const numberOr = (value: unknown, fallback: number, most: number): number =>
  typeof value === "number" && Number.isFinite(value) && value >= 1 ? Math.min(Math.floor(value), most) : fallback

/** A tool that is excluded, or that the token may not call, gets the same error as an unknown tool. */
const unknownTool = (catalog: Catalog<unknown>, name: string): Outcome => failedBy(catalog.unknownTool(name))

const searchTools = <R>({ catalog, guard, isForbidden, search }: MetaOptions<R>): McpTool<never> => ({
  name: "search_tools",
  definition: {
    name: "search_tools",
    description:
      "Finds tools of this platform by what you want to do, in English, Portuguese or Spanish. Then read describe_tools and call one with the call tool of its kind.",
    inputSchema: schema(
      {
        query: text("What you want to do, in a few words."),
        limit: { type: "integer", minimum: 1, maximum: mostFound, default: usualFound }
      },
      ["query"]
    ),
    annotations: annotationsOf("read", true, false)
  },
  call: ({ args }, scope) => {
    const query = args["query"]
    if (typeof query !== "string" || query.trim() === "" || query.length > longestQuery) {
      return Effect.succeed(wrongArgument("query has to be a text.", `Send at most ${longestQuery} characters.`))
    }
    const isShown = ({ group, tool }: FoundTool): boolean =>
      !isForbidden(tool) && allows(scope.bounds, guard.needOf(group, tool))
    const entries = search(query, numberOr(args["limit"], usualFound, mostFound), isShown)
    return Effect.succeed(
      answered(
        JSON.stringify({
          tools: entries.map(({ group, tool }) => ({
            name: tool.name,
            kind: tool.kind,
            group,
            description: firstSentence(tool.description)
          })),
          ...(entries.length === 0 ? { groups: catalog.groups.map(({ name }) => name) } : {})
        })
      )
    )
  }
})

const describeTools = <R>({ catalog, isForbidden }: MetaOptions<R>): McpTool<never> => ({
  name: "describe_tools",
  definition: {
    name: "describe_tools",
    description: `Shows how up to ${mostDescribed} tools are called: parameters, answer, errors and an example.`,
    inputSchema: schema({ names: { type: "array", items: { type: "string" }, minItems: 1, maxItems: mostDescribed } }, [
      "names"
    ]),
    annotations: annotationsOf("read", true, false)
  },
  call: ({ args }) => {
    const names =
      typeof args["names"] === "string" ? args["names"].split(",").map((name) => name.trim()) : args["names"]
    if (!Array.isArray(names) || names.length === 0 || names.length > mostDescribed) {
      return Effect.succeed(wrongArgument("names has to be a list of tool names.", `Send 1 to ${mostDescribed} names.`))
    }
    const entries = names.map((name: unknown) =>
      catalog.entries.find(({ tool }) => tool.name === name && !isForbidden(tool))
    )
    const missing = entries.findIndex((entry) => entry === undefined)
    if (missing >= 0) return Effect.succeed(unknownTool(catalog, String(names[missing])))
    return Effect.succeed(
      answered(
        JSON.stringify({
          tools: entries.flatMap((entry) => (entry === undefined ? [] : [describedTool(entry.group, entry.tool)]))
        })
      )
    )
  }
})

const callTool = <R>(
  { callByName, catalog, isForbidden }: MetaOptions<R>,
  kind: Kind,
  description: string
): McpTool<R> => ({
  name: `call_${kind}_tool`,
  need: { kind },
  definition: {
    name: `call_${kind}_tool`,
    description,
    inputSchema: schema(
      { tool: text("The tool's name."), arguments: { type: "object", description: "Its arguments by name." } },
      ["tool"]
    ),
    annotations: annotationsOf(kind, false, true)
  },
  call: ({ args, source }, scope) => {
    const name = args["tool"]
    if (typeof name !== "string") {
      return Effect.succeed(wrongArgument("tool has to be the name of a tool.", "search_tools finds one."))
    }
    const tool = Option.getOrUndefined(catalog.get(name))
    if (tool === undefined || isForbidden(tool)) return Effect.succeed(unknownTool(catalog, name))
    if (tool.kind !== kind) {
      return Effect.succeed(
        wrongArgument(`${name} is of the kind ${tool.kind}, not ${kind}.`, `Call it with call_${tool.kind}_tool.`)
      )
    }
    const toolArguments = args["arguments"]
    return callByName(
      name,
      {
        args: objectOf(toolArguments),
        isMisshapen: toolArguments !== undefined && toolArguments !== null && !isObject(toolArguments),
        source: isObject(toolArguments) && source !== undefined ? memberSource(source, "arguments") : undefined
      },
      scope
    )
  }
})

const waitTool = <R>({ guard }: MetaOptions<R>): McpTool<Caller | Jobs> => ({
  name: "wait_for_job",
  need: { kind: "read" },
  definition: {
    name: "wait_for_job",
    description: `Waits until a background job has ended, at most ${longestWait} seconds, and answers how it stands. Call it again while it is queued or running.`,
    inputSchema: schema(
      {
        job_id: text("The job, as the tool that started it answered."),
        seconds: { type: "integer", minimum: 1, maximum: longestWait, default: longestWait }
      },
      ["job_id"]
    ),
    annotations: annotationsOf("read", true, false)
  },
  call: ({ args }, scope) => {
    const lack = guard.lack(scope, { kind: "read" })
    if (lack !== undefined) return Effect.fail(lack)
    const id = args["job_id"]
    if (typeof id !== "string") return Effect.succeed(wrongArgument("job_id has to be a text.", "Send the job's id."))
    return waitForJob(id, numberOr(args["seconds"], longestWait, longestWait), scope).pipe(
      Effect.match({
        onSuccess: (job) => answered(JSON.stringify(job)),
        onFailure: failedBy
      })
    )
  }
})

/** Tools that give access to the whole catalog: find a tool, read its description, call it, and wait for its job. */
export const metaTools = <R>(options: MetaOptions<R>): ReadonlyArray<McpTool<R | Caller | Jobs>> => [
  searchTools(options),
  describeTools(options),
  callTool(options, "read", "Calls a tool that changes nothing."),
  callTool(options, "write", "Calls a tool that changes something."),
  callTool(options, "destructive", "Calls a tool that takes something away. Ask the person you work for first."),
  waitTool(options)
]
