import type { Timestamp } from "../Core/Timestamp.ts"
import type { Welcome } from "./Members.ts"

/** A welcome with the message that carries it, where there is one. */
export interface WelcomeMessage {
  readonly failure: string | null
  readonly status: string | null
  readonly message_failure: string | null
  readonly sent_at: Timestamp | null
  readonly queued_at: Timestamp
}

/** States of a message that may still leave, and of one that did. */
const waiting: ReadonlySet<string> = new Set(["queued", "sending"])
const left: ReadonlySet<string> = new Set(["sent", "delivered", "read"])

/** What became of a welcome, as its message has it. */
export const welcomeOf = (row: WelcomeMessage): Welcome => {
  const { queued_at, sent_at, status } = row
  if (status !== null && waiting.has(status))
    return { status: "queued", failure_reason: null, queued_at, sent_at: null }
  if (status !== null && left.has(status)) return { status: "sent", failure_reason: null, queued_at, sent_at }
  const reason = row.failure ?? row.message_failure ?? (status === "unknown" ? "outcome_unknown" : "not_sent")
  return { status: "failed", failure_reason: reason, queued_at, sent_at: null }
}
