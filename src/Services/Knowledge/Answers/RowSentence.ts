import type { Cell } from "./Statements.ts"

const lowered = (column: string): string =>
  /^\p{Lu}\p{Ll}/u.test(column) ? column.charAt(0).toLowerCase() + column.slice(1) : column

const joined = (parts: ReadonlyArray<string>, and: string): string =>
  parts.length <= 1 ? parts.join("") : `${parts.slice(0, -1).join(", ")} ${and} ${parts.at(-1) ?? ""}`

const conjunction = { "pt-BR": "e", en: "and", es: "y" } as const

/**
 * A table row as a sentence: its subject, then the columns, as in "Clinic: dentists 3 to 8 and monthly fee £29."
 * Figures and words are the owner's.
 */
export const rowSentence = (cells: ReadonlyArray<Cell>, language: keyof typeof conjunction): string => {
  const [first, ...rest] = cells.filter(({ value }) => value !== "" && value !== "-")
  if (first === undefined) return ""
  const parts = rest.map(({ column, value }) => (column === "" ? value : `${lowered(column)} ${value}`))
  const text = parts.length === 0 ? first.value : `${first.value}: ${joined(parts, conjunction[language])}`
  return /[.!?]$/.test(text) ? text : `${text}.`
}
