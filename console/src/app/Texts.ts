import { startTransition, useEffect, useRef, useState } from "react"
import { loadCatalog, loadFirstCatalog, presentCatalog } from "../i18n/Catalogs.ts"
import type { Catalog, Locale } from "../i18n/Format.ts"

interface Loaded {
  readonly locale: Locale
  readonly catalog: Catalog
}

/** The addresses of the first view and the sign-in, which need only the first texts. */
const isFirstView = (): boolean => /^\/console\/?(sign-in)?$/.test(window.location.pathname)

let fetchNow = (): Promise<unknown> => Promise.resolve()

/** Resolves when the texts of all screens are loaded. The router waits for it before it shows another screen. */
export const allTexts = async (): Promise<void> => {
  await fetchNow()
}

const presentTexts = (locale: Locale): Loaded | undefined => {
  const catalog = presentCatalog(locale)
  return catalog === undefined ? undefined : { locale, catalog }
}

/** The texts of a language. The first view begins with its own, and gets the others when it is complete. */
export const useCatalog = (locale: Locale): Loaded | undefined => {
  const [loaded, setLoaded] = useState(() => presentTexts(locale))
  const hasShown = useRef(false)
  useEffect(() => {
    let isCurrent = true
    let whole: Promise<void> | undefined
    const show = (catalog: Catalog) => {
      if (isCurrent) startTransition(() => setLoaded({ locale, catalog }))
    }
    const fetchAll = () => (whole ??= loadCatalog(locale).then(show))
    fetchNow = fetchAll
    const begin = async () => {
      // After a change of the language, the new texts are shown when all of them are loaded.
      if (!isFirstView() || hasShown.current) return await fetchAll()
      hasShown.current = true
      if (presentCatalog(locale) !== undefined) return
      const first = await loadFirstCatalog(locale)
      if (whole === undefined) show(first)
    }
    begin().catch(() => undefined)
    return () => {
      isCurrent = false
    }
  }, [locale])
  return loaded
}
