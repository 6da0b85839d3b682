/**
 * The text as a URL; undefined if it is none. It does not use `URL.canParse`: in Node 20, the optimised version of that
 * function rejects every address with an accented letter.
 */
export const parsedUrl = (text: string, base?: string | URL): URL | undefined => {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
