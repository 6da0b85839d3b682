// Writes the modules that belong to the message catalogs; test/Messages/Catalogs.test.ts fails while they are not up to date.
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { argumentsFile, argumentsModule, catalogsFile, catalogsModule } from "./messages.js"

const root = path.resolve(import.meta.dirname, "..")
fs.writeFileSync(path.join(root, catalogsFile), catalogsModule(root))
fs.writeFileSync(path.join(root, argumentsFile), argumentsModule(root))
execFileSync("npx", ["biome", "check", "--write", catalogsFile, argumentsFile], { cwd: root, stdio: "ignore" })
