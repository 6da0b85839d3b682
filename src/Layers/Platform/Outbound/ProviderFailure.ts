import { Data, type Redacted } from "effect"
import type { OutboundResponse } from "../../../Services/Outbound/OutboundHttp.ts"

/** A provider's answer. */
export interface ProviderAnswer extends OutboundResponse {
  /** The parsed body; undefined if it is empty or not JSON. */
  readonly json: unknown
  /** The time for which the provider asks callers to wait. */
  readonly retryAfterMillis: number | undefined
}

/** The ways in which a call fails. An adapter maps them to the errors of its room. */
export type ProviderFailureKind =
  /** The provider does not accept the credentials. */
  | "unauthorized"
  /** The credentials are valid but do not allow this, or the provider requires payment. */
  | "forbidden"
  | "not_found"
  /** The record conflicts with another one or with a newer version. */
  | "conflict"
  /** The same request would be refused again. If there is no answer, the gateway itself refused to send it. */
  | "rejected"
  /** The provider's limit, or this account's share of it, is exhausted. */
  | "rate_limited"
  /** The provider did nothing, so the call can be repeated. */
  | "unavailable"
  /** The provider may have carried out the call. Check what happened before repeating it. */
  | "maybe_sent"

/** A failed call. The provider's own words are redacted, because they may quote personal data. */
export class ProviderFailure extends Data.TaggedError("ProviderFailure")<{
  readonly provider: string
  readonly kind: ProviderFailureKind
  /** More precise than `kind`, such as `status_503`, `timed_out` or `answer_unreadable`; adapters add their own. */
  readonly code: string
  readonly retryAfterMillis?: number | undefined
  /** The provider's answer; undefined if there was none. */
  readonly answer?: Redacted.Redacted<ProviderAnswer> | undefined
}> {
  override get message(): string {
    return `${this.provider}: ${this.kind} (${this.code})`
  }

  get retryAfterSeconds(): number | undefined {
    return this.retryAfterMillis === undefined ? undefined : Math.ceil(this.retryAfterMillis / 1000)
  }
}
