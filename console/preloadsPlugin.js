import { readsOfToday, readsPath } from "./src/calls/firstReads.js"

/**
 * Writes `preloads.json`: what a signed-in reader's browser can request before any script of the page runs. The gateway names it
 * in the page's `Link` header.
 */
export const preloads = (/** @type {ReadonlyArray<string>} */ locales) => ({
  name: "preloads",
  apply: /** @type {const} */ ("build"),
  generateBundle: {
    order: /** @type {const} */ ("post"),
    /** @this {{ emitFile: (file: { type: "asset", fileName: string, source: string }) => void }} */
    handler(
      /** @type {unknown} */ _options,
      /** @type {Record<string, { type: string, fileName: string, facadeModuleId?: string | null }>} */ bundle
    ) {
      const textsOf = (/** @type {string} */ locale) => {
        const chunk = Object.values(bundle).find(({ facadeModuleId }) =>
          facadeModuleId?.endsWith(`virtual:messages/${locale}/first`)
        )
        if (chunk === undefined) throw new Error(`There are no first texts in ${locale}.`)
        return [locale, `/console/${chunk.fileName}`]
      }
      const source = JSON.stringify({
        session: "/console/api/session",
        home: readsPath(readsOfToday),
        texts: Object.fromEntries(locales.map(textsOf))
      })
      this.emitFile({ type: "asset", fileName: "preloads.json", source })
    }
  }
})
