import { Effect, Layer } from "effect"
import * as Room from "../Platform/Room.ts"
import { learningCommands } from "./Commands.ts"
import { LearningsPostgres, learningRecurring, learningTasks } from "./LearningsPostgres.ts"
import { learningsMigration } from "./Migrations.ts"
import { optimizerRecurring, optimizerTasks, TouchSteeringPostgres } from "./OptimizerPostgres.ts"
import { learningsPersonalData } from "./PersonalData.ts"

/** Learnings from results, and the optimizer that uses them. */
export const LearningsRoom = Room.make({
  migrations: [learningsMigration],
  layer: Layer.merge(LearningsPostgres, TouchSteeringPostgres),
  tasks: Effect.succeed([...learningTasks, ...optimizerTasks]),
  recurring: [...learningRecurring, ...optimizerRecurring],
  commands: learningCommands,
  personalData: learningsPersonalData
})
