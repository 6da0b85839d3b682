import * as fs from "node:fs"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { replyActsPage, replyActsPath } from "../../training/ReplyActsPage.ts"

it("the page on replies is what `npm run replies:page` writes", () => {
  const file = path.resolve(import.meta.dirname, "../..", replyActsPath)
  assert.strictEqual(fs.readFileSync(file, "utf8"), replyActsPage())
})
