import type { Day, Days } from "./Days.ts"
import type { Relation, TimeWord } from "./TimeMeanings.ts"
import type { TimeToken } from "./TimeTokens.ts"

/** The kind of span that was named. Only a day can be the day of an appointment. */
export type Grain = "day" | "weekend" | "week" | "month" | "quarter" | "half-year" | "year" | "span"

/** A day or a span of days in a text. */
export interface DateAtom {
  readonly is: "date"
  readonly days: Days
  readonly grain: Grain
  /** The weekday that was named, 0 for Sunday. */
  readonly weekday?: number
  /** Other days that the words may mean: "next Tuesday", written on a Monday. */
  readonly alternatives?: ReadonlyArray<Day>
  readonly relation?: Relation
  /** A past day, or one that recurs every week. */
  readonly isPast?: boolean
  readonly isRecurring?: boolean
}

/** The place and language of the text's writer. */
export interface DateSetting {
  readonly today: Day
  /** How "3/12" is read: `month` first, `day` first, or `either` if the writer may mean both. */
  readonly figures: "month" | "day" | "either"
  /** True for the southern hemisphere, where January is in summer. */
  readonly isSouthern: boolean
}

/** A recognised part of a text and its number of tokens. */
export interface Match<Atom> {
  readonly atom: Atom
  readonly length: number
}

export type Tokens = ReadonlyArray<TimeToken>

export type Matcher = (tokens: Tokens, at: number, setting: DateSetting) => Match<DateAtom> | undefined

export const meaning = <Is extends TimeWord["is"]>(
  token: TimeToken | undefined,
  is: Is
): Extract<TimeWord, { readonly is: Is }> | undefined =>
  token?.meanings.find((word): word is Extract<TimeWord, { readonly is: Is }> => word.is === is)

export const isSmall = (token: TimeToken | undefined): boolean => meaning(token, "small word") !== undefined

/** A whole number in figures or as a word. */
export const numberAt = (token: TimeToken | undefined): number | undefined =>
  token?.number ?? meaning(token, "number")?.value

export const isOrdinal = (token: TimeToken | undefined): boolean => token?.ordinalEnding !== undefined

export const ordinalAt = (token: TimeToken | undefined): number | undefined =>
  (isOrdinal(token) ? token?.number : undefined) ?? meaning(token, "ordinal")?.value

/** The first token from `at` that is not a function word, skipping at most `most` of them. */
export const pastSmall = (tokens: Tokens, at: number, most = 3): number => {
  let index = at
  while (index < at + most && isSmall(tokens[index]) && meaning(tokens[index], "period") === undefined) index++
  return index
}

export const exact = (day: Day): DateAtom => ({ is: "date", days: { first: day, last: day }, grain: "day" })

export const spanOf = (days: Days, grain: Grain): DateAtom => ({ is: "date", days, grain })

export const isWholeDay = ({ days, grain }: DateAtom): boolean => grain === "day" && days.first === days.last
