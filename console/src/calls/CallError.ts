export interface CallErrorDetails {
  /**
   * The type of the error: `NotFound`, `Refused`, `Transient` and so on; `NoAnswer` without a connection;
   * `Unauthorized` without a session.
   */
  readonly type: string
  readonly reason: string | undefined
  readonly message: string
  readonly detail: string
  /** 0 if there was no answer. */
  readonly status: number
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined
  /** All members of the gateway's answer. */
  readonly fields: Readonly<Record<string, unknown>>
}

export class CallError extends Error {
  readonly details: CallErrorDetails

  constructor(details: CallErrorDetails) {
    super(details.message)
    this.name = "CallError"
    this.details = details
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

export const membersOf = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {}
  } catch {
    return {}
  }
}

export const errorOfAnswer = (status: number, headers: Headers, text: string): CallError => {
  const fields = membersOf(text)
  const seconds = Number(headers.get("retry-after") ?? "")
  return new CallError({
    type: status === 401 ? "Unauthorized" : (textOf(fields["type"]) ?? "UnusableAnswer"),
    reason: textOf(fields["reason"]),
    message: textOf(fields["error"]) ?? `HTTP ${status}`,
    detail: textOf(fields["detail"]) ?? textOf(fields["how_to_fix"]) ?? "",
    status,
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfterSeconds: Number.isFinite(seconds) && seconds > 0 ? seconds : undefined,
    fields
  })
}

export const noAnswer = (cause: unknown): CallError =>
  new CallError({
    type: "NoAnswer",
    reason: undefined,
    message: "The gateway did not answer.",
    detail: cause instanceof Error ? cause.message : "",
    status: 0,
    requestId: undefined,
    retryAfterSeconds: undefined,
    fields: {}
  })

const passingStatuses: ReadonlySet<number> = new Set([0, 408, 429, 502, 503, 504])

/** True if the same call may succeed a little later. */
export const isPassing = (error: unknown): boolean =>
  error instanceof CallError && passingStatuses.has(error.details.status)
