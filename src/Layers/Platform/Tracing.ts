import { OtlpSerialization, OtlpTracer } from "@effect/opentelemetry"
import { FetchHttpClient } from "@effect/platform"
import { Cause, Effect, Exit, Layer, Option, Tracer } from "effect"
import { serverVersion } from "../../Services/Core/Outside/ServerVersion.ts"
import { describeCause } from "../../Services/Core/SafeCause.ts"
import { Settings, type SettingsShape } from "./Settings.ts"

/**
 * Returns the failure in the form that a span may show: error types and codes, never a message that could quote a
 * prospect.
 */
const withoutMessages = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> => {
  if (Exit.isSuccess(exit) || Cause.isInterruptedOnly(exit.cause)) return exit
  const error = new Error(describeCause(exit.cause).split("\n", 1)[0])
  error.stack = ""
  return Exit.fail(error)
}

const redacting = (tracer: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    span: (...args) => {
      const span = tracer.span(...args)
      const end = span.end.bind(span)
      span.end = (endTime, exit) => end(endTime, withoutMessages(exit))
      return span
    },
    // This function is called for every step of a fiber, so it adds no work.
    context: tracer.context.bind(tracer)
  })

/**
 * Returns a function that decides whether the next piece of work is traced. If spans are exported, a share of the work
 * is.
 */
export const makeIsSampled = ({ otlpEndpoint, traceSampleRatio }: SettingsShape): (() => boolean) => {
  const ratio = Option.isSome(otlpEndpoint) ? traceSampleRatio : 0
  return () => ratio > 0 && Math.random() < ratio
}

/** Exports spans to the OTLP collector in the settings. Without one, nothing is traced. */
export const TracingLive = Layer.unwrapEffect(
  Effect.map(Settings, ({ otlpEndpoint }) =>
    Option.match(otlpEndpoint, {
      onNone: () => Layer.setTracerEnabled(false),
      onSome: (endpoint) =>
        Layer.unwrapScoped(
          Effect.map(
            OtlpTracer.make({
              url: `${endpoint}/v1/traces`,
              resource: { serviceName: "prospecting-gateway", serviceVersion: serverVersion }
            }),
            (tracer) => Layer.setTracer(redacting(tracer))
          )
        ).pipe(Layer.provide(FetchHttpClient.layer), Layer.provide(OtlpSerialization.layerJson))
    })
  )
)
