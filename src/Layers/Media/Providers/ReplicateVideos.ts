import { Effect, Redacted } from "effect"
import type { GenerationFailed } from "../../../Services/Media/Generation.ts"
import type { VideoOrder, VideoProgress, VideoProvider } from "../../../Services/Media/VideoEngine.ts"
import { textAt } from "../../Platform/AnswerPaths.ts"
import type { VideoProviderSettings } from "./MediaSettings.ts"
import { unreadableAnswer } from "./ProviderErrors.ts"
import { generationFailure, makeVideoClient } from "./VideoClient.ts"
import { watchMediaModels } from "./WatchMediaModels.ts"

const replicateInput = ({ aspect, duration, firstFrame, prompt, resolution }: VideoOrder) => ({
  prompt,
  duration,
  aspect_ratio: aspect,
  resolution,
  ...(firstFrame === undefined ? {} : { image: `data:image/jpeg;base64,${Buffer.from(firstFrame).toString("base64")}` })
})

const replicateProgress = (answer: unknown): Effect.Effect<VideoProgress, GenerationFailed> => {
  switch (textAt(answer, "status")) {
    case "starting":
      return Effect.succeed({ _tag: "Running", percent: 5 })
    case "processing":
      return Effect.succeed({ _tag: "Running", percent: 50 })
    case "succeeded": {
      const address = textAt(answer, "output") || textAt(answer, "output", 0)
      return address === "" ? Effect.fail(unreadableAnswer) : Effect.succeed({ _tag: "Done", address })
    }
    case "failed":
    case "canceled":
    case "aborted":
      return Effect.fail(generationFailure(textAt(answer, "error")))
    default:
      return Effect.fail(unreadableAnswer)
  }
}

/** Makes videos by predictions of Replicate. */
export const makeReplicateVideos = ({ apiKey, models, url }: VideoProviderSettings) =>
  Effect.gen(function* () {
    const client = yield* makeVideoClient("replicate", url, { authorization: `Bearer ${Redacted.value(apiKey)}` })
    const watched = yield* watchMediaModels("videos", [models.VideoEngineAlt], (model) =>
      client.lookAtModel(`/models/${model}`)
    )
    return {
      order: (order) =>
        Effect.gen(function* () {
          const model = models[order.model]
          const answer = yield* watched.report(
            model,
            client.order(`/models/${model}/predictions`, { input: replicateInput(order) })
          )
          const id = textAt(answer, "id")
          return /^[\w-]{1,100}$/.test(id) ? id : yield* unreadableAnswer
        }),
      look: (orderId) => Effect.flatMap(client.status(`/predictions/${orderId}`), replicateProgress),
      fetch: client.download,
      cancel: (orderId) => client.cancel(`/predictions/${orderId}/cancel`)
    } satisfies VideoProvider
  })
