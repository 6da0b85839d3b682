export const earlyName = "early"

/**
 * Loads `src/early.ts` as a separate script that runs as soon as it is there. The console's own script imports it too, so it runs
 * once.
 */
export const earlyScript = () => ({
  name: "early-script",
  apply: /** @type {const} */ ("build"),
  transformIndexHtml: {
    order: /** @type {const} */ ("post"),
    handler(
      /** @type {string} */ _html,
      /** @type {{ bundle?: Readonly<Record<string, { readonly type: string, readonly name?: string, readonly fileName: string }>> }} */ {
        bundle = {}
      }
    ) {
      const chunk = Object.values(bundle).find(({ name, type }) => type === "chunk" && name === earlyName)
      if (chunk === undefined) throw new Error("There is no early script.")
      return [
        {
          tag: "script",
          attrs: { type: "module", async: true, crossorigin: true, src: `/console/${chunk.fileName}` },
          injectTo: /** @type {const} */ ("head-prepend")
        }
      ]
    }
  }
})
