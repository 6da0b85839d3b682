import { createHash } from "node:crypto"
import type { JsonObject } from "./Protocol.ts"

export const skillsExtension = "io.modelcontextprotocol/skills"

/** A skill as its extension lists it: where it begins, what it says of itself, and all its files. */
export interface Skill {
  readonly uri: string
  readonly frontmatter: JsonObject
  readonly resources: ReadonlyArray<{ readonly uri: string; readonly digest: string; readonly size: number }>
}

/** The front matter of a page: names with a text each, as our guide has them. */
export const frontMatterOf = (text: string): JsonObject =>
  Object.fromEntries(
    (text.split("---\n")[1] ?? "").split("\n").flatMap((line) => {
      const colon = line.indexOf(": ")
      if (colon < 0) return []
      const value = line.slice(colon + 2)
      return [[line.slice(0, colon), value.startsWith('"') ? String(JSON.parse(value)) : value]]
    })
  )

/** The skill that begins at the first of the files, which are all that it has. */
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
