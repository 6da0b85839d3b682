import { Context, type Effect, Schema } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import { LeadId } from "../Leads/Ids.ts"
import type { OutreachChannel } from "../Outreach/Ids.ts"
import type { OwedKind } from "../Replies/ReplySituation.ts"
import type { KnownAnswer } from "../Writing/WritingBrief.ts"

export const OpenQuestionId = Schema.Int.pipe(Schema.brand("OpenQuestionId"))
export type OpenQuestionId = typeof OpenQuestionId.Type

export const AnswerId = Schema.Int.pipe(Schema.brand("AnswerId"))
export type AnswerId = typeof AnswerId.Type

export const AnsweredQuestion = Schema.Struct({
  answer_id: AnswerId.annotations({ description: "To correct the answer, send this as expected_answer_id." }),
  open_question_id: OpenQuestionId,
  question_text: Schema.String,
  answer_text: Schema.String,
  reusable: Schema.Boolean,
  valid_until: Schema.NullOr(Timestamp),
  replaced_answer_id: Schema.NullOr(AnswerId).annotations({ description: "The answer that this one corrects." }),
  queued_lead_count: Schema.Int.annotations({ description: "Leads that get this answer, or got it already." }),
  queued_lead_ids: Schema.Array(LeadId).annotations({ description: "The first 100 of them." }),
  is_repeat: Schema.Boolean.annotations({
    description: "True if this request_id was answered before; nothing happened now."
  }),
  created_at: Timestamp
})
export type AnsweredQuestion = typeof AnsweredQuestion.Type

/** A reusable answer, present or expired. */
export const FaqEntry = Schema.Struct({
  open_question_id: OpenQuestionId,
  answer_id: AnswerId,
  question_text: Schema.String,
  answer_text: Schema.String,
  answered_by: Schema.Literal("owner"),
  valid_until: Schema.NullOr(Timestamp),
  is_valid: Schema.Boolean.annotations({
    description: "False once valid_until has passed; the answer is then no longer used."
  }),
  corrections: Schema.Array(Schema.Struct({ answer_text: Schema.String, answered_at: Timestamp })).annotations({
    description: "Earlier answers, newest first."
  }),
  answered_at: Timestamp
})
export type FaqEntry = typeof FaqEntry.Type

export const OpenLeadQuestion = Schema.Struct({
  open_question_id: OpenQuestionId,
  question_text: Schema.String,
  lead_ids: Schema.Array(LeadId).annotations({ description: "The first 100 leads that wait for the answer." }),
  lead_count: Schema.Int,
  asked_at: Timestamp
})
export type OpenLeadQuestion = typeof OpenLeadQuestion.Type

export const RemovedFaq = Schema.Struct({
  open_question_id: OpenQuestionId,
  question_text: Schema.String,
  kept_back_deliveries: Schema.Int.annotations({
    description: "Leads that were waiting for the answer, and will not get it."
  })
})
export type RemovedFaq = typeof RemovedFaq.Type

export interface NewAnswer {
  readonly answerText: string
  readonly openQuestionId: OpenQuestionId | undefined
  readonly questionText: string | undefined
  readonly isReusable: boolean
  readonly expectedAnswerId: AnswerId | undefined
  readonly validUntil: Timestamp | undefined
  /** A UUID. */
  readonly requestId: string | undefined
}

/** Questions of leads that only the account can answer, and the delivery of the answers. */
export class LeadQuestions extends Context.Tag("LeadQuestions")<
  LeadQuestions,
  {
    /** The owner's valid reusable answers to the questions that are most like these. */
    readonly answersLike: (
      questions: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<KnownAnswer>, Transient, Caller>
    /**
     * Asks the owner the question with a notification, once per lead. The same question from several leads is one
     * entry. Call it in the transaction that promises the lead an answer. `proposal` is a possible answer from a file
     * in another language. `owed` is what the lead asks for, by default an answer.
     */
    readonly ask: (
      leadId: LeadId,
      question: string,
      channel: OutreachChannel,
      more?: { readonly proposal?: string | undefined; readonly owed?: OwedKind | undefined }
    ) => Effect.Effect<OpenQuestionId, Transient, Caller>
    /**
     * Stores the answer and queues it once for each waiting lead that may be contacted. To replace an existing answer,
     * the caller must name it. Call it in a transaction.
     */
    readonly answer: (answer: NewAnswer) => Effect.Effect<AnsweredQuestion, NotFound | Refused | Transient, Caller>
    /** Reusable answers, newest first, including expired ones. */
    readonly faq: Effect.Effect<ReadonlyArray<FaqEntry>, Transient, Caller>
    /** Questions without an answer, oldest first. */
    readonly open: Effect.Effect<ReadonlyArray<OpenLeadQuestion>, Transient, Caller>
    /** Replaces the question's answer, also for leads that still wait for it. Call it in a transaction. */
    readonly correct: (
      id: OpenQuestionId,
      answer: { readonly answerText: string; readonly validUntil: Timestamp | undefined }
    ) => Effect.Effect<AnsweredQuestion, NotFound | Refused | Transient, Caller>
    /** Withdraws the answer. No lead gets it any more, including those who wait. Call it in a transaction. */
    readonly withdraw: (id: OpenQuestionId) => Effect.Effect<RemovedFaq, NotFound | Transient, Caller>
  }
>() {}
