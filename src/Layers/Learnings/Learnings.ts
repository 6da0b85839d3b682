import { Effect } from "effect"
import * as Room from "../Platform/Room.ts"
import { LearningsPostgres, learningRecurring, learningTasks } from "./LearningsPostgres.ts"
import { learningsMigration } from "./Migrations.ts"
import { learningsPersonalData } from "./PersonalData.ts"

/** What results prove, and what the optimizer does with it. */
export const LearningsRoom = Room.make({
  migrations: [learningsMigration],
  layer: LearningsPostgres,
  tasks: Effect.succeed(learningTasks),
  recurring: learningRecurring,
  personalData: learningsPersonalData
})
