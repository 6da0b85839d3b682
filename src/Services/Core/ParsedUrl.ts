/**
 * The address that a text is; undefined where it is none. Not asked of `URL.canParse`: once that is compiled, Node 20 says
 * no to every address with an accent in it.
 */
export const parsedUrl = (text: string, base?: string | URL): URL | undefined => {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
