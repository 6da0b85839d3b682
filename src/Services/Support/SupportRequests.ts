import { Context, type Effect, Schema } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import { AccountId } from "../Accounts/Ids.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
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

/** How many requests of one account may wait for an answer at the same time. */
export const maximumPendingRequests = 50
/** Characters. */
export const longestSupportMessage = 10_000
/** The most requests that a list contains, newest first. */
export const maximumListedRequests = 200

/** An account's requests to the support team. The owner is only notified of the answer. */
export class SupportRequests extends Context.Tag("SupportRequests")<
  SupportRequests,
  {
    /** Returns the waiting request if there is one with the same message, type and severity. */
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

/** The support team's side. It is only available to operators, not through tools. */
export class SupportDesk extends Context.Tag("SupportDesk")<
  SupportDesk,
  {
    /** Requests of all accounts: critical ones first, then the oldest. */
    readonly list: (
      status: SupportRequestStatus | undefined
    ) => Effect.Effect<ReadonlyArray<OperatorSupportRequest>, Transient>
    readonly show: (
      accountId: AccountId,
      id: SupportRequestId
    ) => Effect.Effect<OperatorSupportRequest, NotFound | Transient>
    /** Answers a request that is not closed, or corrects the answer. The account gets an event and a notification. */
    readonly answer: (
      accountId: AccountId,
      id: SupportRequestId,
      text: string
    ) => Effect.Effect<OperatorSupportRequest, NotFound | Refused | Transient>
    /** Closing it again changes nothing. */
    readonly close: (
      accountId: AccountId,
      id: SupportRequestId
    ) => Effect.Effect<OperatorSupportRequest, NotFound | Transient>
  }
>() {}
