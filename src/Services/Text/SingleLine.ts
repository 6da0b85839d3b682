// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const controlCharacters = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

/** Whether the text has no line break and no other control character. */
export const isSingleLine = (text: string): boolean => !controlCharacters.test(text)

/** The text without control characters, line breaks included. */
export const withoutControlCharacters = (text: string): string =>
  isSingleLine(text) ? text : text.replace(new RegExp(controlCharacters, "g"), "")
