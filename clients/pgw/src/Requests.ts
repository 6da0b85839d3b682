import { randomUUID } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import { type ListRequestsAnswer, listRequests } from "../../typescript/src/generated/tools.ts"
import { type Client, isGatewayError } from "../../typescript/src/index.ts"
import { PgwError } from "./ExitCodes.ts"
import { type Format, note, print } from "./Output.ts"

type LoggedRequest = ListRequestsAnswer["requests"][number]

export interface TailChoices {
  /** How many past requests come first. */
  readonly lines: number
  readonly failed: boolean
  readonly tool: string | undefined
  readonly format: Format
}

const intervalMillis = 1_000
/** A request is logged about a second after its answer, and later if the database is slow. */
const latestEntryMillis = 10_000
const largestPage = 200

const keyOf = (request: LoggedRequest): string => JSON.stringify(request)

const lineOf = (request: LoggedRequest, format: Format): string => {
  if (format !== "table") return JSON.stringify(request)
  const { argument_names, at, milliseconds, reason, route, status, tool } = request
  return [
    at,
    String(status),
    `${milliseconds} ms`.padStart(8),
    tool ?? route,
    ...(reason === null ? [] : [reason]),
    ...(argument_names.length === 0 ? [] : [`(${argument_names.join(", ")})`])
  ].join("  ")
}

const isPassing = (error: unknown): boolean =>
  isGatewayError(error) && (error.type === "NoAnswer" || error.type === "Transient" || error.status >= 502)

/** Prints the last requests and then each new one. The log is read again and again, and those reads are left out. */
export const tailRequests = async (client: Client, choices: TailChoices): Promise<void> => {
  const { failed, format, lines, tool } = choices
  if (lines < 1 || lines > largestPage) throw new PgwError(`--lines is from 1 to ${largestPage}.`)
  if (format === "csv") throw new PgwError("A list without an end cannot be csv.", "Use -o jsonl or -o table.")
  const requestId = `pgw-tail-${randomUUID()}`
  const read = (args: { readonly limit: number; readonly since?: string; readonly cursor?: string }) =>
    listRequests(client, { only_failed: failed, ...(tool === undefined ? {} : { tool }), ...args }, { requestId })

  const show = async (requests: ReadonlyArray<LoggedRequest>): Promise<void> => {
    for (const request of requests.toReversed()) {
      if (request.request_id !== requestId) await print(lineOf(request, format))
    }
  }

  /** All entries since a time, newest first. */
  const readSince = async (since: string): Promise<ReadonlyArray<LoggedRequest>> => {
    const collected: Array<LoggedRequest> = []
    for (let cursor: string | undefined; ; ) {
      const page = await read({ limit: largestPage, since, ...(cursor === undefined ? {} : { cursor }) })
      collected.push(...page.requests)
      if (page.next_cursor === null) return collected
      cursor = page.next_cursor
    }
  }

  const { requests: past } = await read({ limit: lines })
  await show(past)
  /** What came before the first line is not new. */
  const beginMillis = Date.parse(past.at(-1)?.at ?? new Date(0).toISOString())
  let newestMillis = Date.parse(past[0]?.at ?? new Date().toISOString())
  let shownKeys = new Set(past.map(keyOf))
  while (true) {
    await pause(intervalMillis)
    const since = new Date(newestMillis - latestEntryMillis).toISOString()
    const recent = await readSince(since).catch((error: unknown) => {
      if (!isPassing(error)) throw error
      note("The gateway does not answer. Trying again.")
      return undefined
    })
    if (recent === undefined) continue
    await show(recent.filter((request) => !shownKeys.has(keyOf(request)) && Date.parse(request.at) >= beginMillis))
    shownKeys = new Set(recent.map(keyOf))
    newestMillis = Math.max(newestMillis, ...recent.slice(0, 1).map(({ at }) => Date.parse(at)))
  }
}
