import { execFile } from "node:child_process"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { startGateway, temporaryDirectory } from "../support/processes/GatewayProcess.ts"

const readme = path.resolve(import.meta.dirname, "../../README.md")

interface Tour {
  /** All its commands, in their order. */
  readonly script: string
  /** The lines that it shows; `…` replaces what a line leaves out. */
  readonly shownLines: ReadonlyArray<string>
}

const tourOf = (text: string): Tour => {
  const chapter = /^## Five minutes$([\s\S]*?)^## /m.exec(text)?.[1] ?? assert.fail("The README has no tour.")
  const blocks = [...chapter.matchAll(/^```(sh|json)\n([\s\S]*?)^```$/gm)]
  const blocksIn = (language: string) =>
    blocks.flatMap(([, blockLanguage, block = ""]) => (blockLanguage === language ? [block] : [])).join("")
  return { script: blocksIn("sh"), shownLines: blocksIn("json").trim().split("\n") }
}

/** Whether the parts of the shown line occur in the printed one, in their order, from its start to its end. */
const isShortened = (shownLine: string, printedLine: string): boolean => {
  const parts = shownLine.split("…")
  const last = parts.at(-1) ?? ""
  let position = 0
  for (const [index, part] of parts.entries()) {
    const at = printedLine.indexOf(part, position)
    if (at < 0 || (index === 0 && at > 0)) return false
    position = at + part.length
  }
  return printedLine.endsWith(last)
}

const pasted = (script: string, directory: string) =>
  Effect.async<ReadonlyArray<string>, Error>((resume) => {
    const shell = execFile("bash", { cwd: directory, timeout: 150_000 }, (error, output) =>
      resume(error === null ? Effect.succeed(output.trim().split("\n")) : Effect.fail(error))
    )
    shell.stdin?.end(script)
  })

it.scopedLive("the tour in the README, pasted at once, prints what it shows", () =>
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory
    const { baseUrl } = yield* startGateway(path.join(directory, ".data"))
    const { script, shownLines } = tourOf(yield* Effect.promise(() => fs.readFile(readme, "utf8")))
    assert.include(script, "http://127.0.0.1:8080")
    const printedLines = yield* pasted(script.replaceAll("http://127.0.0.1:8080", baseUrl), directory)
    assert.strictEqual(printedLines.length, shownLines.length, printedLines.join("\n"))
    for (const [index, printedLine] of printedLines.entries()) {
      const shownLine = shownLines[index] ?? ""
      assert.isTrue(
        isShortened(shownLine, printedLine),
        `The README shows\n${shownLine}\nbut this is printed:\n${printedLine}`
      )
    }
  })
)
