import { contentWords, stemOf } from "../../Text/WordStems.ts"
import type { Site } from "../Site.ts"
import { textsOf } from "./SiteCheck.ts"
import type { SiteMaterial } from "./SiteWriter.ts"

const stemsOf = (text: string): ReadonlySet<string> => new Set(contentWords(text.slice(0, 20_000)).map(stemOf))

/** How good a candidate is, as far as rules can tell: what it says of the material, its variety, and a way to be reached. */
export const scoreOf = (site: Site, material: SiteMaterial): number => {
  const blocks = site.pages.flatMap((page) => page.blocks)
  const said = stemsOf(blocks.flatMap(textsOf).join("\n"))
  const known = stemsOf([material.description, ...material.facts.map(({ text }) => text)].join("\n"))
  const covered = known.size === 0 ? 0 : [...known].filter((stem) => said.has(stem)).length / known.size
  const kinds = new Set(blocks.map(({ _tag }) => _tag)).size
  const hasHero = site.pages.every((page) => page.blocks[0]?._tag === "Hero" || page !== site.pages[0])
  const isReached = blocks.some(({ _tag }) => _tag === "Form" || _tag === "Contact")
  const headings = blocks.map(({ title }) => title).filter((title) => title !== "")
  const repeated = headings.length - new Set(headings).size
  return 20 * covered + kinds + (hasHero ? 4 : 0) + (isReached ? 4 : 0) - 2 * repeated
}
