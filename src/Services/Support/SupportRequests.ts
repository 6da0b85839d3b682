import { Context, type Effect, Schema } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import { AccountId } from "../Accounts/Ids.ts"
import type { Caller } from "../Core/Caller.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import { SupportRequestId, SupportRequestStatus, SupportRequestType, SupportSeverity } from "./Ids.ts"

export const SupportRequestView = Schema.Struct({
  support_request_id: SupportRequestId,
  message: Schema.String,
  type: SupportRequestType,
  severity: SupportSeverity,
  status: SupportRequestStatus,
  answer: Schema.NullOr(Schema.String).annotations({ description: "What the team answered; null until it did." }),
  answered_at: Schema.NullOr(Timestamp),
  closed_at: Schema.NullOr(Timestamp),
  created_at: Timestamp
})
export type SupportRequestView = typeof SupportRequestView.Type

/** A request as the support team sees it. */
export const OperatorSupportRequest = Schema.Struct({
  ...SupportRequestView.fields,
  account_id: AccountId,
  account_name: Schema.String
})
export type OperatorSupportRequest = typeof OperatorSupportRequest.Type

/** Requests of one account that may wait for an answer at once. */
export const mostPendingRequests = 50
/** Characters. */
export const longestSupportMessage = 10_000
/** At most this many requests are listed, newest first. */
export const mostListedRequests = 200

/** What an account asks of the support team. Its owner is told of nothing but the answer. */
export class SupportRequests extends Context.Tag("SupportRequests")<
  SupportRequests,
  {
    /** The same message, type and severity while one waits is that one. */
    readonly create: (request: {
      readonly message: string
      readonly type: SupportRequestType
      readonly severity: SupportSeverity
    }) => Effect.Effect<
      { readonly request: SupportRequestView; readonly created: boolean },
      Refused | Transient,
      Caller
    >
    readonly list: (
      status: SupportRequestStatus | undefined
    ) => Effect.Effect<
      { readonly requests: ReadonlyArray<SupportRequestView>; readonly total: number },
      Transient,
      Caller
    >
  }
>() {}

/** The support team's side, for operators alone: no tool reaches it. */
export class SupportDesk extends Context.Tag("SupportDesk")<
  SupportDesk,
  {
    /** Of all accounts: critical ones first, then the oldest. */
    readonly list: (
      status: SupportRequestStatus | undefined
    ) => Effect.Effect<ReadonlyArray<OperatorSupportRequest>, Transient>
    readonly show: (
      accountId: AccountId,
      id: SupportRequestId
    ) => Effect.Effect<OperatorSupportRequest, NotFound | Transient>
    /** Answers, or corrects the answer of, a request that is not closed; the account gets its event and a notification. */
    readonly answer: (
      accountId: AccountId,
      id: SupportRequestId,
      text: string
    ) => Effect.Effect<OperatorSupportRequest, NotFound | Refused | Transient>
    /** Closing again changes nothing. */
    readonly close: (
      accountId: AccountId,
      id: SupportRequestId
    ) => Effect.Effect<OperatorSupportRequest, NotFound | Transient>
  }
>() {}
