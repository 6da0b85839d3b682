import { Chunk, Context, Duration, Effect, Layer, Schema, Stream } from "effect"
import { refused, type Transient } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { CustomerFiles } from "../../Services/Files/CustomerFiles.ts"
import { endedByCancellation, type RunningJob } from "../../Services/Jobs/JobHandler.ts"
import { checkReferences, GenerationFailed, outcomeUnknown } from "../../Services/Media/Generation.ts"
import { type FirstFrameStrategy, VideoId } from "../../Services/Media/Ids.ts"
import { ImageEngine } from "../../Services/Media/ImageEngine.ts"
import { editStoryboard, Storyboard, speedIn, storyboardOf, trimIn } from "../../Services/Media/Storyboard.ts"
import { VideoEngine, type VideoProvider } from "../../Services/Media/VideoEngine.ts"
import { type AskedFormat, formatOf, VideoRequest, videoSize } from "../../Services/Media/VideoLimits.ts"
import { Videos, type VideoView, videoKind } from "../../Services/Media/Videos.ts"
import { Settings } from "../Platform/Settings.ts"
import { commonFields, type GenerationRow, makeGenerationRows, type StartedGeneration } from "./GenerationRows.ts"
import { makeReferences } from "./References.ts"
import { ImageRenderer } from "./Rendering/ImageRenderer.ts"
import { Renderer, rendererUnavailable } from "./Rendering/Renderer.ts"
import { videoPieces } from "./Rendering/VideoGraph.ts"

const decodeRequest = Schema.decodeUnknown(VideoRequest)
const decodeStoryboard = Schema.decodeUnknown(Storyboard)

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

const previousGone = new GenerationFailed({
  code: "previous_video_gone",
  detail: "The video that was to be changed is not there any more."
})
const tookTooLong = new GenerationFailed({
  code: "provider_timeout",
  detail: "The provider did not finish the video in half an hour."
})

/** How often a provider is asked whether it is done. */
export class VideoPolling extends Context.Reference<VideoPolling>()("VideoPolling", {
  defaultValue: () => ({ every: Duration.seconds(5) })
}) {}

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
  const files = yield* CustomerFiles
  const engine = yield* VideoEngine
  const images = yield* ImageEngine
  const renderer = yield* Renderer
  const studio = yield* ImageRenderer
  const references = yield* makeReferences
  const { baseUrl } = yield* Settings
  const polling = yield* VideoPolling

  /** Whether somebody can make it, before it is promised. */
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

  const storyboardFor = (prompt: string, request: typeof VideoRequest.Type, previous: GenerationRow | undefined) => {
    if (previous === undefined || previous.model === null) {
      return Effect.succeed(storyboardOf(prompt, request.duration, request.reference))
    }
    return Effect.map(Effect.orDie(decodeStoryboard(previous.model)), (before) =>
      editStoryboard(before, prompt, request.strategy ?? "KeepPreviousFirstFrame", request.duration, request.reference)
    )
  }

  /** Renders a storyboard here. */
  const sandboxed = (
    job: RunningJob,
    started: StartedGeneration,
    request: typeof VideoRequest.Type,
    previous: GenerationRow | undefined
  ) =>
    Effect.gen(function* () {
      const { accountId } = job
      const storyboard = yield* storyboardFor(started.prompt, request, previous)
      const size = videoSize(request)
      const pictures = yield* Effect.forEach(storyboard.scenes, ({ picture }) =>
        picture === null
          ? Effect.succeed(undefined)
          : Effect.map(references(accountId, [picture], 2200), ([bytes]) => bytes)
      )
      yield* job.setProgress(5)
      const frames = yield* studio.make(accountId, { kind: "frames", storyboard, ...size, pictures })
      yield* job.setProgress(15)
      const bytes = yield* renderer.render({
        pictures: frames,
        ...size,
        pieces: videoPieces(storyboard, size, request.duration),
        duration: request.duration,
        onProgress: (percent) => job.setProgress(15 + percent * 0.83)
      })
      return { bytes, model: storyboard, isOwnMedia: true }
    })

  const bytesOf = (row: GenerationRow) =>
    row.customer_file_id === null
      ? Effect.fail(previousGone)
      : Stream.runCollect(files.read(row.customer_file_id)).pipe(
          Effect.map((chunks) => Buffer.concat(Chunk.toReadonlyArray(chunks))),
          Effect.catchTag("NotFound", () => Effect.fail(previousGone))
        )

  /** The picture that a provider's video begins with: a reference before what the strategy says. */
  const firstFrame = (
    accountId: AccountId,
    prompt: string,
    request: typeof VideoRequest.Type,
    previous: GenerationRow | undefined
  ) =>
    Effect.gen(function* () {
      if (request.reference !== null) return (yield* references(accountId, [request.reference], 1920))[0]
      if (previous === undefined) return undefined
      const size = videoSize(request)
      const image = { accountId, prompt, model: "ImageEngineA" as const, isTransparent: false, ...size }
      const asJpeg = (bytes: Uint8Array) =>
        Effect.map(studio.make(accountId, { kind: "reference", bytes, longest: 1920 }), ([picture]) => picture)
      if (request.strategy === "GenerateBrandNewFirstFrame") {
        return yield* asJpeg(yield* images.make({ ...image, pictures: [] }))
      }
      const [first] = yield* renderer.frames(yield* bytesOf(previous), [0])
      const frame = first === undefined ? undefined : yield* asJpeg(first)
      if (request.strategy !== "EditPreviousFirstFrame" || frame === undefined) return frame
      return yield* asJpeg(yield* images.make({ ...image, pictures: [frame] }))
    })

  /** Orders it once, and asks until it is done; the order's id is committed before it is waited for. */
  const byProvider = (
    job: RunningJob,
    started: StartedGeneration,
    request: typeof VideoRequest.Type,
    previous: GenerationRow | undefined,
    provider: VideoProvider
  ) =>
    Effect.gen(function* () {
      const { accountId } = job
      const id = started.generation_id
      const orderId =
        started.order_state === "placed" && started.order_id !== null
          ? started.order_id
          : yield* Effect.gen(function* () {
              if (started.order_state !== null) return yield* outcomeUnknown
              const frame = yield* firstFrame(accountId, started.prompt, request, previous)
              const order = { ...request, prompt: started.prompt, firstFrame: frame }
              // What has been ordered is written down, also where a cancellation comes just then.
              return yield* Effect.uninterruptibleMask((restore) =>
                Effect.tap(restore(rows.placing(job, started, provider.order(order))), (placed) =>
                  rows.placed(accountId, id, placed)
                )
              )
            })
      const wait: Effect.Effect<string, GenerationFailed | Transient> = Effect.gen(function* () {
        const progress = yield* provider.look(orderId)
        if (progress._tag === "Done") return progress.address
        yield* job.setProgress(10 + progress.percent * 0.8)
        return yield* Effect.zipRight(Effect.sleep(polling.every), wait)
      })
      const address = yield* wait.pipe(
        Effect.timeoutFail({ duration: Duration.minutes(30), onTimeout: () => tookTooLong }),
        // Only where the account cancels it: a gateway that stops goes on asking after its next start.
        Effect.onInterrupt(() =>
          Effect.ignore(Effect.catchTag(job.checkpoint, "JobCancelled", () => provider.cancel(orderId)))
        )
      )
      return { bytes: yield* provider.fetch(address), model: undefined, isOwnMedia: false }
    })

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
          ? sandboxed(job, started, request, previous)
          : byProvider(job, started, request, previous, provider)
        yield* rows.finish(job, id, {
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
