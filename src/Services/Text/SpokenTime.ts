import { type Timestamp, toMillis } from "../Core/Timestamp.ts"
import type { Language } from "./Language.ts"

const dayOptions = { weekday: "long", day: "numeric", month: "long" } as const
const timeOptions = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const

const at: { readonly [L in Language]: string } = { "pt-BR": "às", en: "at", es: "a las" }

/** Nobody writes `martes, 17 de noviembre, 17:00` in a sentence, as the formatter does. */
const inSentence = (day: string, language: Language): string => (language === "es" ? day.replace(", ", " ") : day)

const spoken = (startsAt: Timestamp, timeZone: string, language: Language): string => {
  const instant = toMillis(startsAt)
  const day = new Intl.DateTimeFormat(language, { ...dayOptions, timeZone }).format(instant)
  const time = new Intl.DateTimeFormat(language, { ...timeOptions, timeZone }).format(instant)
  return `${inSentence(day, language)} ${at[language]} ${time}`
}

/** A time as the lead reads it, for example `quinta-feira, 13 de março às 15:00`; in UTC, and marked so, if the zone is unknown. */
export const spokenTime = (startsAt: Timestamp, timeZone: string, language: Language): string => {
  try {
    return spoken(startsAt, timeZone, language)
  } catch {
    return `${spoken(startsAt, "UTC", language)} UTC`
  }
}

/** A local day (`YYYY-MM-DD`) and time (`HH:MM`) as the lead reads them. */
export const spokenDay = (date: string, time: string | null, language: Language): string => {
  const day = new Intl.DateTimeFormat(language, {
    ...dayOptions,
    timeZone: "UTC"
  }).format(Date.parse(`${date}T00:00:00Z`))
  const said = inSentence(day, language)
  return time === null ? said : `${said} ${at[language]} ${time}`
}
