import { Context, Data, type Duration, type Effect, type Scope, type Stream } from "effect"
import { type Refused, type Transient, transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"

export interface OutboundRequest {
  /**
   * The account of the request, if there is no caller. Each account's requests queue separately for look-ups and
   * connections.
   */
  readonly account?: AccountId
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** Whether the request changes nothing at the other side. GET and HEAD never do. */
  readonly isRead?: boolean
  /** An absolute URL. By default `https` on port 443 or 80. */
  readonly url: string
  readonly headers?: { readonly [name: string]: string }
  readonly body?: string | Uint8Array
  /** The limit from the name look-up to the last byte of the body. 30 seconds by default. */
  readonly timeout?: Duration.DurationInput
  /** Bytes. 10 MiB by default. */
  readonly maxResponseBytes?: number
  /**
   * `none` (the default) returns a redirect unchanged. `same-host` follows up to five redirects for GET and HEAD. It
   * refuses redirects to another host and from https to http.
   */
  readonly redirect?: "none" | "same-host"
  /** Also accepts `http`. */
  readonly allowHttp?: boolean
  /**
   * Accepts any scheme, port and address. Only for addresses that the operator configured, never for addresses from an
   * account.
   */
  readonly allowNonPublic?: boolean
  /**
   * Keeps the connection open for later requests to the same host. If the other side has closed it, the next request
   * fails and is sent again on a new connection, so it may arrive twice.
   */
  readonly keepConnection?: boolean
  /** Accepts an encoded body (`content-encoding`) and returns it unchanged. The caller must decode it within limits. */
  readonly mayBeEncoded?: boolean
  /**
   * `ignored` returns only the head, with an empty body, and discards the rest. `firstBytes` returns the beginning of
   * the body.
   */
  readonly responseBody?: "ignored" | { readonly firstBytes: number }
}

/** A response of any status. The caller decides what 404 or 503 means. */
export interface OutboundResponse {
  readonly status: number
  /** By lower-case name. Repeated headers are joined by a comma. */
  readonly headers: { readonly [name: string]: string }
  readonly body: Uint8Array
}

export interface OutboundStreamedResponse extends Omit<OutboundResponse, "body"> {
  /** Can be read once, in the scope of the request. */
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

/** The reasons for which the gateway does not request a URL. */
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

/** No usable response arrived. */
export class OutboundFailure extends Data.TaggedError("OutboundFailure")<{
  readonly reason: OutboundFailureReason
  /** Whether the other side may have received and processed the request. A retry could then repeat its effect. */
  readonly mayHaveArrived: boolean
}> {}

/** The reasons that `outboundTransient` returns. */
export const outboundTransients: ReadonlyArray<string> = outboundFailureReasons.map(
  (reason) => `outside_service_${reason}`
)

/** A transient error of `service`. Its name is as people say it ("the mail server"). */
export const outboundTransient = (failure: { readonly reason: string }, service: string): Transient =>
  transient(
    `outside_service_${failure.reason}`,
    failure.reason === "timed_out" ? `${service} did not answer in time.` : `${service} could not be reached.`,
    5
  )

/**
 * All HTTP requests of the gateway go through this service. By default it only reaches public addresses, and checks the
 * address it connects to. Refused with one of `urlRefusals`.
 */
export class OutboundHttp extends Context.Tag("OutboundHttp")<
  OutboundHttp,
  {
    readonly request: (request: OutboundRequest) => Effect.Effect<OutboundResponse, Refused | OutboundFailure>
    /** Like `request`, but streams the body. The connection closes with the scope. */
    readonly stream: (
      request: OutboundRequest
    ) => Effect.Effect<OutboundStreamedResponse, Refused | OutboundFailure, Scope.Scope>
  }
>() {}
