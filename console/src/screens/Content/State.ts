/** The fields about the generation that every kind of content has. */
export interface Work {
  readonly status: "queued" | "running" | "finished" | "failed" | "cancelled"
  readonly progress: number
  readonly failure_reason: string | null
  readonly failure_detail: string | null
  readonly job_id: string | null
  readonly outcome: "complete" | "partial" | "nothing_done" | null
  readonly done: ReadonlyArray<string>
  readonly not_done: ReadonlyArray<{ readonly wish: string; readonly reason: string; readonly suggestion: string }>
  readonly needs_input: ReadonlyArray<string>
}

export type State = "waiting" | "working" | "failed" | "cancelled" | "asks" | "partial" | "nothing" | "ready"

export const stateOf = ({ needs_input, not_done, outcome, status }: Work): State => {
  if (status === "queued") return "waiting"
  if (status === "running") return "working"
  if (status === "failed" || status === "cancelled") return status
  if (needs_input.length > 0) return "asks"
  if (outcome === "nothing_done") return "nothing"
  return outcome === "partial" || not_done.length > 0 ? "partial" : "ready"
}
