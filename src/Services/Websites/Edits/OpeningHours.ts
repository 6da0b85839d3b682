import type { Language } from "../../Text/Language.ts"
import { fold } from "../../Text/PlainText.ts"
import { capitalised } from "../Material/MaterialText.ts"
import { tokensOf } from "./Reading/EditTokens.ts"

/** Days of the week, from 0 (Monday) to 6 (Sunday). */
export type Days = ReadonlyArray<number>

interface DayWords {
  readonly names: ReadonlyArray<string>
  readonly to: string
  readonly and: string
  readonly closed: string
  readonly until: (time: string) => string
  readonly range: (open: string, close: string) => string
  readonly from: (time: string) => string
}

const dayWords: { readonly [L in Language]: DayWords } = {
  "pt-BR": {
    names: ["segunda", "terça", "quarta", "quinta", "sexta", "sábado", "domingo"],
    to: "a",
    and: "e",
    closed: "fechado",
    until: (time) => `até ${time}`,
    range: (open, close) => `das ${open} às ${close}`,
    from: (time) => `a partir das ${time}`
  },
  en: {
    names: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
    to: "to",
    and: "and",
    closed: "closed",
    until: (time) => `until ${time}`,
    range: (open, close) => `${open} to ${close}`,
    from: (time) => `from ${time}`
  },
  es: {
    names: ["lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"],
    to: "a",
    and: "y",
    closed: "cerrado",
    until: (time) => `hasta las ${time}`,
    range: (open, close) => `de ${open} a ${close}`,
    from: (time) => `desde las ${time}`
  }
}

const dayNames: ReadonlyArray<ReadonlySet<string>> = [
  "segunda segundas segunda-feira segundas-feiras seg monday mondays mon lunes",
  "terca tercas terca-feira tercas-feiras ter tuesday tuesdays tue tues martes",
  "quarta quartas quarta-feira quartas-feiras qua wednesday wednesdays wed miercoles",
  "quinta quintas quinta-feira quintas-feiras qui thursday thursdays thu thur thurs jueves",
  "sexta sextas sexta-feira sextas-feiras sex friday fridays fri viernes",
  "sabado sabados sab saturday saturdays sat",
  "domingo domingos dom sunday sundays sun"
].map((list) => new Set(list.split(" ")))

const groups: ReadonlyArray<readonly [ReadonlySet<string>, Days]> = [
  [new Set(["weekdays", "weekday"]), [0, 1, 2, 3, 4]],
  [new Set(["weekends", "weekend", "fds"]), [5, 6]],
  [new Set(["daily", "diariamente", "diario"]), [0, 1, 2, 3, 4, 5, 6]]
]

const daysOfWord = (word: string): Days | undefined => {
  const index = dayNames.findIndex((names) => names.has(word))
  return index >= 0 ? [index] : groups.find(([names]) => names.has(word))?.[1]
}

const through: ReadonlySet<string> = new Set("a to through thru ate until hasta".split(" "))

const hyphened = (text: string): string =>
  text.replace(/(\p{L}{3,})\s?[-–]\s?(?=\p{L}{3,})/gu, (whole, day: string) =>
    daysOfWord(fold(day)) === undefined || /^-feiras?/i.test(text.slice(text.indexOf(whole) + day.length))
      ? whole
      : `${day} a `
  )

const everyDay =
  /\b(?:todos os dias|todo dia|todo santo dia|every (?:single )?day|seven days(?: a week)?|todos los d[ií]as|cada d[ií]a|segunda a segunda)\b/gi

/** The days that a text names, and the rest of the text. */
export const daysIn = (raw: string): { readonly days: Days; readonly rest: string } => {
  const text = hyphened(raw).replace(everyDay, " daily ")
  const tokens = tokensOf(text)
  const days = new Set<number>()
  const cut: Array<readonly [start: number, end: number]> = []
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]
    const named = token === undefined ? undefined : daysOfWord(token.word)
    if (token === undefined || named === undefined) continue
    const last = tokens[at + 2]
    const until = last === undefined || !through.has(tokens[at + 1]?.word ?? "") ? undefined : daysOfWord(last.word)
    if (until !== undefined && last !== undefined) {
      for (let day = named[0] ?? 0, count = 0; count < 7; day = (day + 1) % 7, count++) {
        days.add(day)
        if (day === until[0]) break
      }
      cut.push([token.start, last.end])
      at += 2
    } else {
      for (const day of named) days.add(day)
      cut.push([token.start, token.end])
    }
  }
  let rest = ""
  let from = 0
  for (const [start, end] of cut) {
    rest += `${text.slice(from, start)} `
    from = end
  }
  return { days: [...days].toSorted((one, other) => one - other), rest: rest + text.slice(from) }
}

const time = /(?<![\w:.,])\d{1,2}(?:[:h.]\d{2})?(?:\s?(?:hs|hrs|horas|h|am|pm|a\.m\.|p\.m\.))?(?![\w:%])/gi

/** The times of day in a text, as written. */
export const timesIn = (text: string): ReadonlyArray<string> => [...text.matchAll(time)].map(([each]) => each.trim())

/** Some days with the text about their times. */
interface Part {
  readonly days: Days
  readonly text: string
  readonly times: ReadonlyArray<string>
  /** The whole part, including words before the days such as "Abrimos de". */
  readonly whole: string
}

const letters: { readonly [letter: string]: string } = {
  L: "lunes",
  M: "martes",
  X: "miércoles",
  J: "jueves",
  V: "viernes",
  S: "sábado",
  D: "domingo"
}

/** Spells out Spanish day letters such as "L-V" and "V". */
const spelledOut = (hours: string): string =>
  hours
    .replace(
      /(?<![\p{L}\d])([LMXJVSD])\s?[-–]\s?([LMXJVSD])(?![\p{L}\d])/gu,
      (_, from: string, to: string) => `${letters[from] ?? from} a ${letters[to] ?? to}`
    )
    .replace(/(?<![\p{L}\d])([LMXJVSD])(?=\s\d)/gu, (letter) => letters[letter] ?? letter)

const joining: ReadonlySet<string> = new Set(["e", "and", "y", "&", "a", "to", "ate", "-", "–", ",", "through"])

/** Inserts a comma before each day that follows a time: "seg a sex 8h às 18h sáb 8h às 12h". */
const partedByDays = (hours: string): string => {
  const tokens = tokensOf(hours)
  let text = ""
  let from = 0
  let hasTime = false
  tokens.forEach((token, at) => {
    const before = tokens[at - 1]
    if (/\d/.test(token.text)) hasTime = true
    if (daysOfWord(token.word) === undefined || before === undefined || !hasTime) return
    if (!joining.has(before.word)) {
      text += `${hours.slice(from, before.end)}, `
      from = token.start
    }
    hasTime = false
  })
  return text + hours.slice(from)
}

/** Splits opening hours by days. Undefined if a part names no day. */
const partsOf = (hours: string): ReadonlyArray<Part> | undefined => {
  const pieces: Array<string> = []
  for (const piece of partedByDays(spelledOut(hours)).split(/\n|;\s?|,\s|\.\s/)) {
    const isNew = daysIn(piece).days.length > 0
    const last = pieces.at(-1)
    const isDayList = last !== undefined && timesIn(last).length === 0 && daysIn(last).days.length > 0
    if (last !== undefined && (!isNew || isDayList)) pieces[pieces.length - 1] = `${last}, ${piece}`
    else pieces.push(piece)
  }
  const parts = pieces.map((whole): Part => {
    const { days, rest } = daysIn(whole)
    return { days, text: rest, times: timesIn(rest), whole }
  })
  return parts.every(({ days }) => days.length > 0) ? parts : undefined
}

const daysText = (days: Days, words: DayWords): string => {
  const names = days.map((day) => words.names[day] ?? "")
  const isRun = days.length > 2 && days.every((day, at) => at === 0 || day === (days[at - 1] ?? 0) + 1)
  if (isRun) return `${names[0] ?? ""} ${words.to} ${names.at(-1) ?? ""}`
  return names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} ${words.and} ${names.at(-1) ?? ""}`
}

/** New hours for some days. */
export interface NewHours {
  readonly days: Days
  readonly open: string | undefined
  readonly close: string | undefined
  readonly isClosed: boolean
}

const timesText = (
  { close, isClosed, open }: Omit<NewHours, "days">,
  before: Part | undefined,
  words: DayWords
): string | undefined => {
  if (isClosed) return words.closed
  const times = before?.times ?? []
  if (times.length > 2) return open !== undefined && close !== undefined ? words.range(open, close) : undefined
  const [first] = times
  const from = open ?? (times.length === 2 ? first : undefined)
  const to = close ?? times.at(-1)
  if (from !== undefined && to !== undefined && from !== to) return words.range(from, to)
  return to !== undefined ? words.until(to) : from === undefined ? undefined : words.from(from)
}

const openWords =
  /^(?:abrimos|atendemos|aberto|aberta|open|abierto|we open|we're open|estamos abertos)(?:\s(?:de|from))?\b/i

/** The text of a part whose other days now have different times. */
const shortened = (part: Part, days: Days, words: DayWords): string => {
  const prefix = openWords.exec(part.whole)?.[0] ?? ""
  const [open = "", close = ""] = part.times
  const times =
    part.times.length === 2
      ? words.range(open, close)
      : part.text
          .replace(openWords, "")
          .replace(/^[\s,:–—-]+/, "")
          .replace(/\s+/g, " ")
          .trim()
  return [prefix, daysText(days, words), times].filter((each) => each !== "").join(" ")
}

/** Opening hours with different times on some days. Undefined if the existing text cannot be split by days. */
export const changedHours = (hours: string | undefined, change: NewHours, language: Language): string | undefined => {
  const words = dayWords[language]
  const parts = hours === undefined ? [] : partsOf(hours)
  if (parts === undefined) return undefined
  const changedDays = change.days.length > 0 ? change.days : parts.length === 1 ? (parts[0]?.days ?? []) : []
  if (changedDays.length === 0) return undefined
  const lines: Array<{ readonly order: number; readonly text: string }> = []
  const texts = new Map<string, Array<number>>()
  for (const day of changedDays) {
    const before = parts.find(({ days }) => days.includes(day))
    const text = timesText(change, before, words)
    if (text === undefined) return undefined
    texts.set(text, [...(texts.get(text) ?? []), day])
  }
  for (const part of parts) {
    const days = part.days.filter((day) => !changedDays.includes(day))
    if (days.length === 0) continue
    const text = days.length === part.days.length ? part.whole : shortened(part, days, words)
    lines.push({ order: days[0] ?? 0, text })
  }
  for (const [text, days] of texts)
    lines.push({
      order: (days[0] ?? 0) + (change.isClosed ? 10 : 0),
      text: `${daysText(days, words)}${change.isClosed ? ": " : " "}${text}`
    })
  return capitalised(
    lines
      .toSorted((one, other) => one.order - other.order)
      .map(({ text }) => text.trim())
      .join(", ")
  )
}
