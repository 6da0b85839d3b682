import { Effect, Layer } from "effect"
import * as Room from "../Platform/Room.ts"
import { AgentConversationPostgres } from "./AgentConversationPostgres.ts"
import { AnswerDeliveriesPostgres } from "./AnswerDeliveriesPostgres.ts"
import { outcomeRecurring, outcomeTasks } from "./CheckIns.ts"
import { LeadQuestionsPostgres } from "./LeadQuestionsPostgres.ts"
import { agentConversationMigration, outcomesMigration } from "./Migrations.ts"
import { OutcomesPostgres } from "./OutcomesPostgres.ts"
import { outcomesPersonalData } from "./PersonalData.ts"

/** The outcomes of leads, and the questions that leads wait to have answered. */
export const OutcomesRoom = Room.make({
  migrations: [outcomesMigration, agentConversationMigration],
  early: Layer.merge(AnswerDeliveriesPostgres, AgentConversationPostgres),
  layer: Layer.merge(OutcomesPostgres, LeadQuestionsPostgres),
  tasks: Effect.succeed(outcomeTasks),
  recurring: outcomeRecurring,
  personalData: outcomesPersonalData
})
