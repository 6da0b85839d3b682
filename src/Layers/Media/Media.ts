import { Effect, Layer } from "effect"
import { ImageEngine } from "../../Services/Media/ImageEngine.ts"
import { imageJob } from "../../Services/Media/Images.ts"
import * as Room from "../Platform/Room.ts"
import { mediaFileReferences } from "./FileReferences.ts"
import { ImageEngineConfigured } from "./ImageEngineConfigured.ts"
import { ImagesPostgres } from "./ImagesPostgres.ts"
import { mediaMigration } from "./Migrations.ts"
import { Studio } from "./Studio.ts"

/** Images, drawings and videos. */
export const MediaRoom = Room.make({
  migrations: [mediaMigration],
  layer: ImagesPostgres.pipe(Layer.provideMerge(ImageEngineConfigured), Layer.provideMerge(Studio.layer)),
  jobs: [imageJob],
  modes: Effect.map(ImageEngine, ({ mode }) => ({ images: mode })),
  fileReferences: mediaFileReferences
})
