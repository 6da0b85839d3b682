import { Context, type Effect, Schema } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import { JobId } from "../Jobs/Ids.ts"
import { JobStatus } from "../Jobs/Jobs.ts"
import { reportFields } from "../Text/WishReport.ts"
import { type WebsiteCodeId, WebsiteId } from "../Websites/Ids.ts"

/** A lead-capture page is a website of that type, under the same id. */
export const CapturePageId = WebsiteId
export type CapturePageId = WebsiteId

/** How many days the figures cover. */
export const daysOfFigures = 90

const figures = {
  views: Schema.Int.annotations({ description: `Of the last ${daysOfFigures} days; without programs.` }),
  submissions: Schema.Int.annotations({ description: "Of the same days." }),
  conversion_rate: Schema.NullOr(Schema.Number).annotations({
    description: "Submissions for each view, 0 to 1; null without views."
  })
}

export const CaptureVariant = Schema.Struct({
  variant: Schema.String.annotations({ description: "a is the page as it was written first." }),
  ...figures
})
export type CaptureVariant = typeof CaptureVariant.Type

export const CapturePageView = Schema.Struct({
  lead_capture_page_id: CapturePageId.annotations({ description: "The same as the website_id of the website tools." }),
  title: Schema.String,
  description: Schema.String,
  language: Schema.String.annotations({ description: "For example pt-br." }),
  status: JobStatus.annotations({ description: "Of what was last asked for; what is published stays until then." }),
  progress: Schema.Int.pipe(Schema.between(0, 100)),
  failure_reason: Schema.NullOr(Schema.String),
  failure_detail: Schema.NullOr(Schema.String),
  job_id: Schema.NullOr(JobId),
  ...reportFields,
  is_published: Schema.Boolean,
  suspended_reason: Schema.NullOr(Schema.String),
  url: Schema.String.annotations({ description: "Where visitors see it once it is published." }),
  embed_url: Schema.String.annotations({ description: "The form alone, for a frame on another site." }),
  embed_snippet: Schema.String.annotations({
    description: "HTML for a page of another site: a frame with the form, as high as the form where scripts run."
  }),
  editor_url: Schema.String.annotations({ description: "Texts, pictures and submissions by hand." }),
  preview_url: Schema.String.annotations({
    description:
      "The newest version for its owner alone, published or not: one with needs_input is not published before the answer."
  }),
  ...figures,
  variants: Schema.Array(CaptureVariant).annotations({
    description: "The page's openings, of which each visitor meets one all day."
  }),
  created_at: Timestamp,
  updated_at: Timestamp
})
export type CapturePageView = typeof CapturePageView.Type

export interface BegunPage {
  readonly pageId: CapturePageId
  readonly codeId: WebsiteCodeId
  readonly jobId: JobId
}

/** Pages with a form. People who submit it become leads. */
export class CapturePages extends Context.Tag("CapturePages")<
  CapturePages,
  {
    /** Call it in a transaction. */
    readonly create: (page: {
      readonly description: string
      readonly language: string
    }) => Effect.Effect<BegunPage, NotFound | Refused | Transient, Caller>
    /** Refused with `change_in_progress` while another change is unfinished. Call it in a transaction. */
    readonly change: (
      id: CapturePageId,
      prompt: string
    ) => Effect.Effect<BegunPage, NotFound | Refused | Transient, Caller>
    readonly archive: (
      id: CapturePageId
    ) => Effect.Effect<{ readonly title: string; readonly url: string }, NotFound | Transient, Caller>
    /** Newest first. */
    readonly list: Effect.Effect<ReadonlyArray<CapturePageView>, Transient, Caller>
  }
>() {}
