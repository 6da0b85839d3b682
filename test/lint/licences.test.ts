import * as fs from "node:fs"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { licencesPage, licencesText, refusedPackages } from "../../lint/licences.js"

const root = path.resolve(import.meta.dirname, "../..")

it("the list of licences is what `npm run licences` writes, and all of them are allowed", () => {
  assert.strictEqual(fs.readFileSync(path.join(root, licencesPage), "utf8"), licencesText(root))
  assert.deepStrictEqual(refusedPackages(root), [])
})
