import { Context, Effect, Schema } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import { CampaignId } from "../Campaigns/Ids.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import { CustomerFileId } from "../Files/Ids.ts"
import { JobId } from "../Jobs/Ids.ts"
import * as JobHandler from "../Jobs/JobHandler.ts"
import { JobStatus } from "../Jobs/Jobs.ts"
import { BusinessFileId } from "./Ids.ts"

export const BusinessFileView = Schema.Struct({
  business_file_id: BusinessFileId,
  title: Schema.String,
  campaign_id: Schema.NullOr(CampaignId),
  campaign_name: Schema.NullOr(Schema.String).annotations({ description: "Null: it applies to the whole account." }),
  source: Schema.Literal("text", "file", "web").annotations({
    description: "web: statements of pages of the web, each with its source, as an online search found them."
  }),
  customer_file_id: Schema.NullOr(CustomerFileId),
  file_name: Schema.NullOr(Schema.String),
  status: JobStatus.annotations({ description: "Of the indexing; finished files may be quoted." }),
  failure_reason: Schema.NullOr(Schema.String),
  failure_detail: Schema.NullOr(Schema.String),
  character_count: Schema.NullOr(Schema.Int),
  passage_count: Schema.NullOr(Schema.Int),
  job_id: JobId,
  created_at: Timestamp,
  indexed_at: Schema.NullOr(Timestamp)
})
export type BusinessFileView = typeof BusinessFileView.Type

/** A passage that may be quoted, with its source. */
export interface FoundPassage {
  readonly businessFileId: BusinessFileId
  readonly sequence: number
  readonly title: string
  readonly heading: string
  readonly body: string
  /** 0 to 1, on the same scale as every search. */
  readonly score: number
}

export class BusinessFiles extends Context.Tag("BusinessFiles")<
  BusinessFiles,
  {
    readonly list: Effect.Effect<ReadonlyArray<BusinessFileView>, Transient, Caller>
    /**
     * Registers a text or a customer file and queues its indexing. The same content in the same scope is the same file:
     * it is returned unchanged, and indexed again only after a failure. Call it in a transaction.
     */
    readonly register: (file: {
      readonly title: string
      readonly text: string | undefined
      readonly customerFileId: CustomerFileId | undefined
      readonly campaign: string | undefined
      /** The text consists of statements from web pages. */
      readonly isFromWeb?: boolean
    }) => Effect.Effect<BusinessFileView & { readonly is_repeat: boolean }, NotFound | Refused | Transient, Caller>
    /** Removes the file with its passages. */
    readonly remove: (id: BusinessFileId) => Effect.Effect<BusinessFileView, NotFound | Transient, Caller>
    /** Passages that answer a question, best first: of the campaign and of the whole account. */
    readonly find: (
      scope: { readonly accountId: AccountId; readonly campaignId: CampaignId | null },
      question: string,
      limit: number
    ) => Effect.Effect<ReadonlyArray<FoundPassage>, Transient>
    /** The beginning of a customer file, if it is a readable document. */
    readonly beginning: (id: CustomerFileId) => Effect.Effect<string | undefined, Transient, Caller>
    readonly run: (job: JobHandler.RunningJob) => Effect.Effect<void, JobHandler.JobError, Caller>
  }
>() {}

export const businessFileIndexingKind = "business_file_indexing"

export const businessFileIndexingJob = JobHandler.make(businessFileIndexingKind, {
  timeout: "30 minutes",
  run: (job) => Effect.flatMap(BusinessFiles, (files) => files.run(job))
})
