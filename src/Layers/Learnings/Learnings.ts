import { Effect, Layer } from "effect"
import * as Room from "../Platform/Room.ts"
import { learningCommands } from "./Commands.ts"
import { LearningsPostgres, learningRecurring, learningTasks } from "./LearningsPostgres.ts"
import { learningsMigration } from "./Migrations.ts"
import { optimizerRecurring, optimizerTasks, TouchSteeringPostgres } from "./OptimizerPostgres.ts"
import { learningsPersonalData } from "./PersonalData.ts"

/** What results prove, and what the optimizer does with it. */
export const LearningsRoom = Room.make({
  migrations: [learningsMigration],
  layer: Layer.merge(LearningsPostgres, TouchSteeringPostgres),
  tasks: Effect.succeed([...learningTasks, ...optimizerTasks]),
  recurring: [...learningRecurring, ...optimizerRecurring],
  commands: learningCommands,
  personalData: learningsPersonalData
})
