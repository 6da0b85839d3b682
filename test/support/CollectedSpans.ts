import { Effect, Tracer } from "effect"

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
