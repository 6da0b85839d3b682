// Writes the reference of all settings and the list in the program; test/lint/settings.test.ts fails while it is not up to date.
import * as fs from "node:fs"
import * as path from "node:path"
import { listFile, page, settingList, settingsPage } from "./settings.js"

const root = path.resolve(import.meta.dirname, "..")
fs.mkdirSync(path.dirname(path.join(root, page)), { recursive: true })
fs.writeFileSync(path.join(root, page), settingsPage(root))
fs.writeFileSync(path.join(root, listFile), settingList(root))
