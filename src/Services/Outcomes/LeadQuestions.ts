import { Context, type Effect, Schema } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Caller.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import { LeadId } from "../Leads/Ids.ts"
import type { OutreachChannel } from "../Outreach/Ids.ts"

export const OpenQuestionId = Schema.Int.pipe(Schema.brand("OpenQuestionId"))
export type OpenQuestionId = typeof OpenQuestionId.Type

export const AnswerId = Schema.Int.pipe(Schema.brand("AnswerId"))
export type AnswerId = typeof AnswerId.Type

export const AnsweredQuestion = Schema.Struct({
  answer_id: AnswerId.annotations({ description: "To be sent as expected_answer_id by whoever corrects the answer." }),
  open_question_id: Schema.NullOr(OpenQuestionId).annotations({
    description: "Null where no lead asked the question: the answer is kept, and relayed to nobody."
  }),
  question_text: Schema.String,
  answer_text: Schema.String,
  reusable: Schema.Boolean,
  valid_until: Schema.NullOr(Timestamp),
  replaced_answer_id: Schema.NullOr(AnswerId).annotations({ description: "The answer that this one corrects." }),
  queued_lead_count: Schema.Int.annotations({ description: "Leads that are told this answer, or were." }),
  queued_lead_ids: Schema.Array(LeadId).annotations({ description: "The first 100 of them." }),
  is_repeat: Schema.Boolean.annotations({
    description: "True where this request_id was answered before, so that nothing happened now."
  }),
  created_at: Timestamp
})
export type AnsweredQuestion = typeof AnsweredQuestion.Type

/** An answer that holds for every lead, or did. */
export const FaqEntry = Schema.Struct({
  open_question_id: Schema.NullOr(OpenQuestionId).annotations({
    description: "Null where no lead asked: such an answer is corrected with answer_lead_question."
  }),
  answer_id: AnswerId,
  question_text: Schema.String,
  answer_text: Schema.String,
  answered_by: Schema.Literal("owner"),
  valid_until: Schema.NullOr(Timestamp),
  is_valid: Schema.Boolean.annotations({ description: "False once valid_until has passed: it is quoted no more." }),
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
  kept_back_deliveries: Schema.Int.annotations({ description: "Leads that were still to be told, and will not be." })
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

/** Questions of leads that only the account can answer, and the answers on their way to them. */
export class LeadQuestions extends Context.Tag("LeadQuestions")<
  LeadQuestions,
  {
    /** What the owner answered to the same question, for any lead to be told; undefined where nothing is near enough. */
    readonly knownAnswer: (question: string) => Effect.Effect<string | undefined, Transient, Caller>
    /**
     * Puts the question before the owner, once for each lead, with a notification; the same question of several leads is
     * one entry. Whoever tells a lead that the answer follows has asked by this, in the same transaction.
     */
    readonly ask: (
      leadId: LeadId,
      question: string,
      channel: OutreachChannel
    ) => Effect.Effect<OpenQuestionId, Transient, Caller>
    /**
     * Keeps the answer and queues it once for each waiting lead that the platform may contact. One that stands already
     * is replaced only by whoever names it. To be run in a transaction.
     */
    readonly answer: (answer: NewAnswer) => Effect.Effect<AnsweredQuestion, NotFound | Refused | Transient, Caller>
    /** What any lead may be told, newest first; those that have expired too. */
    readonly faq: Effect.Effect<ReadonlyArray<FaqEntry>, Transient, Caller>
    /** Questions without an answer, oldest first. */
    readonly open: Effect.Effect<ReadonlyArray<OpenLeadQuestion>, Transient, Caller>
    /** Takes the place of the question's answer, also where leads are still to be told. To be run in a transaction. */
    readonly correct: (
      id: OpenQuestionId,
      answer: { readonly answerText: string; readonly validUntil: Timestamp | undefined }
    ) => Effect.Effect<AnsweredQuestion, NotFound | Refused | Transient, Caller>
    /** Ends the answer: nobody is told it any more, nor those who wait. To be run in a transaction. */
    readonly withdraw: (id: OpenQuestionId) => Effect.Effect<RemovedFaq, NotFound | Transient, Caller>
  }
>() {}
