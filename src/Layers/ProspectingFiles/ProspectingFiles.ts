import { Layer } from "effect"
import * as Room from "../Platform/Room.ts"
import { prospectingFilesMigration } from "./Migrations.ts"
import { OfferableFilesPostgres, ProspectingFilesPostgres } from "./ProspectingFilesPostgres.ts"

/** Files and links that the agent may offer and send to leads. */
export const ProspectingFilesRoom = Room.make({
  migrations: [prospectingFilesMigration],
  layer: Layer.merge(ProspectingFilesPostgres, OfferableFilesPostgres)
})
