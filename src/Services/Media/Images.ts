import { Context, Effect, Schema } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import type { JobId } from "../Jobs/Ids.ts"
import * as JobHandler from "../Jobs/JobHandler.ts"
import { generationFields } from "./Generation.ts"
import { ImageAspect, ImageId, ImageModel, ImageProfile } from "./Ids.ts"

export interface ImageSize {
  readonly width: number
  readonly height: number
}

const sizes: { readonly [A in ImageAspect]: ImageSize } = {
  Square: { width: 1024, height: 1024 },
  Landscape: { width: 1536, height: 1024 },
  Portrait: { width: 1024, height: 1536 }
}

/** The size of an image. A social network's profile takes precedence over the aspect. */
export const imageSize = (aspect: ImageAspect, profile: ImageProfile): ImageSize => {
  switch (profile) {
    case "None":
      return sizes[aspect]
    case "SocialMediaPhotoPostFeed":
      return { width: 1080, height: 1350 }
    case "SocialMediaPhotoPostStories":
      return { width: 1080, height: 1920 }
  }
}

/** The request, as it is stored with the image. */
export const ImageRequest = Schema.Struct({
  aspect: ImageAspect,
  profile: ImageProfile,
  model: ImageModel,
  isTransparent: Schema.Boolean,
  references: Schema.Array(Schema.String)
})
export type ImageRequest = typeof ImageRequest.Type

export const ImageView = Schema.Struct({
  image_id: ImageId,
  ...generationFields,
  image_url: Schema.NullOr(Schema.String).annotations({
    description: "Where the picture is, once it is finished: whoever has the address sees it."
  }),
  model: ImageModel,
  aspect_ratio: ImageAspect,
  profile: ImageProfile,
  transparent: Schema.Boolean,
  width: Schema.Int,
  height: Schema.Int
})
export type ImageView = typeof ImageView.Type

export interface ImagePage {
  readonly images: ReadonlyArray<ImageView>
  readonly total: number
}

export class Images extends Context.Tag("Images")<
  Images,
  {
    /** Stores the request and queues its job. Call it in a transaction. */
    readonly start: (
      prompt: string,
      request: ImageRequest
    ) => Effect.Effect<{ readonly imageId: ImageId; readonly jobId: JobId }, Refused | Transient, Caller>
    readonly get: (id: ImageId) => Effect.Effect<ImageView, NotFound | Transient, Caller>
    /** Newest first. Pages count from 1. */
    readonly list: (options: {
      readonly page: number
      readonly pageSize: number
    }) => Effect.Effect<ImagePage, Transient, Caller>
    /** An order is only placed once, whatever its outcome. */
    readonly run: (job: JobHandler.RunningJob) => Effect.Effect<void, JobHandler.JobError, Caller>
  }
>() {}

export const imageKind = "image_generation"

export const imageJob = JobHandler.make(imageKind, {
  timeout: "15 minutes",
  run: (job) => Effect.flatMap(Images, (images) => images.run(job))
})
