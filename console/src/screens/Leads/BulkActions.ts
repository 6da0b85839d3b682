import { type CallOptions, callTool } from "../../calls/Call.ts"
import { CallError, isPassing } from "../../calls/CallError.ts"

export type BulkAction = "pause" | "resume" | "takeOver" | "move"

export interface BulkInput {
  readonly reason: string
  readonly campaign: string
}

export interface BulkResult {
  readonly leadId: number
  /** `skipped` if the person stopped before it. */
  readonly outcome: "changes" | "unchanged" | "refused" | "skipped"
  readonly error?: unknown
}

export interface BulkOptions {
  /** The gateway tries the same calls and undoes them, so a preview and the act cannot differ in their rules. */
  readonly isDryRun: boolean
  /** Calls that are on their way are finished. */
  readonly signal?: AbortSignal
  readonly onProgress?: (done: number) => void
  /** Waits so many milliseconds. Tests give another. */
  readonly pause?: (millis: number) => Promise<void>
}

/** The most leads of one action. Each takes two calls, and a person has to wait for them. */
export const mostBulkLeads = 2_000
/** The number of concurrent calls: enough to be quick, and few enough not to delay the account's other calls. */
const parallelCalls = 4
/** Leads in one call of the tool that takes several. */
const leadsPerMove = 200
const mostAttempts = 5
const longestPauseMillis = 60_000

const callFor = async (
  action: "pause" | "resume" | "takeOver",
  leadId: number,
  { reason }: BulkInput,
  options: CallOptions
): Promise<{ readonly changed: boolean }> => {
  if (action === "pause") return await callTool("pause_lead_prospecting", { lead_id: leadId, reason }, options)
  if (action === "resume") return await callTool("resume_lead_prospecting", { lead_id: leadId }, options)
  return await callTool("take_over_lead", { lead_id: leadId }, options)
}

type Step = (options: CallOptions) => Promise<ReadonlyArray<BulkResult>>

const moveStep =
  (leadIds: ReadonlyArray<number>, { campaign }: BulkInput): Step =>
  async (options) => {
    const answer = await callTool("move_leads_to_campaign", { lead_ids: leadIds.join(","), campaign }, options)
    const moved = new Set(answer.moved_lead_ids)
    const missing = new Set(answer.not_found_lead_ids)
    return leadIds.map((leadId) => ({
      leadId,
      outcome: moved.has(leadId) ? "changes" : missing.has(leadId) ? "refused" : "unchanged"
    }))
  }

/** The calls of an action, each with its leads. */
const stepsOf = (
  action: BulkAction,
  leadIds: ReadonlyArray<number>,
  input: BulkInput
): ReadonlyArray<{ readonly leadIds: ReadonlyArray<number>; readonly call: Step }> => {
  if (action !== "move") {
    return leadIds.map((leadId) => ({
      leadIds: [leadId],
      call: async (options) => {
        const { changed } = await callFor(action, leadId, input, options)
        return [{ leadId, outcome: changed ? "changes" : "unchanged" }]
      }
    }))
  }
  const groups = Array.from({ length: Math.ceil(leadIds.length / leadsPerMove) }, (_, index) =>
    leadIds.slice(index * leadsPerMove, (index + 1) * leadsPerMove)
  )
  return groups.map((group) => ({ leadIds: group, call: moveStep(group, input) }))
}

const sleep = async (millis: number): Promise<void> => await new Promise((resolve) => setTimeout(resolve, millis))

/**
 * Repeats a call after a failure that may pass, such as a rate limit. With its idempotency key it takes effect once.
 */
const withRetries = async (
  call: Step,
  { isDryRun, pause = sleep, signal }: BulkOptions
): Promise<ReadonlyArray<BulkResult>> => {
  const options = isDryRun ? { isDryRun: true } : { idempotencyKey: crypto.randomUUID() }
  for (let attempt = 1; ; attempt++) {
    try {
      return await call(options)
    } catch (error) {
      if (attempt === mostAttempts || signal?.aborted === true || !isPassing(error)) throw error
      const seconds = error instanceof CallError ? error.details.retryAfterSeconds : undefined
      await pause(Math.min(seconds === undefined ? 500 * 2 ** attempt : seconds * 1_000, longestPauseMillis))
    }
  }
}

/** Runs an action on each lead. A failure does not stop the others. */
export const runBulk = async (
  action: BulkAction,
  leadIds: ReadonlyArray<number>,
  input: BulkInput,
  options: BulkOptions
): Promise<ReadonlyArray<BulkResult>> => {
  const results = new Map<number, BulkResult>()
  const waiting = [...stepsOf(action, leadIds, input)]
  const work = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const { call, leadIds: ids } = step
      const stepResults =
        options.signal?.aborted === true
          ? ids.map((leadId): BulkResult => ({ leadId, outcome: "skipped" }))
          : await withRetries(call, options).catch((error: unknown) =>
              ids.map((leadId): BulkResult => ({ leadId, outcome: "refused", error }))
            )
      for (const result of stepResults) results.set(result.leadId, result)
      options.onProgress?.(results.size)
    }
  }
  await Promise.all(Array.from({ length: parallelCalls }, work))
  return leadIds.map((leadId) => results.get(leadId) ?? { leadId, outcome: "skipped" })
}

export type BulkCounts = Readonly<Record<BulkResult["outcome"], number>>

export const countOutcomes = (results: ReadonlyArray<BulkResult>): BulkCounts => {
  const counts = { changes: 0, unchanged: 0, refused: 0, skipped: 0 }
  for (const { outcome } of results) counts[outcome]++
  return counts
}
