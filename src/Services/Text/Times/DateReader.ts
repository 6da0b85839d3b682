import {
  bareOrdinal,
  dateInFigures,
  dayOfMonthAlone,
  daysThenMonth,
  dayThenMonth,
  monthThenDay,
  monthThenDays
} from "./CalendarDates.ts"
import { ahead, countedFrom, namedDay, withinNext } from "./CountedTimes.ts"
import type { DateAtom, DateSetting, Match, Matcher, Tokens } from "./DateAtoms.ts"
import {
  countedInMonth,
  edge,
  holidayOrItsWeek,
  monthAlone,
  partOfYear,
  period,
  season,
  weekOf,
  yearAlone
} from "./Spans.ts"
import { everyDay, weekday } from "./Weekdays.ts"

/** If two matchers read the same number of tokens, the first one wins. */
const matchers: ReadonlyArray<Matcher> = [
  dateInFigures,
  daysThenMonth,
  monthThenDays,
  dayThenMonth,
  monthThenDay,
  partOfYear,
  countedInMonth,
  weekOf,
  edge,
  holidayOrItsWeek,
  period,
  everyDay,
  weekday,
  ahead,
  countedFrom,
  withinNext,
  namedDay,
  dayOfMonthAlone,
  bareOrdinal,
  season,
  (tokens, at, setting) => monthAlone(tokens, at, setting),
  yearAlone
]

/** The date that begins at a token. The longest reading wins. */
export const dateAt = (tokens: Tokens, at: number, setting: DateSetting): Match<DateAtom> | undefined => {
  let best: Match<DateAtom> | undefined
  for (const matcher of matchers) {
    const match = matcher(tokens, at, setting)
    if (match !== undefined && (best === undefined || match.length > best.length)) best = match
  }
  return best
}
