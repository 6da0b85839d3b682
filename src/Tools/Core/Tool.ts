import { type Context, Effect, Option, Schema } from "effect"
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
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import type { CallMode } from "../../Services/Core/Calls/CallMode.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { readingOwnChanges } from "../../Services/Core/OwnChanges.ts"
import { changesBetween, SettingChanges } from "../../Services/Core/SettingChanges.ts"
import type { RawArguments } from "./ArgumentCoercion.ts"
import type { Arguments, Fields, ParamSpec } from "./Param.ts"
import { noteWords, wordParameters } from "./PassedOnWords.ts"
import { withoutProvider } from "./ToolsByRules.ts"

/** `read` tools change nothing and have a GET route. `destructive` tools delete or end something. */
export type Kind = "read" | "write" | "destructive"

/**
 * An operation of the platform as a value, with everything that the catalog, the documents and the routes need. `R` is
 * the union of the services that its handler uses.
 */
export interface Tool<out R> {
  readonly name: string
  readonly kind: Kind
  readonly description: string
  readonly requiresPaidPlan: boolean
  readonly runsInBackground: boolean
  /** True if repeating the same call changes nothing more. */
  readonly idempotent: boolean
  /** True if the call, or its background job, reaches outside services. */
  readonly openWorld: boolean
  /** True if the tool reports its changes of settings, for the audit log. */
  readonly changesSettings: boolean
  /** True if the answer contains the secret of a new token or webhook. */
  readonly answersSecret: boolean
  readonly parameters: { readonly [name: string]: ParamSpec }
  readonly returns: Schema.Schema.AnyNoContext
  readonly errors: ReadonlyArray<ToolErrorTag>
  /** All reasons of a call's errors, including those of parameters, plan and database. */
  readonly reasons: ErrorReasons
  /** Arguments that work on the sample account. */
  readonly example: { readonly [name: string]: string | number | boolean | undefined }
  /** Plan check, decoding, the unit of work and the handler. Only writes have a mode. */
  readonly call: (raw: RawArguments, mode?: CallMode) => Effect.Effect<unknown, ToolError | RequestRefused, R>
}

/** Tools that the catalog lists together. */
export interface Group<out R> {
  readonly name: string
  readonly description: string
  readonly tools: ReadonlyArray<Tool<R>>
  /** The kinds of background jobs that its tools start. */
  readonly jobs: ReadonlyArray<string>
}

/**
 * The reasons of a handler's own errors. Every tool can fail with `Transient` or `Permanent`, and the plan is checked
 * earlier.
 */
type DeclaredReasons = Omit<ErrorReasons, "PlanRequired">
type ErrorsOf<D extends DeclaredReasons> = Extract<ToolError, { readonly _tag: keyof D | "Transient" | "Permanent" }>

/** A read changes nothing, so it need not declare whether it can be repeated. */
type Repetition =
  | {
      readonly kind: "read"
      readonly idempotent?: never
      /** For large reads that may be some seconds out of date. They use a replica if there is one. */
      readonly replicaAllowed?: true
    }
  | { readonly kind: "write" | "destructive"; readonly idempotent: boolean; readonly replicaAllowed?: never }

interface Described<P extends Fields, A, I, D extends DeclaredReasons, R, R2> {
  readonly description: string
  /** Only effects of this call or its job count. Later effects of prospecting do not. */
  readonly openWorld: boolean
  readonly parameters: P
  /** Answers are plain JSON, so the schema may refine and describe, but not transform. */
  readonly returns: Schema.Schema<A, I>
  /** The reasons of the handler's own errors. Those of parameters, plan and database are added automatically. */
  readonly errors?: D
  readonly requiresPaidPlan?: boolean
  readonly runsInBackground?: boolean
  /**
   * A write runs in one transaction by default. `unneeded`: a single statement, which is atomic without one, or others that may be
   * committed one by one. An idempotency key and a dry run still put them into one transaction. `several`: it calls external
   * services, or services with their own transactions. Ignored for reads.
   */
  readonly transaction?: "unneeded" | "several"
  /** Reads the settings that a write changes. They are read before and after it, for the audit log. */
  readonly settings?: (args: Arguments<P>) => Effect.Effect<object, ToolError, R2>
  /**
   * The answer contains a secret of a new token or webhook, so an idempotency key only repeats it for the same token.
   */
  readonly answersSecret?: true
  /** False if reasons, notes and the like are not words of the owner or a member, or must not be stored. */
  readonly passesOnWords?: false
  readonly example: { readonly [K in keyof P]?: string | number | boolean }
  readonly run: (args: Arguments<P>) => Effect.Effect<NoInfer<A>, ErrorsOf<D>, R>
}

export type Definition<P extends Fields, A, I, D extends DeclaredReasons, R, R2 = never> = Described<
  P,
  A,
  I,
  D,
  R,
  R2
> &
  Repetition

const acceptedNames = (parameters: Fields): string => {
  const names = Object.keys(parameters)
  return names.length === 0 ? "The tool takes no parameters." : `Accepted parameters: ${names.join(", ")}.`
}

const quoted = (name: string): string => JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name)

/** Returns all arguments, converted and checked, or the first problem. */
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
          // A refusal of the tool (422) is only reported if all values could be converted.
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

/** The errors that any tool of this kind can have. Only a commit can leave its outcome unknown. */
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

/** True if the tool lists this failure's reason. */
export const lists = ({ reasons }: Pick<Tool<unknown>, "reasons">, { _tag, reason }: ToolError): boolean =>
  reasons[_tag]?.includes(reason) === true

const mayBeDone = (failure: ToolError): failure is Transient =>
  failure._tag === "Transient" && failure.reason === outcomeUnknownReason

/**
 * Reports which settings the work changed. Settings that cannot be read, such as those of a missing record, are left
 * out.
 */
const notingChanges = <A, E, R, R2>(
  settings: Effect.Effect<object, ToolError, R2>,
  work: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R | R2> =>
  Effect.gen(function* () {
    const current = Effect.option(readingOwnChanges(settings))
    const before = yield* current
    const answer = yield* work
    const after = yield* current
    const { note } = yield* SettingChanges
    if (Option.isSome(before) && Option.isSome(after)) note(changesBetween(before.value, after.value))
    return answer
  })

/** Makes a tool from its definition. The handler gets decoded arguments and may only fail with declared errors. */
export const make = <
  const P extends Fields,
  A,
  I,
  const D extends DeclaredReasons = Record<never, never>,
  R = never,
  R2 = never
>(
  name: string,
  definition: Definition<P, A, I, D, R, R2>
): Tool<R | R2 | Caller | UnitOfWork> => {
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
  const answersSecret = definition.answersSecret === true

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

  const { settings } = definition
  const runWatched =
    settings === undefined
      ? runNoted
      : (args: Arguments<P>, isInTransaction: boolean): Effect.Effect<A, ErrorsOf<D> | Transient, R | R2 | Caller> =>
          notingChanges(settings(args), runNoted(args, isInTransaction))

  const runOnce = (args: Arguments<P>): Effect.Effect<A, ErrorsOf<D> | ToolError, R | R2 | Caller | UnitOfWork> =>
    access === "own"
      ? runWatched(args, false)
      : Effect.flatMap(
          UnitOfWork,
          (unit): Effect.Effect<A, ToolError, R | R2 | Caller> => unit[access](runWatched(args, true))
        )

  // If the call may have been executed, its error must not suggest a repeated call.
  const runDecoded =
    definition.idempotent === false
      ? (args: Arguments<P>) =>
          Effect.mapError(runOnce(args), (failure) => (mayBeDone(failure) ? notRepeatable(failure) : failure))
      : runOnce

  /** In one transaction, it is certain whether the work was done, so the caller may repeat the call. */
  const runInMode = (args: Arguments<P>, mode: CallMode) =>
    mode.run(
      { tool: name, args, isOneTransaction, reachesOutside: definition.openWorld, answersSecret },
      isOneTransaction ? runWatched(args, true) : (runDecoded(args) satisfies Effect.Effect<A, ToolError, unknown>)
    )

  const call = (
    raw: RawArguments,
    mode: CallMode | undefined
  ): Effect.Effect<unknown, ToolError | RequestRefused, R | R2 | Caller | UnitOfWork> => {
    const decoded = decode(raw)
    if (decoded instanceof RequestRefused || decoded instanceof Refused) return Effect.fail(decoded)
    // A cast that the compiler cannot check: `decode` checked these same parameters.
    const args = decoded as Arguments<P>
    return mode === undefined || kind === "read" ? runDecoded(args) : runInMode(args, mode)
  }

  return {
    name,
    kind,
    description: [definition.description, withoutProvider(name)].filter((text) => text !== "").join(" "),
    requiresPaidPlan,
    runsInBackground: definition.runsInBackground ?? false,
    idempotent,
    openWorld: definition.openWorld,
    changesSettings: settings !== undefined,
    answersSecret,
    parameters,
    returns: definition.returns,
    // Any tool may answer a defect with Permanent.
    errors: toolErrorTags.filter((tag) => tag === "Permanent" || reasons[tag] !== undefined),
    reasons,
    example: definition.example,
    call: requiresPaidPlan
      ? (raw, mode) =>
          Effect.flatMap(
            Caller,
            (
              caller
            ): Effect.Effect<unknown, ToolError | RequestRefused | PlanRequired, R | R2 | Caller | UnitOfWork> =>
              caller.plan === "paid" ? call(raw, mode) : Effect.fail(planRequired(name))
          )
      : (raw, mode) => call(raw, mode)
  }
}

/** The handler of a tool that passes its arguments to one method of a service. */
export const via =
  <Id, Service, Args, A, E, R>(
    service: Context.Tag<Id, Service>,
    use: (service: Service, args: Args) => Effect.Effect<A, E, R>
  ) =>
  (args: Args): Effect.Effect<A, E, R | Id> =>
    Effect.flatMap(service, (instance) => use(instance, args))

interface PageArguments {
  readonly page: number
  readonly page_size: number
}

/** A page, in the form that services accept. */
export interface Page {
  readonly page: number
  readonly pageSize: number
}

/** The answer of a paged list: its named rows, the page and the total number of rows. */
export const page = <Rows extends Schema.Struct.Fields>(rows: Rows, totalDescription?: string) =>
  Schema.Struct({
    ...rows,
    page: Schema.Int,
    page_size: Schema.Int,
    total: totalDescription === undefined ? Schema.Int : Schema.Int.annotations({ description: totalDescription })
  })

/** The handler of a paged list: like `via`, with the requested page in the answer. */
export const pageVia =
  <Id, Service, Args extends PageArguments, A extends { readonly total: number }, E, R>(
    service: Context.Tag<Id, Service>,
    use: (service: Service, page: Page, args: Args) => Effect.Effect<A, E, R>
  ) =>
  (args: Args): Effect.Effect<Omit<A, "total"> & PageArguments & { readonly total: number }, E, R | Id> => {
    const { page, page_size } = args
    return Effect.map(
      Effect.flatMap(service, (instance) => use(instance, { page, pageSize: page_size }, args)),
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
