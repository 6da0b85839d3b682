import { Effect, Layer } from "effect"
import { businessFileIndexingJob } from "../../Services/Knowledge/BusinessFiles.ts"
import * as Room from "../Platform/Room.ts"
import { BusinessFilesPostgres, QuotablePassagesPostgres } from "./BusinessFilesPostgres.ts"
import { BusinessPostgres, businessRecurring, businessTasks } from "./BusinessPostgres.ts"
import { BusinessSetupPostgres } from "./BusinessSetupPostgres.ts"
import { knowledgeMigration } from "./Migrations.ts"

/** The account's description of its business, and the material that its agent may quote. */
export const KnowledgeRoom = Room.make({
  migrations: [knowledgeMigration],
  early: BusinessSetupPostgres,
  layer: Layer.merge(BusinessPostgres, QuotablePassagesPostgres.pipe(Layer.provideMerge(BusinessFilesPostgres))),
  tasks: Effect.succeed(businessTasks),
  jobs: [businessFileIndexingJob],
  recurring: businessRecurring
})
