import { Effect, Schema } from "effect"
import { LeadId } from "../../Services/Leads/Ids.ts"
import { LeadPipelineView } from "../../Services/Leads/LeadModel.ts"
import { refusalsOf } from "../../Services/Leads/LeadPipeline.ts"
import { AnsweredQuestion, AnswerId, LeadQuestions, OpenQuestionId } from "../../Services/Outcomes/LeadQuestions.ts"
import {
  LeadCheckIns,
  LeadLifecycleEvent,
  LeadOutcome,
  Outcomes,
  RegisteredOutcome
} from "../../Services/Outcomes/Outcomes.ts"
import { notAppliedField } from "../../Services/Writing/Instructions/NotApplied.ts"
import { withNotApplied } from "../Core/NotAppliedAnswer.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

const leadId = Param.id(LeadId, "The lead.")

/** The largest accepted deal value. */
const largestDeal = 1_000_000_000_000

const answerLeadQuestion = Tool.make("answer_lead_question", {
  kind: "write",
  idempotent: false,
  openWorld: false,
  description:
    "Stores the account's answer to a question that leads asked, and queues it once for each waiting lead that may be contacted. It is used for other leads only if reusable is true. An answer to a question that no lead asked is stored at once if reusable is true, and refused otherwise. An existing answer is replaced only if the call names it as expected_answer_id; a repeated request_id changes nothing.",
  parameters: {
    answer_text: Param.text("The answer, as leads should read it.", { minLength: 1, maxLength: 5000 }),
    open_question_id: Param.optional(
      Param.id(
        OpenQuestionId,
        "The question's id, from list_open_lead_questions; without it question_text is required."
      )
    ),
    question_text: Param.optional(
      Param.text(
        "The question's text, if open_question_id is not sent. Another wording of the same question is recognized.",
        { maxLength: 2000 }
      )
    ),
    reusable: Param.withDefault(
      Param.boolean("Whether the owner explicitly approved the answer for other leads too."),
      false
    ),
    expected_answer_id: Param.optional(Param.id(AnswerId, "The current answer, when correcting it.")),
    valid_until: Param.optional(Param.instant("From then on, no lead gets the answer any more.")),
    request_id: Param.optional(
      Param.text("A UUID of the caller's; repeat the call with the same one.", { maxLength: 64 })
    )
  },
  returns: AnsweredQuestion,
  errors: {
    NotFound: ["open_question_not_found"],
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
  example: {
    answer_text: "Yes, we deliver within five days",
    question_text: "Do you deliver to the whole country?",
    reusable: true
  },
  run: Tool.via(LeadQuestions, (questions, args) =>
    questions.answer({
      answerText: args.answer_text,
      openQuestionId: args.open_question_id,
      questionText: args.question_text,
      isReusable: args.reusable,
      expectedAnswerId: args.expected_answer_id,
      validUntil: args.valid_until,
      requestId: args.request_id
    })
  )
})

const listLeadLifecycleEvents = Tool.make("list_lead_lifecycle_events", {
  kind: "read",
  replicaAllowed: true,
  openWorld: false,
  description:
    "Lists what happened to a lead, newest first: started, taken over, paused, recovered, outcomes with their reasons and values. Entries are never changed or removed.",
  parameters: {
    lead_id: leadId,
    limit: Param.size("How many entries at most; more than 200 is lowered to 200.", { default: 50, maximum: 200 })
  },
  returns: Schema.Struct({
    lead_id: LeadId,
    events: Schema.Array(LeadLifecycleEvent),
    limit: Schema.Int,
    total: Schema.Int
  }),
  errors: { NotFound: ["lead_not_found"] },
  example: { lead_id: 1, limit: 20 },
  run: Effect.fnUntraced(function* ({ lead_id, limit }) {
    const outcomes = yield* Outcomes
    return { lead_id, limit, ...(yield* outcomes.history(lead_id, limit)) }
  })
})

const muteLeadCheckIns = Tool.make("mute_lead_check_ins", {
  kind: "write",
  idempotent: false,
  openWorld: false,
  description:
    "Stops the periodic questions to the owner about a lead that was taken over; with snooze_days it postpones them instead. The latest call applies. The lead's status and pipeline state do not change.",
  parameters: {
    lead_id: leadId,
    reason: Param.optional(Param.text("Why, for the lead's history.", { maxLength: 2000 })),
    snooze_days: Param.optional(
      Param.integer("Days to postpone the questions by, 7 if the owner names none; without it they stop.", {
        minimum: 1,
        maximum: 365
      })
    )
  },
  returns: LeadCheckIns,
  errors: { NotFound: ["lead_not_found"] },
  example: { lead_id: 1, snooze_days: 7 },
  run: Tool.via(Outcomes, (outcomes, { lead_id, reason, snooze_days }) =>
    outcomes.muteCheckIns(lead_id, { reason, snoozeDays: snooze_days })
  )
})

const recoverLeadToPipeline = Tool.make("recover_lead_to_pipeline", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Returns a lead that was taken over, stopped or given up to prospecting, which resumes with a gentle message within minutes to hours: a day after the last message to the lead at the earliest, and not before a day that the lead named. Refused for leads that unsubscribed or have the outcome won or lost.",
  parameters: {
    lead_id: leadId,
    owner_context: Param.optional(
      Param.text("What happened in the meantime, for the message to refer to.", { maxLength: 5000 })
    )
  },
  returns: Schema.Struct({ ...LeadPipelineView.fields, ...notAppliedField }),
  errors: { NotFound: ["lead_not_found"], Refused: refusalsOf("recover") },
  example: { lead_id: 83, owner_context: "We met at the fair, and the lead asked for prices" },
  run: Effect.fnUntraced(function* ({ lead_id, owner_context }) {
    const outcomes = yield* Outcomes
    return yield* withNotApplied(yield* outcomes.recover(lead_id, owner_context), { ownerContext: owner_context })
  })
})

const registerLeadOutcome = Tool.make("register_lead_outcome", {
  kind: "write",
  idempotent: false,
  openWorld: false,
  description:
    "Records a lead's outcome. won, lost and gave_up are final and stop prospecting; negotiating and unresponsive are only added to the history. A later outcome corrects an earlier one.",
  parameters: {
    lead_id: leadId,
    outcome: Param.oneOf(LeadOutcome.literals, "What became of the lead."),
    reason: Param.optional(
      Param.text("Why, only if the owner gave the reason without being asked.", { maxLength: 2000 })
    ),
    deal_value_brl: Param.optional(
      Param.number("The value of a won sale in BRL, only if the owner stated it.", {
        minimum: 0.01,
        maximum: largestDeal
      })
    )
  },
  returns: RegisteredOutcome,
  errors: { NotFound: ["lead_not_found"], Refused: ["deal_value_only_for_won"] },
  example: { lead_id: 2, outcome: "won", deal_value_brl: 12_500 },
  run: Tool.via(Outcomes, (outcomes, { deal_value_brl, lead_id, outcome, reason }) =>
    outcomes.register(lead_id, { outcome, reason, dealValueBrl: deal_value_brl })
  )
})

export const OutcomesGroup = Tool.group(
  "Outcomes",
  "Outcomes of leads, answers to their questions, and questions to the owner about quiet leads.",
  [registerLeadOutcome, recoverLeadToPipeline, answerLeadQuestion, muteLeadCheckIns, listLeadLifecycleEvents]
)
