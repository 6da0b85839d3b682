import type { Effect } from "effect"
import type { RequestRefused, ToolError } from "../../../Errors.ts"
import type { Caller } from "./Caller.ts"

/** A write whose arguments have been decoded. */
export interface DecodedCall {
  readonly tool: string
  readonly args: { readonly [name: string]: unknown }
  /** Whether all that the tool does fits into one transaction. Others have several, or call outside services. */
  readonly isOneTransaction: boolean
  /** Whether the call changes something at an external service. */
  readonly reachesOutside: boolean
  /** Whether the answer contains a secret that only the calling token may get again. */
  readonly answersSecret: boolean
}

/** How a write runs if the caller requested more than plain execution, such as a dry run. */
export interface CallMode {
  /** Runs the tool, or returns its earlier answer. `work` opens no transaction if the mode provides one. */
  readonly run: <A, R>(
    call: DecodedCall,
    work: Effect.Effect<A, ToolError, R>
  ) => Effect.Effect<unknown, ToolError | RequestRefused, R | Caller>
  /** Whether all changes are undone, so that the audit log has no entry. */
  readonly changesNothing: boolean
  /** Headers of the answer. They are known once the call has ended. */
  readonly headers: () => { readonly [name: string]: string }
  /** A notice for agents, which do not see response headers. */
  readonly notice: () => string | undefined
}
