import type { CallEnd } from "./Voice.ts"
import type { VoiceCallStatus } from "./VoiceCalls.ts"

/** The failure reason of an unknown outcome. A later notice of the provider replaces it. */
export const outcomeUnknown = "outcome_unknown"

const rank: { readonly [S in VoiceCallStatus]: number } = {
  queued: 0,
  dialing: 1,
  in_progress: 2,
  completed: 3,
  no_answer: 3,
  busy: 3,
  failed: 3,
  cancelled: 3
}

export const hasEnded = (status: VoiceCallStatus): status is CallEnd => rank[status] === 3

export interface CallState {
  readonly status: VoiceCallStatus
  readonly failureReason: string | null
}

const isUnknown = ({ failureReason, status }: CallState): boolean =>
  status === "failed" && failureReason === outcomeUnknown

/** Whether a report may change the call's state. It never goes back, and never changes after the end is known. */
export const mayBecome = (call: CallState, next: CallState): boolean =>
  rank[next.status] > rank[call.status] || (isUnknown(call) && hasEnded(next.status) && !isUnknown(next))
