import type { Language } from "../Text/Language.ts"
import type { ActTime } from "./Acts.ts"
import { minutesOf, type StandingMeeting } from "./MeetingWish.ts"

/**
 * Times that are named by another one: "the same day at five", "Friday, same time", "an hour later". They are that of the
 * meeting that was agreed on, or of the day that the reply named before.
 */

const sameDay: { readonly [L in Language]: ReadonlyArray<string> } = {
  "pt-BR": ["mesmo dia", "mesma data", "nesse dia", "neste dia", "esse dia", "naquele dia"],
  en: ["same day", "that day", "same date"],
  es: ["mismo dia", "misma fecha", "ese dia", "este mismo dia"]
}

const sameClock: { readonly [L in Language]: ReadonlyArray<string> } = {
  "pt-BR": ["mesmo horario", "mesma hora", "mesmas horas", "msm horario", "msm hora"],
  en: ["same time", "same hour", "same slot"],
  es: ["misma hora", "mismo horario"]
}

const later: { readonly [L in Language]: ReadonlyArray<string> } = {
  "pt-BR": ["mais tarde", "depois", "adiar", "atrasar", "postergar", "pra frente", "para frente"],
  en: ["later", "back", "postpone", "delay"],
  es: ["mas tarde", "despues", "aplazar", "retrasar", "atrasar", "posponer", "postergar", "correr"]
}

const earlier: { readonly [L in Language]: ReadonlyArray<string> } = {
  "pt-BR": ["mais cedo", "antes", "adiantar", "antecipar"],
  en: ["earlier", "sooner", "forward", "before"],
  es: ["mas temprano", "antes", "adelantar", "anticipar"]
}

const halfHours = ["meia hora", "half an hour", "half hour", "media hora", "meia horinha", "media horita"]
const quarters = ["quarter of an hour", "um quarto de hora", "un cuarto de hora"]
const andHalf = ["e meia", "and a half", "y media"]

const counts: ReadonlyMap<string, number> = new Map([
  ["a", 1],
  ["an", 1],
  ["um", 1],
  ["uma", 1],
  ["un", 1],
  ["una", 1],
  ["one", 1],
  ["dois", 2],
  ["duas", 2],
  ["two", 2],
  ["dos", 2],
  ["tres", 3],
  ["three", 3],
  ["dez", 10],
  ["ten", 10],
  ["diez", 10],
  ["quinze", 15],
  ["fifteen", 15],
  ["quince", 15],
  ["vinte", 20],
  ["twenty", 20],
  ["veinte", 20],
  ["trinta", 30],
  ["thirty", 30],
  ["treinta", 30]
])
const hours = new Set(["hora", "horas", "horinha", "horita", "hour", "hours", "hr", "hrs", "h"])
const minutes = new Set(["minuto", "minutos", "minutinhos", "minute", "minutes", "min", "mins"])

const wordsOf = (folded: string): ReadonlyArray<string> => folded.match(/\d+|[\p{L}']+/gu) ?? []

const holds = (words: ReadonlyArray<string>, phrases: ReadonlyArray<string>): boolean => {
  const text = ` ${words.join(" ")} `
  return phrases.some((phrase) => text.includes(` ${phrase} `))
}

/** A length of time in minutes: "an hour and a half", "30 minutos"; undefined where none or several are named. */
const durationIn = (words: ReadonlyArray<string>): number | undefined => {
  const durations: Array<number> = holds(words, halfHours) ? [30] : holds(words, quarters) ? [15] : []
  for (const [index, word] of words.entries()) {
    const unit = hours.has(word) ? 60 : minutes.has(word) ? 1 : undefined
    const before = words[index - 1] ?? ""
    const count = counts.get(before) ?? (/^\d{1,3}$/.test(before) ? Number(before) : undefined)
    if (unit === undefined || count === undefined || (before === "an" && words[index - 2] === "half")) continue
    const half = unit === 60 && holds(words.slice(index + 1, index + 4), andHalf) ? 30 : 0
    durations.push(count * unit + half)
  }
  return durations.length === 1 ? durations[0] : undefined
}

/** By how many minutes a sentence moves the meeting; undefined where it does not say, or says both ways. */
const shiftIn = (words: ReadonlyArray<string>, language: Language): number | undefined => {
  const [isLater, isEarlier] = [holds(words, later[language]), holds(words, earlier[language])]
  if (isLater === isEarlier) return undefined
  const duration = durationIn(words)
  if (duration === undefined || duration === 0) return undefined
  return isLater ? duration : -duration
}

const dayMinutes = 24 * 60

/** What times of a sentence are named by. */
export interface TimeContext {
  readonly language: Language
  readonly standing: StandingMeeting | undefined
  /** `YYYY-MM-DD`: the last single day that the reply named before. */
  readonly lastDay: string | undefined
}

/** The time that an hour earlier or later than the meeting is; undefined where the sentence names none. */
export const shiftedTime = (foldedSentence: string, { language, standing }: TimeContext): ActTime | undefined => {
  if (standing === undefined) return undefined
  const words = wordsOf(foldedSentence)
  const shift = shiftIn(words, language)
  const at = shift === undefined ? -1 : minutesOf(standing.time) + shift
  if (at < 0 || at >= dayMinutes) return undefined
  return {
    text: foldedSentence.slice(0, 200),
    days: [standing.date],
    first: standing.date,
    last: standing.date,
    minutes: [at],
    untilMinute: null,
    zone: null,
    isPast: false,
    relation: null
  }
}

const weekdayOf = (date: string): number => new Date(date).getUTCDay()

/** Whether a day is named by its weekday alone: "martes", "na terça". */
const isBareWeekday = ({ days, text }: ActTime): boolean =>
  days.length === 1 && !/\d/.test(text) && wordsOf(text).length <= 2

/** "About Tuesday": where the meeting is on a Tuesday, that one may be meant, or is if its hour is named too. */
const onMeetingDay = <Time extends ActTime>(time: Time, { date, time: clock }: StandingMeeting): Time => {
  const [day = date] = time.days
  if (time.isPast || day === date || weekdayOf(day) !== weekdayOf(date)) return time
  if (time.minutes.length === 0) return isBareWeekday(time) ? { ...time, days: [date, day] } : time
  const isItsHour = time.untilMinute === null && time.minutes.includes(minutesOf(clock))
  return isItsHour && time.days.length === 1 && !/\d\s?[/.]\s?\d/.test(time.text)
    ? { ...time, days: [date], first: date, last: date }
    : time
}

/** A time with the day or the hour that its sentence takes from another one. */
export const completedTime = <Time extends ActTime>(
  time: Time,
  foldedSentence: string,
  { language, lastDay, standing }: TimeContext
): Time => {
  const words = wordsOf(foldedSentence)
  const hasClock = time.minutes.length > 0
  const hasDay = time.first !== null
  if (hasClock && !hasDay && holds(words, sameDay[language])) {
    const day = lastDay ?? standing?.date
    return day === undefined ? time : { ...time, days: [day], first: day, last: day }
  }
  if (!hasClock && time.days.length === 1 && standing !== undefined && holds(words, sameClock[language])) {
    return { ...time, minutes: [minutesOf(standing.time)] }
  }
  return standing === undefined ? time : onMeetingDay(time, standing)
}
