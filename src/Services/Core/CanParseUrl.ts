/**
 * Whether a text is an address. Not `URL.canParse`: once it is compiled, Node 20 says no to every address with an accent
 * in it.
 */
export const canParseUrl = (text: string, base?: string | URL): boolean => {
  try {
    return new URL(text, base).protocol !== ""
  } catch {
    return false
  }
}
