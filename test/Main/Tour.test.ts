import { execFile } from "node:child_process"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { startGateway, temporaryDirectory } from "../support/GatewayProcess.ts"

const readme = path.resolve(import.meta.dirname, "../../README.md")

interface Tour {
  /** All its commands, in their order. */
  readonly script: string
  /** The lines that it says they print. */
  readonly printed: ReadonlyArray<string>
}

const tourOf = (text: string): Tour => {
  const chapter = /^## Five minutes$([\s\S]*?)^## /m.exec(text)?.[1] ?? assert.fail("The README has no tour.")
  const blocks = [...chapter.matchAll(/^```(sh|json)\n([\s\S]*?)^```$/gm)]
  const of = (language: string) =>
    blocks.flatMap(([, found, block = ""]) => (found === language ? [block] : [])).join("")
  return { script: of("sh"), printed: of("json").trim().split("\n") }
}

/** Without what no two runs share: times, the ids of jobs, and which programs the machine has. */
const comparable = (line: string): string =>
  line
    .replaceAll(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z/g, "TIME")
    .replaceAll(/"(browser|videos)":"(?:live|sandbox|unavailable)"/g, '"$1":"MODE"')
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "JOB")

const pasted = (script: string, directory: string) =>
  Effect.async<ReadonlyArray<string>, Error>((resume) => {
    const shell = execFile("bash", { cwd: directory, timeout: 150_000 }, (error, output) =>
      resume(error === null ? Effect.succeed(output.trim().split("\n")) : Effect.fail(error))
    )
    shell.stdin?.end(script)
  })

it.scopedLive("the tour in the README, pasted at once, prints what stands there", () =>
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory
    const { baseUrl } = yield* startGateway(path.join(directory, ".data"))
    const { printed, script } = tourOf(yield* Effect.promise(() => fs.readFile(readme, "utf8")))
    assert.include(script, "http://127.0.0.1:8080")
    const lines = yield* pasted(script.replaceAll("http://127.0.0.1:8080", baseUrl), directory)
    const shown = lines.map(comparable)
    // The upload and the order to import print too; the README leaves their answers out.
    const told = shown.filter((line) => !/^\{"customer_file_id"|"status":"queued"/.test(line))
    assert.deepStrictEqual(told, printed.map(comparable))
  })
)
