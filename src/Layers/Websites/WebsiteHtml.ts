import { Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { siteOrigin } from "../../Services/Text/Web/SiteHost.ts"
import type { WebsiteId } from "../../Services/Websites/Ids.ts"
import type { Site } from "../../Services/Websites/Site.ts"
import { SitePictures } from "../../Services/Websites/SitePictures.ts"
import type { CodePage } from "../../Services/Websites/Websites.ts"
import { Settings } from "../Platform/Settings.ts"
import { renderPage } from "./Design/Page.ts"
import { plainContext } from "./Design/RenderContext.ts"

/** Renders the pages of a version as visitors get them, without data of visitors. */
export const makeWebsiteHtml = Effect.gen(function* () {
  const settings = yield* Settings
  const pictures = yield* SitePictures
  return (
    accountId: AccountId,
    websiteId: WebsiteId,
    name: string,
    site: Site
  ): Effect.Effect<ReadonlyArray<CodePage>, Transient> =>
    Effect.map(pictures.urls(accountId, websiteId, site), (digests) => {
      const origin = siteOrigin(settings, name)
      const context = {
        ...plainContext("served"),
        origin,
        pictureUrl: (picture: string) => {
          const digest = digests.get(picture)
          return digest === undefined ? undefined : `${origin}/_/picture/${digest}.webp`
        }
      }
      return site.pages.map(({ id, path, title }) => ({ path: `/${path}`, title, html: renderPage(site, id, context) }))
    })
})
