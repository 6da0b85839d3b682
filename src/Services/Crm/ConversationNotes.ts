import type { Timestamp } from "../Core/Timestamp.ts"
import type { Channel } from "../Leads/Ids.ts"
import type { Language } from "../Text/Language.ts"

interface LeadEventBase {
  /** Identifies the event among the lead's events. The same event always has the same value. */
  readonly event: string
  readonly at: Timestamp
}

/** An event of a lead, as it is written to the CRM. */
export type LeadEvent =
  | (LeadEventBase & { readonly kind: "reply"; readonly channel: Channel; readonly text: string })
  | (LeadEventBase & {
      readonly kind: "meeting"
      readonly title: string
      readonly startsAt: Timestamp
      readonly endsAt: Timestamp
      readonly url: string | null
    })
  | (LeadEventBase & { readonly kind: "meeting_cancelled"; readonly title: string; readonly text: string | null })
  | (LeadEventBase & {
      readonly kind: "call"
      readonly isAnswered: boolean
      readonly seconds: number | null
      readonly text: string | null
    })
  | (LeadEventBase & {
      readonly kind: "outcome"
      readonly outcome: "won" | "lost" | "gave_up"
      readonly text: string | null
      /** In Brazilian reais (BRL). */
      readonly value: number | null
    })

interface EventWords {
  readonly reply: { readonly [C in Channel]: string }
  readonly meeting: string
  readonly cancelled: string
  readonly starts: string
  readonly answered: string
  readonly unanswered: string
  readonly minutes: string
  readonly outcomes: { readonly won: string; readonly lost: string; readonly gave_up: string }
  readonly reason: string
  readonly value: string
}

const words: { readonly [L in Language]: EventWords } = {
  "pt-BR": {
    reply: { Email: "Resposta por e-mail", ChatApp: "Resposta por mensagem" },
    meeting: "Reunião",
    cancelled: "Reunião cancelada",
    starts: "Início",
    answered: "Ligação atendida",
    unanswered: "Ligação não atendida",
    minutes: "min",
    outcomes: { won: "Negócio ganho", lost: "Negócio perdido", gave_up: "Prospecção encerrada sem negócio" },
    reason: "Motivo",
    value: "Valor"
  },
  en: {
    reply: { Email: "Reply by email", ChatApp: "Reply by message" },
    meeting: "Meeting",
    cancelled: "Meeting cancelled",
    starts: "Starts",
    answered: "Call answered",
    unanswered: "Call not answered",
    minutes: "min",
    outcomes: { won: "Deal won", lost: "Deal lost", gave_up: "Prospecting ended without a deal" },
    reason: "Reason",
    value: "Value"
  },
  es: {
    reply: { Email: "Respuesta por correo", ChatApp: "Respuesta por mensaje" },
    meeting: "Reunión",
    cancelled: "Reunión cancelada",
    starts: "Inicio",
    answered: "Llamada atendida",
    unanswered: "Llamada no atendida",
    minutes: "min",
    outcomes: { won: "Negocio ganado", lost: "Negocio perdido", gave_up: "Prospección terminada sin negocio" },
    reason: "Motivo",
    value: "Valor"
  }
}

const hourMillis = 3_600_000

/** Date and time in the account's zone. It includes the offset, because readers of the CRM may be elsewhere. */
const localTime = (at: Timestamp, offsetHours: number): string => {
  const local = new Date(Date.parse(at) + offsetHours * hourMillis).toISOString()
  const sign = offsetHours < 0 ? "-" : "+"
  const [whole, part] = [Math.floor(Math.abs(offsetHours)), Math.round((Math.abs(offsetHours) % 1) * 60)]
  const offset = offsetHours === 0 ? "UTC" : `UTC${sign}${whole}${part === 0 ? "" : `:${`${part}`.padStart(2, "0")}`}`
  return `${local.slice(0, 10)} ${local.slice(11, 16)} (${offset})`
}

const withoutEmptyLines = (text: string): string =>
  text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .join("\n")
    .trim()

const brl = (language: Language, value: number): string =>
  new Intl.NumberFormat(language, { style: "currency", currency: "BRL" }).format(value).replace(/\s/g, " ")

const linesOf = (language: Language, offsetHours: number, event: LeadEvent): ReadonlyArray<string | undefined> => {
  const { answered, cancelled, meeting, minutes, outcomes, reason, reply, starts, unanswered, value } = words[language]
  const filled = (text: string | null) => (text === null ? undefined : withoutEmptyLines(text))
  switch (event.kind) {
    case "reply":
      return [`${reply[event.channel]} · ${localTime(event.at, offsetHours)}`, withoutEmptyLines(event.text)]
    case "meeting":
      return [
        `${meeting}: ${event.title}`,
        `${starts}: ${localTime(event.startsAt, offsetHours)}`,
        event.url ?? undefined
      ]
    case "meeting_cancelled":
      return [`${cancelled}: ${event.title}`, filled(event.text)]
    case "call": {
      const length =
        event.isAnswered && event.seconds !== null ? ` (${Math.max(1, Math.round(event.seconds / 60))} ${minutes})` : ""
      return [
        `${event.isAnswered ? answered : unanswered}${length} · ${localTime(event.at, offsetHours)}`,
        filled(event.text)
      ]
    }
    case "outcome":
      return [
        outcomes[event.outcome],
        event.text === null ? undefined : `${reason}: ${withoutEmptyLines(event.text)}`,
        event.value === null ? undefined : `${value}: ${brl(language, event.value)} (BRL)`
      ]
  }
}

/** The text of an event's note at the CRM, in the account's language. */
export const eventNote = (language: Language, offsetHours: number, event: LeadEvent): string =>
  linesOf(language, offsetHours, event)
    .filter((line) => line !== undefined && line !== "")
    .join("\n")
