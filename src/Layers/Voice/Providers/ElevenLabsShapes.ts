import { Option, Schema } from "effect"
import { tidyText } from "../../../Services/Text/PlainText.ts"
import {
  type CallProgress,
  CallReference,
  type CallResult,
  type TranscriptTurn,
  unansweredCall
} from "../../../Services/Voice/Voice.ts"

const maybe = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullOr(schema))

export const OutboundCallAnswer = Schema.Struct({
  success: Schema.Boolean,
  message: maybe(Schema.String),
  conversation_id: maybe(Schema.String)
})

export const ConversationList = Schema.Struct({
  conversations: Schema.Array(Schema.Struct({ conversation_id: Schema.String }))
})

const Turn = Schema.Struct({
  role: Schema.String,
  message: maybe(Schema.String),
  time_in_call_secs: maybe(Schema.Number)
})

/** A conversation, as the API and the post-call webhook return it. */
export const Conversation = Schema.Struct({
  conversation_id: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(200)),
  status: Schema.String,
  user_id: maybe(Schema.String),
  transcript: maybe(Schema.Array(Turn)),
  metadata: maybe(
    Schema.Struct({
      call_duration_secs: maybe(Schema.Number),
      termination_reason: maybe(Schema.String),
      error: maybe(Schema.Struct({ reason: maybe(Schema.String) })),
      features_usage: maybe(
        Schema.Struct({ voicemail_detection: maybe(Schema.Struct({ used: maybe(Schema.Boolean) })) })
      )
    })
  ),
  analysis: maybe(Schema.Struct({ call_successful: maybe(Schema.String), transcript_summary: maybe(Schema.String) })),
  conversation_initiation_client_data: maybe(
    Schema.Struct({
      user_id: maybe(Schema.String),
      dynamic_variables: maybe(Schema.Struct({ client_reference: maybe(Schema.Unknown) }))
    })
  )
})
export type Conversation = typeof Conversation.Type

export const Webhook = Schema.Struct({ type: Schema.String, data: Schema.Unknown })

export const InitiationFailure = Schema.Struct({
  conversation_id: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(200)),
  failure_reason: maybe(Schema.String)
})

/** The gateway's reference, in any of the places where the provider returns it. */
export const referenceOf = (conversation: Conversation): CallReference | undefined => {
  const data = conversation.conversation_initiation_client_data
  const reference = data?.dynamic_variables?.client_reference ?? data?.user_id ?? conversation.user_id
  return Option.getOrUndefined(Schema.decodeUnknownOption(CallReference)(reference))
}

const longestSummary = 4000
const longestTurn = 5000
const maximumTurns = 1000

/** The trimmed text with a maximum length. Null if nothing remains. */
const boundedText = (text: string | null | undefined, length: number): string | null => {
  const tidy = tidyText(text ?? "").trim()
  return tidy === "" ? null : tidy.slice(0, length).toWellFormed()
}

/** Converts a provider's reason to a code. */
const reasonCode = (text: string | null | undefined): string | null => {
  const code = (text ?? "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 60)
  return code === "" ? null : code
}

const seconds = (value: number | null | undefined): number | null =>
  value === null || value === undefined || !Number.isFinite(value) || value < 0 ? null : Math.round(value)

/** The transcript for storage: limited in length, and without hidden characters. */
const turnsOf = ({ transcript }: Conversation): ReadonlyArray<TranscriptTurn> =>
  (transcript ?? [])
    .flatMap(({ message, role, time_in_call_secs }): ReadonlyArray<TranscriptTurn> => {
      const text = boundedText(message, longestTurn)
      return text === null
        ? []
        : [{ role: role === "agent" ? "agent" : "person", text, at_seconds: seconds(time_in_call_secs) }]
    })
    .slice(0, maximumTurns)

/** Silence is transcribed as dots. */
const isSpoken = ({ role, text }: TranscriptTurn): boolean => role === "person" && /[\p{L}\p{N}]/u.test(text)

/** The result of a call that never became a conversation, from the provider's reason. */
export const failureOf = (word: string | null | undefined): CallResult => {
  const code = reasonCode(word)
  if (code !== null && /(?:^|_)busy(?:_|$)/.test(code)) return unansweredCall("busy", null)
  if (code !== null && /no_?answer|not_answered|unanswered/.test(code)) return unansweredCall("no_answer", null)
  if (code !== null && /voicemail/.test(code)) return unansweredCall("no_answer", "answering_machine")
  return unansweredCall("failed", code === null || code === "unknown" ? "provider_failed" : code)
}

const successes: { readonly [word: string]: boolean } = { success: true, failure: false }

const resultOf = (conversation: Conversation): CallResult => {
  const transcript = turnsOf(conversation)
  const isMachine = conversation.metadata?.features_usage?.voicemail_detection?.used === true
  const isHeard = !isMachine && transcript.some(isSpoken)
  return {
    status: "completed",
    failureReason: isMachine ? "answering_machine" : null,
    // Without a spoken word it is unknown whether a person or a machine answered.
    wasPickedUp: isMachine ? false : isHeard ? true : null,
    goalAchieved: isMachine ? false : (successes[conversation.analysis?.call_successful ?? ""] ?? null),
    summary: boundedText(conversation.analysis?.transcript_summary, longestSummary),
    // The words of an answering machine are not the person's.
    transcript: isMachine ? transcript.filter(({ role }) => role === "agent") : transcript,
    durationSeconds: seconds(conversation.metadata?.call_duration_secs)
  }
}

/** Returns the result of a failed conversation, with its transcript up to the failure. */
const brokenOff = (conversation: Conversation): CallResult => {
  const { metadata } = conversation
  const failure = failureOf(metadata?.error?.reason ?? metadata?.termination_reason)
  const partialResult = resultOf(conversation)
  return partialResult.wasPickedUp === true
    ? { ...partialResult, status: "failed", failureReason: failure.failureReason ?? "provider_failed" }
    : failure
}

const ringLimitSeconds = 5 * 60

/** The state of a call, from the state of its conversation. `dialedSeconds` is the time since dialing. */
export const progressOf = (conversation: Conversation, dialedSeconds: number): CallProgress => {
  switch (conversation.status) {
    case "initiated":
      // The provider may never update an unanswered call. No phone rings longer than this.
      return dialedSeconds > ringLimitSeconds
        ? { _tag: "Ended", result: unansweredCall("no_answer", null) }
        : { _tag: "Dialing" }
    case "done":
      return { _tag: "Ended", result: resultOf(conversation) }
    case "failed":
      return { _tag: "Ended", result: brokenOff(conversation) }
    default:
      return { _tag: "InProgress" }
  }
}
