import { Layer } from "effect"
import { CampaignLookupPostgres } from "../../../src/Layers/Campaigns/CampaignLookupPostgres.ts"
import { NotificationsPostgres } from "../../../src/Layers/Events/NotificationsPostgres.ts"
import { CustomerFilesPostgres } from "../../../src/Layers/Files/CustomerFilesPostgres.ts"
import { JobsPostgres } from "../../../src/Layers/Jobs/JobsPostgres.ts"
import { LeadExportsPostgres } from "../../../src/Layers/LeadFiles/LeadExportsPostgres.ts"
import { LeadEmailsPostgres } from "../../../src/Layers/Leads/LeadEmailsPostgres.ts"
import { LeadSearchPostgres } from "../../../src/Layers/Leads/LeadSearchPostgres.ts"
import { LeadsPostgres } from "../../../src/Layers/Leads/LeadsPostgres.ts"
import { migrateEngine } from "../../../src/Layers/Platform/Jobs/EngineSchema.ts"
import { TaskQueuePostgres } from "../../../src/Layers/Platform/Jobs/TaskQueue.ts"
import { type PersonalData, PersonalDataOfRooms } from "../../../src/Layers/Platform/PersonalData.ts"
import { MailDomain } from "../../../src/Services/Leads/Email/LeadEmails.ts"
import { TestSettings } from "../TestSettings.ts"

/**
 * The services of the Leads tools over any database, because a separate process uses a different one than a test file.
 */
export const leadLayers = (personalData: ReadonlyArray<PersonalData>) =>
  Layer.mergeAll(LeadEmailsPostgres, LeadExportsPostgres, LeadSearchPostgres).pipe(
    Layer.provideMerge(
      Layer.mergeAll(LeadsPostgres, CampaignLookupPostgres, JobsPostgres, CustomerFilesPostgres, NotificationsPostgres)
    ),
    Layer.provideMerge(TaskQueuePostgres),
    Layer.provide(Layer.succeed(MailDomain, "mail.example")),
    Layer.provide(Layer.succeed(PersonalDataOfRooms, personalData)),
    Layer.provide(TestSettings),
    Layer.provideMerge(Layer.effectDiscard(migrateEngine))
  )
