import * as fs from "node:fs/promises"
import * as path from "node:path"

interface Page {
  readonly ids: ReadonlySet<string>
  readonly links: ReadonlyArray<string>
  /** What a browser loads to show the page. */
  readonly loaded: ReadonlyArray<string>
}

const attributes = (html: string, pattern: RegExp): ReadonlyArray<string> =>
  [...html.matchAll(pattern)].map(([, value = ""]) => value.replaceAll("&amp;", "&"))

const pageOf = (html: string): Page => ({
  ids: new Set(attributes(html, / id="([^"]+)"/g)),
  links: attributes(html, /<a\b[^>]* href="([^"]+)"/g),
  loaded: attributes(html, /<(?:script|img|link|iframe|source)\b[^>]* (?:src|href)="([^"]+)"/g)
})

const isOutside = (address: string): boolean => /^(?:https?:)?\/\//.test(address)

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * What is wrong with a built site: links to headings and files that do not exist, and parts that would be fetched from
 * elsewhere. The generator itself checks only links to pages.
 */
export const faultsOfSite = async (folder: string): Promise<ReadonlyArray<string>> => {
  const files = (await fs.readdir(folder, { recursive: true, withFileTypes: true })).flatMap((entry) =>
    entry.isFile() ? [path.relative(folder, path.join(entry.parentPath, entry.name))] : []
  )
  const existing = new Set(files.map((file) => `/${file}`))
  const pages = new Map<string, Page>()
  for (const file of files) {
    if (file.endsWith(".html")) pages.set(`/${file}`, pageOf(await fs.readFile(path.join(folder, file), "utf8")))
  }
  const targetOf = (from: string, link: string): readonly [file: string, anchor: string] => {
    const { hash, pathname } = new URL(link, `http://site${from}`)
    const file = pathname.endsWith("/") ? `${pathname}index.html` : pathname
    return [decoded(existing.has(file) || /\.\w+$/.test(file) ? file : `${file}.html`), decoded(hash.slice(1))]
  }
  const faults = [...pages].flatMap(([from, { links, loaded }]) => [
    ...loaded.filter(isOutside).map((address) => `${from} loads ${address}`),
    ...links.flatMap((link) => {
      if (/^[a-z]+:/i.test(link) || isOutside(link)) return []
      const [file, anchor] = targetOf(from, link)
      if (!existing.has(file)) return [`${from} links to ${link}`]
      const page = pages.get(file)
      return anchor === "" || page === undefined || page.ids.has(anchor) ? [] : [`${from} links to ${link}`]
    })
  ])
  const isSearchable = files.some((file) => file.includes("localSearchIndex"))
  return [...new Set(faults), ...(isSearchable ? [] : ["The site has no search."])]
}
