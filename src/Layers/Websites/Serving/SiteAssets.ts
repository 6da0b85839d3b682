import { Context, Effect, Layer, Option } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { PublishedSite } from "../../../Services/Websites/PublishedSites.ts"
import { SitePictures } from "../../../Services/Websites/SitePictures.ts"
import { type CachedAnswer, cachedBytes } from "../../Platform/Http/Answers/CachedAnswer.ts"
import { fontBytes } from "../Design/Typefaces.ts"
import { BoundedCache } from "./Caching/BoundedCache.ts"
import type { PublishedRow } from "./PublishedSitesPostgres.ts"
import { commonHeaders } from "./SendSiteAnswer.ts"
import { socialImage } from "./SocialImage.ts"

/** The size limit of the cache of pictures, in bytes. */
const mostKept = 32 * 1024 * 1024
/** The size limit of the cache of pictures for links, in bytes. They take a while to draw. */
const mostDrawn = 8 * 1024 * 1024

const immutable = "public, max-age=31536000, immutable"
const picturePath = /^\/_\/picture\/([0-9a-f]{40})(-small)?\.webp$/
const fontPath = /^\/_\/font\/([a-z0-9-]{1,40})\.woff2$/
const socialPath = "/_/social.png"

/** The files that pages load from their host. A picture's address contains its digest, so its content never changes. */
export class SiteAssets extends Context.Tag("SiteAssets")<
  SiteAssets,
  {
    readonly known: (row: PublishedRow, path: string) => CachedAnswer | undefined
    /** Returns the file; none if the site has no file at the path. */
    readonly get: (
      row: PublishedRow,
      path: string,
      site: Effect.Effect<PublishedSite, Transient>
    ) => Effect.Effect<Option.Option<CachedAnswer>, Transient>
  }
>() {}

const isAsset = (path: string): boolean =>
  path === socialPath || path.startsWith("/_/picture/") || path.startsWith("/_/font/")

const make = Effect.gen(function* () {
  const pictures = yield* SitePictures
  const fonts = new Map<string, CachedAnswer>()
  const kept = new BoundedCache<string, CachedAnswer>(mostKept)
  const drawn = new BoundedCache<string, CachedAnswer>(mostDrawn)
  // Drawing takes a processor for a moment: one at a time leaves the others to requests.
  const drawing = yield* Effect.makeSemaphore(1)

  const pictureKey = ({ isRestricted, websiteId }: PublishedRow, path: string) =>
    `${websiteId}${isRestricted ? "r" : ""}${path}`
  const socialKey = ({ codeId, isRestricted }: PublishedRow) => `${codeId}${isRestricted ? "r" : ""}`

  const font = (path: string): CachedAnswer | undefined => {
    const found = fonts.get(path)
    if (found !== undefined) return found
    const bytes = fontBytes(fontPath.exec(path)?.[1] ?? "")
    if (bytes === undefined) return undefined
    const answer = cachedBytes(bytes, {
      ...commonHeaders,
      "Content-Type": "font/woff2",
      "Cache-Control": immutable,
      "Cross-Origin-Resource-Policy": "same-origin"
    })
    fonts.set(path, answer)
    return answer
  }

  const picture = (row: PublishedRow, path: string) =>
    Effect.gen(function* () {
      const [, digest, small] = picturePath.exec(path) ?? []
      if (digest === undefined) return Option.none()
      const found = yield* pictures.bytes(row.accountId, row.websiteId, digest, small === undefined ? "full" : "small")
      return Option.map(found, (bytes) => {
        const answer = cachedBytes(bytes, {
          ...commonHeaders,
          "Content-Type": "image/webp",
          "Cache-Control": row.isRestricted ? "private, max-age=31536000, immutable" : immutable
        })
        kept.set(pictureKey(row, path), answer, answer.size)
        return answer
      })
    })

  const social = (row: PublishedRow, published: Effect.Effect<PublishedSite, Transient>) =>
    drawing.withPermits(1)(
      Effect.gen(function* () {
        const found = drawn.get(socialKey(row))
        if (found !== undefined) return found
        const { site } = yield* published
        const answer = cachedBytes(yield* socialImage(site), {
          ...commonHeaders,
          "Content-Type": "image/png",
          "Cache-Control": row.isRestricted ? "private, no-store" : "no-cache"
        })
        drawn.set(socialKey(row), answer, answer.size)
        return answer
      })
    )

  return SiteAssets.of({
    known: (row, path) => {
      if (!isAsset(path)) return undefined
      if (path === socialPath) return drawn.get(socialKey(row))
      return path.startsWith("/_/font/") ? font(path) : kept.get(pictureKey(row, path))
    },
    get: (row, path, site) => {
      if (path === socialPath) return Effect.asSome(social(row, site))
      return path.startsWith("/_/picture/") ? picture(row, path) : Effect.succeedNone
    }
  })
})

export const SiteAssetsLive = Layer.effect(SiteAssets, make)
