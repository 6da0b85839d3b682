import { Schema } from "effect"
import { type Changes, clearedIfBlank } from "../Core/Changes.ts"

const ruleText = Schema.NullOr(Schema.String)

/** What the prospecting agent is told, as answers show it. */
export const ProspectingRules = Schema.Struct({
  instructions: ruleText,
  email_instructions: ruleText.annotations({ description: "Added to the instructions on e-mails only." }),
  chatapp_instructions: ruleText.annotations({ description: "Added on the messaging app only." }),
  voice_instructions: ruleText.annotations({ description: "Added on voice calls only." }),
  goal: ruleText,
  strategy: ruleText,
  human_review_criteria: ruleText.annotations({ description: "When a lead is put before a person." }),
  lead_qualification_instructions: ruleText
})
export type ProspectingRules = typeof ProspectingRules.Type

/** Texts as a caller sends them. */
export type AskedRules = { readonly [K in keyof ProspectingRules]?: string | undefined }

export const ruleChanges = (asked: AskedRules): Changes<ProspectingRules> => ({
  instructions: clearedIfBlank(asked.instructions),
  email_instructions: clearedIfBlank(asked.email_instructions),
  chatapp_instructions: clearedIfBlank(asked.chatapp_instructions),
  voice_instructions: clearedIfBlank(asked.voice_instructions),
  goal: clearedIfBlank(asked.goal),
  strategy: clearedIfBlank(asked.strategy),
  human_review_criteria: clearedIfBlank(asked.human_review_criteria),
  lead_qualification_instructions: clearedIfBlank(asked.lead_qualification_instructions)
})
