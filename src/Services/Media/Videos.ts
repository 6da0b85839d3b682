import { Context, Effect, Schema } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import type { JobId } from "../Jobs/Ids.ts"
import * as JobHandler from "../Jobs/JobHandler.ts"
import { generationFields } from "./Generation.ts"
import { FirstFrameStrategy, VideoId, VideoModel, VideoResolution } from "./Ids.ts"
import type { AskedFormat, VideoFormat } from "./VideoLimits.ts"

/** The actual format, which may differ from the request. */
export const appliedFormat = {
  model: VideoModel,
  duration: Schema.Int.annotations({ description: "Seconds, as the engine makes it." }),
  aspect_ratio: Schema.String.annotations({ description: "As the engine makes it." }),
  resolution: VideoResolution
} as const

export const VideoView = Schema.Struct({
  video_id: VideoId,
  is_finished: Schema.Boolean.annotations({
    description:
      "Whether it has come to an end. Without video_url then, it failed, was cancelled, or its file was removed."
  }),
  ...generationFields,
  video_url: Schema.NullOr(Schema.String).annotations({ description: "The MP4, once it is finished." }),
  ...appliedFormat,
  width: Schema.NullOr(Schema.Int),
  height: Schema.NullOr(Schema.Int),
  previous_video_id: Schema.NullOr(VideoId).annotations({ description: "The video that this one changed." }),
  first_frame_strategy: Schema.NullOr(FirstFrameStrategy)
})
export type VideoView = typeof VideoView.Type

export interface VideoPage {
  readonly videos: ReadonlyArray<VideoView>
  readonly total: number
}

export interface BegunVideo {
  readonly videoId: VideoId
  readonly jobId: JobId
  readonly format: VideoFormat
}

export class Videos extends Context.Tag("Videos")<
  Videos,
  {
    /**
     * Refused with `video_renderer_unavailable` without a provider and without the renderer. Call it in a transaction.
     */
    readonly create: (
      prompt: string,
      format: AskedFormat,
      reference: string | null
    ) => Effect.Effect<BegunVideo, Refused | Transient, Caller>
    /**
     * Omitted parts of the format are the previous video's. Refused if that is not finished. Call it in a transaction.
     */
    readonly edit: (
      previousId: VideoId,
      prompt: string,
      format: AskedFormat,
      options: { readonly reference: string | null; readonly strategy: FirstFrameStrategy }
    ) => Effect.Effect<BegunVideo, NotFound | Refused | Transient, Caller>
    readonly get: (id: VideoId) => Effect.Effect<VideoView, NotFound | Transient, Caller>
    /** Finished videos, newest first. Pages count from 1. */
    readonly list: (options: {
      readonly page: number
      readonly pageSize: number
    }) => Effect.Effect<VideoPage, Transient, Caller>
    readonly run: (job: JobHandler.RunningJob) => Effect.Effect<void, JobHandler.JobError, Caller>
  }
>() {}

export const videoKind = "video_generation"

export const videoJob = JobHandler.make(videoKind, {
  timeout: "40 minutes",
  run: (job) => Effect.flatMap(Videos, (videos) => videos.run(job))
})
