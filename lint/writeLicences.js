// Writes the list of licences; test/lint/licences.test.ts fails while it is not up to date.
import * as fs from "node:fs"
import * as path from "node:path"
import { licencesPage, licencesText, refusedPackages } from "./licences.js"

const root = path.resolve(import.meta.dirname, "..")
fs.writeFileSync(path.join(root, licencesPage), licencesText(root))
for (const { licence, name } of refusedPackages(root)) {
  console.error(`${name}: ${licence} is not on the list of lint/licences.js`)
  process.exitCode = 1
}
