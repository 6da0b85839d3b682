import { Effect, Layer } from "effect"
import * as Room from "../Platform/Room.ts"
import { returnArchivedCampaignLeadsHandler } from "./ArchivedCampaignLeads.ts"
import { CampaignLookupPostgres } from "./CampaignLookupPostgres.ts"
import { CampaignsPostgres } from "./CampaignsPostgres.ts"
import { campaignsMigration } from "./Migrations.ts"

/** Campaigns, and the clean-up of leads after a campaign is archived. */
export const CampaignsRoom = Room.make({
  migrations: [campaignsMigration],
  layer: CampaignsPostgres.pipe(Layer.provideMerge(CampaignLookupPostgres)),
  tasks: Effect.succeed([returnArchivedCampaignLeadsHandler])
})
