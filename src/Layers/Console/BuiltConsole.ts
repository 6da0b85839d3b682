import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { Effect, Schema } from "effect"

/** The folder of a built page. An `isFixed` build belongs to an installed package and never changes. */
const Built = Schema.parseJson(Schema.Struct({ folder: Schema.String, isFixed: Schema.Boolean }))
type Built = typeof Built.Type

const launcher = path.join("launch", "console.js")

/**
 * Finds the program that builds the console. It is next to the program that started this gateway, whether compiled or
 * not.
 */
const findLauncher = (from: string): string | undefined => {
  const folder = path.dirname(from)
  if (folder === from) return undefined
  const file = path.join(folder, launcher)
  return existsSync(file) ? file : findLauncher(folder)
}

/** The time limit of a build in milliseconds. */
const longestBuild = 90_000
/** Milliseconds for which the sources of a clone are not checked again. */
const settled = 2_000
/** Milliseconds after which a waiting visitor gets a page that says that the console is being built. */
const patience = 500

const keptVariables = ["PATH", "HOME", "TMPDIR", "TEMP", "TMP"]

/** Runs the builder as a child process, so that it uses neither the gateway's event loop nor its memory. */
const runBuilder = (program: string): Promise<Built> =>
  new Promise((resolve, reject) => {
    const env = Object.fromEntries(keptVariables.map((name) => [name, process.env[name] ?? ""]))
    const child = spawn(process.execPath, [program], { env, stdio: ["ignore", "pipe", "pipe"], timeout: longestBuild })
    let output = ""
    let trouble = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text
    })
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      trouble = `${trouble}${text}`.slice(-4000)
    })
    child.on("error", reject)
    child.on("close", (code, signal) => {
      if (code !== 0) return reject(new Error(trouble.trim() || `It ended with ${code ?? signal}.`))
      const built = Schema.decodeUnknownEither(Built)(output)
      if (built._tag === "Right") resolve(built.right)
      else reject(new Error("The builder answered nothing that can be understood."))
    })
  })

export type ConsoleState =
  | { readonly _tag: "Built"; readonly folder: string }
  | { readonly _tag: "Building" }
  | { readonly _tag: "Failed" }

/** A file of the page as it is on the disk. */
export interface ConsoleFile {
  readonly identity: Buffer
  readonly compressed: { readonly br: Buffer; readonly gz: Buffer } | undefined
}

const readFile = (file: string): Promise<Buffer | undefined> => fs.readFile(file).catch(() => undefined)

/** The console of this process. It is built or read at the first visit. */
export const makeBuiltConsole = (
  onFailure: (reason: string) => void,
  program = findLauncher(fileURLToPath(import.meta.url))
) => {
  /** Newest first. Pages that are still open load parts of the previous build. */
  let folders: ReadonlyArray<string> = []
  let isFixed = false
  let lookedAt = Number.NEGATIVE_INFINITY
  let look: Promise<ConsoleState> | undefined

  const start = async (): Promise<ConsoleState> => {
    try {
      if (program === undefined) throw new Error(`There is no ${launcher} in this installation.`)
      const built = await runBuilder(program)
      isFixed = built.isFixed
      if (folders[0] !== built.folder) folders = [built.folder, ...folders].slice(0, 2)
      return { _tag: "Built", folder: built.folder }
    } catch (error) {
      onFailure(error instanceof Error ? error.message : String(error))
      return { _tag: "Failed" }
    } finally {
      lookedAt = performance.now()
      look = undefined
    }
  }

  const waiting = (): Promise<ConsoleState> =>
    new Promise((resolve) => setTimeout(() => resolve({ _tag: "Building" }), patience).unref())

  return {
    /**
     * The latest built page. If its sources have changed, it is built again for later visits, and this visitor gets the
     * existing build.
     */
    state: Effect.promise(async (): Promise<ConsoleState> => {
      const [newest] = folders
      if (!isFixed && (newest === undefined || performance.now() - lookedAt > settled)) look ??= start()
      if (newest !== undefined) return { _tag: "Built", folder: newest }
      return Promise.race([...(look === undefined ? [] : [look]), waiting()])
    }),
    /** A file by its path, from the newest build that has it. The path contains no `..`. */
    file: (name: string): Effect.Effect<ConsoleFile | undefined> =>
      Effect.promise(async () => {
        for (const folder of folders) {
          const file = path.join(folder, name)
          const identity = await readFile(file)
          if (identity === undefined) continue
          const [br, gz] = await Promise.all([readFile(`${file}.br`), readFile(`${file}.gz`)])
          return { identity, compressed: br === undefined || gz === undefined ? undefined : { br, gz } }
        }
        return undefined
      })
  }
}

export type BuiltConsole = ReturnType<typeof makeBuiltConsole>
