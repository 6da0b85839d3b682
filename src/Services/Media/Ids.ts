import { Schema } from "effect"

export const ImageId = Schema.Int.pipe(Schema.brand("ImageId"))
export type ImageId = typeof ImageId.Type

export const DrawingId = Schema.Int.pipe(Schema.brand("DrawingId"))
export type DrawingId = typeof DrawingId.Type

export const VideoId = Schema.Int.pipe(Schema.brand("VideoId"))
export type VideoId = typeof VideoId.Type

export const ImageModel = Schema.Literal("ImageEngineA", "ImageEngineB")
export type ImageModel = typeof ImageModel.Type

export const ImageAspect = Schema.Literal("Square", "Landscape", "Portrait")
export type ImageAspect = typeof ImageAspect.Type

export const ImageProfile = Schema.Literal("None", "SocialMediaPhotoPostFeed", "SocialMediaPhotoPostStories")
export type ImageProfile = typeof ImageProfile.Type

export const VideoModel = Schema.Literal("VideoEnginePro", "VideoEngineProFast", "VideoEngineAlt")
export type VideoModel = typeof VideoModel.Type

export const VideoResolution = Schema.Literal("480p", "720p", "1080p")
export type VideoResolution = typeof VideoResolution.Type

export const FirstFrameStrategy = Schema.Literal(
  "KeepPreviousFirstFrame",
  "EditPreviousFirstFrame",
  "GenerateBrandNewFirstFrame"
)
export type FirstFrameStrategy = typeof FirstFrameStrategy.Type
