import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { ServiceMode } from "../Core/Outside/IntegrationModes.ts"
import type { GenerationFailed } from "./Generation.ts"
import type { ImageModel } from "./Ids.ts"
import type { ImageSize } from "./Images.ts"

export interface ImageOrder extends ImageSize {
  readonly accountId: AccountId
  readonly prompt: string
  readonly model: ImageModel
  readonly isTransparent: boolean
  /** Re-encoded as JPEG. */
  readonly pictures: ReadonlyArray<Uint8Array>
}

/** Makes images: a provider, or the gateway's own renderer in the sandbox. */
export class ImageEngine extends Context.Tag("ImageEngine")<
  ImageEngine,
  {
    readonly mode: ServiceMode
    /**
     * A picture of any raster format and size. Fails with `Transient` only if nothing was ordered, so that it can be
     * retried, and with `outcomeUnknown` if that is uncertain.
     */
    readonly make: (order: ImageOrder) => Effect.Effect<Uint8Array, GenerationFailed | Transient>
  }
>() {}
