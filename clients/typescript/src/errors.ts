import type { RefusalType } from "./generated/refusals.ts"

/** Errors of tools. Each has a `reason`, which the tool publishes. */
export type ToolErrorType = "NotFound" | "Refused" | "PlanRequired" | "Transient" | "Permanent"

/**
 * Errors without a reason. `NoAnswer`: no answer arrived, in spite of repetitions. `UnusableAnswer`: something else
 * answered, such as a proxy.
 */
export type RequestErrorType = RefusalType | "Unauthorized" | "NoAnswer" | "UnusableAnswer"

interface ErrorDetails<Type extends string, Reason> {
  readonly type: Type
  readonly reason: Reason
  readonly message: string
  /** What to do about it. */
  readonly detail: string
  /** The HTTP status; 0 if no answer arrived. */
  readonly status: number
  /** Names the request in the gateway's logs. */
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined
  /** The members of the body, such as `lead_id` and `accepted_values`. */
  readonly fields: Readonly<Record<string, unknown>>
  /** The tool's name, or the path of another request. */
  readonly tool: string
  readonly cause?: unknown
}

/** A call that failed. */
export class GatewayError<Type extends string = string, Reason = string | undefined> extends Error {
  override readonly name = "GatewayError"
  /** The same as `type`, for `catchTag` of Effect. */
  readonly _tag: Type
  readonly type: Type
  readonly reason: Reason
  readonly detail: string
  readonly status: number
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined
  readonly fields: Readonly<Record<string, unknown>>
  readonly tool: string

  constructor(details: ErrorDetails<Type, Reason>) {
    super(details.message, { cause: details.cause })
    this._tag = details.type
    this.type = details.type
    this.reason = details.reason
    this.detail = details.detail
    this.status = details.status
    this.requestId = details.requestId
    this.retryAfterSeconds = details.retryAfterSeconds
    this.fields = details.fields
    this.tool = details.tool
  }
}

export const isGatewayError = (value: unknown): value is GatewayError => value instanceof GatewayError

type ErrorsOf<Reasons> = {
  readonly [Type in keyof Reasons & string]: GatewayError<Type, Reasons[Type]>
}[keyof Reasons & string]

/** The errors that no tool publishes, because any request can have them. */
export type RequestError = {
  readonly [Type in RequestErrorType]: GatewayError<Type, undefined>
}[RequestErrorType]

/** The errors of a tool, by `type` and then by `reason`. */
export type ErrorOf<T> = T extends { readonly types?: { readonly reasons: infer Reasons } }
  ? ErrorsOf<Reasons> | RequestError
  : never

interface NamedTool {
  readonly tool: { readonly name: string }
}

/** Whether a call of this tool failed with it. The types of `type` and `reason` are then those that the tool publishes. */
export function isErrorOf<T extends NamedTool>(tool: T, error: unknown): error is ErrorOf<T>
export function isErrorOf({ tool }: NamedTool, error: unknown): boolean {
  return error instanceof GatewayError && error.tool === tool.name
}
