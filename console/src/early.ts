import { readPreferences } from "./app/Preferences.ts"
import { beginSession, beginToday } from "./calls/FirstAnswers.ts"
import { readSessionHint } from "./calls/SessionHint.ts"
import { loadCatalog, loadFirstCatalog } from "./i18n/Catalogs.ts"
import { closestLocale } from "./i18n/Format.ts"

/**
 * Runs as a separate small file before the rest of the console is loaded, and requests everything that the first view
 * needs: the session, its texts and its answers. Otherwise each of them would wait for the previous one. It imports
 * nothing of React. A failed request is repeated by the part that needs it.
 */
// No data of the account stays in the browser, so storage is disabled. The router would also wait for the browser to
// open it.
Object.defineProperty(window, "sessionStorage", { value: undefined })

const hint = readSessionHint()
const isHome = /^\/console\/?$/.test(window.location.pathname)
const hasFirstTexts = isHome || window.location.pathname === "/console/sign-in"

/** The chosen language, or the account's, or the browser's. */
export const firstLocale = readPreferences().locale ?? hint ?? closestLocale(navigator.languages)

export const firstSession = beginSession()
export const firstReads = isHome && hint !== undefined ? beginToday() : undefined

/** Resolves when the first texts are loaded, or have failed. */
export const firstTexts: Promise<unknown> = (hasFirstTexts ? loadFirstCatalog : loadCatalog)(firstLocale).catch(
  () => undefined
)
