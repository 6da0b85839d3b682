import { Effect, Layer } from "effect"
import { UploadLimit } from "../../Services/Files/CustomerFiles.ts"
import * as Room from "../Platform/Room.ts"
import { Settings } from "../Platform/Settings.ts"
import { CustomerFilesPostgres } from "./CustomerFilesPostgres.ts"
import { fileDownloads } from "./FileDownloads.ts"
import { filesMigration } from "./Migrations.ts"

const UploadLimitLive = Layer.effect(
  UploadLimit,
  Effect.map(Settings, ({ uploadLimit }) => uploadLimit)
)

/** The room of accounts' files. */
export const FilesRoom = Room.make({
  migrations: [filesMigration],
  layer: CustomerFilesPostgres.pipe(Layer.provideMerge(UploadLimitLive)),
  endpoints: Effect.map(fileDownloads, (endpoint) => [endpoint])
})
