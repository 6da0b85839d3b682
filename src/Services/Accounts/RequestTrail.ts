import { Context, type Effect, Schema } from "effect"
import { type NotFound, type Refused, refused, type Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import { AccessTokenId } from "./Ids.ts"

export const LoggedRequestView = Schema.Struct({
  at: Timestamp.annotations({ description: "When it was answered." }),
  request_id: Schema.String.annotations({ description: "The X-Request-Id of the answer." }),
  token_id: Schema.NullOr(AccessTokenId),
  route: Schema.String.annotations({ description: "The method and the route." }),
  tool: Schema.NullOr(Schema.String).annotations({ description: "Null where no tool was called." }),
  status: Schema.Int.annotations({
    description:
      "The answer's HTTP status. For agents, the status that /rest/v1 has for such an answer. 499: the caller closed the connection."
  }),
  reason: Schema.NullOr(Schema.String).annotations({ description: "Why it failed. Null if it did not." }),
  milliseconds: Schema.Int,
  argument_names: Schema.Array(Schema.String).annotations({ description: "Parameters that the call passed." }),
  argument_values: Schema.Record({
    key: Schema.String,
    value: Schema.Union(Schema.String, Schema.Number, Schema.Boolean)
  }).annotations({ description: "Values of ids, enumerations, numbers and booleans. Texts are not stored." }),
  dropped_before: Schema.Int.annotations({
    description: "Requests of the account before this one that are missing because the database was too slow."
  })
})
export type LoggedRequestView = typeof LoggedRequestView.Type

/** Failed requests of one tool with one reason. */
export const RequestErrors = Schema.Struct({
  tool: Schema.NullOr(Schema.String),
  reason: Schema.String,
  requests: Schema.Int,
  first_at: Timestamp,
  last_at: Timestamp,
  last_status: Schema.Int,
  last_request_id: Schema.String
})
export type RequestErrors = typeof RequestErrors.Type

/** The number of days for which requests are kept. */
export const requestDays = 30
/** The number of days for which the hourly counts of calls are kept. */
export const usageDays = 90

/** The position of a request in a list that is sorted by time: Unix milliseconds and the entry. */
export interface RequestCursor {
  readonly millis: number
  readonly entry: number
}

export const cursorText = ({ entry, millis }: RequestCursor): string => `${millis}-${entry}`

const cursorInvalid = refused(
  "cursor_invalid",
  "The cursor is none that this list answered.",
  "Send next_cursor of the answer before, or leave it out."
)

export const requestCursor = (text: string): RequestCursor | Refused => {
  const match = /^(\d{1,15})-(\d{1,15})$/.exec(text)
  return match === null ? cursorInvalid : { millis: Number(match[1]), entry: Number(match[2]) }
}

/** Which requests are listed. What is left out narrows nothing. */
export interface RequestFilter {
  readonly since: Timestamp | undefined
  readonly until: Timestamp | undefined
  readonly tool: string | undefined
  readonly tokenId: AccessTokenId | undefined
  readonly reason: string | undefined
  readonly onlyFailed: boolean
}

/** The account's requests of the last days. */
export class RequestTrail extends Context.Tag("RequestTrail")<
  RequestTrail,
  {
    /** Newest first. */
    readonly list: (
      filter: RequestFilter,
      page: { readonly limit: number; readonly before: RequestCursor | undefined }
    ) => Effect.Effect<
      { readonly requests: ReadonlyArray<LoggedRequestView>; readonly next: RequestCursor | undefined },
      Transient,
      Caller
    >
    /** All requests with this id, newest first: callers choose their ids. */
    readonly get: (requestId: string) => Effect.Effect<ReadonlyArray<LoggedRequestView>, NotFound | Transient, Caller>
    /** The most frequent first. */
    readonly errors: (
      filter: Pick<RequestFilter, "since" | "until" | "tool" | "tokenId">,
      limit: number
    ) => Effect.Effect<ReadonlyArray<RequestErrors>, Transient, Caller>
    /** Writes what was taken so far. */
    readonly flush: Effect.Effect<void, Transient>
    /** Makes the partitions of the next days, and drops those that are too old. Returns which it dropped. */
    readonly keep: Effect.Effect<ReadonlyArray<string>, Transient>
  }
>() {}
