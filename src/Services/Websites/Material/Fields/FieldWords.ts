import { fold } from "../../../Text/PlainText.ts"
import { wordTable } from "../../WordTable.ts"

/** The kinds of content that a field can ask for. */
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

/** The roles of words in a list of fields. `fieldWords.tsv` lists the words of each role. */
export const fieldRoles = [
  ...fieldNouns,
  "ask",
  /** Verbs that ask for fields only before a colon: "need: name, phone". */
  "needs",
  "field",
  "optional",
  "required",
  /** Required, in words that are used of other things too. */
  "needed",
  "blank",
  "all",
  "except",
  "only",
  "last",
  /** What was said of the field before holds for this one too. */
  "same",
  "tick",
  "own",
  "denial",
  /** Verbs that leave a field out. */
  "drop",
  /** Words that begin a reason. */
  "reason",
  /** Whom a comment is about: "some women don't want to say". */
  "subject",
  "condition",
  /** Words behind the Portuguese "se" that make it a condition. */
  "conditional",
  "wish",
  /** Beginnings of questions. */
  "question",
  /** Words that join others and change nothing. */
  "plain",
  /** Words that are in no label, unless it is a question. */
  "loose",
  /** Words that name no field: "the usual details". */
  "vague",
  /** Words that end a list and are no field. */
  "end"
] as const
export type FieldRole = (typeof fieldRoles)[number]

/** Whether a folded word of a field list can mean one of these. */
export const { canMean: ofField } = wordTable(new URL("./fieldWords.tsv", import.meta.url), fieldRoles)

/** The words of a text, folded; "parent's" is "parent". */
export const fieldWordsOf = (text: string): ReadonlyArray<string> =>
  [
    ...fold(text)
      .replace(/['’]s(?!\p{L})/gu, "")
      .matchAll(/[\p{L}\d]+(?:-[\p{L}\d]+)*/gu)
  ].map(([word]) => word)

/** Short forms that owners write, as visitors read them. */
const longForms: ReadonlyMap<string, string> = new Map([
  ["zap", "WhatsApp"],
  ["whats", "WhatsApp"],
  ["wpp", "WhatsApp"],
  ["wsp", "WhatsApp"],
  ["cel", "celular"],
  ["tlf", "teléfono"],
  ["fone", "telefone"],
  ["qtd", "quantidade de"],
  ["q", "que"]
])

export const inLongForms = (label: string): string =>
  label
    .split(" ")
    .map((word) => longForms.get(word.toLowerCase()) ?? word)
    .join(" ")
