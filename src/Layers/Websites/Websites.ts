import { Layer } from "effect"
import * as Room from "../Platform/Room.ts"
import { websitesMigration } from "./Migrations.ts"
import { SitePicturesPostgres } from "./Pictures/SitePicturesPostgres.ts"
import { PublishedSitesPostgres } from "./Serving/PublishedSitesPostgres.ts"

/** Websites: how they are written, kept, served and measured. */
export const WebsitesRoom = Room.make({
  migrations: [websitesMigration],
  layer: Layer.mergeAll(PublishedSitesPostgres, SitePicturesPostgres)
})
