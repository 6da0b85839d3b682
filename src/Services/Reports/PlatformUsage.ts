import { Context, type Effect, Schema } from "effect"
import { type Refused, refused, type Transient } from "../../Errors.ts"
import { AccessTokenId } from "../Accounts/Ids.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import { fromMillis, Timestamp, toMillis } from "../Core/Timestamp.ts"

export const usageIntervals = ["hour", "day"] as const
export type UsageInterval = (typeof usageIntervals)[number]

const length: { readonly [I in UsageInterval]: number } = { hour: 3_600_000, day: 24 * 3_600_000 }

/** Without a start, the last 24 hours or 30 days. */
const usualIntervals: { readonly [I in UsageInterval]: number } = { hour: 24, day: 30 }

export const mostIntervals = 100

/** Whole hours or days of UTC. */
export interface UsageRange {
  readonly interval: UsageInterval
  readonly from: Timestamp
  /** The first instant after it. */
  readonly to: Timestamp
  readonly starts: ReadonlyArray<Timestamp>
}

/** The intervals that contain a range. */
export const usageRange = (
  interval: UsageInterval,
  since: Timestamp | undefined,
  until: Timestamp | undefined,
  now: Timestamp
): UsageRange | Refused => {
  const step = length[interval]
  const to = Math.ceil(toMillis(until ?? now) / step) * step
  const from = since === undefined ? to - usualIntervals[interval] * step : Math.floor(toMillis(since) / step) * step
  const count = (to - from) / step
  if (count < 1) {
    return refused("range_empty", "The range ends before it starts.", "Send a since that is before until.")
  }
  if (count > mostIntervals) {
    return refused(
      "range_too_long",
      `The range has more than ${mostIntervals} intervals.`,
      "Send a shorter range, or the interval day."
    )
  }
  return {
    interval,
    from: fromMillis(from),
    to: fromMillis(to),
    starts: Array.from({ length: count }, (_, index) => fromMillis(from + index * step))
  }
}

const callCounts = {
  calls: Schema.Int,
  failed_calls: Schema.Int,
  call_milliseconds: Schema.Int
}

export const UsageOfInterval = Schema.Struct({
  starts_at: Timestamp,
  ...callCounts,
  emails_sent: Schema.Int,
  emails_received: Schema.Int,
  chatapp_sent: Schema.Int,
  chatapp_received: Schema.Int,
  voice_calls: Schema.Int,
  voice_minutes: Schema.Number,
  model_input_tokens: Schema.NullOr(Schema.Int).annotations({
    description: "Null by hour: tokens of models are counted by day."
  }),
  model_output_tokens: Schema.NullOr(Schema.Int),
  stored_bytes: Schema.Int.annotations({
    description: "At the end of the interval, of the files that still exist."
  })
})
export type UsageOfInterval = typeof UsageOfInterval.Type

export const PlatformUsageView = Schema.Struct({
  interval: Schema.Literal(...usageIntervals),
  starts_at: Timestamp,
  ends_at: Timestamp.annotations({ description: "The first instant after the range." }),
  intervals: Schema.Array(UsageOfInterval),
  by_tool: Schema.Array(Schema.Struct({ tool: Schema.String, ...callCounts })),
  by_token: Schema.Array(
    Schema.Struct({
      token_id: Schema.NullOr(AccessTokenId).annotations({ description: "Null for calls without a token." }),
      label: Schema.NullOr(Schema.String),
      ...callCounts
    })
  ),
  by_channel: Schema.Array(
    Schema.Struct({
      channel: Schema.Literal("email", "chatapp", "voice"),
      sent: Schema.Int.annotations({ description: "Messages, or calls that were placed." }),
      received: Schema.Int,
      failed: Schema.Int,
      minutes: Schema.Number
    })
  ),
  by_model: Schema.Array(
    Schema.Struct({
      model: Schema.String,
      calls: Schema.Int,
      input_tokens: Schema.Int,
      output_tokens: Schema.Int,
      cost_usd: Schema.Number
    })
  )
})
export type PlatformUsageView = typeof PlatformUsageView.Type

/** Counts per interval from the tables of one room. */
export interface CountsOf {
  readonly calls: ReadonlyArray<Pick<UsageOfInterval, "starts_at" | "calls" | "failed_calls" | "call_milliseconds">>
  readonly emails: ReadonlyArray<Pick<UsageOfInterval, "starts_at" | "emails_sent" | "emails_received">>
  readonly chatapp: ReadonlyArray<Pick<UsageOfInterval, "starts_at" | "chatapp_sent" | "chatapp_received">>
  readonly voice: ReadonlyArray<{
    readonly starts_at: Timestamp
    readonly voice_calls: number
    readonly seconds: number
  }>
  readonly models: ReadonlyArray<{
    readonly starts_at: Timestamp
    readonly model_input_tokens: number
    readonly model_output_tokens: number
  }>
  readonly files: ReadonlyArray<{ readonly starts_at: Timestamp; readonly bytes: number }>
  /** Bytes of files from before the range. */
  readonly bytesBefore: number
}

export const minutesOf = (seconds: number): number => Math.round(seconds / 6) / 10

const byStart = <Row extends { readonly starts_at: Timestamp }>(rows: ReadonlyArray<Row>) =>
  new Map(rows.map((row) => [row.starts_at, row]))

/** One row for each interval of the range, with zeros where nothing happened. */
export const usageByInterval = ({ interval, starts }: UsageRange, counts: CountsOf): ReadonlyArray<UsageOfInterval> => {
  const calls = byStart(counts.calls)
  const emails = byStart(counts.emails)
  const chatapp = byStart(counts.chatapp)
  const voice = byStart(counts.voice)
  const models = byStart(counts.models)
  const files = byStart(counts.files)
  let storedBytes = counts.bytesBefore
  return starts.map((starts_at) => {
    storedBytes += files.get(starts_at)?.bytes ?? 0
    const spoken = voice.get(starts_at)
    const tokens = models.get(starts_at)
    return {
      calls: 0,
      failed_calls: 0,
      call_milliseconds: 0,
      emails_sent: 0,
      emails_received: 0,
      chatapp_sent: 0,
      chatapp_received: 0,
      ...calls.get(starts_at),
      ...emails.get(starts_at),
      ...chatapp.get(starts_at),
      starts_at,
      voice_calls: spoken?.voice_calls ?? 0,
      voice_minutes: minutesOf(spoken?.seconds ?? 0),
      model_input_tokens: interval === "hour" ? null : (tokens?.model_input_tokens ?? 0),
      model_output_tokens: interval === "hour" ? null : (tokens?.model_output_tokens ?? 0),
      stored_bytes: storedBytes
    }
  })
}

/** How much the account used, by time, tool, token, channel and model. */
export class PlatformUsage extends Context.Tag("PlatformUsage")<
  PlatformUsage,
  {
    /** `tool` and `token` filter the counts of calls. */
    readonly get: (
      range: UsageRange,
      filter: { readonly tool: string | undefined; readonly tokenId: AccessTokenId | undefined }
    ) => Effect.Effect<PlatformUsageView, Transient, Caller>
  }
>() {}
