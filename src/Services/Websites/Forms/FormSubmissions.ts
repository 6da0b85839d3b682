import { Context, type Effect } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { PublishedSite } from "../PublishedSites.ts"
import type { VisitSource } from "../Traffic/VisitSource.ts"
import type { FormReading } from "./FormReading.ts"
import type { Doubt } from "./FormVerdict.ts"
import type { PlacedForm } from "./SiteForms.ts"

/** What a form sent, read and without anything wrong in it. */
export interface Submission {
  readonly site: PublishedSite
  readonly placed: PlacedForm
  readonly reading: FormReading
  /** Of the rendering. */
  readonly nonce: string
  readonly isConfirmed: boolean
  readonly isEmbedded: boolean
  readonly source: VisitSource
  readonly network: string
  /** Of the visitor who is signed in. */
  readonly visitorEmail: string | undefined
  /** The page's address without its query. */
  readonly url: string
}

export type SubmissionOutcome =
  /** It is stored: now, or when the same was sent before. */
  | { readonly _tag: "Taken" }
  | { readonly _tag: "Ask"; readonly doubt: Doubt }
  | { readonly _tag: "Later"; readonly seconds: number }
  | { readonly _tag: "Full" }

/** What visitors send by forms. */
export class FormSubmissions extends Context.Tag("FormSubmissions")<
  FormSubmissions,
  {
    /** Stores it once in a separate transaction, however often it arrives. */
    readonly submit: (submission: Submission) => Effect.Effect<SubmissionOutcome, Transient>
  }
>() {}
