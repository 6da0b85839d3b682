import { Effect } from "effect"
import { allows } from "../../Services/Accounts/Tokens/TokenBounds.ts"
import { serverVersion } from "../../Services/Core/Outside/ServerVersion.ts"
import { memberSource } from "../JsonSource.ts"
import type { McpRequest } from "./Messages.ts"
import type { PromptBox } from "./Prompts.ts"
import {
  codes,
  invalidParams,
  isObject,
  legacyVersions,
  membersOf,
  methodNotFound,
  objectOf,
  type Problem,
  problem,
  problemText,
  type ResultMembers,
  resultText,
  supportedVersions
} from "./Protocol.ts"
import type { ResourceBox } from "./Resources.ts"
import { skillsExtension } from "./Skills.ts"
import { type TaskBox, takesTasks, tasksExtension } from "./Tasks.ts"
import { type CallScope, complete, type Outcome, type Toolbox } from "./Toolbox.ts"

/** Everything that an endpoint needs to answer requests. */
export interface Offer<R> {
  readonly instructions: string
  readonly toolbox: Toolbox<R>
  /** Work that must finish before tools can be listed. */
  readonly listable?: Effect.Effect<void>
  readonly resources: ResourceBox<R>
  readonly prompts: PromptBox<R>
  readonly tasks: TaskBox<R>
  /** The supported protocol extensions, with their settings. */
  readonly extensions: { readonly [name: string]: object }
}

/** The answer to a request. */
export interface Reply {
  readonly status: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

export const serverInfo = { name: "prospecting-gateway", title: "Prospecting gateway", version: serverVersion }

const metaMembers = membersOf({ _meta: { "io.modelcontextprotocol/serverInfo": serverInfo } })

/**
 * The time for which a client may cache a list, in milliseconds. Lists change with releases and with a token's rights.
 */
const listLifetime = 300_000

/** Rows of a page of a list. */
const pageSize = 100

/** Lists depend on the token and on the headers, so shared caches must not store them. */
const cacheMembers = `"ttlMs":${listLifetime},"cacheScope":"private"`

const badCursor = invalidParams("The cursor is none that this list answered.")

/** A page of a list, with the member name of its method. */
const page = (
  name: string,
  items: ReadonlyArray<object>,
  cursor: unknown,
  cache: boolean
): Effect.Effect<ResultMembers, Problem> => {
  const from =
    cursor === undefined ? 0 : typeof cursor === "string" && /^[1-9]\d{0,5}$/.test(cursor) ? Number(cursor) : -1
  if (from < 0 || (from > 0 && from >= items.length)) return Effect.fail(badCursor)
  const next = from + pageSize
  return Effect.succeed(
    [
      membersOf({ [name]: items.slice(from, next) }),
      ...(next < items.length ? [`"nextCursor":"${next}"`] : []),
      ...(cache ? [cacheMembers] : [])
    ].join(",")
  )
}

const capabilitiesOf = <R>(offer: Offer<R>, era: McpRequest["era"]) => ({
  tools: {},
  resources: { subscribe: true },
  prompts: {},
  completions: {},
  ...(era === "legacy" ? { logging: {} } : {}),
  // Only the newer revision has tasks.
  extensions:
    era === "modern"
      ? offer.extensions
      : Object.fromEntries(Object.entries(offer.extensions).filter(([name]) => name === skillsExtension))
})

const initialize = <R>(offer: Offer<R>, params: McpRequest["params"]): ResultMembers => {
  const requestedVersion = params["protocolVersion"]
  return membersOf({
    protocolVersion:
      typeof requestedVersion === "string" && legacyVersions.includes(requestedVersion)
        ? requestedVersion
        : legacyVersions[0],
    capabilities: capabilitiesOf(offer, "legacy"),
    serverInfo,
    instructions: offer.instructions
  })
}

const discover = <R>(offer: Offer<R>): ResultMembers =>
  `${membersOf({
    supportedVersions,
    capabilities: capabilitiesOf(offer, "modern"),
    instructions: offer.instructions
  })},${cacheMembers}`

const callTool = <R>(
  { toolbox }: Offer<R>,
  request: McpRequest,
  scope: CallScope
): Effect.Effect<Outcome, Problem, R> => {
  const { params, source } = request
  const name = params["name"]
  if (typeof name !== "string") return Effect.fail(invalidParams("params has no name of a tool."))
  const tool = toolbox.get(name)
  if (tool === undefined) {
    const nearest = toolbox.nearest(name)
    return Effect.fail(
      invalidParams(
        `Unknown tool: ${name.slice(0, 100)}.${nearest === undefined ? "" : ` Did you mean ${nearest}?`}`,
        nearest === undefined ? undefined : { nearest }
      )
    )
  }
  const args = params["arguments"]
  if (args !== undefined && args !== null && !isObject(args)) {
    return Effect.fail(invalidParams("params.arguments is not an object."))
  }
  return tool.call(
    {
      args: objectOf(args),
      source: args === undefined || args === null ? undefined : memberSource(source, "arguments")
    },
    scope
  )
}

type Method<R> = (offer: Offer<R>, request: McpRequest, scope: CallScope) => Effect.Effect<Outcome, Problem, R>

const listing =
  <R>(name: string, items: (offer: Offer<R>, scope: CallScope) => Effect.Effect<ReadonlyArray<object>>): Method<R> =>
  (offer, { era, params }, scope) =>
    items(offer, scope).pipe(
      Effect.flatMap((listed) => page(name, listed, params["cursor"], era === "modern")),
      Effect.map(complete)
    )

/** Returns the tools that the token may call. Listing others would only fill the model's context. */
const listed = <R>({ listable = Effect.void, toolbox }: Offer<R>, { bounds }: CallScope) =>
  Effect.map(listable, () =>
    (bounds === undefined
      ? toolbox.tools
      : toolbox.tools.filter(({ need }) => need === undefined || allows(bounds, need))
    ).map(({ definition }) => definition)
  )

const always =
  <R>(members: (offer: Offer<R>, request: McpRequest) => ResultMembers): Method<R> =>
  (offer, request) =>
    Effect.succeed(complete(members(offer, request)))

const cached = (era: McpRequest["era"], members: ResultMembers): Outcome =>
  complete(era === "modern" ? `${members},"ttlMs":0,"cacheScope":"private"` : members)

/** The methods of both revisions. */
const commonMethods = <R>(): Readonly<Record<string, Method<R>>> => ({
  "tools/list": listing("tools", listed),
  "tools/call": callTool,
  "prompts/list": listing("prompts", ({ prompts }) =>
    Effect.succeed(prompts.prompts.map(({ definition }) => definition))
  ),
  "prompts/get": ({ prompts }, { params }, scope) => prompts.get(params, scope),
  "resources/list": listing("resources", ({ resources }) => Effect.succeed(resources.resources)),
  "resources/templates/list": listing("resourceTemplates", ({ resources }) => Effect.succeed(resources.templates)),
  "resources/read": ({ resources }, { era, params }, scope) => {
    const uri = params["uri"]
    if (typeof uri !== "string") return Effect.fail(invalidParams("params has no uri."))
    return resources
      .read(uri, scope)
      .pipe(
        Effect.flatMap((members) =>
          members === undefined
            ? Effect.fail(
                problem(
                  200,
                  era === "modern" ? codes.invalidParams : codes.resourceNotFound,
                  "There is no resource with this URI.",
                  { uri: uri.slice(0, 500) }
                )
              )
            : Effect.succeed(cached(era, members))
        )
      )
  },
  "completion/complete": ({ prompts }, { params }, scope) => Effect.map(prompts.complete(params, scope), complete)
})

const tasksNotDeclared = problem(400, codes.missingCapability, "The client did not say that it takes tasks.", {
  requiredCapabilities: { extensions: { [tasksExtension]: {} } }
})

const ofTasks =
  <R>(
    use: (box: TaskBox<R>, params: McpRequest["params"], scope: CallScope) => Effect.Effect<ResultMembers, Problem, R>
  ): Method<R> =>
  ({ tasks }, request, scope) =>
    takesTasks(request) ? Effect.map(use(tasks, request.params, scope), complete) : Effect.fail(tasksNotDeclared)

const noSuchSkill = invalidParams("There is no skill with this URI.")

/** Methods of the skills extension. */
const skillMethods = <R>(): Readonly<Record<string, Method<R>>> => ({
  "skills/list": listing("skills", ({ resources }) => resources.skills),
  "skills/get": ({ resources }, { era, params }) =>
    Effect.flatMap(resources.skills, (skills) => {
      const skill = skills.find(({ uri }) => uri === params["uri"])
      return skill === undefined
        ? Effect.fail(noSuchSkill)
        : Effect.succeed(complete(`${membersOf({ skill })}${era === "modern" ? `,${cacheMembers}` : ""}`))
    })
})

const modernMethods = <R>(): Readonly<Record<string, Method<R>>> => ({
  ...commonMethods<R>(),
  ...skillMethods<R>(),
  "server/discover": always(discover),
  "tasks/get": ofTasks((tasks, params, scope) => tasks.get(params, scope)),
  "tasks/update": ofTasks((tasks, params, scope) => tasks.update(params, scope)),
  "tasks/cancel": ofTasks((tasks, params, scope) => tasks.cancel(params, scope))
})

const empty: ResultMembers = ""

const following =
  <R>(isOn: boolean): Method<R> =>
  ({ resources }, { params }, scope) => {
    const uri = params["uri"]
    return typeof uri === "string"
      ? Effect.as(resources.follow(uri, isOn, scope), complete(empty))
      : Effect.fail(invalidParams("params has no uri."))
  }

const legacyMethods = <R>(): Readonly<Record<string, Method<R>>> => ({
  ...commonMethods<R>(),
  ...skillMethods<R>(),
  initialize: always((offer, { params }) => initialize(offer, params)),
  ping: always(() => empty),
  "logging/setLevel": always(() => empty),
  "resources/subscribe": following(true),
  "resources/unsubscribe": following(false)
})

/** The transport handles it, because its answer is a stream that stays open. */
export const listenMethod = "subscriptions/listen"

/**
 * Answers requests of both revisions. Messages before the answer are sent through the scope, which belongs to the
 * transport.
 */
export const makeEngine = <R>(): {
  /** Returns whether the request's revision of the protocol has its method. */
  readonly knows: (request: Pick<McpRequest, "era" | "method">) => boolean
  readonly handle: (offer: Offer<R>, request: McpRequest, scope: CallScope) => Effect.Effect<Reply, never, R>
} => {
  const methods = { modern: modernMethods<R>(), legacy: legacyMethods<R>() }
  return {
    knows: ({ era, method }) => Object.hasOwn(methods[era], method) || method === listenMethod,
    handle: (offer, request, scope) => {
      const { era, id } = request
      const table = methods[era]
      const method = Object.hasOwn(table, request.method) ? table[request.method] : undefined
      const outcome = method === undefined ? Effect.fail(methodNotFound(request.method)) : method(offer, request, scope)
      return Effect.match(outcome, {
        onSuccess: (result) => ({
          status: 200,
          body: resultText(id, era, result, metaMembers),
          ...("headers" in result && result.headers !== undefined ? { headers: result.headers } : {})
        }),
        onFailure: (problem) => ({
          // Older clients only read errors from the body of a 200 answer, except for errors of the transport.
          status: era === "legacy" && problem.headers === undefined ? 200 : problem.status,
          body: problemText(id, problem),
          ...(problem.headers === undefined ? {} : { headers: problem.headers })
        })
      })
    }
  }
}
