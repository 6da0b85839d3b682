import type { OpenQuestion, Site } from "../Site.ts"
import type { SiteOperation } from "../SiteOperations.ts"
import type { SiteMaterial } from "../Writing/SiteWriter.ts"
import type { EditNotes } from "./EditNotes.ts"

/** What a wish is read with. */
export interface EditDesk {
  readonly site: Site
  readonly material: SiteMaterial
  readonly notes: EditNotes
  /** All that the owner wrote: the tokens of its clauses have their places in it. */
  readonly prompt: string
}

/**
 * What may differ afterwards, so that a change that does more is rolled back. `look` and `order` change no text, `removal`
 * only takes words out, `addition` leaves all that was there, and `values` puts one text in the place of another.
 */
export type EditScope = "look" | "order" | "removal" | "addition" | "values"

export type Outcome =
  | {
      readonly _tag: "Change"
      readonly scope: EditScope
      readonly operations: ReadonlyArray<SiteOperation>
      readonly notes: ReadonlyArray<string>
      /** What the site must say afterwards. */
      readonly present: ReadonlyArray<string>
      /** What it may say nowhere afterwards. */
      readonly absent: ReadonlyArray<string>
      /** Questions to the owner that it answers. */
      readonly answers: ReadonlyArray<OpenQuestion>
      /** What the wish was about, for a later wish that only says "it". */
      readonly topic: string
    }
  | { readonly _tag: "Failure"; readonly reason: string; readonly suggestion: string }

export type Change = Extract<Outcome, { readonly _tag: "Change" }>

export const change = (
  scope: EditScope,
  notes: string | ReadonlyArray<string>,
  operations: ReadonlyArray<SiteOperation>,
  more: Partial<Pick<Change, "present" | "absent" | "answers" | "topic">> = {}
): Change => ({
  _tag: "Change",
  scope,
  operations,
  notes: typeof notes === "string" ? [notes] : notes,
  present: more.present ?? [],
  absent: more.absent ?? [],
  answers: more.answers ?? [],
  topic: more.topic ?? ""
})

export const failure = (reason: string, suggestion: string): Outcome => ({ _tag: "Failure", reason, suggestion })

/** That several parts of the site are called like what the wish names. */
export const severalFound = ({ notes }: EditDesk, names: ReadonlyArray<string>): Outcome =>
  failure(notes.several([...new Set(names)].slice(0, 6).join(", ")), notes.nameIt)
