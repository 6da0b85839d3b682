import { type CallOptions, callTool } from "../../calls/Call.ts"

export type BulkAction = "pause" | "resume" | "takeOver" | "move"

export interface BulkInput {
  readonly reason: string
  readonly campaign: string
}

export interface BulkResult {
  readonly leadId: number
  readonly outcome: "changes" | "unchanged" | "refused"
  readonly error?: unknown
}

/** Calls at the same time: enough to be quick, and few enough to leave room for the account's other calls. */
const parallelCalls = 4

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

const move = async (
  leadIds: ReadonlyArray<number>,
  { campaign }: BulkInput,
  options: CallOptions
): Promise<ReadonlyArray<BulkResult>> => {
  const answer = await callTool("move_leads_to_campaign", { lead_ids: leadIds.join(","), campaign }, options)
  const moved = new Set(answer.moved_lead_ids)
  const missing = new Set(answer.not_found_lead_ids)
  return leadIds.map((leadId) => ({
    leadId,
    outcome: moved.has(leadId) ? "changes" : missing.has(leadId) ? "refused" : "unchanged"
  }))
}

/**
 * What an action does to each lead. With `isDryRun` the gateway tries the same calls and undoes them, so a preview and the
 * act cannot differ in their rules.
 */
export const runBulk = async (
  action: BulkAction,
  leadIds: ReadonlyArray<number>,
  input: BulkInput,
  isDryRun: boolean,
  onProgress: (done: number) => void = () => undefined
): Promise<ReadonlyArray<BulkResult>> => {
  const options = () => (isDryRun ? { isDryRun: true } : { idempotencyKey: crypto.randomUUID() })
  if (action === "move") return await move(leadIds, input, options())
  const results: Array<BulkResult> = []
  const waiting = [...leadIds]
  const work = async () => {
    for (let leadId = waiting.shift(); leadId !== undefined; leadId = waiting.shift()) {
      const id = leadId
      results.push(
        await callFor(action, id, input, options()).then(
          ({ changed }) => ({ leadId: id, outcome: changed ? ("changes" as const) : ("unchanged" as const) }),
          (error: unknown) => ({ leadId: id, outcome: "refused" as const, error })
        )
      )
      onProgress(results.length)
    }
  }
  await Promise.all(Array.from({ length: parallelCalls }, work))
  return results
}
