import type { Site } from "../Site.ts"
import type { SiteOperation } from "../SiteOperations.ts"
import type { SiteMaterial } from "../Writing/SiteWriter.ts"
import type { ChangeNotes } from "./ChangeNotes.ts"

/** What a sentence of a prompt does. */
export interface ReadChange {
  readonly operations: ReadonlyArray<SiteOperation>
  readonly notes: ReadonlyArray<string>
}

/** What a sentence of a prompt is read with. */
export interface ChangeDesk {
  readonly site: Site
  readonly material: SiteMaterial
  readonly notes: ChangeNotes
}
