const longestHeader = 8192
const mostCookies = 50
const longestValue = 500

/** What a browser shows by the name; undefined where it shows nothing, or more than any cookie of ours is. */
export const cookieIn = (header: string | undefined, name: string): string | undefined => {
  const found = (header ?? "")
    .slice(0, longestHeader)
    .split(";", mostCookies)
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)
  return found === undefined || found.length > longestValue ? undefined : found
}

/** For the site's own host alone, which names that begin with `__Host-` hold browsers to; no script reads it. */
export const setCookie = (name: `__Host-${string}`, value: string, seconds: number): string =>
  `${name}=${value}; Path=/; Max-Age=${seconds}; Secure; HttpOnly; SameSite=Lax`
