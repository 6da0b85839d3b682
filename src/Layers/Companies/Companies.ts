import { Effect, Layer } from "effect"
import * as Room from "../Platform/Room.ts"
import { companyCommands } from "./Commands.ts"
import { CompanyDirectoryLive } from "./CompanyDirectoryLive.ts"
import { generationRecurring, generationTasks } from "./GenerationTasks.ts"
import { LeadGenerationPostgres } from "./LeadGenerationPostgres.ts"
import { MailDomainsLive } from "./MailDomainsLive.ts"
import { companiesMigration } from "./Migrations.ts"
import { companiesPersonalData } from "./PersonalData.ts"

/** The directory of companies, and their acquisition as leads. */
export const CompaniesRoom = Room.make({
  migrations: [companiesMigration],
  layer: LeadGenerationPostgres.pipe(Layer.provideMerge(Layer.merge(CompanyDirectoryLive, MailDomainsLive))),
  tasks: Effect.succeed(generationTasks),
  recurring: generationRecurring,
  commands: companyCommands,
  personalData: companiesPersonalData
})
