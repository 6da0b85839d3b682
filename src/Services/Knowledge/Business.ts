import { Context, type Effect, Schema } from "effect"
import type { Refused, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import type { Changes } from "../Core/Changes.ts"
import { Timestamp } from "../Core/Timestamp.ts"

/** The owner's description of the business. A campaign may override it in its settings. */
export const BusinessProfile = Schema.Struct({
  business_name: Schema.NullOr(Schema.String),
  business_description: Schema.NullOr(Schema.String),
  business_website: Schema.NullOr(Schema.String),
  ideal_customer_profile: Schema.NullOr(Schema.String),
  paying_customer_examples: Schema.NullOr(Schema.String).annotations({
    description: "Customers that already pay, in the owner's words, as examples for new ones."
  })
})
export type BusinessProfile = typeof BusinessProfile.Type

export const BusinessView = Schema.Struct({
  ...BusinessProfile.fields,
  default_presentation_url: Schema.NullOr(Schema.String).annotations({
    description: "The first prospecting file for the whole account; null if there is none."
  }),
  updated_at: Schema.NullOr(Timestamp)
})
export type BusinessView = typeof BusinessView.Type

/** How likely an account's prospecting is to succeed, and why. */
export const AssessmentVerdict = Schema.Literal("strong", "promising", "weak", "not_ready")
export type AssessmentVerdict = typeof AssessmentVerdict.Type

export const AssessmentTopic = Schema.Literal(
  "business_name",
  "business_description",
  "business_website",
  "ideal_customer_profile",
  "paying_customer_examples",
  "targeting",
  "knowledge",
  "faq",
  "goal",
  "results"
)
export type AssessmentTopic = typeof AssessmentTopic.Type

const judged = { topic: AssessmentTopic, score: Schema.Number.pipe(Schema.between(0, 1)), weight: Schema.Number }

export const AssessmentPoint = Schema.Struct({
  ...judged,
  finding: Schema.String,
  missing: Schema.NullOr(Schema.String).annotations({ description: "What to add; null where nothing is missing." })
})
export type AssessmentPoint = typeof AssessmentPoint.Type

export const Assessment = Schema.Struct({
  verdict: AssessmentVerdict,
  results_probability: Schema.Number.pipe(Schema.between(0, 1)),
  made_by: Schema.Literal("rules"),
  points: Schema.Array(AssessmentPoint),
  missing: Schema.Array(Schema.String)
})
export type Assessment = typeof Assessment.Type

/** The assessment in numbers. Its texts follow from them in the account's current language. */
export const Judgement = Schema.Struct({
  verdict: AssessmentVerdict,
  results_probability: Schema.Number.pipe(Schema.between(0, 1)),
  points: Schema.Array(
    Schema.Struct({
      ...judged,
      /** How many words or items exist, and how many are enough. */
      count: Schema.Int,
      enough: Schema.Int,
      isMissing: Schema.Boolean
    })
  ),
  results: Schema.Struct({
    contacted: Schema.Int,
    replied: Schema.Int,
    interested: Schema.Int,
    won: Schema.Int
  })
})
export type Judgement = typeof Judgement.Type

export const BusinessAssessmentView = Schema.Struct({
  verdict: Schema.NullOr(AssessmentVerdict).annotations({ description: "Null until the first assessment is made." }),
  results_probability: Schema.NullOr(Schema.Number),
  assessment: Schema.NullOr(Assessment),
  assessed_at: Schema.NullOr(Timestamp),
  is_outdated: Schema.Boolean.annotations({
    description: "Whether its inputs have changed since; a new one follows within minutes."
  }),
  paying_customer_examples: Schema.Array(Schema.String)
})
export type BusinessAssessmentView = typeof BusinessAssessmentView.Type

export class Business extends Context.Tag("Business")<
  Business,
  {
    readonly get: Effect.Effect<BusinessView, Transient, Caller>
    readonly assessment: Effect.Effect<BusinessAssessmentView, Transient, Caller>
    /** Missing fields stay unchanged. Call it in a transaction. */
    readonly set: (changes: Changes<BusinessProfile>) => Effect.Effect<BusinessView, Refused | Transient, Caller>
  }
>() {}
