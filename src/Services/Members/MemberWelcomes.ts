import type { Timestamp } from "../Core/Timestamp.ts"
import type { Welcome } from "./Members.ts"

/** A welcome with its message, if there is one. */
export interface WelcomeMessage {
  readonly failure: string | null
  readonly status: string | null
  readonly message_failure: string | null
  readonly sent_at: Timestamp | null
  readonly queued_at: Timestamp
}

/** Message states before and after sending. */
const waiting: ReadonlySet<string> = new Set(["queued", "sending"])
const left: ReadonlySet<string> = new Set(["sent", "delivered", "read"])

/** The state of a welcome, derived from its message. */
export const welcomeOf = (row: WelcomeMessage): Welcome => {
  const { queued_at, sent_at, status } = row
  if (status !== null && waiting.has(status))
    return { status: "queued", failure_reason: null, queued_at, sent_at: null }
  if (status !== null && left.has(status)) return { status: "sent", failure_reason: null, queued_at, sent_at }
  const reason = row.failure ?? row.message_failure ?? (status === "unknown" ? "outcome_unknown" : "not_sent")
  return { status: "failed", failure_reason: reason, queued_at, sent_at: null }
}
