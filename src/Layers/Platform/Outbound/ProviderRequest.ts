import type { Duration, Redacted } from "effect"

export type QueryValues = { readonly [name: string]: string | number | boolean | undefined }

export interface ProviderRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** Below the base URL, with a slash at its beginning; or an absolute URL, which is shown credentials on the base URL's origin only. */
  readonly path: string
  readonly query?: QueryValues
  /** In addition to the client's; `undefined` removes one. */
  readonly headers?: { readonly [name: string]: string | undefined }
  /** The body, sent as JSON. */
  readonly json?: unknown
  /** The body, sent unchanged; `headers` says what it is. */
  readonly body?: string | Uint8Array
  /** A POST that changes nothing, such as a search. */
  readonly isRead?: boolean
  /** In what the provider counts by; 1 by default. */
  readonly cost?: number
  /** `any`: a success with a body other than JSON is a success too. `bytes`: the body is not parsed, such as a video. */
  readonly expects?: "json" | "any" | "bytes"
  /** Used instead of the client's access, and not replaced. */
  readonly token?: Redacted.Redacted
  readonly timeout?: Duration.DurationInput
  readonly maxResponseBytes?: number
}

/** Whether the request may change something at the provider. */
export const mayChange = ({ isRead = false, method }: ProviderRequest): boolean => method !== "GET" && !isRead
