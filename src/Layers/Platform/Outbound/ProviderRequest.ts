import type { Duration, Redacted } from "effect"

export type QueryValues = { readonly [name: string]: string | number | boolean | undefined }

export interface ProviderRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /**
   * A path relative to the base URL, with a leading slash, or an absolute URL. An absolute URL gets credentials only if
   * it is on the base URL's origin.
   */
  readonly path: string
  readonly query?: QueryValues
  /** Headers added to the client's. The value `undefined` removes one. */
  readonly headers?: { readonly [name: string]: string | undefined }
  /** The body, sent as JSON. */
  readonly json?: unknown
  /** The body, sent unchanged. Set its type in `headers`. */
  readonly body?: string | Uint8Array
  /** True for a POST that changes nothing, such as a search. */
  readonly isRead?: boolean
  /** The cost of the call in the provider's unit of quota. By default 1. */
  readonly cost?: number
  /** `any` accepts a success whose body is not JSON. `bytes` does not parse the body, for example a video. */
  readonly expects?: "json" | "any" | "bytes"
  /** A token used instead of the client's access. It is not renewed. */
  readonly token?: Redacted.Redacted
  readonly timeout?: Duration.DurationInput
  readonly maxResponseBytes?: number
}

/** True if the request may change something at the provider. */
export const mayChange = ({ isRead = false, method }: ProviderRequest): boolean => method !== "GET" && !isRead
