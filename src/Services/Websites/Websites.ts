import { Context, Effect, Schema } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import type { Changes } from "../Core/Changes.ts"
import { ServiceMode } from "../Core/Outside/IntegrationModes.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import { CustomerFileId } from "../Files/Ids.ts"
import { JobId } from "../Jobs/Ids.ts"
import * as JobHandler from "../Jobs/JobHandler.ts"
import { JobStatus } from "../Jobs/Jobs.ts"
import { reportFields } from "../Text/WishReport.ts"
import { ApplicationType, type GenerationType, type ReasoningMode, WebsiteCodeId, WebsiteId } from "./Ids.ts"

/**
 * The kind of change that made an entry: a first generation, a change by a prompt, one by hand in the editor, or a
 * return to an earlier entry.
 */
export const CodeKind = Schema.Literal("generation", "change", "edit", "restoration")
export type CodeKind = typeof CodeKind.Type

/** How far what was last asked for is. */
const progressFields = {
  status: JobStatus.annotations({
    description: "Of what was last asked for; what is published stays until it is finished."
  }),
  progress: Schema.Int.pipe(Schema.between(0, 100)),
  failure_reason: Schema.NullOr(Schema.String).annotations({
    description:
      "A code, where it failed: not_understood, language_needs_model, nothing_to_write, credentials_rejected, given_up, …"
  }),
  failure_detail: Schema.NullOr(Schema.String),
  job_id: Schema.NullOr(JobId).annotations({ description: "Null for what needed no work in the background." })
}

export const LastChange = Schema.Struct({
  website_code_id: WebsiteCodeId,
  kind: CodeKind,
  prompt: Schema.String,
  changes: Schema.Array(Schema.String).annotations({
    description: "What was made or changed, and what was left out with the reason; empty until it is finished."
  }),
  created_at: Timestamp,
  finished_at: Schema.NullOr(Timestamp)
})
export type LastChange = typeof LastChange.Type

export const WebsiteView = Schema.Struct({
  website_id: WebsiteId,
  application_type: ApplicationType,
  title: Schema.String,
  description: Schema.String,
  language: Schema.String.annotations({ description: "For example pt-br." }),
  url: Schema.String.annotations({ description: "Where visitors see it once it is published." }),
  subdomain: Schema.String,
  ...progressFields,
  ...reportFields,
  mode: Schema.NullOr(ServiceMode).annotations({
    description: "Who wrote it last: a model, or the gateway's rules. Null before it is begun."
  }),
  is_published: Schema.Boolean,
  published_website_code_id: Schema.NullOr(WebsiteCodeId),
  last_change: LastChange,
  restricted: Schema.Boolean,
  data_storage_required: Schema.Boolean,
  suspended_reason: Schema.NullOr(Schema.String).annotations({
    description: "Why the operator took it from the web; null where it was not."
  }),
  editor_url: Schema.String.annotations({
    description: "Texts, pictures, versions and records by hand: whoever has the address may change the site."
  }),
  preview_url: Schema.String.annotations({
    description:
      "The newest version for its owner alone, published or not: one with needs_input is not published before the answer."
  }),
  created_at: Timestamp,
  updated_at: Timestamp
})
export type WebsiteView = typeof WebsiteView.Type

const codeFields = {
  website_code_id: WebsiteCodeId,
  website_id: WebsiteId,
  kind: CodeKind,
  prompt: Schema.String,
  changes: Schema.Array(Schema.String),
  is_published: Schema.Boolean.annotations({ description: "Whether this is what visitors see." }),
  restored_from_website_code_id: Schema.NullOr(WebsiteCodeId),
  created_at: Timestamp,
  finished_at: Schema.NullOr(Timestamp)
}

export const ListedCode = Schema.Struct({ ...codeFields, page_count: Schema.Int })
export type ListedCode = typeof ListedCode.Type

export const CodePage = Schema.Struct({
  path: Schema.String.annotations({ description: "/ is the home page." }),
  title: Schema.String,
  html: Schema.String
})
export type CodePage = typeof CodePage.Type

export const WebsiteCode = Schema.Struct({
  ...codeFields,
  kind: Schema.Literal(...CodeKind.literals, "snapshot"),
  ...progressFields,
  ...reportFields,
  html: Schema.NullOr(Schema.String).annotations({ description: "Of the home page; null while it is unfinished." }),
  pages: Schema.NullOr(Schema.Array(CodePage)).annotations({ description: "Every page, the home page first." })
})
export type WebsiteCode = typeof WebsiteCode.Type

export const Snapshot = Schema.Struct({
  website_code_id: WebsiteCodeId.annotations({ description: "For get_website_code and restore_website_snapshot." }),
  website_id: WebsiteId,
  snapshot_description: Schema.String,
  page_count: Schema.Int,
  created_at: Timestamp
})
export type Snapshot = typeof Snapshot.Type

/** Entries and snapshots in one answer. */
export const mostListed = 100

export const longestTitle = 60
export const longestGuidelines = 8000
export const longestDescription = 8000

export const WebsiteSettings = Schema.Struct({
  website_id: WebsiteId,
  title: Schema.String,
  language_key: Schema.String.annotations({
    description: "What is written from scratch from now on is in this language."
  }),
  restricted: Schema.Boolean,
  access_code: Schema.NullOr(Schema.String).annotations({
    description:
      "Opens a restricted site beside the codes that are mailed to the account's members; null where it is open to all."
  }),
  guidelines: Schema.String.annotations({ description: "Standing wishes that every writing follows; may be empty." })
})
export type WebsiteSettings = typeof WebsiteSettings.Type

export interface SettableSettings {
  readonly title: string
  readonly language_key: string
  readonly restricted: boolean
  readonly guidelines: string
}

/** An export: the page that was mailed, and everything as a file. */
export const WebsiteExport = Schema.Struct({
  website_id: WebsiteId,
  website_code_id: WebsiteCodeId,
  sent_to: Schema.String,
  html_file_id: CustomerFileId,
  html_url: Schema.String.annotations({ description: "The whole site as one file that needs no other." }),
  zip_file_id: CustomerFileId,
  zip_url: Schema.String.annotations({ description: "A file per page, with pictures and styles." })
})
export type WebsiteExport = typeof WebsiteExport.Type

export interface NewWebsite {
  readonly description: string
  /** `xx-xx` in any case. */
  readonly language: string
  readonly type: ApplicationType
  readonly generation: GenerationType
  readonly storesData: boolean
  readonly isRestricted: boolean
  readonly copyFrom: WebsiteId | undefined
  /** What the web is searched for first. */
  readonly businessName: string | undefined
}

export interface WebsiteChange {
  readonly prompt: string
  /** Only ever adds storage. */
  readonly storesData: boolean
  readonly startsAnew: boolean
  readonly reasoning: ReasoningMode
  readonly generation: GenerationType
}

/** What was begun in the background. */
export interface BegunCode {
  readonly websiteId: WebsiteId
  readonly codeId: WebsiteCodeId
  readonly jobId: JobId
}

/**
 * The account's sites. Where a type is given, a site of the other one does not exist. What is archived does not exist for
 * any of these.
 */
export class Websites extends Context.Tag("Websites")<
  Websites,
  {
    /** Takes a name, records the site and queues its writing. To be run in a transaction. */
    readonly register: (website: NewWebsite) => Effect.Effect<BegunCode, NotFound | Refused | Transient, Caller>
    /** Refused with `change_in_progress` while another is unfinished. To be run in a transaction. */
    readonly change: (
      id: WebsiteId,
      change: WebsiteChange,
      type?: ApplicationType
    ) => Effect.Effect<BegunCode, NotFound | Refused | Transient, Caller>
    /** The published site stays. Refused with `nothing_to_cancel`. */
    readonly cancelChange: (id: WebsiteId) => Effect.Effect<WebsiteView, NotFound | Refused | Transient, Caller>
    readonly get: (id: WebsiteId, type?: ApplicationType) => Effect.Effect<WebsiteView, NotFound | Transient, Caller>
    /** Newest first; an account has few enough for one answer. */
    readonly list: (type?: ApplicationType) => Effect.Effect<ReadonlyArray<WebsiteView>, Transient, Caller>
    readonly getCode: (id: WebsiteCodeId) => Effect.Effect<WebsiteCode, NotFound | Transient, Caller>
    /** Finished ones, newest first, at most `mostListed`. */
    readonly listCode: (id: WebsiteId) => Effect.Effect<ReadonlyArray<ListedCode>, NotFound | Transient, Caller>
    /** Keeps what is published. Refused with `nothing_published`. */
    readonly snapshot: (
      id: WebsiteId,
      description: string
    ) => Effect.Effect<Snapshot, NotFound | Refused | Transient, Caller>
    /** Newest first, at most `mostListed`. */
    readonly listSnapshots: (id: WebsiteId) => Effect.Effect<ReadonlyArray<Snapshot>, NotFound | Transient, Caller>
    /** Publishes a finished entry again, as a new one: restoring the one before undoes it. */
    readonly restore: (id: WebsiteCodeId) => Effect.Effect<WebsiteView, NotFound | Refused | Transient, Caller>
    readonly settings: (id: WebsiteId) => Effect.Effect<WebsiteSettings, NotFound | Transient, Caller>
    /** Settings that are not given stay as they are. */
    readonly setSettings: (
      id: WebsiteId,
      changes: Changes<SettableSettings>
    ) => Effect.Effect<WebsiteSettings, NotFound | Refused | Transient, Caller>
    /** The old name redirects to the new one for 90 days and stays reserved. */
    readonly changeName: (
      id: WebsiteId,
      name: string
    ) => Effect.Effect<WebsiteView, NotFound | Refused | Transient, Caller>
    /** It is gone on the next request of a visitor, and its name is given up. Answers it as it last was. */
    readonly archive: (
      id: WebsiteId,
      type?: ApplicationType
    ) => Effect.Effect<WebsiteView, NotFound | Transient, Caller>
    /** Mails what is published. Refused with `nothing_published`, `storage_full`, `too_many_mails`. */
    readonly exportCode: (
      id: WebsiteId,
      emailAddress: string
    ) => Effect.Effect<WebsiteExport, NotFound | Refused | Transient, Caller>
    /** Writes what an entry asks for and publishes it, once. */
    readonly run: (job: JobHandler.RunningJob) => Effect.Effect<void, JobHandler.JobError, Caller>
  }
>() {}

export const websiteKind = "website_generation"

/** How often a writing is begun: each time a model may be asked anew. */
export const writingAttempts = 3

export const websiteJob = JobHandler.make(websiteKind, {
  maxAttempts: writingAttempts,
  timeout: "20 minutes",
  run: (job) => Effect.flatMap(Websites, (websites) => websites.run(job))
})
