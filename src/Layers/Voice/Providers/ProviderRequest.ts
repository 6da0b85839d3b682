import { Clock, Effect, Option, Schema } from "effect"
import { type Transient, transient } from "../../../Errors.ts"
import type { OutboundHttp, OutboundRequest, OutboundResponse } from "../../../Services/Outbound/OutboundHttp.ts"
import { tidyText } from "../../../Services/Text/PlainText.ts"
import { CallMaybePlaced, CallNotPlaced, type TranscriptTurn } from "../../../Services/Voice/Voice.ts"
import { readJson } from "../../Platform/AnswerPaths.ts"
import { retryAfterMillis } from "../../Platform/Outbound/RetryAfter.ts"

const service = "The voice provider"
const timeout = "20 seconds"
/** The transcript of a long call with its measurements. */
export const longestAnswer = 8 * 1024 * 1024
const defaultRetrySeconds = 30

/** The shape of an answer, whatever else it holds. */
type Shape<A, I> = Schema.Schema<A, I>

const decoded = <A, I>(shape: Shape<A, I>, body: Uint8Array): Option.Option<A> =>
  Option.flatMap(readJson(body), Schema.decodeUnknownOption(shape))

/** The provider's address is the operator's, so that it may be anywhere. */
const asProviders = (request: OutboundRequest): OutboundRequest => ({
  timeout,
  maxResponseBytes: longestAnswer,
  ...request,
  allowNonPublic: true
})

const retrySeconds = ({ headers }: OutboundResponse) =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const millis = retryAfterMillis(headers, now)
    return millis === undefined ? defaultRetrySeconds : Math.max(1, Math.ceil(millis / 1000))
  })

const isSuccess = (status: number): boolean => status >= 200 && status < 300

/** What a refusal of these statuses is called; it is for good, since the same order would be refused again. */
const refusals: { readonly [status: number]: string } = {
  401: "provider_unauthorized",
  402: "provider_payment_required",
  403: "provider_forbidden"
}

/**
 * Sends an order to make a call. Only what the provider itself refused, or what never left, is known not to be made: an
 * error on its side and a broken connection tell nothing.
 */
export const sendOrder = <A, I>(
  http: OutboundHttp["Type"],
  request: OutboundRequest,
  shape: Shape<A, I>
): Effect.Effect<A, CallNotPlaced | CallMaybePlaced> =>
  http.request(asProviders(request)).pipe(
    Effect.catchTags({
      Refused: ({ reason }) => new CallNotPlaced({ reason }),
      OutboundFailure: ({ mayHaveArrived, reason }) =>
        mayHaveArrived
          ? new CallMaybePlaced({ reason })
          : new CallNotPlaced({ reason: `provider_${reason}`, retryAfterSeconds: defaultRetrySeconds })
    }),
    Effect.flatMap((response): Effect.Effect<A, CallNotPlaced | CallMaybePlaced> => {
      const { body, status } = response
      if (isSuccess(status)) {
        return Option.match(decoded(shape, body), {
          onNone: () => new CallMaybePlaced({ reason: "unreadable_answer" }),
          onSome: Effect.succeed
        })
      }
      if (status === 429) {
        return Effect.flatMap(
          retrySeconds(response),
          (retryAfterSeconds) => new CallNotPlaced({ reason: "provider_rate_limited", retryAfterSeconds })
        )
      }
      if (status < 400 || status === 408 || status >= 500) return new CallMaybePlaced({ reason: `status_${status}` })
      return new CallNotPlaced({ reason: refusals[status] ?? "provider_refused" })
    })
  )

/** Reads from the provider; nothing where it does not know what is asked for. */
export const ask = <A, I>(
  http: OutboundHttp["Type"],
  request: OutboundRequest,
  shape: Shape<A, I>
): Effect.Effect<Option.Option<A>, Transient> =>
  http.request(asProviders(request)).pipe(
    Effect.catchTags({
      Refused: ({ reason }) => transient(`voice_provider_${reason}`, `${service} could not be asked.`, 60),
      OutboundFailure: ({ reason }) => transient(`voice_provider_${reason}`, `${service} did not answer.`, 10)
    }),
    Effect.flatMap((response): Effect.Effect<Option.Option<A>, Transient> => {
      const { body, status } = response
      if (status === 404) return Effect.succeed(Option.none())
      if (isSuccess(status)) {
        return Option.match(decoded(shape, body), {
          onNone: () => transient("voice_provider_unreadable", `${service} answered what cannot be read.`, 60),
          onSome: (answer) => Effect.succeed(Option.some(answer))
        })
      }
      return Effect.flatMap(retrySeconds(response), (seconds) =>
        transient(`voice_provider_status_${status}`, `${service} answered with an error.`, seconds)
      )
    })
  )

const longestTurn = 5000
const maximumTurns = 1000

/** What was said as it is stored: bounded, and with nothing in it that hides. */
export const boundedTranscript = (turns: ReadonlyArray<TranscriptTurn>): ReadonlyArray<TranscriptTurn> =>
  turns
    .flatMap((turn): ReadonlyArray<TranscriptTurn> => {
      const text = boundedText(turn.text, longestTurn)
      return text === null ? [] : [{ ...turn, text }]
    })
    .slice(0, maximumTurns)

/** Null where nothing is left. */
export const boundedText = (text: string | null | undefined, length: number): string | null => {
  const tidy = tidyText(text ?? "").trim()
  return tidy === "" ? null : tidy.slice(0, length).toWellFormed()
}

/** A provider's word for a reason, as a code. */
export const reasonCode = (text: string | null | undefined): string | null => {
  const code = (text ?? "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 60)
  return code === "" ? null : code
}
