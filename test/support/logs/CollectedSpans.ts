import { Cause, Effect, Exit, Inspectable, Tracer } from "effect"

/** The tracer in use, and the spans that begin while an effect runs in `collecting`. */
export const collectSpans = Effect.map(Effect.tracer, (native) => {
  const spans: Array<Tracer.Span> = []
  const collecting = Tracer.make({
    span: (...spanArguments) => {
      const span = native.span(...spanArguments)
      spans.push(span)
      return span
    },
    context: (run, fiber) => native.context(run, fiber)
  })
  return { spans, collecting }
})

const failureOf = ({ status }: Tracer.Span): string =>
  status._tag === "Ended" && Exit.isFailure(status.exit) ? Cause.pretty(status.exit.cause) : ""

/** The text of spans. Successful ones only have their attributes. */
export const textOfSpans = (spans: ReadonlyArray<Tracer.Span>): string =>
  spans.map((span) => Inspectable.toStringUnknown([span.name, [...span.attributes], failureOf(span)], 0)).join("\n")
