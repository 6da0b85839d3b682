import { Effect, Schema } from "effect"
import { FirstFrameStrategy, VideoId, VideoModel, VideoResolution } from "../../Services/Media/Ids.ts"
import { appliedFormat, type BegunVideo, Videos, VideoView } from "../../Services/Media/Videos.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"
import { begunSchema, pagesFromOne, promptParam, referenceParam } from "./MediaParams.ts"

const engine = {
  model: Param.withDefault(
    Param.oneOf(
      VideoModel.literals,
      "The engine. Pro and ProFast make 4, 6 or 8 seconds at 16:9 or 9:16; Alt 2 to 12 seconds at any ratio."
    ),
    "VideoEngineProFast"
  )
} as const

const format = {
  duration: Param.optional(
    Param.integer("Seconds; the nearest that the engine makes is taken, and answered.", { minimum: 1, maximum: 600 })
  ),
  aspect_ratio: Param.optional(
    Param.text("Width and height, for example 16:9, 9:16, 1:1 or 4:3; the nearest that the engine makes is taken.", {
      maxLength: 20
    })
  ),
  resolution: Param.optional(Param.oneOf(VideoResolution.literals, "Pixels of the shorter side; 720p unless told."))
} as const

const begunVideo = begunSchema({ video_id: VideoId, ...appliedFormat })

const answerOf = ({ format: { aspect, duration, model, resolution }, jobId, videoId }: BegunVideo) => ({
  video_id: videoId,
  model,
  duration,
  aspect_ratio: aspect,
  resolution,
  job_id: jobId,
  status: "queued" as const
})

const askedFormat = (args: {
  readonly model: typeof VideoModel.Type
  readonly duration: number | undefined
  readonly aspect_ratio: string | undefined
  readonly resolution: typeof VideoResolution.Type | undefined
}) => ({ model: args.model, duration: args.duration, aspect: args.aspect_ratio, resolution: args.resolution })

export const createVideo = Tool.make("create_video", {
  kind: "write",
  idempotent: false,
  openWorld: true,
  description:
    "Makes a short video of what a prompt describes, in the background. The answer has its id and the format as the engine makes it; get_video tells how far it is. Refused where neither a provider nor the renderer is there.",
  parameters: {
    prompt: promptParam(
      "What the video shows; texts in quotation marks are shown as they stand. 8 000 characters at most."
    ),
    ...engine,
    reference_image_url: referenceParam("Absolute https address of a picture that the video begins with."),
    ...format
  },
  returns: begunVideo,
  errors: {
    Refused: [
      "aspect_ratio_invalid",
      "engine_not_configured",
      "reference_url_invalid",
      "too_many_jobs",
      "too_many_references",
      "video_renderer_unavailable"
    ],
    Transient: ["provider_busy", "provider_unreachable"]
  },
  runsInBackground: true,
  example: {
    prompt: 'A dental clinic opens: "Book online" "See you soon"',
    model: "VideoEngineAlt",
    duration: 2,
    resolution: "480p"
  },
  run: Effect.fnUntraced(function* (args) {
    const videos = yield* Videos
    return answerOf(yield* videos.create(args.prompt, askedFormat(args), args.reference_image_url?.trim() ?? null))
  })
})

export const editVideo = Tool.make("edit_video", {
  kind: "write",
  idempotent: false,
  openWorld: true,
  description:
    "Makes a new video of a finished one with what the prompt wants changed: texts, order, speed, length, look. Duration, ratio and resolution that are left out stay those of the previous one. The strategy says what becomes of the first frame; a reference picture takes its place.",
  parameters: {
    video_id: Param.id(VideoId, "The finished video to change; it stays as it is."),
    prompt: promptParam("What to change; at most 8 000 characters."),
    ...engine,
    reference_image_url: referenceParam(
      "Absolute https address of a picture that the video begins with, whatever the strategy."
    ),
    first_frame_strategy: Param.withDefault(
      Param.oneOf(FirstFrameStrategy.literals, "Keep the first frame as it was, change it too, or make a new one."),
      "KeepPreviousFirstFrame"
    ),
    ...format
  },
  returns: begunVideo,
  errors: {
    NotFound: ["video_not_found"],
    Refused: [
      "aspect_ratio_invalid",
      "engine_not_configured",
      "reference_url_invalid",
      "too_many_jobs",
      "too_many_references",
      "video_not_finished",
      "video_renderer_unavailable"
    ],
    Transient: ["provider_busy", "provider_unreachable"]
  },
  runsInBackground: true,
  example: { video_id: 3, prompt: "In black and white", model: "VideoEngineAlt" },
  run: Effect.fnUntraced(function* (args) {
    const videos = yield* Videos
    return answerOf(
      yield* videos.edit(args.video_id, args.prompt, askedFormat(args), {
        reference: args.reference_image_url?.trim() ?? null,
        strategy: args.first_frame_strategy
      })
    )
  })
})

export const getVideo = Tool.make("get_video", {
  kind: "read",
  openWorld: false,
  description:
    "Tells how far a video is. is_finished with video_url: it can be seen; is_finished without: it failed or was cancelled, and failure_reason says why.",
  parameters: { video_id: Param.id(VideoId, "The video, as create_video or edit_video answered it.") },
  returns: VideoView,
  errors: { NotFound: ["video_not_found"] },
  example: { video_id: 3 },
  run: Tool.via(Videos, (videos, { video_id }) => videos.get(video_id))
})

export const listVideos = Tool.make("list_videos", {
  kind: "read",
  openWorld: false,
  description: "Lists the finished videos that can be seen, newest first.",
  parameters: pagesFromOne,
  returns: Tool.page({ videos: Schema.Array(VideoView) }),
  example: { page: 1, page_size: 10 },
  run: Tool.pageVia(Videos, (videos, page) => videos.list(page))
})
