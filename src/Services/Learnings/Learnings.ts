import { Context, type Effect, Schema } from "effect"
import type { NotFound, Transient } from "../../Errors.ts"
import { AccountId } from "../Accounts/Ids.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import * as Task from "../Jobs/Task.ts"
import { comparedKinds } from "./Findings.ts"
import { LearningSummary } from "./FindingText.ts"
import { LearningId } from "./Ids.ts"
import { LearningAdvice } from "./LearningAdvice.ts"

/** How many days of results are evaluated. */
export const learningDays = 90

export const LearningKind = Schema.Literal(...comparedKinds, "refusal_reason")

export const Learning = Schema.Struct({
  learning_id: LearningId,
  kind: LearningKind,
  Content: Schema.String.annotations({ description: "The insight, in the account's language." }),
  Summary: LearningSummary,
  advice: Schema.NullOr(LearningAdvice).annotations({
    description: "What follows from it. Null where there is nothing to do."
  }),
  made_at: Timestamp
})
export type Learning = typeof Learning.Type

export const FoundLearnings = Schema.Struct({
  learnings: Schema.Array(
    Schema.Struct({
      ...Learning.fields,
      score: Schema.Number.annotations({ description: "0 to 1: how well it answers the query." })
    })
  ),
  mode: Schema.Literal("text", "hybrid").annotations({
    description: "text: by the words alone; hybrid: by their meaning too."
  })
})
export type FoundLearnings = typeof FoundLearnings.Type

export const DismissedLearning = Schema.Struct({
  learning_id: LearningId,
  dismissed_at: Timestamp,
  reason: Schema.String
})
export type DismissedLearning = typeof DismissedLearning.Type

/** Findings that the results of the last 90 days prove. */
export class Learnings extends Context.Tag("Learnings")<
  Learnings,
  {
    /** Present learnings that were not dismissed, the most certain first. */
    readonly list: Effect.Effect<
      { readonly learnings: ReadonlyArray<Learning>; readonly asOf: Timestamp | null },
      Transient,
      Caller
    >
    readonly search: (query: string) => Effect.Effect<FoundLearnings, Transient, Caller>
    /** Hides the learning permanently, even if the same claim is found again. A second call replaces the reason. */
    readonly dismiss: (id: LearningId, reason: string) => Effect.Effect<DismissedLearning, NotFound | Transient, Caller>
  }
>() {}

/** Evaluates the results again. Without an account, it queues a task for each account. */
export const refreshLearnings = Task.make("refresh_learnings", {
  payload: Schema.Struct({ accountId: Schema.optional(AccountId) }),
  maxAttempts: 4,
  timeout: "10 minutes",
  pool: "long"
})
