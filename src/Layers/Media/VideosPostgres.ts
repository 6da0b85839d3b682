import { Effect, Layer, Schema, Stream } from "effect"
import { refused } from "../../Errors.ts"
import { endedByCancellation } from "../../Services/Jobs/JobHandler.ts"
import { checkReferences } from "../../Services/Media/Generation.ts"
import { type FirstFrameStrategy, VideoId } from "../../Services/Media/Ids.ts"
import { speedIn, trimIn } from "../../Services/Media/Storyboard.ts"
import { VideoEngine } from "../../Services/Media/VideoEngine.ts"
import { type AskedFormat, formatOf, VideoRequest, videoSize } from "../../Services/Media/VideoLimits.ts"
import { Videos, type VideoView, videoKind } from "../../Services/Media/Videos.ts"
import { allDone } from "../../Services/Text/WishReport.ts"
import { Settings } from "../Platform/Settings.ts"
import { commonFields, type GenerationRow, makeGenerationRows } from "./GenerationRows.ts"
import { makeProviderVideos, previousGone } from "./Providers/ProviderVideos.ts"
import { Renderer, rendererUnavailable } from "./Rendering/Renderer.ts"
import { makeVideosSandbox } from "./sandbox/VideosSandbox.ts"

const decodeRequest = Schema.decodeUnknown(VideoRequest)

const notFinished = (id: VideoId) =>
  refused(
    "video_not_finished",
    "The video that is to be changed is not finished.",
    "Wait until get_video answers a video_url, or create a new one.",
    { video_id: id }
  )

const engineMissing = refused(
  "engine_not_configured",
  "The gateway has no provider for this engine.",
  "Choose another model."
)

const ended = new Set(["finished", "failed", "cancelled"])

const viewOf = (row: GenerationRow): Effect.Effect<VideoView> =>
  Effect.map(
    Effect.orDie(decodeRequest(row.request)),
    ({ aspect, duration, model, previousId, resolution, strategy }) => ({
      video_id: VideoId.make(row.generation_id),
      is_finished: ended.has(row.status),
      ...commonFields(row),
      video_url: row.url,
      model,
      duration,
      aspect_ratio: aspect,
      resolution,
      width: row.width,
      height: row.height,
      previous_video_id: previousId,
      first_frame_strategy: strategy
    })
  )

const make = Effect.gen(function* () {
  const rows = yield* makeGenerationRows("video")
  const engine = yield* VideoEngine
  const renderer = yield* Renderer
  const { baseUrl } = yield* Settings
  const renderInSandbox = yield* makeVideosSandbox
  const makeByProvider = yield* makeProviderVideos

  /** Refuses before anything is stored if no engine can make the video. */
  const checkEngine = (asked: AskedFormat) =>
    engine.mode === "unavailable"
      ? Effect.fail(rendererUnavailable)
      : engine.mode === "live" && engine.providerOf(asked.model) === undefined
        ? Effect.fail(engineMissing)
        : Effect.void

  const begin = Effect.fnUntraced(function* (
    prompt: string,
    asked: AskedFormat,
    more: {
      readonly reference: string | null
      readonly previousId: VideoId | null
      readonly strategy: FirstFrameStrategy | null
    }
  ) {
    yield* checkEngine(asked)
    const refusal = checkReferences(more.reference === null ? [] : [more.reference], baseUrl)
    if (refusal !== undefined) return yield* refusal
    const format = formatOf(asked)
    if ("_tag" in format) return yield* format
    const { id, jobId } = yield* rows.start(videoKind, prompt, { ...format, ...more }, videoSize(format))
    return { videoId: VideoId.make(id), jobId, format }
  })

  const previousOf = (id: VideoId | null) =>
    id === null
      ? Effect.succeed(undefined)
      : rows.get(id).pipe(
          Effect.filterOrFail(
            ({ customer_file_id }) => customer_file_id !== null,
            () => previousGone
          ),
          Effect.catchTag("NotFound", () => Effect.fail(previousGone))
        )

  return Videos.of({
    create: Effect.fn("Videos.create")((prompt, asked, reference) =>
      begin(prompt, asked, { reference, previousId: null, strategy: null })
    ),

    edit: Effect.fn("Videos.edit")(function* (previousId, prompt, asked, { reference, strategy }) {
      const previous = yield* rows.get(previousId)
      if (previous.url === null) return yield* notFinished(previousId)
      const before = yield* Effect.orDie(decodeRequest(previous.request))
      const wished = trimIn(prompt) ?? Math.round(before.duration / speedIn(prompt))
      const isLive = engine.mode === "live"
      const needsFrame = isLive && reference === null && strategy !== "GenerateBrandNewFirstFrame"
      if (needsFrame && !renderer.isThere) return yield* rendererUnavailable
      return yield* begin(
        prompt,
        {
          model: asked.model,
          duration: asked.duration ?? (isLive ? before.duration : wished),
          aspect: asked.aspect ?? before.aspect,
          resolution: asked.resolution ?? before.resolution
        },
        { reference, previousId, strategy }
      )
    }),

    get: Effect.fn("Videos.get")((id) => Effect.flatMap(rows.get(id), viewOf)),

    list: Effect.fn("Videos.list")(function* (options) {
      const page = yield* rows.list(options)
      return { videos: yield* Effect.forEach(page.rows, viewOf), total: page.total }
    }),

    run: Effect.fn("Videos.run")(function* (job) {
      const started = yield* rows.load(job)
      if (started.is_done) return
      const id = started.generation_id
      yield* Effect.gen(function* () {
        const request = yield* Effect.orDie(decodeRequest(started.request))
        const provider = engine.providerOf(request.model)
        yield* rows.begin(job.accountId, id, provider === undefined ? "sandbox" : "live")
        const previous = yield* previousOf(request.previousId)
        const made = yield* provider === undefined
          ? renderInSandbox(job, started, request, previous)
          : makeByProvider(job, started, request, previous, provider)
        yield* rows.finish(job, id, {
          report: "report" in made ? made.report : allDone(started.prompt),
          file: {
            fileName: `video-${id}.mp4`,
            mediaType: "video/mp4",
            isOwnMedia: made.isOwnMedia,
            bytes: Stream.make(made.bytes)
          },
          ...videoSize(request),
          ...(made.model === undefined ? {} : { model: made.model })
        })
      }).pipe(endedByCancellation(job), rows.failing(job, id))
    })
  })
})

export const VideosPostgres = Layer.effect(Videos, make)
