import type { Tone } from "../../parts/Badge.tsx"

/** The colour of an answer's status: a refusal is a warning, and a failure of the service is bad. */
export const toneOfStatus = (status: number | null): Tone => {
  if (status === null || status >= 500) return "bad"
  return status >= 400 ? "warn" : "good"
}
