import { Data, Schema } from "effect"
import { type Refused, refused } from "../../Errors.ts"
import { ServiceMode } from "../Core/Outside/IntegrationModes.ts"
import { parsedUrl } from "../Core/Outside/ParsedUrl.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import { CustomerFileId } from "../Files/Ids.ts"
import { JobId } from "../Jobs/Ids.ts"
import { JobStatus } from "../Jobs/Jobs.ts"
import { reportFields, type WishReport } from "../Text/WishReport.ts"

/** Fields about how pictures, drawings and videos were made. */
export const generationFields = {
  status: JobStatus,
  progress: Schema.Int.pipe(Schema.between(0, 100)),
  failure_reason: Schema.NullOr(Schema.String).annotations({
    description:
      "A code, where it failed: not_understood (not_done says what), outcome_unknown (the provider's answer was lost; it is not ordered again), content_refused, credentials_rejected, quota_exhausted, storage_full, …"
  }),
  failure_detail: Schema.NullOr(Schema.String),
  ...reportFields,
  mode: Schema.NullOr(ServiceMode).annotations({
    description: "Who made it: a provider, or the gateway's sandbox. Null before it is begun."
  }),
  prompt: Schema.String,
  customer_file_id: Schema.NullOr(CustomerFileId).annotations({ description: "The result among the account's files." }),
  job_id: JobId,
  created_at: Timestamp,
  finished_at: Schema.NullOr(Timestamp)
} as const

/** Why something could not be made, for the account. */
export class GenerationFailed extends Data.TaggedError("GenerationFailed")<{
  readonly code: string
  readonly detail: string
  /** What was not understood, if that is the reason. */
  readonly report?: WishReport
}> {}

/** It is unknown whether the order was carried out, and will stay unknown. */
export const outcomeUnknown = new GenerationFailed({
  code: "outcome_unknown",
  detail: "The provider's answer was lost, so it is not known whether the order was carried out. It is not repeated."
})

export const longestPrompt = 8000
export const mostReferences = 5

const referenceInvalid = (url: string): Refused =>
  refused(
    "reference_url_invalid",
    "A reference is not an absolute https address.",
    "Send absolute https addresses of pictures, or download addresses of the account's own files.",
    { reference_url: url.slice(0, 200) }
  )

const tooManyReferences = refused(
  "too_many_references",
  `More than ${mostReferences} reference addresses were given.`,
  `Send at most ${mostReferences}.`,
  { maximum: mostReferences }
)

/** Addresses of pictures that may be fetched. The gateway's own files may use `http` in development. */
export const checkReferences = (urls: ReadonlyArray<string>, baseUrl: string): Refused | undefined => {
  if (urls.length > mostReferences) return tooManyReferences
  const wrong = urls.find((url) => {
    if (url.startsWith(`${baseUrl}/files/`)) return false
    const address = url.length > 2048 ? undefined : parsedUrl(url)
    if (address === undefined) return true
    const { password, protocol, username } = address
    return protocol !== "https:" || username !== "" || password !== ""
  })
  return wrong === undefined ? undefined : referenceInvalid(wrong)
}
