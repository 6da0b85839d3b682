import { Effect, Redacted } from "effect"
import { parsedUrl } from "../../../Services/Core/Outside/ParsedUrl.ts"
import type { GenerationFailed } from "../../../Services/Media/Generation.ts"
import type { VideoOrder, VideoProgress, VideoProvider } from "../../../Services/Media/VideoEngine.ts"
import { textAt } from "../../Platform/AnswerPaths.ts"
import { interactionInput, interactionProblem, interactionResult } from "./GeminiInteractions.ts"
import type { VideoProviderSettings } from "./MediaSettings.ts"
import { durationUnsupported, unreadableAnswer } from "./ProviderErrors.ts"
import { asVideo, generationFailure, makeVideoClient } from "./VideoClient.ts"
import { watchMediaModels } from "./WatchMediaModels.ts"

/** The interface reports no progress. */
const percentOfRunning = 30

const inlineVideo = "data:video/mp4;base64,"

/** 480p is requested as 720p, the lowest resolution of the models. */
const resolutionOf = ({ resolution }: VideoOrder): string => (resolution === "480p" ? "720p" : resolution)

/** Some models choose the duration themselves and refuse a parameter for it. The prompt then names it. */
const orderOf = (order: VideoOrder, model: string, setsDuration: boolean) => {
  const { aspect, duration, firstFrame, prompt } = order
  return {
    model,
    input: interactionInput(
      setsDuration ? prompt : `${prompt}\n\n${duration} seconds.`,
      firstFrame === undefined ? [] : [firstFrame]
    ),
    response_format: {
      type: "video",
      aspect_ratio: aspect,
      resolution: resolutionOf(order),
      ...(setsDuration ? { duration: `${duration}s` } : {}),
      delivery: "uri"
    },
    generation_config: { video_config: { task: firstFrame === undefined ? "text_to_video" : "image_to_video" } },
    // Rendering a video takes longer than a connection lasts, and only a stored interaction can be looked up after a
    // restart.
    background: true,
    store: true
  }
}

/** The given address is that of the file's description, not of its content. */
const downloadAddress = (uri: string): string => {
  const url = parsedUrl(uri)
  return url !== undefined && /\/files\/[\w-]+$/.test(url.pathname)
    ? `${url.origin}${url.pathname}:download?alt=media`
    : uri
}

const progressOf = (interaction: unknown): Effect.Effect<VideoProgress, GenerationFailed> => {
  switch (textAt(interaction, "status")) {
    case "queued":
    case "in_progress":
      return Effect.succeed({ _tag: "Running", percent: percentOfRunning })
    case "completed": {
      const result = interactionResult(interaction, "video")
      // A content filter removes the video from an otherwise complete interaction.
      if (result === undefined) return Effect.fail(generationFailure(`${interactionProblem(interaction)} filtered`))
      const address = result.uri === "" ? `${inlineVideo}${result.data}` : downloadAddress(result.uri)
      return Effect.succeed({ _tag: "Done", address })
    }
    case "failed":
    case "cancelled":
    case "incomplete":
    case "budget_exceeded":
    case "requires_action":
      return Effect.fail(generationFailure(interactionProblem(interaction)))
    default:
      return Effect.fail(unreadableAnswer)
  }
}

/** Google's Gemini interface: interactions that run in the background. */
export const makeGeminiVideos = ({ apiKey, models, url }: VideoProviderSettings) =>
  Effect.gen(function* () {
    const client = yield* makeVideoClient("gemini", url, { "x-goog-api-key": Redacted.value(apiKey) })
    const watched = yield* watchMediaModels("videos", [models.VideoEnginePro, models.VideoEngineProFast], (model) =>
      client.lookAtModel(`/models/${encodeURIComponent(model)}`)
    )

    return {
      order: (order) =>
        Effect.gen(function* () {
          const model = models[order.model]
          const place = (setsDuration: boolean) => client.order("/interactions", orderOf(order, model, setsDuration))
          const answer = yield* watched.report(
            model,
            Effect.catchIf(
              place(true),
              (failure) => failure._tag === "GenerationFailed" && failure.code === durationUnsupported.code,
              () => place(false)
            )
          )
          const id = textAt(answer, "id")
          return /^[\w./-]{1,300}$/.test(id) ? id : yield* unreadableAnswer
        }),
      look: (orderId) => Effect.flatMap(client.status(`/interactions/${orderId}`), progressOf),
      fetch: (address) =>
        address.startsWith(inlineVideo)
          ? asVideo(Buffer.from(address.slice(inlineVideo.length), "base64"))
          : client.download(address),
      cancel: (orderId) => client.cancel(`/interactions/${orderId}/cancel`)
    } satisfies VideoProvider
  })
