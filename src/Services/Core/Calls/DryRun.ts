import { Context, Effect, Option } from "effect"

/** The kinds of effects outside the gateway, as the header `Dry-Run-Effects` names them. */
export type OutsideEffect =
  | "background_job"
  | "calendar"
  | "chatapp_message"
  | "crm"
  | "email"
  | "scheduler"
  | "voice_call"
  | "webhook"

/** Present in the context of a call whose changes will be rolled back. */
export class DryRun extends Context.Tag("DryRun")<
  DryRun,
  {
    /** Records an effect that did not happen because of the dry run. */
    readonly record: (effect: OutsideEffect, count: number) => void
    /** Records that the call cannot continue without the service's answer. */
    readonly stop: (service: string) => void
  }
>() {}

const dryRunIn = (context: Context.Context<never>): DryRun["Type"] | undefined =>
  Option.getOrUndefined(Context.getOption(context, DryRun))

/** Whether changes in this context will be rolled back. */
export const isDryRun = (context: Context.Context<never>): boolean => context.unsafeMap.has(DryRun.key)

/** In a dry run, records an effect that would happen outside the gateway after the commit. */
export const recordEffect = (effect: OutsideEffect, count = 1): Effect.Effect<void> =>
  Effect.withFiberRuntime((fiber) => {
    dryRunIn(fiber.currentContext)?.record(effect, count)
    return Effect.void
  })

/**
 * Ends a dry run before a request that may change something at an external service and whose answer the caller needs.
 */
export const stopDryRun = (service: string): Effect.Effect<void> =>
  Effect.withFiberRuntime((fiber) => {
    const dryRun = dryRunIn(fiber.currentContext)
    if (dryRun === undefined) return Effect.void
    dryRun.stop(service)
    return Effect.dieMessage(`A dry run may not change anything at ${service}.`)
  })

/** Makes a method of an external service end a dry run. */
export const stopsDryRun =
  <Args extends ReadonlyArray<unknown>, A, E, R>(service: string, method: (...args: Args) => Effect.Effect<A, E, R>) =>
  (...args: Args): Effect.Effect<A, E, R> =>
    Effect.zipRight(stopDryRun(service), method(...args))

/** Formats the effects as `email=1, webhook=3`, sorted by name. */
export const shownEffects = (effects: ReadonlyMap<OutsideEffect, number>): string =>
  [...effects]
    .filter(([, count]) => count > 0)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([effect, count]) => `${effect}=${count}`)
    .join(", ")
