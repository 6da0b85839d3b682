import type { Duration, Redacted } from "effect"

export type QueryValues = { readonly [name: string]: string | number | boolean | undefined }

export interface ProviderRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /**
   * Relative to the base URL, with a leading slash, or an absolute URL. An absolute one gets credentials only on the
   * base URL's origin.
   */
  readonly path: string
  readonly query?: QueryValues
  /** Added to the client's headers; `undefined` removes one. */
  readonly headers?: { readonly [name: string]: string | undefined }
  /** The body, sent as JSON. */
  readonly json?: unknown
  /** The body, sent unchanged. Set its type in `headers`. */
  readonly body?: string | Uint8Array
  /** A POST that changes nothing, such as a search. */
  readonly isRead?: boolean
  /** In the provider's unit of quota. By default 1. */
  readonly cost?: number
  /** `any` accepts a success whose body is not JSON. `bytes` does not parse the body, for example a video. */
  readonly expects?: "json" | "any" | "bytes"
  /** Used instead of the client's access. It is not renewed. */
  readonly token?: Redacted.Redacted
  readonly timeout?: Duration.DurationInput
  readonly maxResponseBytes?: number
}

/** Whether the request may change something at the provider. */
export const mayChange = ({ isRead = false, method }: ProviderRequest): boolean => method !== "GET" && !isRead
