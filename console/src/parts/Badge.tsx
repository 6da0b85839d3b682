import { useTexts } from "../i18n/Messages.tsx"

export type Tone = "neutral" | "good" | "warn" | "bad" | "cool" | "accent"

export const Badge = ({ text, tone = "neutral" }: { readonly text: string; readonly tone?: Tone }) => (
  <span className={`badge badge-${tone}`}>{text}</span>
)

const toneOfStatus: Readonly<Record<string, Tone>> = {
  Interested: "good",
  Confirmed: "good",
  Aware: "cool",
  Cold: "cool",
  Closed: "accent",
  Gatekeeper: "warn",
  NotInterested: "bad",
  Rejected: "bad",
  Unqualified: "bad"
}

/** Shows a value of an enumeration as words with a colour. The colour only repeats what the words say. */
export const ValueBadge = ({
  kind,
  tones = {},
  value
}: {
  readonly kind: string
  readonly value: string
  readonly tones?: Readonly<Record<string, Tone>>
}) => <Badge text={useTexts().valueText(kind, value)} tone={tones[value] ?? "neutral"} />

export const LeadStatus = ({ status }: { readonly status: string }) => (
  <ValueBadge kind="status" value={status} tones={toneOfStatus} />
)
