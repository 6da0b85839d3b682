import type { Language } from "../../Text/Language.ts"
import { fold } from "../../Text/PlainText.ts"
import { idsIn } from "./BuyerTerms.ts"

/** A number in a text with its unit, or a range such as "up to 8 people". */
export interface Measure {
  readonly from: number
  readonly to: number
  readonly isRange: boolean
  /** The words next to it: the ids of words such as "people", "kg" or "times". */
  readonly units: ReadonlySet<string>
  readonly isMoney: boolean
  /** "8h" and "8am". */
  readonly isClock: boolean
  /** Certainly a time of day: "8am" and "8:30". */
  readonly isTimeOfDay: boolean
}

/** The unit for the size of a group. */
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

/** "1.290,00", "1,290.00", "10.000" and "2.5". A last group of three digits is not a fraction. */
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
/** Units in which an offer may be larger than the need: rooms by seats, vans by load, panels by output. */
const capacities: ReadonlySet<string> = new Set([...people, "#weight", "#generation_output", "kg", "kwh"])

const has = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean => [...one].some((id) => other.has(id))

const countTheSame = (requestedSize: Measure, offered: Measure): boolean =>
  has(requestedSize.units, offered.units) || (has(requestedSize.units, people) && has(offered.units, people))

/** How an offer matches a requested size; undefined if it does not. `spare` is the capacity beyond the need. */
export const sizeFit = (requestedSize: Measure, offered: Measure): { readonly spare: number } | undefined => {
  if (requestedSize.isRange)
    return requestedSize.from === offered.from && requestedSize.to === offered.to ? { spare: 0 } : undefined
  const isTimes = requestedSize.units.has(timesId)
  if (isTimes !== offered.units.has(timesId)) return undefined
  if (offered.isRange) {
    const isWithin =
      countTheSame(requestedSize, offered) && requestedSize.from >= offered.from && requestedSize.from <= offered.to
    return isWithin ? { spare: offered.to - requestedSize.from } : undefined
  }
  if (requestedSize.from === offered.from) return { spare: 0 }
  // A price is not a capacity, whatever its column is called.
  const isCapacity = !offered.isMoney && countTheSame(requestedSize, offered) && has(offered.units, capacities)
  return isCapacity && offered.from > requestedSize.from ? { spare: offered.from - requestedSize.from } : undefined
}
