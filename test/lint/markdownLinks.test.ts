import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"

const root = path.resolve(import.meta.dirname, "../..")

const documents = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], {
  cwd: root,
  encoding: "utf8"
})
  .split("\n")
  .filter((file) => file !== "" && fs.existsSync(path.join(root, file)))

const withoutCode = (text: string) => text.replaceAll(/^```[\s\S]*?^```$|`[^`\n]+`/gm, "")

/** The anchors that GitHub makes of the headings. */
const anchorsOf = (text: string): ReadonlyArray<string> =>
  [...text.replaceAll(/^```[\s\S]*?^```$/gm, "").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-")
  )

const linksOf = (text: string): ReadonlyArray<string> =>
  [...withoutCode(text).matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^[a-z]+:/i.test(target))

const brokenLinksOf = (document: string): ReadonlyArray<string> =>
  linksOf(fs.readFileSync(path.join(root, document), "utf8")).filter((link) => {
    const [target = "", anchor] = link.split("#")
    const file = target === "" ? path.join(root, document) : path.resolve(root, path.dirname(document), target)
    if (!fs.existsSync(file)) return true
    return anchor !== undefined && file.endsWith(".md") && !anchorsOf(fs.readFileSync(file, "utf8")).includes(anchor)
  })

it("every relative link in a document leads to a file, and to a heading of it", () => {
  assert.deepStrictEqual(
    documents.flatMap((document) => brokenLinksOf(document).map((link) => `${document}: ${link}`)),
    []
  )
})
