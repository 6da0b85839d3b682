import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"

const root = path.resolve(import.meta.dirname, "../..")

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
  maxBuffer: 1 << 26
})
  .split("\n")
  .filter((file) => file !== "" && fs.existsSync(path.join(root, file)))

const documents = files.filter((file) => file.endsWith(".md"))

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

/** Files of the project that a document names in code style: `test/Mail/MailInbox.test.ts`, or the end of a path. */
const namedFilesOf = (text: string): ReadonlyArray<string> =>
  [...text.replaceAll(/^```[\s\S]*?^```$/gm, "").matchAll(/`([\w./-]+\.(?:ts|js))`/g)].map(([, name = ""]) => name)

const endings = new Set(
  files.flatMap((file) => {
    const parts = file.split("/")
    return parts.map((_, index) => parts.slice(index).join("/"))
  })
)

/** Results of past days name files as they were then. The page on scaling out names files of other commits. */
const mayNameOthers = /^bench\/results\/|^docs\/scale-out\.md$/

/** Files that only an example has. */
const exampleFile = /Notes|Acme|\bIds\.ts$|^Migrations\.ts$/

it("every file that a document names exists", () => {
  assert.deepStrictEqual(
    documents
      .filter((document) => !mayNameOthers.test(document))
      .flatMap((document) =>
        namedFilesOf(fs.readFileSync(path.join(root, document), "utf8"))
          .filter((name) => !endings.has(name) && !exampleFile.test(name))
          .map((name) => `${document}: ${name}`)
      ),
    []
  )
})
