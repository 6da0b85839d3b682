import { execFile } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { promisify } from "node:util"
import { Context, Effect, Layer } from "effect"
import { builtConsole } from "../../../launch/consoleBuild.js"
import { ServerAddress } from "../../../src/Layers/Platform/Http/Server.ts"

const root = path.resolve(import.meta.dirname, "../../..")

/** The gateway under test with its page, and the folder that the page is served from. */
export class ServedConsole extends Context.Tag("ServedConsole")<
  ServedConsole,
  { readonly origin: string; readonly folder: string }
>() {}

/** One build for all tests of a file. The gateway would make it on the first visit. */
export const servedConsole = Layer.effect(
  ServedConsole,
  Effect.gen(function* () {
    const { folder } = yield* Effect.promise(() => builtConsole(root))
    const { port } = yield* ServerAddress
    return { origin: `http://localhost:${port}`, folder }
  })
)

/** How long a build takes, in milliseconds. */
export const buildMillis = Effect.acquireUseRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "console-"))),
  (folder) =>
    Effect.promise(async () => {
      const began = performance.now()
      await promisify(execFile)(process.execPath, [path.join(root, "console/build.js")], {
        env: { ...process.env, CONSOLE_OUT: folder, NODE_ENV: "production" }
      })
      return performance.now() - began
    }),
  (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true, force: true }))
)
