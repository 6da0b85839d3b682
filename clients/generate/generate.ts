import * as fs from "node:fs/promises"
import * as path from "node:path"
import { Schema } from "effect"
import { modelOf, OpenApiDocument } from "./Document.ts"
import { examplePrograms, pythonProgram, quickStartPrograms } from "./examples.ts"
import { pythonFiles } from "./python.ts"
import { requestFiles } from "./requests.ts"
import { samplePrograms } from "./samples.ts"
import { type Files, typeScriptFiles } from "./typescript.ts"
import { typeTestFiles } from "./typeTests.ts"

const clients = path.resolve(import.meta.dirname, "..")
const read = (file: string): Promise<string> => fs.readFile(path.join(clients, file), "utf8")

const writeFiles = async (folder: string, files: Files): Promise<void> => {
  for (const [name, text] of files) {
    const file = path.join(clients, folder, name)
    await fs.mkdir(path.dirname(file), { recursive: true })
    await fs.writeFile(file, text)
  }
}

/** Replaces a folder of generated files, so that none of an earlier version stays. */
const replaceFolder = async (folder: string, files: Files): Promise<void> => {
  await fs.rm(path.join(clients, folder), { recursive: true, force: true })
  await writeFiles(folder, files)
}

const text = await read("openapi.json")
const model = modelOf(Schema.decodeUnknownSync(OpenApiDocument)(text))
await replaceFolder("typescript/src/generated", typeScriptFiles(model))
await writeFiles("python/src/prospecting_gateway", pythonFiles(model))
await replaceFolder("requests", requestFiles(model))
await replaceFolder("test/generated", await typeTestFiles(text, model))
await writeFiles("test/generated", samplePrograms(model.groups))
await writeFiles("test/generated", examplePrograms(await read("typescript/README.md")))
await writeFiles("test/generated", new Map([["readme.py", pythonProgram(await read("python/README.md"))]]))
for (const [document, name] of [
  ["import-leads", "importLeads"],
  ["receive-webhooks", "receiveWebhooks"]
] as const) {
  await writeFiles("test/generated", quickStartPrograms(name, await read(`../docs/quick-starts/${document}.md`)))
}
