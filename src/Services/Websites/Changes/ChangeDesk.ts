import type { Site } from "../Site.ts"
import type { SiteOperation } from "../SiteOperations.ts"
import type { SiteMaterial } from "../Writing/SiteWriter.ts"
import type { ChangeNotes } from "./ChangeNotes.ts"
import type { Noun } from "./WishWords.ts"

/** What a wish of a prompt does. Without operations it was understood, and cannot be done: the notes say why. */
export interface ReadChange {
  readonly operations: ReadonlyArray<SiteOperation>
  readonly notes: ReadonlyArray<string>
  /** Words of the wish that this accounts for besides the vocabulary of its reader, as patterns. */
  readonly words?: ReadonlyArray<string>
}

/** What a wish of a prompt is read with. */
export interface ChangeDesk {
  readonly site: Site
  readonly material: SiteMaterial
  readonly notes: ChangeNotes
  /** The last part that the wishes before it named, for "the one of Hugo". */
  readonly lastNoun?: Noun | undefined
}
