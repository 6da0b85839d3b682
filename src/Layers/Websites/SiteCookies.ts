const longestHeader = 8192
const mostCookies = 50
const longestValue = 500

/**
 * Returns the value of the cookie with the name; undefined if there is none, or if it is longer than our cookies are.
 * Only the beginning of a long header is read.
 */
export const cookieIn = (header: string | undefined, name: string): string | undefined => {
  const found = (header ?? "")
    .slice(0, longestHeader)
    .split(";", mostCookies)
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)
  return found === undefined || found.length > longestValue ? undefined : found
}

/**
 * Returns the header of a cookie for the site's own host only, which browsers enforce for names that begin with
 * `__Host-`. Scripts cannot read it.
 */
export const setCookie = (name: `__Host-${string}`, value: string, seconds: number): string =>
  `${name}=${value}; Path=/; Max-Age=${seconds}; Secure; HttpOnly; SameSite=Lax`
