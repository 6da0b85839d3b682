import { fold } from "../PlainText.ts"

/** The words of a place's name without case, accents and marks: letters and digits, separated by single blanks. */
export const placeWords = (name: string): string =>
  fold(name)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

/** The key of a place. `Sant'Ana do Livramento` and `SANTANA DO LIVRAMENTO` have the same one. */
export const placeKey = (name: string): string => placeWords(name).replaceAll(" ", "")
