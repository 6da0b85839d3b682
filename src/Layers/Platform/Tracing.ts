import { OtlpSerialization, OtlpTracer } from "@effect/opentelemetry"
import { FetchHttpClient } from "@effect/platform"
import { Cause, Effect, Exit, Layer, Option, Tracer } from "effect"
import { describeCause } from "../../Services/Core/SafeCause.ts"
import { serverVersion } from "../../Services/Core/ServerVersion.ts"
import { Settings, type SettingsShape } from "./Settings.ts"

/** A failure as a span may show it: error types and codes, never a message that could quote a prospect. */
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
    // Called for every step of a fiber.
    context: tracer.context.bind(tracer)
  })

/** Whether the next piece of work is traced: a share of it is, if spans go anywhere. */
export const makeIsSampled = ({ otlpEndpoint, traceSampleRatio }: SettingsShape): (() => boolean) => {
  const ratio = Option.isSome(otlpEndpoint) ? traceSampleRatio : 0
  return () => ratio > 0 && Math.random() < ratio
}

/** Spans go to the OTLP collector of the settings; without one, nothing is traced. */
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
