import { once } from "node:events"
import * as fs from "node:fs/promises"
import * as http from "node:http"
import * as path from "node:path"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { makeAccount } from "./support/makeAccount.ts"
import { makePgwShell } from "./support/PgwShell.ts"
import { type Block, blocksOf, type Step, stepsOf } from "./support/Transcript.ts"

const { directory, url } = inject("gateway")
const file = path.resolve(import.meta.dirname, "../pgw/RECORDINGS.md")

/** `RECORDINGS=write npm run clients:test -- Recordings` writes what was played. */
const writes = process.env["RECORDINGS"] === "write"

const document = await fs.readFile(file, "utf8")
const allBlocks = blocksOf(document)
const interrupt = "^C"

/** The tasks, each with its blocks. */
const tasks = [...document.matchAll(/^## (.+)$/gm)].map(([heading, name = ""], index, headings) => {
  const lineOf = (position: number | undefined) => document.slice(0, position).split("\n").length
  const begin = lineOf(document.indexOf(heading))
  const end = lineOf(headings[index + 1] === undefined ? undefined : document.indexOf(headings[index + 1]?.[0] ?? ""))
  return { name, blocks: allBlocks.filter(({ line }) => line >= begin && line < end) }
})

let shell: Awaited<ReturnType<typeof makePgwShell>>
let program: http.Server
/** The addresses and secrets of this run, with what a document shows for them. */
let shownTexts: ReadonlyArray<readonly [actual: string, replacement: string]> = []

beforeAll(async () => {
  const token = await makeAccount(directory, "Recordings")
  shell = await makePgwShell({ TOKEN: token, GATEWAY: url })
  program = http.createServer((request, response) => void request.resume().on("end", () => response.end()))
  program.listen(0, "127.0.0.1")
  await once(program, "listening")
  const address = program.address()
  const port = address !== null && typeof address === "object" ? address.port : 0
  shownTexts = [
    [`http://127.0.0.1:${port}`, "http://localhost:3000"],
    [url, "http://127.0.0.1:8080"],
    [token, "pgw_…"],
    [shell.home, "~"]
  ]
})

const played = new Map<Block, ReadonlyArray<Step>>()

afterAll(async () => {
  await shell.remove()
  program.close()
  if (!writes) return
  const lines = document.split("\n")
  // From the end, so that the lines before keep their places.
  for (const [{ line, text }, steps] of [...played].toSorted(([a], [b]) => b.line - a.line)) {
    const recorded = steps.flatMap(({ command, output }) => [`$ ${command}`, ...output])
    lines.splice(line, text.split("\n").length, ...recorded)
  }
  await fs.writeFile(file, lines.join("\n"))
})

const shownLines = (output: string): ReadonlyArray<string> =>
  shownTexts
    .reduce((text, [actual, replacement]) => text.replaceAll(actual, replacement), output)
    .replaceAll(/whsec_\S+/g, "whsec_…")
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .filter((line, index, lines) => line !== "" || index < lines.length - 1)

const actualCommand = (command: string): string => command.replaceAll("http://localhost:3000", shownTexts[0]?.[0] ?? "")

const isInterrupted = ({ output }: Step): boolean => output.at(-1) === interrupt

/** What separates the output of one command from that of the next. */
const separator = "\u001e"

/** Plays the steps of a block in one shell, so that variables stay. */
const playAll = async (steps: ReadonlyArray<Step>): Promise<ReadonlyArray<Step>> => {
  if (steps.length === 0) return []
  const script = steps.map(
    ({ command }) => `printf '\\036'\n{ ${actualCommand(command)}\n}\ncode=$?; [ $code = 0 ] || echo "[exit $code]"`
  )
  const { output } = await shell.run(`exec 2>&1\n${script.join("\n")}`)
  const outputs = output.split(separator).slice(1)
  return steps.map(({ command }, index) => ({ command, output: shownLines(outputs[index] ?? "") }))
}

const linesIn = (text: string): number => text.split("\n").length - 1

/** Plays a program that a person ends, and in the meantime what the second terminal shows. */
const playInterrupted = async (step: Step, secondTerminal: () => Promise<void>): Promise<Step> => {
  const running = shell.start(`exec 2>&1; exec ${actualCommand(step.command)}`)
  try {
    await running.until(() => linesIn(running.output()) > 0, "it printed anything")
    await secondTerminal()
    const lineCount = step.output.length - 1
    await running.until(() => linesIn(running.output()) >= lineCount, `it printed ${lineCount} lines`)
  } finally {
    await running.stop()
  }
  return { command: step.command, output: [...shownLines(running.output()), interrupt] }
}

const playBlocks = async (blocks: ReadonlyArray<Block>): Promise<void> => {
  const [block, ...further] = blocks
  if (block === undefined) return
  const steps = stepsOf(block.text)
  const last = steps.at(-1)
  if (last === undefined || !isInterrupted(last)) {
    played.set(block, await playAll(steps))
    return await playBlocks(further)
  }
  const before = await playAll(steps.slice(0, -1))
  const interrupted = await playInterrupted(last, () => playBlocks(further))
  played.set(block, [...before, interrupted])
}

/** What is the same in each run. How often a job reports depends on the machine. */
const stableText = (steps: ReadonlyArray<Step>): ReadonlyArray<string> =>
  steps.flatMap(({ command, output }) => [
    `$ ${command}`,
    ...output
      .filter((line) => !/^job \d+ % (?:queued|running)/.test(line))
      .map((line) =>
        line
          .replaceAll(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, "<id>")
          .replaceAll(/\d+/g, "0")
          .replaceAll(/ +/g, " ")
      )
  ])

describe("the recordings of pgw", () => {
  it("are ten", () => {
    assert.lengthOf(tasks, 10)
    assert.isTrue(tasks.every(({ blocks }) => blocks.length > 0 && blocks.every(({ text }) => text.startsWith("$ "))))
  })

  for (const { blocks, name } of tasks) {
    it(name, { timeout: 180_000 }, async () => {
      await playBlocks(blocks)
      if (writes) return
      for (const block of blocks) {
        assert.deepStrictEqual(stableText(played.get(block) ?? []), stableText(stepsOf(block.text)))
      }
    })
  }
})
