import { Effect, Layer } from "effect"
import * as Room from "../Platform/Room.ts"
import { outcomeRecurring, outcomeTasks } from "./CheckIns.ts"
import { LeadQuestionsPostgres } from "./LeadQuestionsPostgres.ts"
import { OutcomesPostgres } from "./OutcomesPostgres.ts"

/** What came of leads, and what they wait to hear. */
export const OutcomesRoom = Room.make({
  layer: Layer.merge(OutcomesPostgres, LeadQuestionsPostgres),
  tasks: Effect.succeed(outcomeTasks),
  recurring: outcomeRecurring
})
