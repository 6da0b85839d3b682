import { Context, type Effect } from "effect"
import { provideQuickly } from "./Calls/ContextWith.ts"

/** Marks a call that runs in one transaction, so its reads must see the uncommitted changes. */
class OwnChanges extends Context.Tag("OwnChanges")<OwnChanges, true>() {}

/**
 * Runs all reads of the effect in its transaction, including reads that usually use other sessions. Needed if one
 * transaction replaces several, because later reads must see earlier changes.
 */
export const readingOwnChanges = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, Exclude<R, OwnChanges>> => provideQuickly(effect, OwnChanges, true)

export const readsOwnChanges = (context: Context.Context<never>): boolean => context.unsafeMap.has(OwnChanges.key)
