import { type Browser, chromium, type Page } from "playwright-core"

/** A browser for measurements of the console: Debian's Chromium. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] })

/** Milliseconds without a change, after which a screen is complete: more than a search waits for the next letter. */
const quietMillis = 350

/**
 * Watches the page from its first line on. `settled()` resolves when the screen is complete: it has its heading, nothing says that it
 * loads, no call is open, and nothing changed for a while. It returns when the last change was painted, counted from the last
 * act of the reader, or else from the start of the navigation.
 */
export const watching = `(() => {
  let began = 0, changed = 0, painted = 0, heading, open = 0, calls = 0
  const send = window.fetch
  window.fetch = async (...request) => {
    open += 1
    calls += 1
    try {
      const answer = await send(...request)
      await answer.clone().text()
      return answer
    } finally {
      open -= 1
    }
  }
  const isLoading = () => document.querySelector("main h1") === null || document.querySelector("main .skeleton") !== null
  new MutationObserver((changes) => {
    // Code and styles that are fetched for later are links in the head, which readers do not see.
    if (changes.every(({ target }) => document.head?.contains(target))) return
    changed = performance.now()
    requestAnimationFrame(() => setTimeout(() => {
      painted = performance.now()
      if (heading === undefined && document.querySelector("main h1") !== null) heading = painted
    }))
  }).observe(document, { subtree: true, childList: true, characterData: true })
  const begin = () => {
    began = changed = painted = performance.now()
    heading = undefined
    calls = 0
  }
  for (const act of ["click", "change", "input", "wheel"]) addEventListener(act, begin, { capture: true, passive: true })
  window.settled = async () => {
    for (;;) {
      const now = performance.now()
      if (!isLoading() && open === 0 && painted >= changed && now - changed > ${quietMillis}) break
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    return JSON.stringify({ millis: painted - began, heading: (heading ?? painted) - began, calls })
  }
})()`

/** How long a screen took to be complete. */
export interface Timing {
  /** Milliseconds until the last change was painted. */
  readonly millis: number
  /** Milliseconds until the heading was. */
  readonly heading: number
  /** The calls that it made. */
  readonly calls: number
}

const numberOf = (value: unknown): number => (typeof value === "number" ? value : Number.NaN)

export const settled = async (page: Page): Promise<Timing> => {
  const text: unknown = await page.evaluate("window.settled()")
  const parsed: unknown = JSON.parse(String(text))
  const fields: Readonly<Record<string, unknown>> = typeof parsed === "object" && parsed !== null ? { ...parsed } : {}
  return { millis: numberOf(fields["millis"]), heading: numberOf(fields["heading"]), calls: numberOf(fields["calls"]) }
}

/** A signed-in person at a browser that has nothing of the console yet. `slowing` divides the processor's speed. */
export const newcomer = async (
  browser: Browser,
  { cookie, origin, slowing }: { readonly origin: string; readonly cookie: Cookie; readonly slowing: number }
): Promise<Page> => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en" })
  context.setDefaultTimeout(60_000)
  // The language of the account would give the links other names.
  await context.addCookies([
    cookie,
    { name: "console-in", value: "en", url: `${origin}/console` },
    { name: "console-look", value: "light/en/", url: `${origin}/console` }
  ])
  await context.addInitScript(watching)
  const page = await context.newPage()
  if (slowing > 1) {
    const session = await context.newCDPSession(page)
    await session.send("Emulation.setCPUThrottlingRate", { rate: slowing })
  }
  return page
}

type Cookie = Parameters<Awaited<ReturnType<Browser["newContext"]>>["addCookies"]>[0][number]

/** Signs in with a token by the page's form. Returns the session's cookie. */
export const signedInCookie = async (browser: Browser, origin: string, token: string): Promise<Cookie> => {
  const context = await browser.newContext({ locale: "en" })
  context.setDefaultTimeout(60_000)
  try {
    const page = await context.newPage()
    await page.goto(`${origin}/console/`)
    await page.getByLabel("Access token").fill(token)
    await page.getByRole("button", { name: "Continue" }).click()
    await page.getByRole("navigation").first().waitFor()
    const cookie = (await context.cookies()).find(({ name }) => name === "__Secure-console")
    if (cookie === undefined) throw new Error("The sign-in set no cookie.")
    return cookie
  } finally {
    await context.close()
  }
}
