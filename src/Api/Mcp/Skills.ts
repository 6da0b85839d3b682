import { createHash } from "node:crypto"
import type { JsonObject } from "./Protocol.ts"

export const skillsExtension = "io.modelcontextprotocol/skills"

/** A skill in the extension's list: its first file, its description and all files. */
export interface Skill {
  readonly uri: string
  readonly frontmatter: JsonObject
  readonly resources: ReadonlyArray<{ readonly uri: string; readonly digest: string; readonly size: number }>
}

/** Parses the front matter of a page. Only simple text values are supported. */
export const frontMatterOf = (text: string): JsonObject =>
  Object.fromEntries(
    (text.split("---\n")[1] ?? "").split("\n").flatMap((line) => {
      const colon = line.indexOf(": ")
      if (colon < 0) return []
      const value = line.slice(colon + 2)
      return [[line.slice(0, colon), value.startsWith('"') ? String(JSON.parse(value)) : value]]
    })
  )

/** Makes a skill from its files. The first one is its main file. */
export const skillOf = (files: ReadonlyMap<string, { readonly text: string }>): Skill => {
  const [[uri, { text }] = ["", { text: "" }]] = files
  return {
    uri,
    frontmatter: frontMatterOf(text),
    resources: [...files].map(([file, page]) => ({
      uri: file,
      digest: `sha256:${createHash("sha256").update(page.text).digest("hex")}`,
      size: Buffer.byteLength(page.text)
    }))
  }
}
