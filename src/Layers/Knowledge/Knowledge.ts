import { Effect } from "effect"
import * as Room from "../Platform/Room.ts"
import { BusinessPostgres, businessRecurring, businessTasks } from "./BusinessPostgres.ts"
import { knowledgeMigration } from "./Migrations.ts"

/** What the account says of its business, and what its agent may quote. */
export const KnowledgeRoom = Room.make({
  migrations: [knowledgeMigration],
  layer: BusinessPostgres,
  tasks: Effect.succeed(businessTasks),
  recurring: businessRecurring
})
