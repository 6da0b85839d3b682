import { type Context, Effect, Schema } from "effect"
import {
  badRequest,
  commonReasons,
  confirmationRequiredReason,
  type ErrorReasons,
  notRepeatable,
  outcomeUnknownReason,
  type PlanRequired,
  paidPlanRequiredReason,
  planRequired,
  Refused,
  RequestRefused,
  type ToolError,
  type ToolErrorTag,
  type Transient,
  toolErrorTags
} from "../../Errors.ts"
import { Caller } from "../../Services/Core/Caller.ts"
import type { CallMode } from "../../Services/Core/CallMode.ts"
import { UnitOfWork } from "../../Services/Core/UnitOfWork.ts"
import type { RawArguments } from "./ArgumentCoercion.ts"
import type { Arguments, Fields, ParamSpec } from "./Param.ts"
import { noteWords, wordParameters } from "./PassedOnWords.ts"

/** `read` tools change nothing and have the GET route; `destructive` ones take something away. */
export type Kind = "read" | "write" | "destructive"

/**
 * One operation of the platform, as a value: everything the catalog, the documents and the routes need to know of it.
 * `R` is the union of the services its handler uses.
 */
export interface Tool<out R> {
  readonly name: string
  readonly kind: Kind
  readonly description: string
  readonly requiresPaidPlan: boolean
  readonly runsInBackground: boolean
  /** Whether the same call once more changes nothing further. */
  readonly idempotent: boolean
  /** Whether the call, or the background job that it starts, reaches services outside the gateway. */
  readonly openWorld: boolean
  readonly parameters: { readonly [name: string]: ParamSpec }
  readonly returns: Schema.Schema.AnyNoContext
  readonly errors: ReadonlyArray<ToolErrorTag>
  /** Every `reason` that a call can be answered with, those of parameters, plan and database included. */
  readonly reasons: ErrorReasons
  /** Arguments of a call that works on the sample account. */
  readonly example: { readonly [name: string]: string | number | boolean | undefined }
  /** Plan check, decoding, the unit of work and the handler. Only writes have a mode. */
  readonly call: (raw: RawArguments, mode?: CallMode) => Effect.Effect<unknown, ToolError | RequestRefused, R>
}

/** Tools that belong together, as the catalog lists them. */
export interface Group<out R> {
  readonly name: string
  readonly description: string
  readonly tools: ReadonlyArray<Tool<R>>
  /** Kinds of background jobs that its tools start. */
  readonly jobs: ReadonlyArray<string>
}

/** The `reason`s of a handler's own errors. Any tool can fail with `Transient` or `Permanent`; the plan is checked before. */
type DeclaredReasons = Omit<ErrorReasons, "PlanRequired">
type ErrorsOf<D extends DeclaredReasons> = Extract<ToolError, { readonly _tag: keyof D | "Transient" | "Permanent" }>

/** A read changes nothing, so it need not say what a second call changes. */
type Repetition =
  | {
      readonly kind: "read"
      readonly idempotent?: never
      /** For what reads much and may be some seconds old: where there is a replica, it is asked. */
      readonly replicaAllowed?: true
    }
  | { readonly kind: "write" | "destructive"; readonly idempotent: boolean; readonly replicaAllowed?: never }

interface Described<P extends Fields, A, I, D extends DeclaredReasons, R> {
  readonly description: string
  /** Not what prospecting does later by its own plan: only what this call, or the job it starts, does itself. */
  readonly openWorld: boolean
  readonly parameters: P
  /** Answers are plain JSON: the schema may refine and describe, but not transform. */
  readonly returns: Schema.Schema<A, I>
  /** The `reason`s of the handler's own errors: those of parameters, plan and database follow from the rest. */
  readonly errors?: D
  readonly requiresPaidPlan?: boolean
  readonly runsInBackground?: boolean
  /**
   * A write runs in one transaction by default. `unneeded`: a single statement, atomic without a transaction's round trips.
   * `several`: it calls outside services, and the services it uses have their own transactions. Means nothing for a read.
   */
  readonly transaction?: "unneeded" | "several"
  /** Off where reasons, notes and the like are no words of the owner or a member, or must not be stored. */
  readonly passesOnWords?: false
  readonly example: { readonly [K in keyof P]?: string | number | boolean }
  readonly run: (args: Arguments<P>) => Effect.Effect<NoInfer<A>, ErrorsOf<D>, R>
}

export type Definition<P extends Fields, A, I, D extends DeclaredReasons, R> = Described<P, A, I, D, R> & Repetition

const acceptedNames = (parameters: Fields): string => {
  const names = Object.keys(parameters)
  return names.length === 0 ? "The tool takes no parameters." : `Accepted parameters: ${names.join(", ")}.`
}

const quoted = (name: string): string => JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name)

/** All arguments converted and checked, or the first thing wrong with them. */
const decodeArguments = (parameters: Fields) => {
  const entries = Object.entries(parameters)
  return (raw: RawArguments): { readonly [name: string]: unknown } | RequestRefused | Refused => {
    for (const name of raw.keys()) {
      if (!Object.hasOwn(parameters, name)) {
        return badRequest("UnknownParameter", `There is no parameter ${quoted(name)}.`, acceptedNames(parameters))
      }
    }
    const args: { [name: string]: unknown } = {}
    let refusal: Refused | undefined
    for (const [name, param] of entries) {
      const value = raw.get(name)
      if (value === undefined) {
        if (param.absent === undefined) {
          return badRequest("MissingParameter", `The parameter ${name} is required.`, acceptedNames(parameters))
        }
        args[name] = param.absent.value
        continue
      }
      const decoded = param.decode(value)
      switch (decoded._tag) {
        case "Accepted":
          args[name] = decoded.value
          break
        case "Mismatch":
          return badRequest("ParameterTypeMismatch", `${name} must be ${decoded.expected}.`, decoded.detail)
        case "Unacceptable":
          // Only when every value converts has the request reached the tool, which then refuses.
          refusal ??= new Refused({
            error: decoded.error(name),
            reason: decoded.reason,
            detail: decoded.detail,
            fields: {
              parameter: name,
              ...(decoded.acceptedValues === undefined ? {} : { accepted_values: decoded.acceptedValues })
            }
          })
      }
    }
    return refusal ?? args
  }
}

/** What any tool of this kind can answer. Only a commit can leave its outcome unknown. */
const reasonsOfKind = (kind: Kind, idempotent: boolean): ErrorReasons => {
  const { Transient } = commonReasons
  if (kind === "read") return { Transient }
  const ofConfirmation = kind === "destructive" ? { Refused: [confirmationRequiredReason] } : {}
  return idempotent
    ? { ...ofConfirmation, Transient: [...Transient, outcomeUnknownReason] }
    : { ...ofConfirmation, Transient, Permanent: [outcomeUnknownReason] }
}

const reasonsOf = (
  parameters: Fields,
  declared: ErrorReasons,
  ofKind: ErrorReasons,
  requiresPaidPlan: boolean
): ErrorReasons => {
  const ofParameters = { Refused: Object.values(parameters).flatMap(({ refusals }) => refusals) }
  const ofPlan = { PlanRequired: requiresPaidPlan ? [paidPlanRequiredReason] : [] }
  const sources: ReadonlyArray<ErrorReasons> = [declared, ofParameters, ofPlan, ofKind]
  const joined = (tag: ToolErrorTag) => [...new Set(sources.flatMap((source) => source[tag] ?? []))].sort()
  return Object.fromEntries(
    toolErrorTags.map((tag) => [tag, joined(tag)] as const).filter(([, list]) => list.length > 0)
  )
}

/** Whether `failure` is one that the tool lists. */
export const lists = ({ reasons }: Pick<Tool<unknown>, "reasons">, { _tag, reason }: ToolError): boolean =>
  reasons[_tag]?.includes(reason) === true

const mayBeDone = (failure: ToolError): failure is Transient =>
  failure._tag === "Transient" && failure.reason === outcomeUnknownReason

/** Makes a tool of its definition. The handler sees decoded arguments and fails with nothing but declared errors. */
export const make = <const P extends Fields, A, I, const D extends DeclaredReasons = Record<never, never>, R = never>(
  name: string,
  definition: Definition<P, A, I, D, R>
): Tool<R | Caller | UnitOfWork> => {
  const { kind, parameters, requiresPaidPlan = false, run } = definition
  const idempotent = definition.idempotent ?? true
  const reasons = reasonsOf(parameters, definition.errors ?? {}, reasonsOfKind(kind, idempotent), requiresPaidPlan)
  const decode = decodeArguments(parameters)
  const access =
    kind === "read"
      ? definition.replicaAllowed === true
        ? "readLagging"
        : "read"
      : definition.transaction === undefined
        ? "write"
        : "own"
  const isOneTransaction = definition.transaction !== "several"

  const words = kind === "read" || definition.passesOnWords === false ? [] : wordParameters(parameters)
  const noteAfter = (args: Arguments<P>, isInTransaction: boolean) =>
    isInTransaction
      ? noteWords(words, args)
      : // The call is done: a failure here must not have it repeated.
        Effect.catchAll(noteWords(words, args), () => Effect.logWarning(`words of ${name} were not stored`))
  const runNoted = (
    args: Arguments<P>,
    isInTransaction: boolean
  ): Effect.Effect<A, ErrorsOf<D> | Transient, R | Caller> =>
    words.length === 0 ? run(args) : Effect.tap(run(args), () => noteAfter(args, isInTransaction))

  const runOnce = (args: Arguments<P>): Effect.Effect<A, ErrorsOf<D> | ToolError, R | Caller | UnitOfWork> =>
    access === "own"
      ? runNoted(args, false)
      : Effect.flatMap(
          UnitOfWork,
          (unit): Effect.Effect<A, ToolError, R | Caller> => unit[access](runNoted(args, true))
        )

  // Whoever is told to repeat what may have been done would have it done twice.
  const runDecoded =
    definition.idempotent === false
      ? (args: Arguments<P>) =>
          Effect.mapError(runOnce(args), (failure) => (mayBeDone(failure) ? notRepeatable(failure) : failure))
      : runOnce

  /** In one transaction the mode knows what was done, so the caller may repeat the call. */
  const runInMode = (args: Arguments<P>, mode: CallMode) =>
    mode.run(
      { tool: name, args, isOneTransaction },
      isOneTransaction ? runNoted(args, true) : (runDecoded(args) satisfies Effect.Effect<A, ToolError, unknown>)
    )

  const call = (
    raw: RawArguments,
    mode: CallMode | undefined
  ): Effect.Effect<unknown, ToolError | RequestRefused, R | Caller | UnitOfWork> => {
    const decoded = decode(raw)
    if (decoded instanceof RequestRefused || decoded instanceof Refused) return Effect.fail(decoded)
    // A cast that the compiler cannot check: `decode` checked these same parameters.
    const args = decoded as Arguments<P>
    return mode === undefined || kind === "read" ? runDecoded(args) : runInMode(args, mode)
  }

  return {
    name,
    kind,
    description: definition.description,
    requiresPaidPlan,
    runsInBackground: definition.runsInBackground ?? false,
    idempotent,
    openWorld: definition.openWorld,
    parameters,
    returns: definition.returns,
    // A defect is answered as Permanent, whatever the tool.
    errors: toolErrorTags.filter((tag) => tag === "Permanent" || reasons[tag] !== undefined),
    reasons,
    example: definition.example,
    call: requiresPaidPlan
      ? (raw, mode) =>
          Effect.flatMap(
            Caller,
            (caller): Effect.Effect<unknown, ToolError | RequestRefused | PlanRequired, R | Caller | UnitOfWork> =>
              caller.plan === "paid" ? call(raw, mode) : Effect.fail(planRequired(name))
          )
      : (raw, mode) => call(raw, mode)
  }
}

/** The handler of a tool that only hands its arguments on to one method of a service. */
export const via =
  <Id, Service, Args, A, E, R>(
    service: Context.Tag<Id, Service>,
    use: (service: Service, args: Args) => Effect.Effect<A, E, R>
  ) =>
  (args: Args): Effect.Effect<A, E, R | Id> =>
    Effect.flatMap(service, (found) => use(found, args))

interface PageArguments {
  readonly page: number
  readonly page_size: number
}

/** A page as services take it. */
export interface Page {
  readonly page: number
  readonly pageSize: number
}

/** The answer of a paged list: its rows under a name that says what they are, then which page of how many rows. */
export const page = <Rows extends Schema.Struct.Fields>(rows: Rows, totalDescription?: string) =>
  Schema.Struct({
    ...rows,
    page: Schema.Int,
    page_size: Schema.Int,
    total: totalDescription === undefined ? Schema.Int : Schema.Int.annotations({ description: totalDescription })
  })

/** The handler of a paged list: as `via`, with the page that was asked for put into the answer. */
export const pageVia =
  <Id, Service, Args extends PageArguments, A extends { readonly total: number }, E, R>(
    service: Context.Tag<Id, Service>,
    use: (service: Service, page: Page, args: Args) => Effect.Effect<A, E, R>
  ) =>
  (args: Args): Effect.Effect<Omit<A, "total"> & PageArguments & { readonly total: number }, E, R | Id> => {
    const { page, page_size } = args
    return Effect.map(
      Effect.flatMap(service, (found) => use(found, { page, pageSize: page_size }, args)),
      ({ total, ...rows }) => ({ ...rows, page, page_size, total })
    )
  }

export type Requirements<T> = T extends Tool<infer R> ? R : never

export const group = <const T extends Tool<unknown>>(
  name: string,
  description: string,
  tools: ReadonlyArray<T>,
  jobs: ReadonlyArray<string> = []
): Group<Requirements<T>> => ({ name, description, tools: tools as ReadonlyArray<Tool<Requirements<T>>>, jobs })
