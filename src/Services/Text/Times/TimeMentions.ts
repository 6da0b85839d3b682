import type { Language } from "../Language.ts"
import { type ClockAtom, joinedClocks } from "./ClockAtoms.ts"
import { type DateAtom, type DateSetting, type Grain, meaning, type Tokens } from "./DateAtoms.ts"
import { type Day, dayOfDate } from "./Days.ts"
import { areAdjacent, isClock, isDate, isJoint, type Placed, timeAtoms, widestGap, type ZoneAtom } from "./TimeAtoms.ts"
import type { Relation, TimeWord } from "./TimeMeanings.ts"
import { type TimeToken, timeTokens } from "./TimeTokens.ts"

/** A time in a text: a day or a span of days, a time of day, or both, in the writer's calendar. */
export interface TimeMention {
  /** Its position in the folded text. */
  readonly from: number
  readonly to: number
  readonly text: string
  readonly days: { readonly first: Day; readonly last: Day } | undefined
  readonly grain: Grain | undefined
  /** The days that the words may mean. Empty if they name a span, or a time before or after a day. */
  readonly dayChoices: ReadonlyArray<Day>
  /** Minutes since midnight. Two values if the half of the day is unclear, none if no time of day is named. */
  readonly clock: ReadonlyArray<number>
  /** The end of a range, of a part of the day, or of an open span such as "after 3". The time is then not exact. */
  readonly clockUntil: number | undefined
  readonly isPartOfDay: boolean
  readonly dateRelation: Relation | undefined
  readonly clockRelation: Relation | undefined
  readonly isPast: boolean
  readonly isRecurring: boolean
  /** IANA zone, if the text names one. */
  readonly zone: string | undefined
}

interface Draft {
  date: Placed<DateAtom> | undefined
  clock: Placed<ClockAtom> | undefined
  zone: Placed<ZoneAtom> | undefined
  start: number
  end: number
}

/** The most unrelated words between a day and its time: "quinta eu posso às 15h". */
const mostWordsBetween = 3

/** Whether two positions are in one sentence, with few words in between and none that contrasts them. */
const areClose = (tokens: Tokens, end: number, start: number): boolean => {
  const between = tokens.slice(end, start)
  const isBreak = between.some(
    (token) =>
      ".;!?".includes(token.text) ||
      (meaning(token, "contrast") ?? meaning(token, "or") ?? meaning(token, "and")) !== undefined
  )
  return !isBreak && between.filter((token) => !isJoint(token)).length <= mostWordsBetween
}

/** Whether only "or", "and" or a comma separates two positions. */
const isChoiceBetween = (tokens: Tokens, end: number, start: number): boolean => {
  const between = tokens.slice(end, start)
  const isOr = (token: TimeToken): boolean => (meaning(token, "or") ?? meaning(token, "and")) !== undefined
  return (
    between.length <= widestGap &&
    between.some((token) => isOr(token) || token.text === ",") &&
    between.every((token) => isOr(token) || isJoint(token))
  )
}

const areOfOne = (tokens: Tokens, end: number, start: number): boolean =>
  areAdjacent(tokens, end, start) || areClose(tokens, end, start)

const addClock = (tokens: Tokens, drafts: Array<Draft>, placed: Placed<ClockAtom>): void => {
  const last = drafts.at(-1)
  const { end, start } = placed
  if (last !== undefined && last.clock === undefined && areOfOne(tokens, last.end, start)) {
    Object.assign(last, { clock: placed, end })
    return
  }
  const joined = last?.clock === undefined ? undefined : joinedClocks(last.clock.atom, placed.atom)
  if (last !== undefined && joined !== undefined && areAdjacent(tokens, last.end, start)) {
    Object.assign(last, { clock: { ...placed, atom: joined }, end })
    return
  }
  // "terça às 10 ou às 11": the second time is on the same day.
  const isChoice = last?.date !== undefined && isChoiceBetween(tokens, last.end, start)
  drafts.push({ date: isChoice ? last.date : undefined, clock: placed, zone: undefined, start, end })
}

const addDate = (tokens: Tokens, drafts: Array<Draft>, placed: Placed<DateAtom>): void => {
  const last = drafts.at(-1)
  const { end, start } = placed
  // "School ends at three, so on Monday …": after a comma and more words, the day belongs to something else.
  const isOnSeparateDomain =
    last?.clock?.atom.isPart !== true && tokens.slice(last?.end ?? start, start).some(({ text }) => text === ",")
  const isOfClock =
    last !== undefined &&
    (areAdjacent(tokens, last.end, start) || (!isOnSeparateDomain && areClose(tokens, last.end, start)))
  if (isOfClock && last.date === undefined) {
    Object.assign(last, { date: placed, end })
    return
  }
  drafts.push({ date: placed, clock: undefined, zone: undefined, start, end })
}

const addZone = (tokens: Tokens, drafts: Array<Draft>, placed: Placed<ZoneAtom>): void => {
  const last = drafts.at(-1)
  const { end, start } = placed
  if (last !== undefined && last.zone === undefined && areAdjacent(tokens, last.end, start)) {
    Object.assign(last, { zone: placed, end })
    return
  }
  drafts.push({ date: undefined, clock: undefined, zone: placed, start, end })
}

/**
 * Shares a time or a day between alternatives: the time in "terça ou quarta às 10", the day in "1pm ET / 10am PT on
 * Monday".
 */
const shareAcrossChoices = (tokens: Tokens, drafts: ReadonlyArray<Draft>): void => {
  for (let index = drafts.length - 2; index >= 0; index--) {
    const [one, next] = [drafts[index], drafts[index + 1]]
    if (one === undefined || next === undefined || !isChoiceBetween(tokens, one.end, next.start)) continue
    if (one.clock === undefined && one.date !== undefined && next.date !== undefined) one.clock = next.clock
    else if (one.date === undefined && one.clock !== undefined && next.clock !== undefined) one.date = next.date
  }
}

const endOfDay = 1440

/** "Before" and "after" make a time inexact. */
const clockUntilOf = (clock: ClockAtom | undefined): number | undefined => {
  if (clock?.until !== undefined || clock?.relation === undefined) return clock?.until
  return clock.relation === "after" || clock.relation === "from" ? endOfDay : clock.readings.at(-1)
}

const dayChoicesOf = (date: DateAtom | undefined): ReadonlyArray<Day> => {
  if (date === undefined || date.relation !== undefined) return []
  const { first, last } = date.days
  return date.alternatives ?? (first === last ? [first] : [])
}

const mentionOf = (folded: string, tokens: Tokens, { clock, date, end, start, zone }: Draft): TimeMention => {
  const [from, to] = [tokens[start]?.from ?? 0, tokens[end - 1]?.to ?? 0]
  return {
    from,
    to,
    text: folded.slice(from, to),
    days: date?.atom.days,
    grain: date?.atom.grain,
    dayChoices: dayChoicesOf(date?.atom),
    clock: clock?.atom.readings ?? [],
    clockUntil: clockUntilOf(clock?.atom),
    isPartOfDay: clock?.atom.isPart === true,
    dateRelation: date?.atom.relation,
    clockRelation: clock?.atom.relation,
    isPast: date?.atom.isPast === true,
    isRecurring: date?.atom.isRecurring === true,
    zone: zone?.atom.zone
  }
}

const noMentions: ReadonlyArray<TimeMention> = []

/** Of a longer text, only the beginning is read. */
const longestText = 4000

/** The place and time at which a text was written. */
export interface WritingSetting {
  /** The writer's local date, as `YYYY-MM-DD`. */
  readonly today: string
  /** How the writer orders dates in figures. */
  readonly figures: DateSetting["figures"]
  readonly language: Language
  /**
   * True for the southern hemisphere, where January is in summer. The default follows the language's largest country.
   */
  readonly isSouthern?: boolean
}

/** The meanings of words next to times that are not times themselves. */
const auxiliary: ReadonlySet<TimeWord["is"]> = new Set([
  "small word",
  "or",
  "and",
  "to",
  "contrast",
  "at",
  "relation",
  "introduces a day"
])

/** Whether a token may be part of a day or a time of day. */
const mayNameTime = ({ clock, date, meanings, number, partOfYear }: TimeToken): boolean =>
  (number ?? clock ?? date ?? partOfYear) !== undefined || meanings.some(({ is }) => !auxiliary.has(is))

/** The times in a folded text, in their order. */
export const timeMentions = (
  folded: string,
  { figures, isSouthern, language, today }: WritingSetting
): ReadonlyArray<TimeMention> => {
  const text = folded.slice(0, longestText)
  const tokens = timeTokens(text, language)
  // Most sentences name no time, so the patterns can be skipped.
  if (!tokens.some(mayNameTime)) return noMentions
  const setting = { today: dayOfDate(today), figures, isSouthern: isSouthern ?? language === "pt-BR" }
  const drafts: Array<Draft> = []
  for (const placed of timeAtoms(tokens, setting)) {
    if (isDate(placed)) addDate(tokens, drafts, placed)
    else if (isClock(placed)) addClock(tokens, drafts, placed)
    else addZone(tokens, drafts, placed)
  }
  shareAcrossChoices(tokens, drafts)
  return drafts.flatMap((draft) =>
    draft.date === undefined && draft.clock === undefined ? [] : [mentionOf(text, tokens, draft)]
  )
}
