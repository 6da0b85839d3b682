// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const controlCharacters = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

/** Whether the text has no line break and no other control character. */
export const isSingleLine = (text: string): boolean => !controlCharacters.test(text)

// Characters that are drawn as nothing, and variation selectors, in addition to direction marks and zero-width blanks.
const unseen = /[\p{Default_Ignorable_Code_Point}\u2800]/gu
const marksOnLetter = /(\p{M}{3})\p{M}+/gu

/** A name without invisible characters, and without stacked marks that cover other lines. */
export const withoutUnseen = (name: string): string => name.replace(unseen, "").replace(marksOnLetter, "$1")

/** The text without control characters, line breaks included. */
export const withoutControlCharacters = (text: string): string =>
  isSingleLine(text) ? text : text.replace(new RegExp(controlCharacters, "g"), "")
