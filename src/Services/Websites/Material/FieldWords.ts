import { fold } from "../../Text/PlainText.ts"
import { wordTable } from "../WordTable.ts"

/** What a field asks for. */
export const fieldNouns = [
  "name",
  "email",
  "phone",
  "company",
  "role",
  "city",
  "message",
  "date",
  "number",
  "text"
] as const

/** What words of a list of fields mean: kinds of fields, verbs of asking, and what is required. `fieldWords.tsv` has them. */
export const fieldRoles = [
  ...fieldNouns,
  "ask",
  "optional",
  "required",
  "all",
  "only",
  "tick",
  "own",
  /** Words that end a list and are no field. */
  "end"
] as const
export type FieldRole = (typeof fieldRoles)[number]

/** Whether a folded word of a field list can mean one of these. */
export const { canMean: ofField } = wordTable(new URL("./fieldWords.tsv", import.meta.url), fieldRoles)

/** The words of a text, folded; "parent's" is "parent". */
export const fieldWordsOf = (text: string): ReadonlyArray<string> =>
  [...fold(text).matchAll(/[\p{L}\d]+(?:-[\p{L}\d]+)*/gu)].map(([word]) => word)
