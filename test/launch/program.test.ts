import { execFile } from "node:child_process"
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"

const root = path.resolve(import.meta.dirname, "../..")

interface Ended {
  readonly code: number
  readonly output: string
  readonly errors: string
}

const started = (program: string, ...args: ReadonlyArray<string>) =>
  new Promise<Ended>((resolve) =>
    execFile(process.execPath, [program, ...args], (error, output, errors) =>
      resolve({ code: error === null ? 0 : Number(error.code), output, errors })
    )
  )

const main = `
import { readFileSync } from "node:fs"
import { greet } from "./Layers/Greeting.ts"

interface Words { readonly count: number }

const failed = (words: Words): never => {
  throw new Error(\`no \${words.count} words\`)
}

if (process.argv[2] === "fail") failed({ count: 3 })
console.log(greet(readFileSync(new URL("./words.txt", import.meta.url), "utf8")))
`

const greeting = "export const greet = (words: string): string => `said: ${words}`"

/** A project of a few lines in place of the gateway, with the gateway's own launcher and packages. */
const project = Effect.acquireRelease(
  Effect.promise(async () => {
    const directory = await fs.realpath(await fs.mkdtemp(path.join(os.tmpdir(), "gateway-launch-")))
    const write = async (file: string, text: string) => {
      await fs.mkdir(path.dirname(path.join(directory, file)), { recursive: true })
      await fs.writeFile(path.join(directory, file), text)
    }
    await fs.cp(path.join(root, "launch"), path.join(directory, "launch"), { recursive: true })
    await fs.symlink(path.join(root, "node_modules"), path.join(directory, "node_modules"))
    await write("package.json", `{ "type": "module" }`)
    await write("src/Main.ts", main)
    await write("src/Layers/Greeting.ts", greeting)
    await write("src/words.txt", "hello")
    await write("src/Layers/LeadFiles/LeadFileReader/WorkbookWorker.ts", "export {}")
    return {
      directory,
      write,
      builds: () => fs.readdir(path.join(directory, "dist")),
      /** Waits until the last change is some time ago by the clock of the disk. */
      settle: () => new Promise((resolve) => setTimeout(resolve, 2100)),
      run: (...args: ReadonlyArray<string>) => started(path.join(directory, "launch", "gateway.js"), ...args),
      build: () => started(path.join(directory, "launch", "build.js"))
    }
  }),
  ({ directory }) => Effect.promise(() => fs.rm(directory, { recursive: true, force: true, maxRetries: 5 }))
)

type Project = Effect.Effect.Success<typeof project>

const inProject = (test: (project: Project) => Promise<void>) => () =>
  Effect.scoped(Effect.flatMap(project, (made) => Effect.promise(() => test(made))))

describe("the launcher", () => {
  it.live(
    "compiles when the sources changed and only then",
    inProject(async ({ builds, run, write }) => {
      assert.deepInclude(await run(), { code: 0, output: "said: hello\n" })
      const [first] = await builds()
      assert.deepInclude(await run(), { code: 0, output: "said: hello\n" })
      assert.deepStrictEqual(await builds(), [first])
      await write("src/words.txt", "goodbye")
      assert.deepInclude(await run(), { code: 0, output: "said: goodbye\n" })
      assert.lengthOf(await builds(), 2)
      await write("src/words.txt", "hello")
      assert.deepInclude(await run(), { code: 0, output: "said: hello\n" })
      assert.lengthOf(await builds(), 2, "the first build still serves the sources it was made of")
    })
  )

  it.live(
    "does not read what was not written since, and reads what was, whatever time is set on it",
    inProject(async ({ builds, directory, run, settle, write }) => {
      await run()
      const [first = ""] = await builds()
      await write("src/words.txt", "goodbye")
      await run()
      const second = (await builds()).find((name) => name !== first) ?? ""
      await settle()
      assert.deepInclude(await run(), { code: 0, output: "said: goodbye\n" })
      // Whichever build bears the stamp is taken without a look at the sources.
      const stampIn = (build: string) => path.join(directory, "dist", build, "stamp")
      await fs.rename(stampIn(second), stampIn(first))
      assert.deepInclude(await run(), { code: 0, output: "said: hello\n" })
      const words = path.join(directory, "src", "words.txt")
      const { atime, mtime } = await fs.stat(words)
      await write("src/words.txt", "goodbye")
      await fs.utimes(words, atime, mtime)
      assert.deepInclude(await run(), { code: 0, output: "said: goodbye\n" })
    })
  )

  it.live(
    "makes one build when several start at once, and leaves no draft",
    inProject(async ({ builds, run }) => {
      const ended = await Promise.all([run(), run(), run()])
      for (const one of ended) assert.deepInclude(one, { code: 0, output: "said: hello\n", errors: "" })
      assert.match((await builds()).join(), /^[0-9a-f]{16}$/)
    })
  )

  it.live(
    "keeps what the runtime made of a build, and starts as well without it",
    inProject(async ({ build, builds, directory, run }) => {
      assert.strictEqual((await build()).code, 0)
      const folder = path.join(directory, "dist", (await builds())[0] ?? "")
      const kept = (await fs.readdir(folder)).find((name) => name.endsWith(".code")) ?? assert.fail("nothing is kept")
      // Of as many letters, which is all that the runtime looks at: only the text tells that it is not read.
      const program = path.join(folder, "Main.js")
      await fs.writeFile(program, (await fs.readFile(program, "utf8")).replace("said: ", "told: "))
      assert.deepInclude(await run(), { code: 0, output: "said: hello\n" })
      for (const broken of ["", "of another runtime"]) {
        await fs.writeFile(path.join(folder, kept), broken)
        assert.deepInclude(await run(), { code: 0, output: "told: hello\n", errors: "" })
      }
      await fs.rm(path.join(folder, kept), { force: true })
      assert.deepInclude(await run(), { code: 0, output: "told: hello\n", errors: "" })
    })
  )

  it.live(
    "removes old builds, but not the latest ones, which may still be in use",
    inProject(async ({ builds, directory, run }) => {
      const ofDay = (day: number) => `${"0".repeat(15)}${day}`
      const make = async (name: string, day: number) => {
        const folder = path.join(directory, "dist", name)
        await fs.mkdir(folder, { recursive: true })
        await fs.utimes(folder, day * 86_400, day * 86_400)
      }
      for (let day = 1; day <= 9; day++) await make(ofDay(day), day)
      await make("console", 1)
      assert.deepInclude(await run(), { code: 0, output: "said: hello\n" })
      const kept = (await builds()).filter((name) => name === "console" || name.startsWith("000"))
      assert.deepStrictEqual(kept.sort(), [...[6, 7, 8, 9].map(ofDay), "console"])
    })
  )

  it.live(
    "names the sources in the stack of an error",
    inProject(async ({ directory, run }) => {
      const { code, errors } = await run("fail")
      assert.strictEqual(code, 1)
      assert.include(errors, "Error: no 3 words")
      assert.include(errors, `failed (file://${directory}/src/Main.ts:8:9)`)
      assert.include(errors, `file://${directory}/src/Main.ts:11:`)
    })
  )

  it.live(
    "says in one line what to do where it cannot write",
    inProject(async ({ directory, run, write }) => {
      await write("dist", "a file where the folder should be")
      const { code, errors, output } = await run()
      assert.strictEqual(code, 1)
      assert.strictEqual(output, "")
      assert.match(
        errors,
        /^gateway: The gateway is compiled when it first starts, and .* \((?:EEXIST|ENOTDIR)\)\..*\n$/
      )
      assert.include(errors, path.join(directory, "dist"))
    })
  )

  it.live(
    "says what does not compile, and leaves nothing behind",
    inProject(async ({ builds, run, write }) => {
      await write("src/Layers/Greeting.ts", "export const greet = (")
      const { code, errors } = await run()
      assert.strictEqual(code, 1)
      assert.include(errors, "src/Layers/Greeting.ts:1:")
      assert.deepStrictEqual(await builds(), [])
    })
  )
})
