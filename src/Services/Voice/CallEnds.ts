import type { AccountNews } from "../Events/AccountNews.ts"
import type { TouchEnd } from "../Outreach/TouchLedger.ts"
import { callPoints } from "./CallPoints.ts"
import type { CallEnd, CallResult } from "./Voice.ts"
import { outcomeUnknown } from "./VoiceCallState.ts"

/** A call that came to nothing. */
export const endedWithout = (status: CallEnd, reason: string): CallResult => ({
  status,
  failureReason: reason,
  wasPickedUp: status === "failed" && reason === outcomeUnknown ? null : false,
  goalAchieved: status === "failed" && reason === outcomeUnknown ? null : false,
  summary: null,
  transcript: [],
  durationSeconds: null
})

/** How the touch of a call ends with it. */
export const touchEndOf = ({ failureReason, status }: CallResult): TouchEnd => {
  if (status === "cancelled") return "skipped"
  if (status !== "failed") return "done"
  return failureReason === outcomeUnknown ? "unknown" : "failed"
}

/** How the call ended, for the account that asked for it. */
export const callNewsOf = (
  { failureReason, goalAchieved, status, summary, transcript, wasPickedUp }: CallResult,
  { goal, phone }: { readonly phone: string; readonly goal: string }
): Extract<AccountNews, { readonly kind: "voice_call_finished" }> => ({
  kind: "voice_call_finished",
  end: status === "completed" && wasPickedUp === false ? "machine" : status,
  reason: failureReason,
  isGoalAchieved: goalAchieved,
  summary,
  phone,
  goal,
  ...callPoints(transcript)
})

/** Minutes are charged as soon as they begin. */
export const callCost = ({ durationSeconds }: CallResult, perMinuteBrl: number | null): number | null =>
  durationSeconds === null || perMinuteBrl === null ? null : Math.ceil(durationSeconds / 60) * perMinuteBrl
