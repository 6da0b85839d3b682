import { Effect, Schema } from "effect"
import { notLongPast } from "../../Services/Core/PastDates.ts"
import { EmailMessageId } from "../../Services/Leads/Email/LeadEmail.ts"
import { LeadEmails } from "../../Services/Leads/Email/LeadEmails.ts"
import { LeadPipelineView } from "../../Services/Leads/LeadModel.ts"
import { refusalsOf } from "../../Services/Leads/LeadPipeline.ts"
import { Leads } from "../../Services/Leads/Leads.ts"
import { notAppliedField } from "../../Services/Writing/Instructions/NotApplied.ts"
import { withNotApplied } from "../Core/NotAppliedAnswer.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"
import { leadId, unlessBlank } from "./LeadParams.ts"

const optionalReason = Param.optional(Param.text("Why, for the lead's history.", { maxLength: 2000 }))

export const pauseLeadProspecting = Tool.make("pause_lead_prospecting", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Stops the platform from contacting a lead until resume_lead_prospecting. Status and instructions for the next touch stay. Messages already sent and a call in progress are not affected.",
  parameters: {
    lead_id: leadId,
    reason: Param.text("Why prospecting pauses; shown with the lead.", { minLength: 1, maxLength: 2000 })
  },
  returns: LeadPipelineView,
  errors: { NotFound: ["lead_not_found"], Refused: refusalsOf("pause") },
  example: { lead_id: 1, reason: "On holiday until Monday" },
  run: Tool.via(Leads, (leads, { lead_id, reason }) => leads.transition(lead_id, "pause", { reason }))
})

export const resumeLeadProspecting = Tool.make("resume_lead_prospecting", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Ends the pause of a lead. Anything else that blocks contact with the lead remains, and is listed in blocks.",
  parameters: { lead_id: leadId },
  returns: LeadPipelineView,
  errors: { NotFound: ["lead_not_found"], Refused: refusalsOf("resume") },
  example: { lead_id: 1 },
  run: Tool.via(Leads, (leads, { lead_id }) => leads.transition(lead_id, "resume"))
})

export const returnLeadToPipeline = Tool.make("return_lead_to_pipeline", {
  kind: "write",
  idempotent: false,
  openWorld: false,
  description:
    "Returns a lead that waits for human review to autonomous prospecting, optionally with instructions for the next touch. Its cadence starts again.",
  parameters: {
    lead_id: leadId,
    instructions: Param.optional(
      Param.text("What the next touch should say or take into account.", { maxLength: 10_000 })
    ),
    next_touch_date: Param.optional(Param.instant("When the lead is contacted next; as soon as possible without it."))
  },
  returns: Schema.Struct({ ...LeadPipelineView.fields, ...notAppliedField }),
  errors: { NotFound: ["lead_not_found"], Refused: [...refusalsOf("return_to_pipeline"), "date_in_the_past"] },
  example: { lead_id: 1, instructions: "Offer a call next week" },
  run: Effect.fnUntraced(function* ({ instructions, lead_id, next_touch_date }) {
    yield* notLongPast("next_touch_date", next_touch_date)
    const leads = yield* Leads
    const lead = yield* leads.transition(lead_id, "return_to_pipeline", {
      nextTouchAt: next_touch_date,
      nextTouchInstructions: unlessBlank(instructions)
    })
    return yield* withNotApplied(lead, { nextTouch: instructions })
  })
})

export const stopLead = Tool.make("stop_lead", {
  kind: "destructive",
  idempotent: true,
  openWorld: false,
  description:
    "Finishes a lead: nothing more is sent to it, not even queued messages. recover_lead_to_pipeline reverses it.",
  parameters: { lead_id: leadId, reason: optionalReason },
  returns: LeadPipelineView,
  errors: { NotFound: ["lead_not_found"], Refused: refusalsOf("stop") },
  example: { lead_id: 1, reason: "Bought elsewhere" },
  run: Tool.via(Leads, (leads, { lead_id, reason }) =>
    leads.transition(lead_id, "stop", { reason: unlessBlank(reason) })
  )
})

export const takeOverLead = Tool.make("take_over_lead", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Lets the owner take over a lead: it leaves the autonomous pipeline, and the platform no longer contacts it.",
  parameters: { lead_id: leadId },
  returns: LeadPipelineView,
  errors: { NotFound: ["lead_not_found"], Refused: refusalsOf("take_over") },
  example: { lead_id: 1 },
  run: Tool.via(Leads, (leads, { lead_id }) => leads.transition(lead_id, "take_over"))
})

export const sendMessageToLead = Tool.make("send_message_to_lead", {
  kind: "write",
  idempotent: false,
  openWorld: true,
  description:
    "Queues an e-mail that the owner wrote to a lead, from the account's platform address, and takes the lead over like take_over_lead.",
  parameters: {
    lead_id: leadId,
    subject: Param.text("Subject, on one line.", { minLength: 1, maxLength: 500 }),
    body: Param.text("Text of the message, sent exactly as written.", { minLength: 1, maxLength: 100_000 })
  },
  returns: Schema.Struct({
    email_message_id: EmailMessageId,
    status: Schema.Literal("queued").annotations({ description: "It is sent shortly; list_lead_emails shows when." }),
    message_id: Schema.String.annotations({ description: "The Message-ID header of the mail." }),
    from_address: Schema.String,
    to_address: Schema.String,
    lead: LeadPipelineView
  }),
  errors: {
    NotFound: ["lead_not_found"],
    Refused: [
      ...refusalsOf("send_message"),
      "control_characters",
      "email_suppressed",
      "lead_blacklisted",
      "lead_has_no_email"
    ]
  },
  example: { lead_id: 1, subject: "Our call on Friday", body: "Hello, does 10 o'clock suit you?" },
  run: Effect.fnUntraced(function* ({ body, lead_id, subject }) {
    const emails = yield* LeadEmails
    const { emailMessageId, fromAddress, lead, messageId, toAddress } = yield* emails.send(lead_id, { subject, body })
    return {
      email_message_id: emailMessageId,
      status: "queued" as const,
      message_id: messageId,
      from_address: fromAddress,
      to_address: toAddress,
      lead
    }
  })
})
