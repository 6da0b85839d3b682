import { Effect, Layer } from "effect"
import { supportEmail } from "../Platform/Operators/OperatorAddress.ts"
import * as Room from "../Platform/Room.ts"
import { supportCommands } from "./Commands.ts"
import { IncidentsPostgres } from "./IncidentsPostgres.ts"
import { supportMigration } from "./Migrations.ts"
import { operatorMailTask } from "./OperatorMails.ts"
import { AnsweredSupportPostgres, SupportDeskPostgres, SupportRequestsPostgres } from "./SupportRequestsPostgres.ts"
import { modelCheckLoop, watchLoop } from "./WatchServices.ts"

/** The room of support requests to the operators, and of the platform's incidents. */
export const SupportRoom = Room.make({
  migrations: [supportMigration],
  layer: Layer.mergeAll(SupportRequestsPostgres, SupportDeskPostgres, IncidentsPostgres, AnsweredSupportPostgres),
  tasks: Effect.map(operatorMailTask, (task) => [task]),
  loops: Effect.zipRight(watchLoop, modelCheckLoop),
  commands: supportCommands,
  settings: [supportEmail]
})
