import { Effect, Schema } from "effect"
import { AssignableLeadStatus, ErasedLead, RegisteredLead, UpdatedLead } from "../../Services/Leads/LeadModel.ts"
import { Leads } from "../../Services/Leads/Leads.ts"
import { emailProblems, phoneProblems } from "../../Services/Text/ContactDetails.ts"
import { notAppliedField } from "../../Services/Writing/Instructions/NotApplied.ts"
import { withNotApplied } from "../Core/NotAppliedAnswer.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"
import { leadId, unlessBlank } from "./LeadParams.ts"

export const registerLead = Tool.make("register_lead", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Adds a new contact as a lead and begins prospecting it: by e-mail if it has a valid address, or by messaging app and voice if it only has a phone number. If a lead with the same e-mail address or phone number exists, its empty fields are filled and it is returned instead; filled and not_filled say what changed.",
  parameters: {
    name: Param.text("The person's name.", { minLength: 1, maxLength: 200 }),
    email: Param.optional(Param.text("E-mail address.", { maxLength: 320 })),
    phone: Param.optional(
      Param.text("Phone number; without a country code it belongs to the account's own country.", { maxLength: 100 })
    ),
    company: Param.optional(Param.text("The company's name.", { maxLength: 200 })),
    status: Param.withDefault(
      Param.oneOf(["Cold", "Confirmed"], "Confirmed for a person who is known to be the right one."),
      "Cold"
    ),
    campaign: Param.optional(
      Param.text("The campaign that the lead belongs to: its name or its numeric id.", { maxLength: 200 })
    )
  },
  returns: RegisteredLead,
  errors: {
    NotFound: ["campaign_not_found"],
    Refused: [...emailProblems, ...phoneProblems, "lead_erased"],
    Transient: ["lead_registered_elsewhere"]
  },
  transaction: "unneeded",
  example: { name: "Ana Souza", email: "ana.souza@company.example", company: "Souza Ltda" },
  run: Tool.via(Leads, (leads, lead) => leads.register(lead))
})

export const updateLead = Tool.make("update_lead", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Changes a lead's status, goal or background. Fields that are left out stay unchanged. Prospecting continues: a status neither stops nor pauses it.",
  parameters: {
    lead_id: leadId,
    status: Param.optional(Param.oneOf(AssignableLeadStatus.literals, "How far the conversation has come.")),
    goal: Param.optional(
      Param.text("What prospecting of this lead should achieve; an empty text removes it.", { maxLength: 5000 })
    ),
    background: Param.optional(
      Param.text("Facts about the lead for writing to it; an empty text removes them.", {
        maxLength: 20_000
      })
    )
  },
  returns: Schema.Struct({ ...UpdatedLead.fields, ...notAppliedField }),
  errors: { NotFound: ["lead_not_found"] },
  transaction: "unneeded",
  example: { lead_id: 1, status: "Interested" },
  run: Effect.fnUntraced(function* ({ background, goal, lead_id, status }) {
    const leads = yield* Leads
    return yield* withNotApplied(yield* leads.update(lead_id, { status, goal, background }), { goal })
  })
})

export const deleteLead = Tool.make("delete_lead", {
  kind: "destructive",
  // The reason may name the person who is erased.
  passesOnWords: false,
  idempotent: true,
  openWorld: false,
  description:
    "Erases a person's data permanently: the lead, its messages and its history. This cannot be undone, and the person's e-mail address and phone number cannot be registered again.",
  parameters: {
    lead_id: leadId,
    reason: Param.optional(
      Param.text("Why, for the audit log; names, addresses and numbers in it are removed.", { maxLength: 500 })
    )
  },
  returns: ErasedLead,
  errors: { NotFound: ["lead_not_found"] },
  example: { lead_id: 1, reason: "Asked to be forgotten" },
  run: Tool.via(Leads, (leads, { lead_id, reason }) => leads.erase(lead_id, unlessBlank(reason)))
})
