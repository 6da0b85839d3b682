import type { Language } from "../Language.ts"
import { type ClockAtom, clockAt } from "./ClockAtoms.ts"
import { type DateAtom, type DateSetting, dateAt, type Grain, isLight, meaning, type Tokens } from "./DateAtoms.ts"
import { type Day, dayOfDate, weekdayOf } from "./Days.ts"
import { type TimeToken, timeTokens } from "./TimeTokens.ts"
import type { Relation } from "./TimeWords.ts"
import { zoneAt } from "./ZoneNames.ts"

/** A time that a text names: a day or a span of days, a time of day, or both. All in the writer's own calendar. */
export interface TimeMention {
  /** Its position in the folded text. */
  readonly from: number
  readonly to: number
  readonly text: string
  readonly days: { readonly first: Day; readonly last: Day } | undefined
  readonly grain: Grain | undefined
  /** Days that the same words may mean, where that is open. */
  readonly dayChoices: ReadonlyArray<Day>
  /** Minutes since midnight: two where the half of the day is open. Empty where no time of day is named. */
  readonly clock: ReadonlyArray<number>
  /** Where a range of times or a part of the day is named: its end. */
  readonly clockUntil: number | undefined
  readonly isPartOfDay: boolean
  readonly dateRelation: Relation | undefined
  readonly clockRelation: Relation | undefined
  readonly isPast: boolean
  readonly isRecurring: boolean
  /** IANA zone, where the text names one. */
  readonly zone: string | undefined
}

interface Placed<Atom> {
  readonly atom: Atom
  /** Tokens. */
  readonly start: number
  readonly end: number
}

type Atom = Placed<DateAtom> | Placed<ClockAtom>

const isDate = (placed: Atom): placed is Placed<DateAtom> => placed.atom.is === "date"

/** The relation just before a date: "depois do carnaval", "until Friday". */
const relationBefore = (tokens: Tokens, at: number): Relation | undefined => {
  for (let index = at - 1; index >= Math.max(0, at - 2); index--) {
    const relation = meaning(tokens[index], "relation")
    if (relation !== undefined) return relation.value
    if (!isLight(tokens[index])) return undefined
  }
  return undefined
}

const atomsIn = (tokens: Tokens, setting: DateSetting): ReadonlyArray<Atom> => {
  const atoms: Array<Atom> = []
  for (let at = 0; at < tokens.length; ) {
    const date = dateAt(tokens, at, setting)
    const clock = clockAt(tokens, at)
    // "the 10th at 3" begins with a date, "10 to 12h" with a clock: the one that takes more of the text.
    if (date !== undefined && (clock === undefined || date.length >= clock.length)) {
      const relation = relationBefore(tokens, at)
      atoms.push({
        atom: relation === undefined ? date.atom : { ...date.atom, relation },
        start: at,
        end: at + date.length
      })
      at += date.length
    } else if (clock !== undefined) {
      atoms.push({ atom: clock.atom, start: at, end: at + clock.length })
      at += clock.length
    } else at++
  }
  return atoms
}

/** How many small words may stand between two parts of one expression. */
const widestGap = 4

const isJoint = (token: TimeToken | undefined): boolean =>
  isLight(token) || meaning(token, "at") !== undefined || meaning(token, "relation") !== undefined

const areAdjacent = (tokens: Tokens, end: number, start: number): boolean =>
  start - end <= widestGap && tokens.slice(end, start).every(isJoint)

const isOrBetween = (tokens: Tokens, end: number, start: number): boolean =>
  start - end <= widestGap &&
  tokens.slice(end, start).some((token) => meaning(token, "or") !== undefined || token.text === ",") &&
  tokens.slice(end, start).every((token) => isJoint(token) || meaning(token, "or") !== undefined)

const isWhole = ({ days, grain }: DateAtom): boolean => grain === "day" && days.first === days.last

/** A weekday with the day or the span next to it: "terça, 1 de dezembro", "quarta da semana que vem". */
const joinedDates = (one: DateAtom, other: DateAtom): DateAtom | undefined => {
  const [named, beside] = one.weekday !== undefined ? [one, other] : [other, one]
  if (named.weekday === undefined || beside.weekday !== undefined) return undefined
  if (isWhole(beside)) {
    const choices = [...(beside.alternatives ?? [beside.days.first])]
    const agreeing = choices.filter((day) => weekdayOf(day) === named.weekday)
    const day = agreeing[0]
    // "hoje, terça" agrees; "terça, 1 de dezembro" on a Sunday leaves open which of the two is wrong.
    if (day !== undefined) return { ...beside, days: { first: day, last: day }, alternatives: agreeing }
    return { ...beside, alternatives: [...choices, named.days.first] }
  }
  const { first, last } = beside.days
  const inside = Array.from({ length: Math.min(7, last - first + 1) }, (_, index) => first + index).find(
    (day) => weekdayOf(day) === named.weekday
  )
  if (inside === undefined) return undefined
  const isOneWeek = beside.grain === "week" || last - first < 7
  const { relation = named.relation } = beside
  return {
    is: "date",
    days: { first: inside, last: inside },
    grain: "day",
    weekday: named.weekday,
    ...(isOneWeek ? {} : { alternatives: [inside, inside + 7] }),
    ...(relation === undefined ? {} : { relation }),
    ...(beside.isPast === true ? { isPast: true } : {})
  }
}

/** Dates that are two halves of one, as one. */
const withDatesJoined = (tokens: Tokens, atoms: ReadonlyArray<Atom>): ReadonlyArray<Atom> => {
  const joined: Array<Atom> = []
  for (const placed of atoms) {
    const previous = joined.at(-1)
    if (
      previous !== undefined &&
      isDate(previous) &&
      isDate(placed) &&
      areAdjacent(tokens, previous.end, placed.start)
    ) {
      const atom = joinedDates(previous.atom, placed.atom)
      if (atom !== undefined) {
        joined[joined.length - 1] = { atom, start: previous.start, end: placed.end }
        continue
      }
    }
    joined.push(placed)
  }
  return joined
}

/** A clock and the part of the day next to it: "às 8 da noite", "à tarde, lá pelas 3". */
const joinedClocks = (one: ClockAtom, other: ClockAtom): ClockAtom | undefined => {
  const [part, clock] = one.isPart === true ? [one, other] : [other, one]
  if (part.isPart !== true || clock.isPart === true) return undefined
  const isLate = (part.readings[0] ?? 0) >= 720
  const readings = clock.readings.filter((minutes) => minutes >= 720 === isLate)
  return readings.length === 0 ? undefined : { ...clock, readings }
}

interface Draft {
  date: Placed<DateAtom> | undefined
  clock: Placed<ClockAtom> | undefined
  start: number
  end: number
}

const addClock = (tokens: Tokens, drafts: Array<Draft>, placed: Placed<ClockAtom>): void => {
  const last = drafts.at(-1)
  const { end, start } = placed
  if (last !== undefined && areAdjacent(tokens, last.end, start)) {
    if (last.clock === undefined) {
      Object.assign(last, { clock: placed, end })
      return
    }
    const joined = joinedClocks(last.clock.atom, placed.atom)
    if (joined !== undefined) {
      Object.assign(last, { clock: { ...placed, atom: joined }, end })
      return
    }
  }
  // "terça às 10 ou às 11": the second time is on the same day.
  const isChoice = last?.date !== undefined && isOrBetween(tokens, last.end, start)
  drafts.push({ date: isChoice ? last.date : undefined, clock: placed, start, end })
}

const addDate = (tokens: Tokens, drafts: Array<Draft>, placed: Placed<DateAtom>): void => {
  const last = drafts.at(-1)
  const { end, start } = placed
  if (last?.clock !== undefined && last.date === undefined && areAdjacent(tokens, last.end, start)) {
    Object.assign(last, { date: placed, end })
    return
  }
  drafts.push({ date: placed, clock: undefined, start, end })
}

/** "terça ou quarta às 10": the time is that of both days. */
const shareClocks = (tokens: Tokens, drafts: ReadonlyArray<Draft>): void => {
  for (let index = drafts.length - 2; index >= 0; index--) {
    const [one, next] = [drafts[index], drafts[index + 1]]
    if (one === undefined || next?.clock === undefined || one.clock !== undefined || one.date === undefined) continue
    if (next.date !== undefined && isOrBetween(tokens, one.end, next.start)) one.clock = next.clock
  }
}

const mentionOf = (folded: string, tokens: Tokens, { clock, date, end, start }: Draft): TimeMention => {
  const from = tokens[start]?.from ?? 0
  const zone = clock === undefined ? undefined : zoneAt(tokens, end)
  const to = tokens[(zone?.end ?? end) - 1]?.to ?? from
  const days = date?.atom.days
  return {
    from,
    to,
    text: folded.slice(from, to),
    days,
    grain: date?.atom.grain,
    dayChoices: date?.atom.alternatives ?? (days !== undefined && days.first === days.last ? [days.first] : []),
    clock: clock?.atom.readings ?? [],
    clockUntil: clock?.atom.until,
    isPartOfDay: clock?.atom.isPart === true,
    dateRelation: date?.atom.relation,
    clockRelation: clock?.atom.relation,
    isPast: date?.atom.isPast === true,
    isRecurring: date?.atom.isRecurring === true,
    zone: zone?.zone
  }
}

/** Long texts are read by their beginning. */
const longestText = 4000

/**
 * The times that a folded text names, in their order. `today` (`YYYY-MM-DD`) is the day on which it was written, where
 * it was written; `figures` is how its writer puts dates in figures.
 */
export const timeMentions = (
  folded: string,
  setting: { readonly today: string; readonly figures: DateSetting["figures"]; readonly language: Language }
): ReadonlyArray<TimeMention> => {
  const text = folded.slice(0, longestText)
  const tokens = timeTokens(text, setting.language)
  const atoms = withDatesJoined(tokens, atomsIn(tokens, { today: dayOfDate(setting.today), figures: setting.figures }))
  const drafts: Array<Draft> = []
  for (const placed of atoms) {
    if (isDate(placed)) addDate(tokens, drafts, placed)
    else addClock(tokens, drafts, placed)
  }
  shareClocks(tokens, drafts)
  return drafts.map((draft) => mentionOf(text, tokens, draft))
}
