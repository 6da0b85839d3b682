import fontAddress from "@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url"

const cookie = "console-font=1"
const year = 365 * 24 * 3_600
const delayMillis = 5_000

/**
 * The first visit is drawn with the system's font and fetches the console's in the background. From the next visit on it is in
 * the browser's cache, so it costs the first view nothing and no text moves.
 */
export const loadFont = (): void => {
  if (document.cookie.includes(cookie)) {
    void import("./font.css")
    return
  }
  setTimeout(() => {
    fetch(fontAddress).then(
      ({ ok }) => {
        if (ok) document.cookie = `${cookie}; Path=/console; SameSite=Strict; Max-Age=${year}`
      },
      () => undefined
    )
  }, delayMillis)
}
