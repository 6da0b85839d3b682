import { Schema } from "effect"
import { type Refused, refused } from "../../Errors.ts"
import { FirstFrameStrategy, VideoId, VideoModel, VideoResolution } from "./Ids.ts"

/** The format of a video that its engine makes. */
export const VideoFormat = Schema.Struct({
  model: VideoModel,
  /** Seconds. */
  duration: Schema.Int,
  aspect: Schema.String.pipe(Schema.pattern(/^\d{1,2}:\d{1,2}$/)),
  resolution: VideoResolution
})
export type VideoFormat = typeof VideoFormat.Type

/** The request, as it is stored with the video. */
export const VideoRequest = Schema.Struct({
  ...VideoFormat.fields,
  reference: Schema.NullOr(Schema.String),
  previousId: Schema.NullOr(VideoId),
  strategy: Schema.NullOr(FirstFrameStrategy)
})
export type VideoRequest = typeof VideoRequest.Type

export interface AskedFormat {
  readonly model: VideoModel
  readonly duration: number | undefined
  readonly aspect: string | undefined
  readonly resolution: VideoResolution | undefined
}

const aspectInvalid = (aspect: string): Refused =>
  refused(
    "aspect_ratio_invalid",
    "aspect_ratio is not a ratio of two whole numbers.",
    "Send width and height apart by a colon, for example 16:9, 9:16, 1:1 or 4:3.",
    { aspect_ratio: aspect.slice(0, 40) }
  )

const nearest = (value: number, choices: readonly [number, ...ReadonlyArray<number>]): number =>
  choices.reduce((best, choice) => (Math.abs(choice - value) < Math.abs(best - value) ? choice : best), choices[0])

/** The format that the engine makes from the request. The answer states it. */
export const formatOf = ({
  aspect = "16:9",
  duration,
  model,
  resolution = "720p"
}: AskedFormat): VideoFormat | Refused => {
  const match = /^ ?(\d{1,2}) ?: ?(\d{1,2}) ?$/.exec(aspect)
  const [width, height] = [Number(match?.[1] ?? 0), Number(match?.[2] ?? 0)]
  if (width === 0 || height === 0) return aspectInvalid(aspect)
  if (model === "VideoEngineAlt") {
    const isExtreme = Math.max(width / height, height / width) > 3
    return {
      model,
      duration: Math.min(12, Math.max(2, duration ?? 5)),
      aspect: isExtreme ? (width > height ? "3:1" : "1:3") : `${width}:${height}`,
      resolution
    }
  }
  return { model, duration: nearest(duration ?? 8, [4, 6, 8]), aspect: width >= height ? "16:9" : "9:16", resolution }
}

const shortSides: { readonly [R in VideoResolution]: number } = { "480p": 480, "720p": 720, "1080p": 1080 }

const even = (length: number): number => 2 * Math.round(length / 2)

/** Pixels. Larger videos are scaled down, so that each needs a limited amount of memory. */
const longestSide = 2560

/** Pixels. Even numbers, as the codec requires. */
export const videoSize = ({ aspect, resolution }: Pick<VideoFormat, "aspect" | "resolution">) => {
  const [width = 16, height = 9] = aspect.split(":").map(Number)
  const longest = Math.max(width, height) / Math.min(width, height)
  const short = Math.min(shortSides[resolution], longestSide / longest)
  return width >= height
    ? { width: even(short * longest), height: even(short) }
    : { width: even(short), height: even(short * longest) }
}

export const framesPerSecond = 30
