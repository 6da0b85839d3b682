import type { Language } from "../../Text/Language.ts"
import { daysAfter } from "../../Text/Times/Days.ts"
import { numberWords } from "../../Text/Times/TimePhrases.ts"
import { type ActTime, actTimeOf } from "../Acts.ts"
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
  "pt-BR": ["mais tarde", "depois", "adiar", "atrasar", "postergar", "empurrar", "pra frente", "para frente"],
  en: ["later", "back", "postpone", "delay", "push", "slide"],
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

const articles: ReadonlySet<string> = new Set(["a", "an"])
const hours = new Set(["hora", "horas", "horinha", "horita", "hour", "hours", "hr", "hrs", "h"])
const daysOrWeeks: ReadonlyMap<string, number> = new Map([
  ["dia", 1],
  ["dias", 1],
  ["day", 1],
  ["days", 1],
  ["semana", 7],
  ["semanas", 7],
  ["week", 7],
  ["weeks", 7]
])
const minutes = new Set(["minuto", "minutos", "minutinhos", "minute", "minutes", "min", "mins"])

const wordsOf = (folded: string): ReadonlyArray<string> => folded.match(/\d+|[\p{L}']+/gu) ?? []

const holds = (words: ReadonlyArray<string>, phrases: ReadonlyArray<string>): boolean => {
  const text = ` ${words.join(" ")} `
  return phrases.some((phrase) => text.includes(` ${phrase} `))
}

const countOf = (word: string): number | undefined =>
  articles.has(word) ? 1 : (numberWords.get(word) ?? (/^\d{1,3}$/.test(word) ? Number(word) : undefined))

/** A length of time in minutes: "an hour and a half", "30 minutos"; undefined where none or several are named. */
const durationIn = (words: ReadonlyArray<string>): number | undefined => {
  const durations: Array<number> = holds(words, halfHours) ? [30] : holds(words, quarters) ? [15] : []
  for (const [index, word] of words.entries()) {
    const unit = hours.has(word) ? 60 : minutes.has(word) ? 1 : undefined
    const before = words[index - 1] ?? ""
    const count = countOf(before)
    if (unit === undefined || count === undefined || (before === "an" && words[index - 2] === "half")) continue
    const half = unit === 60 && holds(words.slice(index + 1, index + 4), andHalf) ? 30 : 0
    durations.push(count * unit + half)
  }
  return durations.length === 1 ? durations[0] : undefined
}

/** Whether a sentence puts the meeting off or brings it forward; undefined where it does neither, or both. */
const directionIn = (words: ReadonlyArray<string>, language: Language): 1 | -1 | undefined => {
  const [isLater, isEarlier] = [holds(words, later[language]), holds(words, earlier[language])]
  if (isLater === isEarlier) return undefined
  return isLater ? 1 : -1
}

/** "A week later", "seven days later"; undefined where no days or several lengths are named. */
const daysIn = (words: ReadonlyArray<string>): number | undefined => {
  // "I am back in two weeks" counts from today.
  if (words.includes("back")) return undefined
  const lengths = words.flatMap((word, index) => {
    const count = countOf(words[index - 1] ?? "")
    const unit = daysOrWeeks.get(word)
    return count === undefined || unit === undefined ? [] : [count * unit]
  })
  return lengths.length === 1 ? lengths[0] : undefined
}

const monthDays = 30
const monthAndHalf = ["mes e meio", "mes y medio", "month and a half"]
const monthWords: ReadonlySet<string> = new Set(["mes", "meses", "month", "months"])

/** "Give me about six weeks", "fora por três semanas": the day on which that time is over; undefined where none is named. */
export const dayAfterLength = (folded: string, today: string): string | undefined => {
  const words = wordsOf(folded)
  const lengths = words.flatMap((word, index) => {
    const count = countOf(words[index - 1] ?? "")
    const unit = monthWords.has(word) ? monthDays : daysOrWeeks.get(word)
    return count === undefined || unit === undefined ? [] : [count * unit]
  })
  if (holds(words, monthAndHalf)) return daysAfter(today, (3 * monthDays) / 2)
  const [length, ...others] = lengths
  return length === undefined || others.length > 0 || length === 0 || length > 366
    ? undefined
    : daysAfter(today, length)
}

const dayMinutes = 24 * 60
/** A shorter delay, such as arriving a few minutes late, does not move the meeting. */
const shortestShift = 15

/** What times of a sentence are named by. */
export interface TimeContext {
  readonly language: Language
  readonly standing: StandingMeeting | undefined
  /** `YYYY-MM-DD`: the last single day that the reply named before. */
  readonly lastDay: string | undefined
}

/** A time that is named by its distance from the meeting that was agreed on. */
export interface ShiftedTime {
  readonly time: ActTime
  /** True if the meeting moves to another day. */
  readonly isByDays: boolean
}

const shifted = (foldedSentence: string, date: string, minute: number, isByDays: boolean): ShiftedTime => ({
  time: actTimeOf(foldedSentence.slice(0, 200), { days: [date], first: date, last: date, minutes: [minute] }),
  isByDays
})

/**
 * The time that is an hour or some days earlier or later than the meeting; undefined where the sentence names none.
 * `clock` is the time of day (minutes since midnight) that it names too.
 */
export const shiftedTime = (
  foldedSentence: string,
  { language, standing }: TimeContext,
  clock: number | undefined
): ShiftedTime | undefined => {
  if (standing === undefined) return undefined
  const words = wordsOf(foldedSentence)
  const direction = directionIn(words, language)
  if (direction === undefined) return undefined
  const days = daysIn(words)
  const duration = durationIn(words)
  if (days !== undefined && days > 0 && duration === undefined) {
    const date = daysAfter(standing.date, direction * days)
    return shifted(foldedSentence, date, clock ?? minutesOf(standing.time), true)
  }
  if (duration === undefined || duration < shortestShift) return undefined
  const at = minutesOf(standing.time) + direction * duration
  return at < 0 || at >= dayMinutes ? undefined : shifted(foldedSentence, standing.date, at, false)
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
