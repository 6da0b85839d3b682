import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { Timestamp } from "../Core/Timestamp.ts"
import type { AccessTokenId, AccountId } from "./Ids.ts"

export interface AuditedCall {
  readonly at: Timestamp
  readonly account_id: AccountId
  readonly token_id: AccessTokenId | null
  readonly request_id: string
  readonly tool: string
  readonly argument_names: ReadonlyArray<string>
  readonly outcome: string
  readonly reason: string | null
  readonly milliseconds: number
}

/** How long entries are kept. */
export const auditDays = 90

/** The audit log as operators read it: no tool reaches it. */
export class AuditTrail extends Context.Tag("AuditTrail")<
  AuditTrail,
  {
    /** Newest first. */
    readonly list: (wanted: {
      readonly accountId: AccountId
      readonly tool: string | undefined
      readonly outcome: string | undefined
      readonly since: Timestamp | undefined
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<AuditedCall>, Transient>
    /** Writes down what was taken so far. */
    readonly flush: Effect.Effect<void, Transient>
    /** Makes the partitions of the days to come, and drops those that are too old; answers which it dropped. */
    readonly keep: Effect.Effect<ReadonlyArray<string>, Transient>
  }
>() {}
