import { readFileSync } from "node:fs"
import { fold } from "../../Text/PlainText.ts"

/** What words of a list of fields mean: kinds of fields, verbs of asking, and what is required. `fieldWords.tsv` has them. */
export const fieldRoles = [
  "name",
  "email",
  "phone",
  "company",
  "role",
  "city",
  "message",
  "date",
  "number",
  "text",
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

const isRole = (name: string): name is FieldRole => fieldRoles.some((role) => role === name)

let table: ReadonlyMap<string, ReadonlySet<FieldRole>> | undefined

const readTable = (): ReadonlyMap<string, ReadonlySet<FieldRole>> => {
  const read = new Map<string, Set<FieldRole>>()
  const text = readFileSync(new URL("./fieldWords.tsv", import.meta.url), "utf8")
  for (const line of text.split("\n").slice(1)) {
    const [name = "", ...columns] = line.split("\t")
    if (!isRole(name)) continue
    for (const word of columns.flatMap((column) => column.split(" "))) {
      const entry = read.get(word)
      if (entry === undefined) read.set(word, new Set([name]))
      else entry.add(name)
    }
  }
  return read
}

/** Whether a folded word of a field list can mean one of these. */
export const ofField = (word: string, ...any: ReadonlyArray<FieldRole>): boolean => {
  table ??= readTable()
  const roles = table.get(word)
  return roles !== undefined && any.some((role) => roles.has(role))
}

/** The words of a text, folded; "parent's" is "parent". */
export const fieldWordsOf = (text: string): ReadonlyArray<string> =>
  [...fold(text).matchAll(/[\p{L}\d]+(?:-[\p{L}\d]+)*/gu)].map(([word]) => word)
