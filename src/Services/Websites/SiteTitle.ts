import { clip } from "../Text/PlainText.ts"
import { within } from "./Material/MaterialText.ts"
import type { Site, SiteBlock, SitePage } from "./Site.ts"

const longestName = 120
const longestPageTitle = 160

/** The opening that says nothing but the name says the new one. */
const withName =
  (from: string, to: string) =>
  (block: SiteBlock): SiteBlock =>
    block._tag === "Hero" && block.title === from ? { ...block, title: to } : block

const homeWith =
  (from: string, to: string) =>
  (page: SitePage, index: number): SitePage =>
    index > 0
      ? page
      : {
          ...page,
          title: within(
            from !== "" && page.title.startsWith(from) ? to + page.title.slice(from.length) : to,
            longestPageTitle
          ),
          blocks: page.blocks.map(withName(from, to))
        }

/** The site with the title that its owner set: in its header, the titles of browsers, and on its card in social networks. */
export const withTitle = (site: Site, title: string): Site => {
  const name = clip(title, longestName)
  return site.name === name ? site : { ...site, name, pages: site.pages.map(homeWith(site.name, name)) }
}
