import { readdirSync, readFileSync } from "node:fs"
import { assert, it } from "@effect/vitest"
import { AllTools } from "../../src/Tools/AllTools.ts"
import { agreedTools } from "./agreedCatalog.ts"

const sources = new URL("../../src/", import.meta.url)

const built = new Set(AllTools.entries.map(({ tool }) => tool.name))

/** Groups that are on their way: texts may name these of their tools already. */
const awaited = new Set(["list_open_lead_questions", "lookup_cnae", "lookup_municipality_code"])

it("no text names a tool that does not exist yet: a description, a message, a guide, a prompt", () => {
  const missing = agreedTools.map(({ name }) => name).filter((name) => !built.has(name) && !awaited.has(name))
  if (missing.length === 0) return
  const named = new RegExp(`(?<![\\w.])(?:${missing.join("|")})(?!\\w)`, "g")
  const texts = readdirSync(sources, { recursive: true, encoding: "utf8" }).filter((path) =>
    /\.(?:ts|md|json)$/.test(path)
  )
  assert.isAbove(texts.length, 300)
  assert.deepStrictEqual(
    texts.flatMap((path) =>
      [...readFileSync(new URL(path, sources), "utf8").matchAll(named)].map(([name]) => `${path}: ${name}`)
    ),
    []
  )
})
