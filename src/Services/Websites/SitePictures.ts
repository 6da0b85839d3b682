import { Context, type Effect, type Option } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import type { GenerationFailed } from "../Media/Generation.ts"
import type { WebsiteId } from "./Ids.ts"
import type { Site, SitePicture } from "./Site.ts"

/** The sizes in pixels in which a picture is stored. */
export const pictureSizes = {
  wide: { full: { width: 1200, height: 800 }, small: { width: 600, height: 400 } },
  square: { full: { width: 960, height: 960 }, small: { width: 480, height: 480 } },
  tall: { full: { width: 800, height: 1200 }, small: { width: 480, height: 720 } }
} as const satisfies {
  readonly [S in SitePicture["shape"]]: { readonly [size: string]: { readonly width: number; readonly height: number } }
}

/** Pictures that are kept of a site, over all the states that it had. */
export const mostPicturesOfSite = 120

/** A picture that the site does without, and why. */
export interface PictureLeftOut {
  readonly pictureId: string
  readonly code: string
  readonly detail: string
}

/** The pictures that sites show. The same order of a site is made once, and placed once. */
export class SitePictures extends Context.Tag("SitePictures")<
  SitePictures,
  {
    /**
     * Makes those that are not there yet and answers which could not be made: a site is published without them. Fails with
     * `storage_full` where the account has no room. For a background job: no transaction is to be open.
     */
    readonly make: (
      accountId: AccountId,
      websiteId: WebsiteId,
      pictures: ReadonlyArray<SitePicture>
    ) => Effect.Effect<ReadonlyArray<PictureLeftOut>, GenerationFailed | Transient, Caller>
    /** The digest in the address of each picture of the site that is there, by the picture's key. */
    readonly urls: (
      accountId: AccountId,
      websiteId: WebsiteId,
      site: Pick<Site, "pictures">
    ) => Effect.Effect<ReadonlyMap<string, string>, Transient>
    /** WebP. `small` is for narrow screens. */
    readonly bytes: (
      accountId: AccountId,
      websiteId: WebsiteId,
      digest: string,
      size?: "full" | "small"
    ) => Effect.Effect<Option.Option<Uint8Array>, Transient>
  }
>() {}
