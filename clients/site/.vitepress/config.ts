import { readFileSync } from "node:fs"
import * as path from "node:path"
import { defineConfig } from "vitepress"

interface Item {
  readonly text: string
  readonly link?: string
  readonly collapsed?: boolean
  readonly items?: Array<Item>
}

/** What `clients/site/build.ts` found in the documents and the catalog. */
function navigation(): { readonly documents: Array<Item>; readonly tools: Array<Item> }
function navigation(): unknown {
  const value: unknown = JSON.parse(readFileSync(path.join(import.meta.dirname, "../pages/navigation.json"), "utf8"))
  return value
}

const { documents, tools } = navigation()

/** Anchors as GitHub makes them, so that a link works at both places. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-")

/** Without colours. They took three quarters of the build's time. */
const plainCode = (code: string): string =>
  `<pre v-pre><code>${code.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</code></pre>`

export default defineConfig({
  title: "Prospecting gateway",
  description: "Documents and tools of the prospecting gateway",
  lang: "en-US",
  srcDir: "pages",
  outDir: "dist",
  cacheDir: "../../node_modules/.cache/vitepress",
  // A link to a page that does not exist fails the build.
  ignoreDeadLinks: false,
  metaChunk: true,
  markdown: { anchor: { slugify: anchorOf }, highlight: plainCode },
  vite: { build: { reportCompressedSize: false } },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav: [
      { text: "Quick start", link: "/docs/quick-starts/import-leads" },
      { text: "Documents", link: "/docs/README" },
      { text: "Tools", link: "/tools/" }
    ],
    sidebar: { "/tools/": tools, "/": documents }
  }
})
