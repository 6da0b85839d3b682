import { Chunk, Context, Duration, Effect, Stream } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { CustomerFiles } from "../../../Services/Files/CustomerFiles.ts"
import type { RunningJob } from "../../../Services/Jobs/JobHandler.ts"
import { GenerationFailed, outcomeUnknown } from "../../../Services/Media/Generation.ts"
import { ImageEngine } from "../../../Services/Media/ImageEngine.ts"
import type { VideoProvider } from "../../../Services/Media/VideoEngine.ts"
import { type VideoRequest, videoSize } from "../../../Services/Media/VideoLimits.ts"
import { type GenerationRow, makeGenerationWork, type StartedGeneration } from "../GenerationRows.ts"
import { makeReferences } from "../References.ts"
import { ImageRenderer } from "../Rendering/ImageRenderer.ts"
import { Renderer } from "../Rendering/Renderer.ts"

const longestFrameSide = 1920

export const previousGone = new GenerationFailed({
  code: "previous_video_gone",
  detail: "The video that was to be changed no longer exists."
})
const tookTooLong = new GenerationFailed({
  code: "provider_timeout",
  detail: "The provider did not finish the video in half an hour."
})

/** The interval at which the state of an order is polled. */
export class VideoPolling extends Context.Reference<VideoPolling>()("VideoPolling", {
  defaultValue: () => ({ every: Duration.seconds(5) })
}) {}

const makeFirstFrame = Effect.gen(function* () {
  const files = yield* CustomerFiles
  const images = yield* ImageEngine
  const renderer = yield* Renderer
  const imageRenderer = yield* ImageRenderer
  const references = yield* makeReferences

  const bytesOf = (row: GenerationRow) =>
    row.customer_file_id === null
      ? Effect.fail(previousGone)
      : Stream.runCollect(files.read(row.customer_file_id)).pipe(
          Effect.map((chunks) => Buffer.concat(Chunk.toReadonlyArray(chunks))),
          Effect.catchTag("NotFound", () => Effect.fail(previousGone))
        )

  /** The first frame of a provider's video. A reference picture takes precedence over the strategy. */
  return (
    accountId: AccountId,
    prompt: string,
    request: typeof VideoRequest.Type,
    previous: GenerationRow | undefined
  ) =>
    Effect.gen(function* () {
      if (request.reference !== null) return (yield* references(accountId, [request.reference], longestFrameSide))[0]
      if (previous === undefined) return undefined
      const size = videoSize(request)
      const image = { accountId, prompt, model: "ImageEngineA" as const, isTransparent: false, ...size }
      const asJpeg = (bytes: Uint8Array) =>
        Effect.map(
          imageRenderer.make(accountId, { kind: "reference", bytes, longest: longestFrameSide }),
          ([picture]) => picture
        )
      if (request.strategy === "GenerateBrandNewFirstFrame") {
        return yield* asJpeg(yield* images.make({ ...image, pictures: [] }))
      }
      const [first] = yield* renderer.frames(yield* bytesOf(previous), [0])
      const frame = first === undefined ? undefined : yield* asJpeg(first)
      if (request.strategy !== "EditPreviousFirstFrame" || frame === undefined) return frame
      return yield* asJpeg(yield* images.make({ ...image, pictures: [frame] }))
    })
})

/** Makes videos with an outside provider. */
export const makeProviderVideos = Effect.gen(function* () {
  const rows = yield* makeGenerationWork
  const firstFrame = yield* makeFirstFrame
  const polling = yield* VideoPolling

  /** The id of the order, which is placed at most once. It is committed before the video is waited for. */
  const orderOnce = (
    { accountId }: RunningJob,
    started: StartedGeneration,
    request: typeof VideoRequest.Type,
    previous: GenerationRow | undefined,
    provider: VideoProvider
  ) =>
    Effect.gen(function* () {
      if (started.order_state === "placed" && started.order_id !== null) return started.order_id
      if (started.order_state !== null) return yield* outcomeUnknown
      const frame = yield* firstFrame(accountId, started.prompt, request, previous)
      const order = { ...request, prompt: started.prompt, firstFrame: frame }
      // A cancellation must not lose the id of an order that was placed.
      return yield* Effect.uninterruptibleMask((restore) =>
        Effect.tap(restore(rows.placing(accountId, started, provider.order(order))), (placed) =>
          rows.placed(accountId, started.generation_id, placed)
        )
      )
    })

  return (
    job: RunningJob,
    started: StartedGeneration,
    request: typeof VideoRequest.Type,
    previous: GenerationRow | undefined,
    provider: VideoProvider
  ) =>
    Effect.gen(function* () {
      const orderId = yield* orderOnce(job, started, request, previous, provider)
      const wait: Effect.Effect<string, GenerationFailed | Transient> = Effect.gen(function* () {
        const progress = yield* provider.look(orderId)
        if (progress._tag === "Done") return progress.address
        yield* job.setProgress(10 + progress.percent * 0.8)
        return yield* Effect.zipRight(Effect.sleep(polling.every), wait)
      })
      const address = yield* wait.pipe(
        Effect.timeoutFail({ duration: Duration.minutes(30), onTimeout: () => tookTooLong }),
        // The order is cancelled only if the account cancels the job. A stopping gateway leaves it running, and waits
        // for it again after its next start.
        Effect.onInterrupt(() =>
          Effect.ignore(Effect.catchTag(job.checkpoint, "JobCancelled", () => provider.cancel(orderId)))
        )
      )
      return { bytes: yield* provider.fetch(address), model: undefined, isOwnMedia: false }
    })
})
