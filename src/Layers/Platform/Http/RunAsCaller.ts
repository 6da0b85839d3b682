import { type Effect, type Exit, Runtime, type Scheduler } from "effect"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { contextWith } from "../../../Services/Core/Calls/ContextWith.ts"

/**
 * Runs the effect for the caller, in the given runtime and on the given scheduler. Returns a function that interrupts
 * it.
 */
export const runAsCaller = <A, R>(
  effect: Effect.Effect<A, never, R | Caller>,
  caller: Caller["Type"],
  { context, fiberRefs, runtimeFlags }: Runtime.Runtime<R>,
  onExit: (exit: Exit.Exit<A>) => void,
  scheduler: Scheduler.Scheduler | undefined
): (() => void) => {
  const runtime = Runtime.make({ context: contextWith(context, Caller, caller), fiberRefs, runtimeFlags })
  const cancel = Runtime.runCallback(runtime)(effect, scheduler === undefined ? { onExit } : { onExit, scheduler })
  return () => cancel()
}
