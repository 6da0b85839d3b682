import type { OpenQuestion } from "../Site.ts"
import type { SiteOperation } from "../SiteOperations.ts"
import type { ChangeDesk } from "./ChangeDesk.ts"
import type { Act } from "./WishWords.ts"

/** One way to read a wish: what is done to what. */
export interface Reading {
  readonly act: Act
  /** The words behind the verb, or before what is said of them. */
  readonly object: string
  /** What is to be there instead, or what is added. */
  readonly value: string | undefined
  /** Whether it says how things are, and orders nothing. */
  readonly isStatement: boolean
  /** Of an order, folded. */
  readonly verb?: string
}

export type Outcome =
  | {
      readonly _tag: "Change"
      readonly operations: ReadonlyArray<SiteOperation>
      readonly notes: ReadonlyArray<string>
      /** What the site must say afterwards. */
      readonly present: ReadonlyArray<string>
      /** What it may say nowhere afterwards. */
      readonly absent: ReadonlyArray<string>
      /** Questions to the owner that it answers. */
      readonly answers: ReadonlyArray<OpenQuestion>
    }
  | { readonly _tag: "Failure"; readonly reason: string; readonly suggestion: string }

/** Undefined where the reading is not of this kind. */
export type Doer = (reading: Reading, desk: ChangeDesk) => Outcome | undefined

export const change = (
  note: string | ReadonlyArray<string>,
  operations: ReadonlyArray<SiteOperation>,
  {
    absent = [],
    answers = [],
    present = []
  }: {
    readonly present?: ReadonlyArray<string>
    readonly absent?: ReadonlyArray<string>
    readonly answers?: ReadonlyArray<OpenQuestion>
  } = {}
): Outcome => ({
  _tag: "Change",
  operations,
  notes: typeof note === "string" ? [note] : note,
  present,
  absent,
  answers
})

export const failure = (reason: string, suggestion: string): Outcome => ({ _tag: "Failure", reason, suggestion })

/** That several parts of the site are called like what the wish names. */
export const severalFound = ({ notes }: ChangeDesk, names: ReadonlyArray<string>): Outcome =>
  failure(notes.several(names.slice(0, 6).join(", ")), notes.nameIt)
