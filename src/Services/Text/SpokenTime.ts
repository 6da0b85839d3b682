import { type Timestamp, toMillis } from "../Core/Timestamp.ts"
import type { Language } from "./Language.ts"

const options = {
  weekday: "long",
  day: "numeric",
  month: "long",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23"
} as const

/** A time as the lead reads it, for example `quinta-feira, 13 de março às 15:00`; in UTC, and marked so, if the zone is unknown. */
export const spokenTime = (startsAt: Timestamp, timeZone: string, language: Language): string => {
  try {
    return new Intl.DateTimeFormat(language, { ...options, timeZone }).format(toMillis(startsAt))
  } catch {
    return `${new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC" }).format(toMillis(startsAt))} UTC`
  }
}

const at: { readonly [L in Language]: string } = { "pt-BR": "às", en: "at", es: "a las" }

/** A local day (`YYYY-MM-DD`) and time (`HH:MM`) as the lead reads them. */
export const spokenDay = (date: string, time: string | null, language: Language): string => {
  const day = new Intl.DateTimeFormat(language, {
    weekday: "long",
    day: "numeric",
    month: "long",
    timeZone: "UTC"
  }).format(Date.parse(`${date}T00:00:00Z`))
  return time === null ? day : `${day} ${at[language]} ${time}`
}
