import { Effect, Schema } from "effect"
import { LeadId } from "../../Services/Leads/Ids.ts"
import { AssignableLeadStatus } from "../../Services/Leads/LeadModel.ts"
import { Referrals, RegisteredReferral } from "../../Services/Leads/Referrals.ts"
import { emailProblems, phoneProblems } from "../../Services/Text/ContactDetails.ts"
import { notAppliedField } from "../../Services/Writing/Instructions/NotApplied.ts"
import { withNotApplied } from "../Core/NotAppliedAnswer.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

export const registerReferralLead = Tool.make("register_referral_lead", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Creates a lead whom another lead referred, in that lead's campaign, and begins prospecting: the first message says who referred it. Needs an e-mail address or a phone number. If a lead with one of them exists, that lead is returned instead.",
  parameters: {
    referring_lead_id: Param.id(LeadId, "The lead who gave the referral, as search_leads names it."),
    lead_name: Param.text("The new person's name.", { minLength: 1, maxLength: 200 }),
    lead_email: Param.optional(Param.text("E-mail address.", { maxLength: 320 })),
    lead_phone: Param.optional(
      Param.text("Phone number; without a country code it belongs to the account's own country.", { maxLength: 100 })
    ),
    same_company: Param.withDefault(
      Param.boolean("Whether both work at the same company; its data is then copied."),
      false
    ),
    status: Param.optional(Param.oneOf(AssignableLeadStatus.literals, "The status to begin with; Cold if left out.")),
    instructions_for_first_touch: Param.optional(
      Param.text("What the first message should say or take into account.", { maxLength: 10_000 })
    )
  },
  returns: Schema.Struct({ ...RegisteredReferral.fields, ...notAppliedField }),
  errors: {
    NotFound: ["campaign_not_found", "lead_not_found"],
    Refused: [...emailProblems, ...phoneProblems, "contact_required", "lead_erased"],
    Transient: ["lead_registered_elsewhere"]
  },
  requiresPaidPlan: true,
  example: {
    referring_lead_id: 1,
    lead_name: "Bruno Lima",
    lead_email: "bruno.lima@company.example",
    same_company: true
  },
  run: Effect.fnUntraced(function* (args) {
    const referrals = yield* Referrals
    const lead = yield* referrals.register({
      referringLeadId: args.referring_lead_id,
      name: args.lead_name,
      email: args.lead_email,
      phone: args.lead_phone,
      isSameCompany: args.same_company,
      status: args.status ?? "Cold",
      firstTouchInstructions: args.instructions_for_first_touch,
      actor: "owner"
    })
    return yield* withNotApplied(lead, { nextTouch: args.instructions_for_first_touch })
  })
})
