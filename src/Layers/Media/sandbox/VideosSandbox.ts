import { Effect, Schema } from "effect"
import type { RunningJob } from "../../../Services/Jobs/JobHandler.ts"
import { GenerationFailed } from "../../../Services/Media/Generation.ts"
import { storyboardReport, unchangedStoryboard } from "../../../Services/Media/SandboxReports.ts"
import { editStoryboard, Storyboard, storyboardOf } from "../../../Services/Media/Storyboard.ts"
import { VideoRequest, videoSize } from "../../../Services/Media/VideoLimits.ts"
import { detailOf, notUnderstoodCode } from "../../../Services/Text/WishReport.ts"
import { makeOwnerLocale } from "../../Accounts/Sql.ts"
import type { GenerationRow, StartedGeneration } from "../GenerationRows.ts"
import { makeReferences } from "../References.ts"
import { ImageRenderer } from "../Rendering/ImageRenderer.ts"
import { Renderer } from "../Rendering/Renderer.ts"
import { videoPieces } from "../Rendering/VideoGraph.ts"

const decodeRequest = Schema.decodeUnknown(VideoRequest)
const decodeStoryboard = Schema.decodeUnknown(Storyboard)

const longestPictureSide = 2200

/** Returns the storyboard to render, and whether it differs from that of the previous video. */
const storyboardFor = (prompt: string, request: typeof VideoRequest.Type, previous: GenerationRow | undefined) => {
  if (previous === undefined || previous.model === null) {
    return Effect.succeed({ storyboard: storyboardOf(prompt, request.duration, request.reference), isNew: true })
  }
  return Effect.gen(function* () {
    const before = yield* decodeStoryboard(previous.model)
    const { aspect, duration, resolution } = yield* decodeRequest(previous.request)
    const strategy = request.strategy ?? "KeepPreviousFirstFrame"
    const storyboard = editStoryboard(before, prompt, strategy, request.duration, request.reference)
    const isSameFormat = aspect === request.aspect && duration === request.duration && resolution === request.resolution
    return { storyboard, isNew: !isSameFormat || JSON.stringify(storyboard) !== JSON.stringify(before) }
  }).pipe(Effect.orDie)
}

/** Renders videos on this machine, from storyboards. */
export const makeVideosSandbox = Effect.gen(function* () {
  const renderer = yield* Renderer
  const images = yield* ImageRenderer
  const references = yield* makeReferences
  const localeOf = yield* makeOwnerLocale

  return (
    job: RunningJob,
    started: StartedGeneration,
    request: typeof VideoRequest.Type,
    previous: GenerationRow | undefined
  ) =>
    Effect.gen(function* () {
      const { accountId } = job
      const { isNew, storyboard } = yield* storyboardFor(started.prompt, request, previous)
      const { language } = yield* localeOf(accountId)
      if (!isNew) {
        const report = unchangedStoryboard(started.prompt, language)
        return yield* new GenerationFailed({ code: notUnderstoodCode, detail: detailOf(report), report })
      }
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
      const isChange = previous !== undefined && previous.model !== null
      const report = storyboardReport(started.prompt, storyboard, request.duration, { isChange, language })
      return { bytes, model: storyboard, isOwnMedia: true, report }
    })
})
