import { Context, type Effect } from "effect"
import { provideQuickly } from "./ContextWith.ts"

/** Marks a call that runs in one transaction and must read its own uncommitted changes. */
class OwnChanges extends Context.Tag("OwnChanges")<OwnChanges, true>() {}

/**
 * Makes all reads of the effect part of its transaction, also those that are usually made on other sessions. Needed where
 * one transaction takes the place of several: each read saw what was committed before.
 */
export const readingOwnChanges = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, Exclude<R, OwnChanges>> => provideQuickly(effect, OwnChanges, true)

export const readsOwnChanges = (context: Context.Context<never>): boolean => context.unsafeMap.has(OwnChanges.key)
