import { Context, type Effect, Schema } from "effect"
import type { Transient } from "../../Errors.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import type { ChainFault } from "./AuditChain.ts"
import { AccessTokenId, type AccountId } from "./Ids.ts"
import type { RequestCursor } from "./RequestTrail.ts"

const SettingChangeView = Schema.Struct({
  setting: Schema.String,
  before: Schema.Unknown,
  after: Schema.Unknown
})

export const AuditedCall = Schema.Struct({
  at: Timestamp,
  position: Schema.NullOr(Schema.Int).annotations({
    description: "In the account's chain of entries. Null for entries from before there was a chain."
  }),
  token_id: Schema.NullOr(AccessTokenId).annotations({
    description: "Null for calls of operators and of the gateway."
  }),
  request_id: Schema.String,
  tool: Schema.String,
  argument_names: Schema.Array(Schema.String),
  outcome: Schema.String.annotations({ description: "Success, the type of an error, Defect or Interrupted." }),
  reason: Schema.NullOr(Schema.String),
  milliseconds: Schema.Int,
  changes: Schema.Array(SettingChangeView).annotations({
    description: "Settings that the call changed, each before and after."
  }),
  changes_erased: Schema.Boolean.annotations({ description: "Whether the changes were erased with a person's data." }),
  link: Schema.NullOr(Schema.String).annotations({
    description: "Digest of the entry and of the link before, in hexadecimal."
  })
})
export type AuditedCall = typeof AuditedCall.Type

/** The number of days for which entries are kept. */
export const auditDays = 90

/** The number of entries that one call checks. */
export const mostVerified = 100_000

export const AuditVerdict = Schema.Struct({
  is_intact: Schema.Boolean.annotations({
    description: "Whether all entries that were checked are as they were written."
  }),
  checked_entries: Schema.Int,
  first_position: Schema.NullOr(Schema.Int),
  last_position: Schema.NullOr(Schema.Int),
  last_link: Schema.NullOr(Schema.String).annotations({
    description: "Of the last entry that was checked. Keep it elsewhere to compare it later."
  }),
  erased_changes: Schema.Int.annotations({ description: "Entries whose changes were erased with a person's data." }),
  starts_at_checkpoint: Schema.Boolean.annotations({
    description: "Whether older entries were dropped, and the chain continues from a signed checkpoint."
  }),
  fault: Schema.NullOr(
    Schema.Literal(
      "entry_missing",
      "entry_changed",
      "changes_changed",
      "end_missing",
      "checkpoint_invalid",
      "head_invalid"
    )
  ),
  fault_position: Schema.NullOr(Schema.Int).annotations({ description: "The entry where the fault was found." }),
  next_position: Schema.NullOr(Schema.Int).annotations({
    description: "Pass it as after_position to check the rest. Null at the end of the log."
  })
})
export type AuditVerdict = typeof AuditVerdict.Type
export type AuditFault = ChainFault | "end_missing" | "checkpoint_invalid" | "head_invalid"

/** Which entries are listed. A filter that is not set matches all entries. */
export interface AuditFilter {
  readonly tool: string | undefined
  readonly tokenId: AccessTokenId | undefined
  readonly outcome: string | undefined
  readonly since: Timestamp | undefined
  readonly until: Timestamp | undefined
  /** Only calls that changed settings. */
  readonly onlyChanges: boolean
}

/** Every call. */
export const noFilter: AuditFilter = {
  tool: undefined,
  tokenId: undefined,
  outcome: undefined,
  since: undefined,
  until: undefined,
  onlyChanges: false
}

/** An entry with its place in the list. */
export interface ListedCall {
  readonly call: AuditedCall
  readonly cursor: RequestCursor
}

/** The audit log: finished writes of each account, as a chain of entries. */
export class AuditTrail extends Context.Tag("AuditTrail")<
  AuditTrail,
  {
    /** Newest first. */
    readonly list: (
      accountId: AccountId,
      filter: AuditFilter,
      page: { readonly limit: number; readonly before: RequestCursor | undefined }
    ) => Effect.Effect<ReadonlyArray<ListedCall>, Transient>
    /** Checks entries after a position, or from the first one. */
    readonly verify: (accountId: AccountId, afterPosition: number | undefined) => Effect.Effect<AuditVerdict, Transient>
    /** Writes what was taken so far. */
    readonly flush: Effect.Effect<void, Transient>
    /** Makes the partitions of the next days, and drops those that are too old. Returns which it dropped. */
    readonly keep: Effect.Effect<ReadonlyArray<string>, Transient>
  }
>() {}
