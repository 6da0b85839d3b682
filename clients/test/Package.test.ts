import { execFile } from "node:child_process"
import * as path from "node:path"
import { promisify } from "node:util"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"
import { assert, describe, it } from "vitest"

const run = promisify(execFile)
const clients = path.resolve(import.meta.dirname, "..")
const root = path.resolve(clients, "..")

/** What a browser loads of a program that imports from the built package. */
const bundled = async (program: string) => {
  const { metafile, outputFiles } = await build({
    stdin: { contents: program, resolveDir: path.join(clients, "typescript") },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    write: false,
    metafile: true
  })
  return { inputs: Object.keys(metafile.inputs), size: gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length }
}

const wholeLimit = 12 * 1024
const oneToolLimit = 3 * 1024

describe("the package for TypeScript", () => {
  it("with all tools takes at most 12 kB, compressed, and nothing of Node", async () => {
    const { inputs, size } = await bundled('export * from "./dist/index.js"')
    assert.isAtMost(size, wholeLimit)
    assert.isTrue(inputs.every((file) => !file.startsWith("node:")))
  })

  it("with one tool leaves the others out", async () => {
    const program =
      'import { Client } from "./dist/index.js"; import { whoami } from "./dist/generated/tools.js"; console.log(await whoami(new Client({ url: "", token: "" })))'
    assert.isAtMost((await bundled(program)).size, oneToolLimit)
  })

  it("is well made, as publint and arethetypeswrong see it", async () => {
    const folder = path.join(clients, "typescript")
    await run(process.execPath, [path.join(root, "node_modules/publint/src/cli.js"), folder, "--strict"])
    await run(process.execPath, [
      path.join(root, "node_modules/@arethetypeswrong/cli/dist/index.js"),
      "--pack",
      folder,
      "--profile",
      "esm-only"
    ])
  })
})
