import type { Language } from "../../Text/Language.ts"
import { fold } from "../../Text/PlainText.ts"
import { idsIn } from "./BuyerTerms.ts"

/** A number of a text with what it counts, or a range such as "up to 8 people". */
export interface Measure {
  readonly from: number
  readonly to: number
  readonly isRange: boolean
  /** What stands next to it: the ids of words such as "people", "kg" or "times". */
  readonly units: ReadonlySet<string>
  readonly isMoney: boolean
  /** "8h" and "8am". */
  readonly isClock: boolean
  /** A time of day beyond doubt: "8am" and "8:30". */
  readonly isTimeOfDay: boolean
}

/** What a group of people is counted in. */
export const peopleId = "#person_noun"

const number = String.raw`\d+(?:[.,]\d+)*`
const thousands = String.raw`(?:\s?(?:mil|k|thousand)\b)?`
const currency = String.raw`(?:r\$|us\$|\$|€|£)?\s?`
const amount = `(?<![a-z0-9])${currency}${number}${thousands}`
const between = String.raw`\s?(?:a|ate|to|-|y|e|and|hasta)\s?`
const upTo = String.raw`\b(?:ate|up to|hasta|under|below|menos de|less than|maximo(?: de)?|no more than|fewer than)[\s-]`
const above = String.raw`\b(?:acima de|above|over|more than|mas de|mais de|a partir de)\s`
const measure = new RegExp(
  `(?<low>${amount})${between}(?<high>${amount})|(?<below>${upTo}${amount})|(?<above>${above}${amount})|(?<only>${amount})`,
  "g"
)
const clockAfter = /^\s?(?:h\b|h\d|hs\b|am\b|pm\b|a\.m|p\.m|:\d\d)/
const timeOfDayAfter = /^\s?(?:am\b|pm\b|a\.m|p\.m|:\d\d|h\d)/
const moneyAfter = /^\s?(?:€|reais\b|euros?\b|dollars?\b|mxn\b|usd\b|pesos\b)/
const timesAfter = /^\s?(?:x\b|vez(?:es)?\b|times\b|veces\b)/
/** The id of "times", as in "twice a week". */
const timesId = "#times"

const smallNumbers: { readonly [L in Language]: ReadonlyArray<readonly [RegExp, string]> } = {
  "pt-BR": [
    [/\buma vez\b/g, "1x"],
    [/\b(?:duas|dois)\b/g, "2"],
    [/\btres\b/g, "3"],
    [/\bquatro\b/g, "4"],
    [/\bcinco\b/g, "5"],
    [/\bseis\b/g, "6"],
    [/\boito\b/g, "8"],
    [/\bdez\b/g, "10"]
  ],
  en: [
    [/\bonce\b/g, "1x"],
    [/\btwice\b/g, "2x"],
    [/\btwo\b/g, "2"],
    [/\bthree\b/g, "3"],
    [/\bfour\b/g, "4"],
    [/\bfive\b/g, "5"],
    [/\bsix\b/g, "6"],
    [/\beight\b/g, "8"],
    [/\bten\b/g, "10"],
    [/\btwelve\b/g, "12"],
    [/\bforty\b/g, "40"]
  ],
  es: [
    [/\buna vez\b/g, "1x"],
    [/\bdos\b/g, "2"],
    [/\btres\b/g, "3"],
    [/\bcuatro\b/g, "4"],
    [/\bcinco\b/g, "5"],
    [/\bseis\b/g, "6"],
    [/\bocho\b/g, "8"],
    [/\bdiez\b/g, "10"]
  ]
}

const firstNumber = /\d+(?:[.,]\d+)*/

/** "1.290,00", "1,290.00", "10.000" and "2.5": the last group of three digits is no fraction. */
const valueOf = (text: string): number => {
  const [digits = ""] = firstNumber.exec(text) ?? []
  const [, whole = digits, fraction = ""] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(digits) ?? []
  const value = Number(`${whole.replace(/\D/g, "")}.${fraction === "" ? "0" : fraction}`)
  return /(?:mil|k|thousand)$/.test(text) ? value * 1000 : value
}

const longestUnit = 30

/** The numbers and ranges of a text. */
export const measuresIn = (text: string, language: Language): ReadonlyArray<Measure> => {
  const folded = smallNumbers[language].reduce((all, [pattern, digits]) => all.replace(pattern, digits), fold(text))
  return [...folded.matchAll(measure)].map((match): Measure => {
    const { above: least, below: most, high, low, only } = match.groups ?? {}
    const after = folded.slice(match.index + match[0].length)
    const near = /^[^.;:,!?()\d]*/.exec(after.slice(0, longestUnit))?.[0] ?? ""
    const units = new Set(idsIn(near, language))
    if (timesAfter.test(after)) units.add(timesId)
    const isMoney = /[$€£]/.test(match[0]) || moneyAfter.test(after)
    const isClock = clockAfter.test(after)
    const shared = { units, isMoney, isClock, isTimeOfDay: timeOfDayAfter.test(after) }
    if (low !== undefined && high !== undefined) {
      const from = valueOf(low)
      const to = valueOf(high)
      return { ...shared, from, to, isRange: from < to }
    }
    if (most !== undefined) return { ...shared, from: 0, to: valueOf(most), isRange: true }
    if (least !== undefined) return { ...shared, from: valueOf(least), to: Number.POSITIVE_INFINITY, isRange: true }
    const value = valueOf(only ?? "")
    return { ...shared, from: value, to: value, isRange: false }
  })
}

const people: ReadonlySet<string> = new Set(
  "employee user_seat person_noun doctor_professional guests student company_size free_space"
    .split(" ")
    .map((id) => `#${id}`)
)
/** What is bought for a need and may be more than it: rooms by seats, vans by load, panels by output. */
const capacities: ReadonlySet<string> = new Set([...people, "#weight", "#generation_output", "kg", "kwh"])

const has = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean => [...one].some((id) => other.has(id))

const countTheSame = (wanted: Measure, offered: Measure): boolean =>
  has(wanted.units, offered.units) || (has(wanted.units, people) && has(offered.units, people))

/** How an offer meets a wanted size; undefined where it does not. A `spare` above zero is room that is not needed. */
export const sizeFit = (wanted: Measure, offered: Measure): { readonly spare: number } | undefined => {
  if (wanted.isRange) return wanted.from === offered.from && wanted.to === offered.to ? { spare: 0 } : undefined
  const isTimes = wanted.units.has(timesId)
  if (isTimes !== offered.units.has(timesId)) return undefined
  if (offered.isRange) {
    const isWithin = countTheSame(wanted, offered) && wanted.from >= offered.from && wanted.from <= offered.to
    return isWithin ? { spare: offered.to - wanted.from } : undefined
  }
  if (wanted.from === offered.from) return { spare: 0 }
  // A price is no room for people, whatever its column says.
  const isCapacity = !offered.isMoney && countTheSame(wanted, offered) && has(offered.units, capacities)
  return isCapacity && offered.from > wanted.from ? { spare: offered.from - wanted.from } : undefined
}
