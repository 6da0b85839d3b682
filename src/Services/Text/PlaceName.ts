import { fold } from "./PlainText.ts"

/** The words of a place's name, whatever its case, accents and marks: letters and digits with single blanks between. */
export const placeWords = (name: string): string =>
  fold(name)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

/** Names with the same key are one place's: `Sant'Ana do Livramento` and `SANTANA DO LIVRAMENTO`. */
export const placeKey = (name: string): string => placeWords(name).replaceAll(" ", "")
