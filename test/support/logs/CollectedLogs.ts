import { Cause, Effect, Inspectable, Logger, LogLevel } from "effect"

/** Collects everything that is logged at any level while an effect runs in `collecting`, with annotations and cause. */
export const collectLogs = Effect.sync(() => {
  const lines: Array<string> = []
  const logger = Logger.make(({ annotations, cause, message }) => {
    lines.push(Inspectable.toStringUnknown([message, [...annotations], Cause.pretty(cause)], 0))
  })
  const collecting = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    effect.pipe(Logger.withMinimumLogLevel(LogLevel.All), Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
  return { lines, collecting }
})
