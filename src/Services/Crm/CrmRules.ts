import type { LeadStatus } from "../Leads/Ids.ts"
import type { Language } from "../Text/Language.ts"

/** The possible minimum statuses, lowest first. `Closed` ranks above them. */
export const minimumStatuses = ["Pending", "Cold", "Confirmed", "Aware", "NotInterested", "Interested"] as const
export type MinimumStatus = (typeof minimumStatuses)[number]

const ranks: ReadonlyMap<LeadStatus, number> = new Map(
  [...minimumStatuses, "Closed" as const].map((status, rank) => [status, rank])
)

/** The statuses of leads that are sent under this minimum. Without a minimum, all of them. */
export const statusesFrom = (minimum: MinimumStatus | undefined): ReadonlyArray<LeadStatus> | undefined =>
  minimum === undefined
    ? undefined
    : [...ranks].filter(([, rank]) => rank >= (ranks.get(minimum) ?? 0)).map(([status]) => status)

/** Whether a lead is sent to a CRM. A lead that the CRM already has is kept up to date, whatever its status. */
export const isSent = (status: LeadStatus, minimum: MinimumStatus | undefined, isLinked: boolean): boolean =>
  isLinked || (statusesFrom(minimum)?.includes(status) ?? true)

/** Values of a record's fields by their provider-independent names. Empty values are left out. */
export interface Fields {
  readonly [field: string]: string
}

export interface Merge {
  /** The fields to write at the CRM. */
  readonly changes: Fields
  /** All values that the gateway has written, including these changes. */
  readonly written: Fields
}

/**
 * Decides which fields to write to a record that people also edit. `written` are the values that the gateway wrote
 * before. Fields that someone changed since are left alone, empty ones are filled, and none is cleared.
 */
export const mergeFields = (current: Fields, written: Fields, wanted: Fields): Merge => {
  const changes: { [field: string]: string } = {}
  const known: { [field: string]: string } = { ...written }
  for (const [field, value] of Object.entries(wanted)) {
    const there = current[field] ?? ""
    if (value === "") continue
    if (there === value) known[field] = value
    // If a person emptied a field that the gateway wrote, the field counts as changed by that person.
    else if (there === "" ? written[field] === undefined : there === written[field]) {
      changes[field] = value
      known[field] = value
    }
  }
  return { changes, written: known }
}

/**
 * Whether the record already has the wanted values, according to the gateway's own writes. Then the CRM is not asked.
 */
export const isWritten = (written: Fields, wanted: Fields): boolean =>
  Object.entries(wanted).every(([field, value]) => value === "" || written[field] === value)

/**
 * Whether a value in BRL may be written to a deal with this currency. Empty means that the deal has no currency yet.
 * Undefined means that the CRM has no currencies, as Brazilian CRMs. An existing currency is never changed.
 */
export const takesBrl = (currency: string | undefined): boolean =>
  currency === undefined || currency === "" || currency.toUpperCase() === "BRL"

/** Whether a deal's value is in BRL. If the CRM has currencies and does not name the deal's, the answer is no. */
export const isInBrl = (currency: string | undefined): boolean =>
  currency === undefined || currency.trim().toUpperCase() === "BRL"

type DealEnd = "won" | "lost"

/**
 * Whether a deal's end at the CRM is recorded as its lead's outcome. An outcome that was recorded in the gateway is
 * kept, unless a person reopened the deal: its end was the same before and differs now. `lastEnd` is the end that the
 * gateway last read or wrote.
 */
export const isNewEnd = (
  end: DealEnd,
  { lastEnd, outcome }: { readonly lastEnd: string | null; readonly outcome: DealEnd | "gave_up" | null }
): boolean => outcome === null || (lastEnd === (outcome === "won" ? "won" : "lost") && lastEnd !== end)

const firstPauseSeconds = 60
const longestPauseSeconds = 3600

/** Seconds to pause after consecutive runs that failed by an error of the gateway. Each run costs calls to the CRM. */
export const secondsAfterDefects = (defects: number): number =>
  Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** Math.min(Math.max(0, defects - 1), 10))

export interface Stage {
  readonly id: string
  readonly name: string
}

const folded = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()

/** Words in a stage's name that show a lead's progress, in Portuguese, English and Spanish. */
const meanings = {
  Confirmed: /\b(?:confirmad|confirmed|contato feito|contact made|contacted|contactado|contatad)/,
  Aware: /\b(?:aware|ciente|consciente|conhece|conoce|apresenta|presenta|presented)/,
  // After a verb such as "generate", the lead is not interested yet.
  Interested:
    /(?<!\b(?:gerar|despertar|generar|generate|create) )\b(?:interess|interest|interesad|qualificad|qualified|calificad|oportunidade|opportunity|oportunidad)/,
  meeting: /\b(?:reuni|meeting|demo|agendad|scheduled|appointment|cita\b|visita)/
}

export interface LeadStage {
  readonly status: LeadStatus
  readonly hasMeeting: boolean
}

/**
 * The stage that a lead belongs to, by the names of `stages` in their order. Undefined if no name fits. A lead with a
 * meeting matches meeting stages first. An interested lead never matches a stage that only confirms the contact.
 */
export const stageOf = (stages: ReadonlyArray<Stage>, { hasMeeting, status }: LeadStage): number | undefined => {
  const wanted = [
    ...(hasMeeting ? [meanings.meeting] : []),
    ...(status === "Interested" || status === "Closed" ? [meanings.Interested] : []),
    ...(status === "Aware" ? [meanings.Aware] : []),
    ...(status === "Confirmed" ? [meanings.Confirmed] : [])
  ]
  for (const meaning of wanted) {
    const place = stages.findIndex(({ name }) => meaning.test(folded(name)))
    if (place >= 0) return place
  }
  return undefined
}

/**
 * The stage to move an open deal to. Deals only move forward, and only if the gateway put them in their current stage.
 */
export const nextStage = (
  stages: ReadonlyArray<Stage>,
  now: string | undefined,
  writtenStage: string | undefined,
  lead: LeadStage
): string | undefined => {
  const wanted = stageOf(stages, lead)
  if (wanted === undefined || now === undefined || now !== writtenStage) return undefined
  const at = stages.findIndex(({ id }) => id === now)
  return at >= 0 && wanted > at ? stages[wanted]?.id : undefined
}

/** The placeholders that the value of a custom field may contain. */
export const placeholders = [
  "{status}",
  "{campaign}",
  "{goal}",
  "{lead_id}",
  "{source}",
  "{utm_source}",
  "{utm_medium}",
  "{utm_campaign}",
  "{utm_term}",
  "{utm_content}"
] as const

export const utmNames = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const
/** The UTM values of the lead's capture. Empty if it has none. */
export type UtmValues = { readonly [N in (typeof utmNames)[number]]: string }

/**
 * Fields that are filled without configuration if the CRM has a text field with such a key or label. Each uses the
 * first matching name.
 */
export const usualFields: ReadonlyArray<{ readonly names: ReadonlyArray<string>; readonly value: string }> = [
  ...utmNames.map((name) => ({ names: [name], value: `{${name}}` })),
  { names: ["lead_source", "origem do lead", "lead source", "origen del lead"], value: "{source}" },
  { names: ["prospecting_campaign", "campanha de prospecção", "prospecting campaign"], value: "{campaign}" }
]

export const filledIn = (
  template: string,
  lead: {
    readonly status: string
    readonly campaign: string | null
    readonly goal: string | null
    readonly leadId: number
    readonly source: string
    readonly utm: UtmValues
  }
): string => {
  const values: { readonly [name: string]: string } = {
    ...lead.utm,
    status: lead.status,
    campaign: lead.campaign ?? "",
    goal: lead.goal ?? "",
    lead_id: `${lead.leadId}`,
    source: lead.source
  }
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}

/** The deal's title. Its number distinguishes it from the same person's other deals, so a later look-up can find it. */
export const dealTitle = (lead: {
  readonly name: string
  readonly company: string | null
  readonly leadId: number
}): string => {
  const who = lead.company === null || lead.company === "" ? lead.name : `${lead.company} - ${lead.name}`
  return `${who.slice(0, 180)} #${lead.leadId}`
}

interface NoteWords {
  readonly campaign: string
  readonly goal: string
  readonly statuses: { readonly [S in LeadStatus]: string }
}

const noteWords: { readonly [L in Language]: NoteWords } = {
  "pt-BR": {
    campaign: "Campanha",
    goal: "Objetivo",
    statuses: {
      Pending: "Pendente",
      Cold: "Frio",
      Confirmed: "Contato confirmado",
      Aware: "Ciente",
      NotInterested: "Sem interesse",
      Interested: "Interessado",
      Frozen: "Congelado",
      Closed: "Fechado",
      Unqualified: "Não qualificado",
      Rejected: "Rejeitado",
      Gatekeeper: "Intermediário"
    }
  },
  en: {
    campaign: "Campaign",
    goal: "Goal",
    statuses: {
      Pending: "Pending",
      Cold: "Cold",
      Confirmed: "Contact confirmed",
      Aware: "Aware",
      NotInterested: "Not interested",
      Interested: "Interested",
      Frozen: "Frozen",
      Closed: "Closed",
      Unqualified: "Unqualified",
      Rejected: "Rejected",
      Gatekeeper: "Gatekeeper"
    }
  },
  es: {
    campaign: "Campaña",
    goal: "Objetivo",
    statuses: {
      Pending: "Pendiente",
      Cold: "Frío",
      Confirmed: "Contacto confirmado",
      Aware: "Informado",
      NotInterested: "Sin interés",
      Interested: "Interesado",
      Frozen: "Congelado",
      Closed: "Cerrado",
      Unqualified: "No calificado",
      Rejected: "Rechazado",
      Gatekeeper: "Intermediario"
    }
  }
}

/** The text of a lead's note at the CRM, in the account's language. */
export const leadNote = (
  language: Language,
  lead: {
    readonly leadId: number
    readonly status: LeadStatus
    readonly campaign: string | null
    readonly goal: string | null
  },
  /** Values for which the CRM has no separate field. */
  lines: ReadonlyArray<string>
): string => {
  const words = noteWords[language]
  return [
    `Lead #${lead.leadId} · ${words.statuses[lead.status]}`,
    ...(lead.campaign === null ? [] : [`${words.campaign}: ${lead.campaign}`]),
    ...(lead.goal === null ? [] : [`${words.goal}: ${lead.goal}`]),
    ...lines
  ].join("\n")
}

export interface FieldDefinition {
  readonly key: string
  readonly label: string
  readonly kind: "company" | "person" | "deal"
  readonly type: "text" | "number" | "other"
}

/** Finds the CRM's field by key, otherwise by label. Fields of the deal are preferred to those of the person. */
export const fieldNamed = (fields: ReadonlyArray<FieldDefinition>, name: string): FieldDefinition | undefined => {
  const order = ["deal", "person", "company"]
  const sorted = fields.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
  const wanted = folded(name.trim())
  // Some adapters put the field's type before its key.
  const isKey = (key: string): boolean => key === name.trim() || key.endsWith(`:${name.trim()}`)
  return sorted.find(({ key }) => isKey(key)) ?? sorted.find(({ label }) => folded(label.trim()) === wanted)
}

/** Whether a field of this type accepts the value. */
export const takesValue = ({ type }: FieldDefinition, value: string): boolean =>
  type === "text" || (type === "number" && /^-?\d+(?:\.\d+)?$/.test(value))
