import { Effect, Schema } from "effect"
import {
  AnsweredQuestion,
  FaqEntry,
  LeadQuestions,
  OpenLeadQuestion,
  OpenQuestionId,
  RemovedFaq
} from "../../Services/Outcomes/LeadQuestions.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

export const listBusinessFaq = Tool.make("list_business_faq", {
  kind: "read",
  openWorld: false,
  description:
    "Lists the answers that the agent may give to any lead, newest first, with their validity and their earlier versions.",
  parameters: {},
  returns: Schema.Struct({ faq: Schema.Array(FaqEntry), total: Schema.Int }),
  example: {},
  run: Tool.via(LeadQuestions, (questions) => Effect.map(questions.faq, (faq) => ({ faq, total: faq.length })))
})

export const listOpenLeadQuestions = Tool.make("list_open_lead_questions", {
  kind: "read",
  openWorld: false,
  description:
    "Lists questions of leads that the agent can't answer, oldest first, with the leads that wait. Answer them with answer_lead_question.",
  parameters: {},
  returns: Schema.Struct({ open_questions: Schema.Array(OpenLeadQuestion), total: Schema.Int }),
  example: {},
  run: Tool.via(LeadQuestions, (questions) =>
    Effect.map(questions.open, (open) => ({ open_questions: open, total: open.length }))
  )
})

const openQuestionId = Param.id(OpenQuestionId, "The entry, as list_business_faq names it.")

export const updateBusinessFaq = Tool.make("update_business_faq", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Corrects an answer for all leads. Messages that are not sent yet use the new answer; the old one stays in the entry's history.",
  parameters: {
    open_question_id: openQuestionId,
    answer_text: Param.text("The new answer.", { minLength: 1, maxLength: 5000 }),
    valid_until: Param.optional(Param.instant("How long it is valid; without it, until it is changed."))
  },
  returns: AnsweredQuestion,
  errors: {
    NotFound: ["faq_entry_not_found", "open_question_not_found"],
    Refused: [
      "already_answered",
      "answer_changed",
      "question_not_found",
      "question_required",
      "question_withdrawn",
      "request_id_invalid",
      "request_id_reused",
      "valid_until_past"
    ]
  },
  example: { open_question_id: 1, answer_text: "Sim, entregamos em todo o Brasil." },
  run: Tool.via(LeadQuestions, (questions, { answer_text, open_question_id, valid_until }) =>
    questions.correct(open_question_id, { answerText: answer_text, validUntil: valid_until })
  )
})

export const removeBusinessFaq = Tool.make("remove_business_faq", {
  kind: "destructive",
  idempotent: true,
  openWorld: false,
  description: "Withdraws an answer for all leads: no lead gets it any more, including those that still wait for it.",
  parameters: { open_question_id: openQuestionId },
  returns: RemovedFaq,
  errors: { NotFound: ["faq_entry_not_found"] },
  example: { open_question_id: 1 },
  run: Tool.via(LeadQuestions, (questions, { open_question_id }) => questions.withdraw(open_question_id))
})
