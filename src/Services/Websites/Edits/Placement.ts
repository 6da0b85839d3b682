import type { EditDesk } from "./EditDesk.ts"
import { type Clause, withTokens } from "./Reading/EditClause.ts"
import { has, isContent, isWord, type Token } from "./Reading/EditTokens.ts"
import { type PlacedBlock, sectionsNamed } from "./SiteSections.ts"
import { resolveThings, type Thing } from "./SiteThings.ts"

/** The place that a wish gives for an addition. */
export interface Placement {
  readonly side: "before" | "after"
  readonly things: ReadonlyArray<Thing>
  readonly section: PlacedBlock | undefined
}

const sideOf = (token: Token): Placement["side"] | undefined => {
  if (!isWord(token)) return undefined
  if (has(token, "after") || has(token, "beside")) return "after"
  return has(token, "before") ? "before" : undefined
}

/** Words that may surround a place: "right after", "logo depois de". */
const around: ReadonlySet<string> = new Set(
  "right directly just logo imediatamente justo go goes de do da of to the put put-it fica ficar stand stands van vai junto".split(
    " "
  )
)

/**
 * Removes a place such as "after the soup" from the end of a clause and returns both. Without a place, returns the
 * clause as it is. Undefined if the place does not exist on the site.
 */
export const withoutPlacement = (
  clause: Clause,
  desk: EditDesk
): { readonly clause: Clause; readonly placement: Placement | undefined } | undefined => {
  const at = clause.tokens.findLastIndex((token, index) => index > 0 && sideOf(token) !== undefined)
  const token = clause.tokens[at]
  const side = token === undefined ? undefined : sideOf(token)
  if (token === undefined || side === undefined) return { clause, placement: undefined }
  const anchor = clause.tokens.slice(at + 1).filter((each) => isContent(each) && !around.has(each.word))
  const words = anchor.map(({ word }) => word)
  const things = resolveThings(desk.site, words)
  const sections = sectionsNamed(desk.site, words)
  const [section] = sections
  if (anchor.length === 0 || (things._tag !== "Things" && sections.length !== 1)) return undefined
  let end = at
  for (
    let before = clause.tokens[end - 1];
    end > 0 && before !== undefined && (before.kind === "mark" || around.has(before.word));
    before = clause.tokens[end - 1]
  )
    end--
  return {
    clause: withTokens(clause, clause.tokens.slice(0, end)),
    placement: {
      side,
      things: things._tag === "Things" ? things.things : [],
      section: sections.length === 1 ? section : undefined
    }
  }
}

/** Inserts new items at their place. Undefined if the place is not in this list. */
export const placedItems = <A>(
  items: ReadonlyArray<A>,
  fresh: ReadonlyArray<A>,
  block: string,
  placement: Placement | undefined
): ReadonlyArray<A> | undefined => {
  if (placement === undefined) return [...items, ...fresh]
  const anchor = placement.things.find((thing) => thing.placed.block.id === block)
  if (anchor === undefined) return undefined
  const at = anchor.index + (placement.side === "after" ? 1 : 0)
  return [...items.slice(0, at), ...fresh, ...items.slice(at)]
}
