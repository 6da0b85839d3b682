import { Context, Effect, Schema } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import { CampaignId } from "../Campaigns/Ids.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import { CustomerFileId } from "../Files/Ids.ts"
import { JobId } from "../Jobs/Ids.ts"
import * as JobHandler from "../Jobs/JobHandler.ts"
import { JobStatus } from "../Jobs/Jobs.ts"
import { type Channel, LeadId } from "../Leads/Ids.ts"
import { FillableField, UnfilledField } from "../Leads/LeadCompletion.ts"
import { type AssignableLeadStatus } from "../Leads/LeadModel.ts"

import type { LeadFileColumn } from "./LeadFileColumns.ts"

export const LeadImportId = Schema.Int.pipe(Schema.brand("LeadImportId"))
export type LeadImportId = typeof LeadImportId.Type

export const RowOutcome = Schema.Literal("created", "duplicate", "invalid")
export type RowOutcome = typeof RowOutcome.Type

/** A contact value of a row that was cleaned or left out. */
export const RowWarning = Schema.Struct({
  field: Schema.Literal("email", "phone"),
  reason: Schema.String.annotations({
    description:
      "placeholder: the cell says that there is none. cleaned: the address was taken out of a longer text. in_other_column: the value was in the wrong column. further_email, further_phone: the lead has another one. in_remark: no cell has such a contact, and the remark says that this is the lead's. unclear_in_remark: the remark has a contact, but does not say whose. marked_unusable: the cell says not to use it. phone_of_colleague: another lead of the same company has this phone, so this one is created without it. Otherwise, why the value is unusable."
  }),
  value: Schema.NullOr(Schema.String).annotations({
    description: "The cell, or the further address or number; null if the row has no lead."
  })
})
export type RowWarning = typeof RowWarning.Type

/** The outcome of one row of an import's source. */
export const ImportedRow = Schema.Struct({
  row_number: Schema.Int.annotations({ description: "Counts the rows below the header; the first is 1." }),
  outcome: RowOutcome,
  reason: Schema.NullOr(Schema.String).annotations({
    description:
      "Why no lead was created: existing_lead, repeated_in_file, no_contact, lead_erased, or what is wrong with a value."
  }),
  lead_id: Schema.NullOr(LeadId).annotations({ description: "The created lead, or the existing one." }),
  warnings: Schema.Array(RowWarning).annotations({
    description: "What was cleaned or left out of the row's contacts."
  }),
  filled: Schema.Array(FillableField).annotations({
    description: "Fields of an existing lead that were empty and now have the row's value."
  }),
  not_filled: Schema.Array(UnfilledField).annotations({
    description: "Values of the row that an existing lead did not get, and why."
  })
})
export type ImportedRow = typeof ImportedRow.Type

export const LeadImportView = Schema.Struct({
  lead_import_id: LeadImportId,
  job_id: JobId,
  status: JobStatus,
  progress: Schema.Int.pipe(Schema.between(0, 100)),
  failure_reason: Schema.NullOr(Schema.String),
  source_name: Schema.String.annotations({ description: "The file's name, or inline rows." }),
  customer_file_id: Schema.NullOr(CustomerFileId),
  campaign_id: Schema.NullOr(CampaignId),
  row_count: Schema.NullOr(Schema.Int).annotations({
    description: "Rows of the source; null until it was read completely."
  }),
  rows_processed: Schema.Int,
  created_count: Schema.Int,
  duplicate_count: Schema.Int,
  invalid_count: Schema.Int,
  created_at: Timestamp,
  finished_at: Schema.NullOr(Timestamp)
})
export type LeadImportView = typeof LeadImportView.Type

/** A row as a caller sends it. */
export const InlineRow = Schema.Struct({
  name: Schema.optional(Schema.NullOr(Schema.String)),
  email: Schema.optional(Schema.NullOr(Schema.String)),
  phone: Schema.optional(Schema.NullOr(Schema.String)),
  company: Schema.optional(Schema.NullOr(Schema.String))
})
export type InlineRow = typeof InlineRow.Type

export const maximumInlineRows = 500

/** A row that another part of the product passes on. */
export interface ServiceRow extends InlineRow {
  readonly linkedin_url?: string
  readonly city?: string
  readonly state?: string
  readonly country?: string
  readonly job_title?: string
  readonly website?: string
}

export type ImportSource =
  | { readonly _tag: "File"; readonly customerFileId: CustomerFileId }
  | { readonly _tag: "Inline"; readonly rows: ReadonlyArray<InlineRow> }
  /** `name` says where the rows come from. A few thousand rows at most. */
  | { readonly _tag: "Handed"; readonly name: string; readonly rows: ReadonlyArray<ServiceRow> }

export interface NewLeadImport {
  readonly source: ImportSource
  readonly status: AssignableLeadStatus
  /** Name or numeric id. */
  readonly campaign: string | undefined
  /** Applied to each lead that has this contact. */
  readonly preferredChannel: Channel | undefined
  readonly instructions: string | undefined
  readonly firstMessageInstructions: string | undefined
  readonly background: string | undefined
  readonly goal: string | undefined
}

interface Page {
  readonly page: number
  readonly pageSize: number
}

export class LeadImports extends Context.Tag("LeadImports")<
  LeadImports,
  {
    /** Stores the import and queues its job. Call it in a transaction. */
    readonly start: (request: NewLeadImport) => Effect.Effect<LeadImportView, NotFound | Refused | Transient, Caller>
    /** Newest first. */
    readonly list: (
      page: Page
    ) => Effect.Effect<{ readonly imports: ReadonlyArray<LeadImportView>; readonly total: number }, Transient, Caller>
    /** The meaning of each column. Empty for rows that a call passed, and before the file was read. */
    readonly columns: (id: LeadImportId) => Effect.Effect<ReadonlyArray<LeadFileColumn>, Transient, Caller>
    readonly get: (id: LeadImportId) => Effect.Effect<LeadImportView, NotFound | Transient, Caller>
    /** By row number. */
    readonly rows: (
      id: LeadImportId,
      page: Page
    ) => Effect.Effect<{ readonly rows: ReadonlyArray<ImportedRow>; readonly total: number }, Transient, Caller>
    /**
     * Runs the import of a job. Each batch is one transaction, so a resumed job continues after the last batch, and no
     * row counts twice.
     */
    readonly run: (job: JobHandler.RunningJob) => Effect.Effect<void, JobHandler.JobError, Caller>
    /** Notifies the account of the import's end. Only the first call has an effect. */
    readonly ended: (job: JobHandler.EndedJob) => Effect.Effect<void, Transient, Caller>
  }
>() {}

export const leadImportKind = "lead_import"

export const leadImportJob = JobHandler.make(leadImportKind, {
  run: (job) => Effect.flatMap(LeadImports, (imports) => imports.run(job)),
  ended: (job) => Effect.flatMap(LeadImports, (imports) => imports.ended(job))
})
