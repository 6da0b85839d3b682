import { Effect } from "effect"
import {
  InstructionReports,
  type ReportedInstructions
} from "../../Services/Writing/Instructions/InstructionReports.ts"

/** A tool's answer, with the owner's instructions that cannot be followed. */
export const withNotApplied = <A extends object>(answer: A, instructions: ReportedInstructions) =>
  Effect.gen(function* () {
    const reports = yield* InstructionReports
    return { ...answer, not_applied: yield* reports.notApplied(instructions) }
  })

/**
 * The instructions of an account or a campaign. Those for calls are left out, because the agent gets them unchanged.
 */
export const standingInstructions = (rules: {
  readonly instructions: string | null
  readonly email_instructions: string | null
  readonly chatapp_instructions: string | null
  readonly goal: string | null
  readonly strategy: string | null
  readonly human_review_criteria: string | null
}): ReportedInstructions => ({
  general: rules.instructions,
  further: [rules.email_instructions, rules.chatapp_instructions],
  goal: rules.goal,
  strategy: rules.strategy,
  reviewCriteria: rules.human_review_criteria
})
