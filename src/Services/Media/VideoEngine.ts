import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { IntegrationMode } from "../Core/Outside/IntegrationModes.ts"
import type { GenerationFailed } from "./Generation.ts"
import type { VideoModel } from "./Ids.ts"
import type { VideoFormat } from "./VideoLimits.ts"

export interface VideoOrder extends VideoFormat {
  readonly prompt: string
  /** The first frame, as JPEG. */
  readonly firstFrame: Uint8Array | undefined
}

export type VideoProgress =
  | { readonly _tag: "Running"; readonly percent: number }
  | { readonly _tag: "Done"; readonly address: string }

/** A provider of videos. Orders take minutes, and their state is requested by id. */
export interface VideoProvider {
  /** Returns the order's id. Fails like the order of an image: `Transient` only if nothing was ordered. */
  readonly order: (order: VideoOrder) => Effect.Effect<string, GenerationFailed | Transient>
  readonly look: (orderId: string) => Effect.Effect<VideoProgress, GenerationFailed | Transient>
  /** The bytes of an MP4. */
  readonly fetch: (address: string) => Effect.Effect<Uint8Array, GenerationFailed | Transient>
  readonly cancel: (orderId: string) => Effect.Effect<void>
}

/** Makes videos. */
export class VideoEngine extends Context.Tag("VideoEngine")<
  VideoEngine,
  {
    readonly mode: IntegrationMode
    /** The provider of an engine. Undefined if the sandbox renders. */
    readonly providerOf: (model: VideoModel) => VideoProvider | undefined
  }
>() {}
