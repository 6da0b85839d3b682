import { Cause, Effect, Exit, Inspectable, Tracer } from "effect"

/** The tracer in use, and the spans that are begun while an effect has `collecting` in its place. */
export const collectSpans = Effect.map(Effect.tracer, (native) => {
  const spans: Array<Tracer.Span> = []
  const collecting = Tracer.make({
    span: (...given) => {
      const span = native.span(...given)
      spans.push(span)
      return span
    },
    context: (run, fiber) => native.context(run, fiber)
  })
  return { spans, collecting }
})

const failureOf = ({ status }: Tracer.Span): string =>
  status._tag === "Ended" && Exit.isFailure(status.exit) ? Cause.pretty(status.exit.cause) : ""

/** All that is told of spans, as one text: what went well has no more than its attributes. */
export const textOfSpans = (spans: ReadonlyArray<Tracer.Span>): string =>
  spans.map((span) => Inspectable.toStringUnknown([span.name, [...span.attributes], failureOf(span)], 0)).join("\n")
