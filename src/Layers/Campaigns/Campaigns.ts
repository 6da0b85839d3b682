import { Effect, Layer } from "effect"
import * as Room from "../Platform/Room.ts"
import { returnArchivedCampaignLeadsHandler } from "./ArchivedCampaignLeads.ts"
import { CampaignLookupPostgres } from "./CampaignLookupPostgres.ts"
import { CampaignsPostgres } from "./CampaignsPostgres.ts"
import { campaignsMigration } from "./Migrations.ts"

/** Campaigns, and what becomes of the leads of those that are archived. */
export const CampaignsRoom = Room.make({
  migrations: [campaignsMigration],
  layer: CampaignsPostgres.pipe(Layer.provideMerge(CampaignLookupPostgres)),
  tasks: Effect.succeed([returnArchivedCampaignLeadsHandler])
})
