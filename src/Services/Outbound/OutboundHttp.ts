import { Context, Data, type Duration, type Effect, type Scope, type Stream } from "effect"
import { type Refused, type Transient, transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"

export interface OutboundRequest {
  /** On whose behalf, where no caller is there: an account waits for names and connections behind its own alone. */
  readonly account?: AccountId
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** Whether it changes nothing at the other side. GET and HEAD never do. */
  readonly isRead?: boolean
  /** Absolute; `https` on port 443 or 80 by default. */
  readonly url: string
  readonly headers?: { readonly [name: string]: string }
  readonly body?: string | Uint8Array
  /** For the whole exchange, from the name look-up to the last byte of the body; 30 seconds by default. */
  readonly timeout?: Duration.DurationInput
  /** Bytes; 10 MiB by default. */
  readonly maxResponseBytes?: number
  /**
   * `none` (the default) returns a redirect as it came. `same-host` follows up to five for GET and HEAD, and refuses
   * those that lead to another host, or from https to http.
   */
  readonly redirect?: "none" | "same-host"
  /** Takes `http` too. */
  readonly allowHttp?: boolean
  /**
   * Takes any scheme, port and address. Only for addresses that the operator configured, never for one that came from
   * an account.
   */
  readonly allowNonPublic?: boolean
  /**
   * Keeps the connection for later requests to the same host. A connection that the other side has closed shows only when a
   * request fails on it; that request is then sent once more on a new one, so that it may arrive twice.
   */
  readonly keepConnection?: boolean
  /** Answers also a body that is encoded as `content-encoding` says, as it came: the caller unpacks it within bounds. */
  readonly mayBeEncoded?: boolean
  /**
   * `ignored` answers the head alone, with an empty body: what comes after it is thrown away, whatever it is. `firstBytes`
   * keeps the beginning of that.
   */
  readonly responseBody?: "ignored" | { readonly firstBytes: number }
}

/** Any status is an answer: what 404 or 503 means is the caller's to say. */
export interface OutboundResponse {
  readonly status: number
  /** By lower-case name. Repeated headers are joined by a comma. */
  readonly headers: { readonly [name: string]: string }
  readonly body: Uint8Array
}

export interface OutboundStreamedResponse extends Omit<OutboundResponse, "body"> {
  /** Can be read once, within the scope of the request. */
  readonly body: Stream.Stream<Uint8Array, OutboundFailure>
}

const outboundFailureReasons = [
  "host_not_found",
  "connection_failed",
  "tls_failed",
  "timed_out",
  "response_too_large",
  "response_unreadable"
] as const
export type OutboundFailureReason = (typeof outboundFailureReasons)[number]

/** The `reason`s of a URL that the gateway does not request. */
export const urlRefusals = [
  "url_invalid",
  "url_not_https",
  "url_has_credentials",
  "url_port_not_allowed",
  "address_not_public",
  "redirect_to_other_host",
  "too_many_redirects",
  "header_invalid"
] as const

/** No usable answer came. */
export class OutboundFailure extends Data.TaggedError("OutboundFailure")<{
  readonly reason: OutboundFailureReason
  /** Whether the other side may have received and carried out the request: repeating it may do it twice. */
  readonly mayHaveArrived: boolean
}> {}

/** The `reason`s of `outboundTransient`. */
export const outboundTransients: ReadonlyArray<string> = outboundFailureReasons.map(
  (reason) => `outside_service_${reason}`
)

/** A failure as passing trouble of `service`, which is named as a person calls it ("the mail server"). */
export const outboundTransient = (failure: { readonly reason: string }, service: string): Transient =>
  transient(
    `outside_service_${failure.reason}`,
    failure.reason === "timed_out" ? `${service} did not answer in time.` : `${service} could not be reached.`,
    5
  )

/**
 * The one way to the outside over HTTP. By default it reaches public addresses only, and checks them on the
 * address connected to. Refused with one of `urlRefusals`.
 */
export class OutboundHttp extends Context.Tag("OutboundHttp")<
  OutboundHttp,
  {
    readonly request: (request: OutboundRequest) => Effect.Effect<OutboundResponse, Refused | OutboundFailure>
    /** Like `request`, but the body is handed on as it comes; the connection ends with the scope. */
    readonly stream: (
      request: OutboundRequest
    ) => Effect.Effect<OutboundStreamedResponse, Refused | OutboundFailure, Scope.Scope>
  }
>() {}
