import { Effect, Layer } from "effect"
import { MailDomain } from "../../Services/Leads/Email/LeadEmails.ts"
import * as Room from "../Platform/Room.ts"
import { Settings } from "../Platform/Settings.ts"
import { CampaignLeadsPostgres } from "./CampaignLeadsPostgres.ts"
import { ErasureRecordsPostgres } from "./Erasure/ErasureRecordsPostgres.ts"
import { PeoplePostgres } from "./Erasure/PeoplePostgres.ts"
import { leadFileReferences, leadsPersonalData } from "./Erasure/PersonalData.ts"
import { unusedLeadIndexesMigration } from "./IndexMigrations.ts"
import { LeadChangesPostgres } from "./LeadChangesPostgres.ts"
import { leadCounterFolding, sectorCounterFolding } from "./LeadCounters.ts"
import { LeadEmailsPostgres } from "./LeadEmailsPostgres.ts"
import { LeadSearchPostgres } from "./LeadSearchPostgres.ts"
import { LeadsPostgres } from "./LeadsPostgres.ts"
import {
  interestedLeadsMigration,
  leadDeferralsMigration,
  leadPlacesMigration,
  leadsMigration,
  personErasureMigration,
  presentationDigestMigration
} from "./Migrations.ts"
import { AcquiredLeadsPostgres } from "./Registration/AcquiredLeadsPostgres.ts"
import { CapturedLeadsPostgres } from "./Registration/CapturedLeadsPostgres.ts"
import { ReferralsPostgres } from "./Registration/ReferralsPostgres.ts"
import { storedPlaces } from "./StoredPlaces.ts"

const MailDomainLive = Layer.effect(
  MailDomain,
  Effect.map(Settings, ({ mailDomain }) => mailDomain)
)

/** Leads: their pipeline, search, addresses, and erasure. */
export const LeadsRoom = Room.make({
  migrations: [
    leadsMigration,
    leadPlacesMigration,
    leadDeferralsMigration,
    presentationDigestMigration,
    personErasureMigration,
    interestedLeadsMigration,
    unusedLeadIndexesMigration
  ],
  early: CampaignLeadsPostgres,
  layer: Layer.mergeAll(
    AcquiredLeadsPostgres,
    CapturedLeadsPostgres,
    ErasureRecordsPostgres,
    LeadChangesPostgres,
    LeadEmailsPostgres,
    LeadSearchPostgres,
    PeoplePostgres,
    ReferralsPostgres
  ).pipe(Layer.provideMerge(Layer.merge(LeadsPostgres, MailDomainLive))),
  tasks: Effect.succeed([leadCounterFolding.handler, sectorCounterFolding.handler, storedPlaces.handler]),
  recurring: [leadCounterFolding.recurring, sectorCounterFolding.recurring, storedPlaces.recurring],
  loops: leadCounterFolding.loop,
  personalData: leadsPersonalData,
  fileReferences: leadFileReferences
})
