import { Effect, Layer } from "effect"
import * as Room from "../Platform/Room.ts"
import { formExpiry } from "./Forms/Expiry.ts"
import { FormsLive } from "./Forms/Forms.ts"
import { formsMigration } from "./Forms/FormsMigrations.ts"
import { formsPersonalData } from "./Forms/PersonalData.ts"
import { websitesMigration } from "./Migrations.ts"
import { SitePicturesPostgres } from "./Pictures/SitePicturesPostgres.ts"
import { PublishedSitesPostgres } from "./Serving/PublishedSitesPostgres.ts"

/** Websites: how they are written, kept, served and measured. */
export const WebsitesRoom = Room.make({
  migrations: [websitesMigration, formsMigration],
  layer: Layer.mergeAll(FormsLive, PublishedSitesPostgres, SitePicturesPostgres),
  tasks: Effect.succeed([formExpiry.handler]),
  recurring: [formExpiry.recurring],
  personalData: formsPersonalData
})
