import { Context, type Effect, Schema } from "effect"
import type { Transient } from "../../../Errors.ts"
import { AccountId } from "../../Accounts/Ids.ts"
import { Timestamp } from "../../Core/Timestamp.ts"
import { LeadId } from "../Ids.ts"

/** That a lead was erased. It names no one. */
const ErasedRecord = Schema.Struct({
  kind: Schema.Literal("erasure"),
  account_id: AccountId,
  lead_id: LeadId,
  reason: Schema.NullOr(Schema.String),
  at: Timestamp
})

/** The keyed digest of a contact that may not be registered again. A person was erased from all records. */
const BuriedContact = Schema.Struct({
  kind: Schema.Literal("contact", "person"),
  account_id: AccountId,
  contact_digest: Schema.String.pipe(Schema.pattern(/^[0-9a-f]{64}$/)),
  at: Timestamp
})

/** What is kept outside the database, so that an erasure outlives the restore of an older backup. */
export const ErasureRecord = Schema.Union(ErasedRecord, BuriedContact)
export type ErasureRecord = typeof ErasureRecord.Type

export interface RepeatedErasures {
  /** Leads that were in the backup and are erased again. */
  readonly erased: number
  /** Contacts that are blocked again. */
  readonly blocked: number
}

export class ErasureRecords extends Context.Tag("ErasureRecords")<
  ErasureRecords,
  {
    /** Those of all accounts since the instant. */
    readonly since: (instant: Timestamp) => Effect.Effect<ReadonlyArray<ErasureRecord>, Transient>
    /** Erases again what an older state of the database still has. It can be repeated. */
    readonly repeat: (records: ReadonlyArray<ErasureRecord>) => Effect.Effect<RepeatedErasures, Transient>
  }
>() {}
