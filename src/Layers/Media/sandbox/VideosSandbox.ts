import { Effect, Schema } from "effect"
import type { RunningJob } from "../../../Services/Jobs/JobHandler.ts"
import { editStoryboard, Storyboard, storyboardOf } from "../../../Services/Media/Storyboard.ts"
import { type VideoRequest, videoSize } from "../../../Services/Media/VideoLimits.ts"
import type { GenerationRow, StartedGeneration } from "../GenerationRows.ts"
import { makeReferences } from "../References.ts"
import { ImageRenderer } from "../Rendering/ImageRenderer.ts"
import { Renderer } from "../Rendering/Renderer.ts"
import { videoPieces } from "../Rendering/VideoGraph.ts"

const decodeStoryboard = Schema.decodeUnknown(Storyboard)

const longestPictureSide = 2200

const storyboardFor = (prompt: string, request: typeof VideoRequest.Type, previous: GenerationRow | undefined) => {
  if (previous === undefined || previous.model === null) {
    return Effect.succeed(storyboardOf(prompt, request.duration, request.reference))
  }
  return Effect.map(Effect.orDie(decodeStoryboard(previous.model)), (before) =>
    editStoryboard(before, prompt, request.strategy ?? "KeepPreviousFirstFrame", request.duration, request.reference)
  )
}

/** Renders videos on this machine, from storyboards. */
export const makeVideosSandbox = Effect.gen(function* () {
  const renderer = yield* Renderer
  const images = yield* ImageRenderer
  const references = yield* makeReferences

  return (
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
          : Effect.map(references(accountId, [picture], longestPictureSide), ([bytes]) => bytes)
      )
      yield* job.setProgress(5)
      const frames = yield* images.make(accountId, { kind: "frames", storyboard, ...size, pictures })
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
})
