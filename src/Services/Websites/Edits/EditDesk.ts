import type { OpenQuestion, Site } from "../Site.ts"
import type { SiteOperation } from "../SiteOperations.ts"
import type { SiteMaterial } from "../Writing/SiteWriter.ts"
import type { EditNotes } from "./EditNotes.ts"

/** What the readers of wishes need: the site, the owner's material and the words for the report. */
export interface EditDesk {
  readonly site: Site
  readonly material: SiteMaterial
  readonly notes: EditNotes
  /** The owner's whole prompt. Token positions refer to it. */
  readonly prompt: string
}

/**
 * What a change may alter. A change that alters more is rolled back. `look` and `order` change no text, `removal` only
 * removes words, `addition` keeps everything that was there, and `values` replaces texts.
 */
export type EditScope = "look" | "order" | "removal" | "addition" | "values"

export type Outcome =
  | {
      readonly _tag: "Change"
      readonly scope: EditScope
      readonly operations: ReadonlyArray<SiteOperation>
      readonly notes: ReadonlyArray<string>
      /** Texts that the changed site must show. */
      readonly present: ReadonlyArray<string>
      /** Texts that the changed site must not show anywhere. */
      readonly absent: ReadonlyArray<string>
      /** The open questions to the owner that this change answers. */
      readonly answers: ReadonlyArray<OpenQuestion>
      /** The subject of the wish, for a later wish that only says "it". */
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

/** A failure: the wish's words fit several parts of the site. */
export const severalFound = ({ notes }: EditDesk, names: ReadonlyArray<string>): Outcome =>
  failure(notes.several([...new Set(names)].slice(0, 6).join(", ")), notes.nameIt)
