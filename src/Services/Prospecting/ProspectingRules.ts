import { Schema } from "effect"
import { type Changes, clearedIfBlank } from "../Core/Changes.ts"

const ruleText = Schema.NullOr(Schema.String)

/** The instructions for the prospecting agent, as tools return them. */
export const ProspectingRules = Schema.Struct({
  instructions: ruleText,
  email_instructions: ruleText.annotations({ description: "Added to the instructions on e-mails only." }),
  chatapp_instructions: ruleText.annotations({ description: "Added on the messaging app only." }),
  voice_instructions: ruleText.annotations({ description: "Added on voice calls only." }),
  goal: ruleText,
  strategy: ruleText,
  human_review_criteria: ruleText.annotations({ description: "When a person should review a lead." }),
  lead_qualification_instructions: ruleText
})
export type ProspectingRules = typeof ProspectingRules.Type

/** Texts as a caller sends them. */
export type RequestedRules = { readonly [K in keyof ProspectingRules]?: string | undefined }

export const ruleChanges = (requestedRules: RequestedRules): Changes<ProspectingRules> => ({
  instructions: clearedIfBlank(requestedRules.instructions),
  email_instructions: clearedIfBlank(requestedRules.email_instructions),
  chatapp_instructions: clearedIfBlank(requestedRules.chatapp_instructions),
  voice_instructions: clearedIfBlank(requestedRules.voice_instructions),
  goal: clearedIfBlank(requestedRules.goal),
  strategy: clearedIfBlank(requestedRules.strategy),
  human_review_criteria: clearedIfBlank(requestedRules.human_review_criteria),
  lead_qualification_instructions: clearedIfBlank(requestedRules.lead_qualification_instructions)
})
