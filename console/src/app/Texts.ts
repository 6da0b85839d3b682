import { useEffect, useRef, useState } from "react"
import type { Catalog, Locale } from "../i18n/Format.ts"
import { loadCatalog, loadFirstCatalog } from "../i18n/Messages.tsx"

interface Loaded {
  readonly locale: Locale
  readonly catalog: Catalog
}

/** The first view is drawn before the other texts are fetched. */
const delayMillis = 4_000

/** The addresses of the first view and the sign-in, which need only the first texts. */
const isFirstView = (): boolean => /^\/console\/?(sign-in)?$/.test(window.location.pathname)

let fetchNow = (): Promise<unknown> => Promise.resolve()

/** Resolves when the texts of all screens are there. The router waits for it before it shows another screen. */
export const allTexts = async (): Promise<void> => {
  await fetchNow()
}

/** The texts of a language: those of the first view at once, and then all. */
export const useCatalog = (locale: Locale): Loaded | undefined => {
  const [loaded, setLoaded] = useState<Loaded>()
  const hasShown = useRef(false)
  useEffect(() => {
    let isCurrent = true
    let whole: Promise<void> | undefined
    const show = (catalog: Catalog) => {
      hasShown.current = true
      if (isCurrent) setLoaded({ locale, catalog })
    }
    const fetchAll = () => (whole ??= loadCatalog(locale).then(show))
    fetchNow = fetchAll
    let timer: ReturnType<typeof setTimeout> | undefined
    const begin = async () => {
      // A change of the language shows the new one when all of it is there.
      if (!isFirstView() || hasShown.current) return await fetchAll()
      const first = await loadFirstCatalog(locale)
      if (whole === undefined) show(first)
      timer = setTimeout(() => void fetchAll(), delayMillis)
    }
    begin().catch(() => undefined)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [locale])
  return loaded
}
