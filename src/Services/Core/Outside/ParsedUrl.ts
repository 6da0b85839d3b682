/**
 * Parses the text as a URL. Undefined if it is invalid. It avoids `URL.canParse`, because the optimised version of that
 * function in Node 20 rejects every address with an accented letter.
 */
export const parsedUrl = (text: string, base?: string | URL): URL | undefined => {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
