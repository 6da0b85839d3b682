import { Cause, Clock, Context, Effect, Metric, Option } from "effect"
import { closest } from "fastest-levenshtein"
import { RequestRefused, ToolDefect, type ToolError } from "../../Errors.ts"
import { AuditLog } from "../../Services/Core/AuditLog.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import type { CallMode } from "../../Services/Core/Calls/CallMode.ts"
import { CallObserver } from "../../Services/Core/Calls/CallObserver.ts"
import { spanned } from "../../Services/Core/Calls/Spanned.ts"
import { describeCause } from "../../Services/Core/SafeCause.ts"
import { type SettingChange, SettingChanges } from "../../Services/Core/SettingChanges.ts"
import type { RawArguments } from "./ArgumentCoercion.ts"
import { type Group, lists, type Tool } from "./Tool.ts"

export type CallError = ToolError | RequestRefused | ToolDefect

/** All tools of the product. `R` is the union of the services that they use. */
export interface Catalog<out R> {
  readonly groups: ReadonlyArray<Group<R>>
  /** Sorted by group, then name. */
  readonly entries: ReadonlyArray<{ readonly group: string; readonly tool: Tool<R> }>
  readonly get: (name: string) => Option.Option<Tool<R>>
  /** The refusal of an unknown name, with the most similar one. */
  readonly unknownTool: (name: string) => RequestRefused
  /**
   * The pipeline of a call: look-up, plan check, decoding, and the unit of work for the tool's kind, with one guard for
   * defects and one span. Returns the handler's result, which is plain JSON of the declared schema.
   */
  readonly call: (name: string, raw: RawArguments, mode?: CallMode) => Effect.Effect<unknown, CallError, R | Caller>
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const longestNameCompared = 100

/** Returns the name that differs only in case, or else the one with the smallest edit distance. */
const nearest = (name: string, names: ReadonlyArray<string>): string | undefined => {
  if (name.length > longestNameCompared || names.length === 0) return undefined
  const lower = name.toLowerCase()
  return names.find((candidate) => candidate === lower) ?? closest(lower, names)
}

/** The services that the tools of a catalog use. */
export type ServicesOf<C> = C extends Catalog<infer R> ? R : never

type RequirementsOf<G> = G extends Group<infer R> ? R : never

export const make = <const G extends Group<unknown>>(groups: ReadonlyArray<G>): Catalog<RequirementsOf<G>> =>
  ofGroups(groups as ReadonlyArray<Group<RequirementsOf<G>>>)

const ofGroups = <R>(groups: ReadonlyArray<Group<R>>): Catalog<R> => {
  const entries = groups
    .flatMap((group) => group.tools.map((tool) => ({ group: group.name, tool })))
    .sort((a, b) => byText(a.group, b.group) || byText(a.tool.name, b.tool.name))
  const tools = new Map(entries.map(({ tool }) => [tool.name, tool]))
  if (tools.size !== entries.length) throw new Error("Two tools of the catalog have the same name.")
  const names = [...tools.keys()]

  const unknownTool = (name: string): RequestRefused => {
    const suggestion = nearest(name, names)
    return new RequestRefused({
      status: 404,
      type: "UnknownTool",
      error: "There is no tool with this name.",
      detail:
        suggestion === undefined
          ? "GET /rest/v1/tools lists all tools."
          : `Did you mean ${suggestion}? Names are case-sensitive.`
    })
  }

  const call = (name: string, raw: RawArguments, mode?: CallMode): Effect.Effect<unknown, CallError, R | Caller> => {
    const tool = tools.get(name)
    if (tool === undefined) return Effect.fail(unknownTool(name))
    return spanned(`tool ${name}`)(observed(tool, raw, mode))
  }

  return { groups, entries, get: (name) => Option.fromNullable(tools.get(name)), unknownTool, call }
}

type Outcome = "Success" | "Defect" | "Interrupted" | CallError["_tag"]

/** The stable code of a failure. */
const reasonOf = (failure: CallError): string | undefined =>
  failure._tag === "RequestRefused" ? failure.type : failure._tag === "ToolDefect" ? undefined : failure.reason

/** Counts answers with a `reason` that the tool does not list. The test suite fails if there is one. */
const unlistedReasons = Metric.counter("gateway_unlisted_reasons_total", {
  description: "Tool errors with a reason that the catalog does not list for the tool.",
  incremental: true
})

/** Fails, and counts a reason that the tool does not list. */
const failWith = (tool: Tool<unknown>, failure: CallError): Effect.Effect<never, CallError> => {
  if (failure._tag === "RequestRefused" || failure._tag === "ToolDefect" || lists(tool, failure)) {
    return Effect.fail(failure)
  }
  const counter = unlistedReasons.pipe(
    Metric.tagged("tool", tool.name),
    Metric.tagged("type", failure._tag),
    Metric.tagged("reason", failure.reason)
  )
  return Effect.zipRight(Metric.increment(counter), Effect.fail(failure))
}

/** The call with its defects caught, its outcome reported to the observer and the span. */
const observed = <R>(
  tool: Tool<R>,
  raw: RawArguments,
  mode: CallMode | undefined
): Effect.Effect<unknown, CallError, R | Caller> =>
  Effect.withFiberRuntime((fiber) =>
    Effect.flatMap(Caller, ({ accountId, requestId, tokenId }) => {
      const observer = Context.get(fiber.currentContext, CallObserver)
      const audit =
        tool.kind === "read" || mode?.changesNothing === true ? undefined : Context.get(fiber.currentContext, AuditLog)
      const clock = Context.get(fiber.currentDefaultServices, Clock.Clock)
      const started = clock.unsafeCurrentTimeNanos()
      let changes: ReadonlyArray<SettingChange> = []
      const plain = tool.call(raw, mode)
      const call =
        audit === undefined || !tool.changesSettings
          ? plain
          : Effect.provideService(plain, SettingChanges, {
              // The last note counts, because a transaction that lost a race runs again.
              note: (noted) => {
                changes = noted
              }
            })

      return Effect.flatMap(Effect.exit(call), (exit): Effect.Effect<unknown, CallError> => {
        const ended = clock.unsafeCurrentTimeNanos()
        const finish = (outcome: Outcome, reason?: string): void => {
          observer.called(tool.name, outcome, Number(ended - started) / 1e9)
          audit?.record({
            at: clock.unsafeCurrentTimeMillis(),
            accountId,
            tokenId,
            requestId,
            tool: tool.name,
            // Unknown parameter names are left out, because they are the caller's own words.
            argumentNames: Object.keys(tool.parameters).filter((name) => raw.has(name)),
            outcome,
            reason,
            milliseconds: Math.round(Number(ended - started) / 1e6),
            changes: outcome === "Success" ? changes : []
          })
          const span = fiber.currentSpan
          if (span === undefined || span._tag !== "Span") return
          span.attribute("tool.name", tool.name)
          span.attribute("tool.outcome", outcome)
          span.attribute("account.id", accountId)
          span.attribute("request.id", requestId)
        }
        if (exit._tag === "Success") {
          finish("Success")
          return exit
        }
        const failure = Cause.failureOption(exit.cause)
        if (Option.isSome(failure)) {
          finish(failure.value._tag, reasonOf(failure.value))
          // A mode has reasons in addition to the tool's own.
          return mode === undefined ? failWith(tool, failure.value) : Effect.fail(failure.value)
        }
        if (Cause.isInterruptedOnly(exit.cause)) {
          finish("Interrupted")
          return Effect.failCause(exit.cause)
        }
        finish("Defect")
        return Effect.zipRight(
          Effect.annotateLogs(Effect.logError(`${tool.name} died`), "cause", describeCause(exit.cause)),
          Effect.fail(new ToolDefect({ tool: tool.name }))
        )
      })
    })
  )
