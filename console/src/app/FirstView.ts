import { beginToday, fetchSession } from "../calls/FirstCalls.ts"
import { closestLocale } from "../i18n/Format.ts"
import { loadFirstCatalog } from "../i18n/Messages.tsx"
import { readPreferences } from "./Preferences.ts"

/**
 * Begins at once what the first view needs: the session, its texts, its code and its answers. Rendered step by step, each of them
 * would be asked for after the one before had arrived. Whatever fails is asked for again by what needs it.
 */
export const beginFirstView = (): void => {
  if (!/^\/console\/?$/.test(window.location.pathname)) return
  const locale = readPreferences().locale ?? closestLocale(navigator.languages)
  loadFirstCatalog(locale).catch(() => undefined)
  import("../screens/Today/TodayScreen.tsx").catch(() => undefined)
  fetchSession().then(
    (session) => {
      if (session !== null) beginToday()
    },
    () => undefined
  )
}
