import { Clock, Effect, Option, Schema } from "effect"
import { type Transient, transient } from "../../../Errors.ts"
import type { OutboundHttp, OutboundRequest, OutboundResponse } from "../../../Services/Outbound/OutboundHttp.ts"
import { tidyText } from "../../../Services/Text/PlainText.ts"
import { CallMaybePlaced, CallNotPlaced, type TranscriptTurn } from "../../../Services/Voice/Voice.ts"
import { readJson } from "../../Platform/AnswerPaths.ts"
import { retryAfterMillis } from "../../Platform/Outbound/RetryAfter.ts"

const service = "The voice provider"
const timeout = "20 seconds"
/** Enough for the transcript of a long call and its measurements. */
export const longestAnswer = 8 * 1024 * 1024
const defaultRetrySeconds = 30

/** The expected fields of an answer. Others are ignored. */
type Shape<A, I> = Schema.Schema<A, I>

const decoded = <A, I>(shape: Shape<A, I>, body: Uint8Array): Option.Option<A> =>
  Option.flatMap(readJson(body), Schema.decodeUnknownOption(shape))

/** The operator configured the provider's address, so it need not be public. */
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

/** Reasons for these statuses. They are permanent, because the same order would be refused again. */
const refusals: { readonly [status: number]: string } = {
  401: "provider_unauthorized",
  402: "provider_payment_required",
  403: "provider_forbidden"
}

/**
 * Orders a call. It was certainly not made only if the provider refused it or the request was never sent. After an
 * error on the provider's side or a broken connection, the outcome is unknown.
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

/** Reads from the provider; none if the provider does not know the resource. */
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

/** A transcript for storage: limited in length, and without hidden characters. */
export const boundedTranscript = (turns: ReadonlyArray<TranscriptTurn>): ReadonlyArray<TranscriptTurn> =>
  turns
    .flatMap((turn): ReadonlyArray<TranscriptTurn> => {
      const text = boundedText(turn.text, longestTurn)
      return text === null ? [] : [{ ...turn, text }]
    })
    .slice(0, maximumTurns)

/** Null if nothing is left. */
export const boundedText = (text: string | null | undefined, length: number): string | null => {
  const tidy = tidyText(text ?? "").trim()
  return tidy === "" ? null : tidy.slice(0, length).toWellFormed()
}

/** Converts a provider's reason to a code. */
export const reasonCode = (text: string | null | undefined): string | null => {
  const code = (text ?? "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 60)
  return code === "" ? null : code
}
