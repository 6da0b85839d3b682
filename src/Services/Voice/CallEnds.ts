import type { AccountNews } from "../Events/AccountNews.ts"
import type { TouchEnd } from "../Outreach/TouchLedger.ts"
import { callPoints } from "./CallPoints.ts"
import type { CallEnd, CallResult } from "./Voice.ts"
import { outcomeUnknown } from "./VoiceCallState.ts"

/** The result of a call without a conversation. */
export const endedWithout = (status: CallEnd, reason: string): CallResult => ({
  status,
  failureReason: reason,
  wasPickedUp: status === "failed" && reason === outcomeUnknown ? null : false,
  goalAchieved: status === "failed" && reason === outcomeUnknown ? null : false,
  summary: null,
  transcript: [],
  durationSeconds: null
})

/** How a call's touch ends. */
export const touchEndOf = ({ failureReason, status }: CallResult): TouchEnd => {
  if (status === "cancelled") return "skipped"
  if (status !== "failed") return "done"
  return failureReason === outcomeUnknown ? "unknown" : "failed"
}

/** The result of a call, for the account that requested it. */
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

/** Every minute that has begun is charged in full. */
export const callCost = ({ durationSeconds }: CallResult, perMinuteBrl: number | null): number | null =>
  durationSeconds === null || perMinuteBrl === null ? null : Math.ceil(durationSeconds / 60) * perMinuteBrl
