import { execFileSync } from "node:child_process"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { Schema } from "effect"
import { build } from "vitepress"
import { modelOf, OpenApiDocument } from "../generate/Document.ts"
import { type NavigationItem, toolNavigation, toolPages } from "../generate/site.ts"
import { faultsOfSite } from "./checkSite.ts"

const site = import.meta.dirname
const root = path.resolve(site, "../..")
const pages = path.join(site, "pages")

const isFile = (file: string): Promise<boolean> =>
  fs.stat(path.join(root, file)).then(
    (stat) => stat.isFile(),
    () => false
  )

/** Documents that become pages. The others are texts of single days or of tests. */
const isPage = (file: string): boolean =>
  /^(?:README|CONTRIBUTING|SECURITY|CHANGELOG)\.md$|^docs\/|^clients\/|^bench\/README\.md$/.test(file) &&
  file.endsWith(".md")

const trackedFiles = (): ReadonlyArray<string> =>
  execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 26
  })
    .split("\n")
    .filter((file) => file !== "")

const write = async (file: string, text: string): Promise<void> => {
  const target = path.join(pages, file)
  await fs.mkdir(path.dirname(target), { recursive: true })
  await fs.writeFile(target, text)
}

const link = /\]\((<?)([^)\s>]+)(>?)((?: "[^"]*")?)\)/g

/** Where a file that is no page can be read: next to the pages, as text. */
const sourcePath = (file: string): string => `/source/${file}.txt`

/** A document whose links to files that are no pages lead to copies of them. Fails at a link to nothing. */
const withSourceLinks = async (
  document: string,
  text: string,
  isKnown: (file: string) => boolean
): Promise<{ readonly text: string; readonly sources: ReadonlyArray<string> }> => {
  const sources = new Map<string, string>()
  for (const [, , target = ""] of text.matchAll(link)) {
    if (/^[a-z]+:|^#|^\//i.test(target)) continue
    const [relative = ""] = target.split("#")
    const file = path.posix.normalize(path.posix.join(path.posix.dirname(document), relative))
    if (isKnown(file)) continue
    if (!(await isFile(file))) throw new Error(`${document} links to ${target}, which is no file.`)
    sources.set(target, file)
  }
  const replaced = text.replaceAll(link, (whole, open: string, target: string, close: string, title: string) => {
    const file = sources.get(target)
    return file === undefined ? whole : `](${open}${sourcePath(file)}${close}${title})`
  })
  return { text: replaced, sources: [...sources.values()] }
}

const titleOf = (text: string, file: string): string => /^# (.+)$/m.exec(text)?.[1]?.replaceAll("`", "") ?? file

const sections: ReadonlyArray<readonly [title: string, folder: string]> = [
  ["Quick starts", "docs/quick-starts/"],
  ["Tutorials", "docs/tutorials/"],
  ["How-to guides", "docs/how-to/"],
  ["Deploy", "docs/deploy/"],
  ["Reference", "docs/reference/"],
  ["Explanation", "docs/explanation/"],
  ["Clients", "clients/"],
  ["Runbooks", "docs/runbooks/"],
  ["Decisions", "docs/decisions/"]
]

const documentNavigation = (titles: ReadonlyMap<string, string>): ReadonlyArray<NavigationItem> => {
  const itemsOf = (isPart: (file: string) => boolean) =>
    [...titles]
      .filter(([file]) => isPart(file))
      .map(([file, text]) => ({ text, link: `/${file.replace(/\.md$/, "")}` }))
  return [
    { text: "Start", items: itemsOf((file) => /^README\.md$|^docs\/[^/]+\.md$|^CONTRIBUTING\.md$/.test(file)) },
    ...sections.map(([text, folder]) => ({ text, collapsed: true, items: itemsOf((file) => file.startsWith(folder)) }))
  ]
}

const home = `---
layout: home
hero:
  name: Prospecting gateway
  text: Sales prospecting as tools
  tagline: Give it leads. It contacts them, reads their replies, and books meetings.
  actions:
    - { theme: brand, text: Import leads, link: /docs/quick-starts/import-leads }
    - { theme: alt, text: Receive webhooks, link: /docs/quick-starts/receive-webhooks }
    - { theme: alt, text: Let an agent work, link: /docs/quick-starts/let-an-agent-work }
features:
  - { title: Tools, details: "Parameters, answers, errors and samples of every tool", link: /tools/ }
  - { title: Documents, details: "Tutorials, guides, reference and explanations", link: /docs/README }
  - { title: Command line, details: "Ten tasks with pgw", link: /clients/pgw/RECORDINGS }
---
`

const began = performance.now()
await fs.rm(pages, { recursive: true, force: true })

const files = trackedFiles().filter(isPage)
const pageFiles = new Set(files)
const titles = new Map<string, string>()
const sources = new Set<string>()
for (const file of files) {
  const document = await fs.readFile(path.join(root, file), "utf8")
  titles.set(file, titleOf(document, file))
  const page = await withSourceLinks(file, document, (target) => pageFiles.has(target))
  for (const source of page.sources) sources.add(source)
  await write(file, page.text)
}
for (const source of sources) {
  await write(`public${sourcePath(source)}`, await fs.readFile(path.join(root, source), "utf8"))
}

const model = modelOf(
  Schema.decodeUnknownSync(OpenApiDocument)(await fs.readFile(path.join(root, "clients/openapi.json"), "utf8"))
)
for (const [file, text] of toolPages(model)) await write(file, text)
await write("index.md", home)
await write("navigation.json", JSON.stringify({ documents: documentNavigation(titles), tools: toolNavigation(model) }))

await build(site)
const faults = await faultsOfSite(path.join(site, "dist"))
if (faults.length > 0) throw new Error(`The site has faults:\n${faults.join("\n")}`)
const seconds = ((performance.now() - began) / 1000).toFixed(1)
process.stdout.write(`${files.length} documents and ${model.tools.length} tools in ${seconds} s: clients/site/dist\n`)
