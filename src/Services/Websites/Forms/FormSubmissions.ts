import { Context, type Effect } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { PublishedSite } from "../PublishedSites.ts"
import type { VisitSource } from "../Traffic/VisitSource.ts"
import type { FormReading } from "./FormReading.ts"
import type { Doubt } from "./FormVerdict.ts"
import type { PlacedForm } from "./SiteForms.ts"

/** A form submission that was read without errors. */
export interface Submission {
  readonly site: PublishedSite
  readonly placed: PlacedForm
  readonly reading: FormReading
  /** The nonce of the rendering that was filled in. */
  readonly nonce: string
  readonly isConfirmed: boolean
  readonly isEmbedded: boolean
  readonly source: VisitSource
  readonly network: string
  /** The address of the signed-in visitor, if any. */
  readonly visitorEmail: string | undefined
  /** The page's address without its query. */
  readonly url: string
}

export type SubmissionOutcome =
  /** Stored now, or already stored by an identical submission. */
  | { readonly _tag: "Taken" }
  | { readonly _tag: "Ask"; readonly doubt: Doubt }
  | { readonly _tag: "Later"; readonly seconds: number }
  | { readonly _tag: "Full" }

/** Takes the submissions of forms on published sites. */
export class FormSubmissions extends Context.Tag("FormSubmissions")<
  FormSubmissions,
  {
    /** Stores a submission in a separate transaction. A repeated submission is stored once. */
    readonly submit: (submission: Submission) => Effect.Effect<SubmissionOutcome, Transient>
  }
>() {}
