import * as readline from "node:readline/promises"
import { setTimeout as pause } from "node:timers/promises"
import type { Client } from "../../typescript/src/index.ts"
import { PgwError } from "./ExitCodes.ts"
import { type Format, formatFor, note, print, renderAnswer, renderRows } from "./Output.ts"
import type { KnownTool } from "./ToolCatalog.ts"

type Answer = Readonly<Record<string, unknown>>
export type Args = Readonly<Record<string, string | number | boolean | null>>

export interface CallChoices {
  readonly format?: Format | undefined
  /** Every page of a list. */
  readonly all?: boolean
  /** Seconds between two calls of a read. */
  readonly watch?: number | undefined
  readonly dryRun?: boolean
  readonly key?: string | undefined
  /** A destructive call is not asked about. */
  readonly yes?: boolean
}

const isAnswer = (value: unknown): value is Answer =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** What a person types on standard input as a JSON object. */
export const parsedArguments = (text: string): Args => {
  try {
    const value: unknown = JSON.parse(text)
    if (isAnswer(value)) {
      return Object.fromEntries(
        Object.entries(value).map(([name, item]) => {
          if (item === null || typeof item === "string" || typeof item === "number" || typeof item === "boolean") {
            return [name, item]
          }
          throw new PgwError(`${name} is a list or an object.`, "Arguments are single values.")
        })
      )
    }
  } catch (cause) {
    if (cause instanceof PgwError) throw cause
  }
  throw new PgwError("--json is not a JSON object.", `Write for example --json '{"lead_id": 12}'.`)
}

/** The required arguments that are missing. */
export const checkRequired = (tool: KnownTool, args: Args): void => {
  const missing = tool.parameters.filter(({ name, required }) => required && !(name in args))
  if (missing.length === 0) return
  const flags = missing.map(({ name }) => `--${name.replaceAll("_", "-")}`).join(", ")
  throw new PgwError(`${tool.name} needs ${flags}.`, `pgw describe ${tool.name} explains its parameters.`)
}

/** Asks before something is taken away. A script has to say --yes. */
const confirm = async (tool: KnownTool, { dryRun, yes }: CallChoices): Promise<void> => {
  if (tool.kind !== "destructive" || yes === true || dryRun === true) return
  if (!process.stdin.isTTY) throw new PgwError(`${tool.name} takes something away.`, "Add --yes to do it.")
  const questions = readline.createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await questions.question(`${tool.name} takes something away. ${tool.description}\nDo it? [y/N] `)
    if (!/^y(?:es)?$/i.test(answer.trim())) throw new PgwError("Nothing was done.")
  } finally {
    questions.close()
  }
}

const optionsOf = ({ dryRun, key }: CallChoices) => ({
  ...(dryRun === true ? { dryRun } : {}),
  ...(key === undefined ? {} : { idempotencyKey: key }),
  onAnswer: ({ headers }: { readonly headers: Headers }) => {
    if (headers.get("dry-run") !== "true") return
    note(`Nothing was changed. It would have sent: ${headers.get("dry-run-effects") ?? "nothing"}.`)
  }
})

const send = (client: Client, { kind, name, path }: KnownTool, args: Args, choices: CallChoices): Promise<Answer> =>
  client.call<Answer>({ name, path, isRead: kind === "read" }, args, optionsOf(choices))

/** The rows of all pages, a page at a time. */
async function* pagesOf(client: Client, tool: KnownTool, args: Args): AsyncGenerator<ReadonlyArray<unknown>> {
  const { firstPage, key } = tool.rows ?? { firstPage: 0, key: "" }
  for (let page = Number(args["page"] ?? firstPage); ; page++) {
    const answer = await send(client, tool, { ...args, page }, {})
    const rows: unknown = answer[key]
    if (!Array.isArray(rows) || rows.length === 0) return
    yield rows
    const { page_size, total } = answer
    if (typeof total === "number" && typeof page_size === "number" && (page - firstPage + 1) * page_size >= total)
      return
  }
}

const printAll = async (client: Client, tool: KnownTool, args: Args, format: Format): Promise<void> => {
  if (tool.rows === undefined) throw new PgwError(`${tool.name} has no pages.`, "Leave --all out.")
  const collected: Array<unknown> = []
  for await (const rows of pagesOf(client, tool, args)) {
    // Lines can be read before the last page is there.
    if (format === "jsonl") await print(renderRows(rows, format))
    else collected.push(...rows)
  }
  if (format !== "jsonl") await print(renderRows(collected, format))
}

/** Calls a tool and prints its answer. */
export const callTool = async (client: Client, tool: KnownTool, args: Args, choices: CallChoices): Promise<void> => {
  checkRequired(tool, args)
  const format = formatFor(choices.format)
  if (choices.watch !== undefined && tool.kind !== "read") {
    throw new PgwError(`${tool.name} changes something.`, "--watch repeats only tools that read.")
  }
  await confirm(tool, choices)
  let last: string | undefined
  do {
    if (choices.all === true) {
      await printAll(client, tool, args, format)
    } else {
      const text = renderAnswer(await send(client, tool, args, choices), tool.rows?.key, format)
      if (text !== last) await print(text)
      last = text
    }
    if (choices.watch !== undefined) await pause(choices.watch * 1000)
  } while (choices.watch !== undefined)
}
