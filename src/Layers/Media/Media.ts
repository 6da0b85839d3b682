import { Effect, Layer } from "effect"
import { drawingJob } from "../../Services/Media/Drawings/Drawings.ts"
import { ImageEngine } from "../../Services/Media/ImageEngine.ts"
import { imageJob } from "../../Services/Media/Images.ts"
import { VideoEngine } from "../../Services/Media/VideoEngine.ts"
import { videoJob } from "../../Services/Media/Videos.ts"
import * as Room from "../Platform/Room.ts"
import { DrawingsPostgres } from "./DrawingsPostgres.ts"
import { mediaFileReferences } from "./FileReferences.ts"
import { ImagesPostgres } from "./ImagesPostgres.ts"
import { mediaChecks } from "./MediaChecks.ts"
import { mediaMigration, mediaReportMigration } from "./Migrations.ts"
import { ImageEngineConfigured } from "./Providers/ImageEngineConfigured.ts"
import { loadImageSettings, loadVideoSettings } from "./Providers/MediaSettings.ts"
import { RendererConfigured, VideoEngineConfigured } from "./Providers/VideoEngineConfigured.ts"
import { ImageRenderer } from "./Rendering/ImageRenderer.ts"
import { PictureEncoderByRenderer } from "./Rendering/PictureEncoderByRenderer.ts"
import { VideosPostgres } from "./VideosPostgres.ts"

/** Images, drawings and videos. */
export const MediaRoom = Room.make({
  migrations: [mediaMigration, mediaReportMigration],
  layer: Layer.mergeAll(DrawingsPostgres, ImagesPostgres, VideosPostgres).pipe(
    Layer.provideMerge(Layer.mergeAll(ImageEngineConfigured, VideoEngineConfigured, PictureEncoderByRenderer)),
    Layer.provideMerge(Layer.merge(RendererConfigured, ImageRenderer.layer))
  ),
  jobs: [drawingJob, imageJob, videoJob],
  modes: Effect.zipWith(ImageEngine, VideoEngine, (images, videos) => ({ images: images.mode, videos: videos.mode })),
  fileReferences: mediaFileReferences,
  settings: [loadImageSettings, loadVideoSettings],
  checks: mediaChecks
})
