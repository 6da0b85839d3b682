import type { Passage } from "../Knowledge/Passages.ts"
import { editableBlocks } from "./Editor/EditedTexts.ts"
import type { Site } from "./Site.ts"

const unread: ReadonlySet<string> = new Set(["label", "alt", "submit", "choices"])

/** What a site says, a passage a block, page by page: without the names of its links, fields and pictures. */
export const siteText = (
  site: Site
): ReadonlyArray<{ readonly path: string; readonly title: string; readonly passages: ReadonlyArray<Passage> }> =>
  site.pages.map((page) => ({
    path: page.path,
    title: page.title,
    passages: editableBlocks(page).flatMap(({ texts, variant }) => {
      const said = texts.filter(({ key, value }) => value !== "" && !unread.has(key)).map(({ value }) => value)
      return variant !== undefined || said.length === 0
        ? []
        : [
            {
              heading: said.length > 1 ? (said[0] ?? "") : "",
              body: (said.length > 1 ? said.slice(1) : said).join("\n")
            }
          ]
    })
  }))
