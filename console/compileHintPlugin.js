/** https://github.com/WICG/explicit-javascript-compile-hints-file-based */
const hint = "//# allFunctionsCalledOnLoad\n"

/**
 * Marks the chunks whose functions nearly all run for the first view. Chromium then compiles these while they arrive, in another
 * thread. Otherwise the page's own thread compiles each function when it is first called, which takes longer than running it.
 */
export const compileHint = (/** @type {ReadonlySet<string>} */ names) => ({
  name: "compile-hint",
  apply: /** @type {const} */ ("build"),
  generateBundle: {
    // The minifier removes comments, so this comes after it.
    order: /** @type {const} */ ("post"),
    handler(
      /** @type {unknown} */ _options,
      /** @type {Record<string, { type: string, name?: string, code?: string }>} */ bundle
    ) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === "chunk" && names.has(chunk.name ?? "")) chunk.code = `${hint}${chunk.code}`
      }
    }
  }
})
