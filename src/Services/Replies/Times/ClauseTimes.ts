import type { Language } from "../../Text/Language.ts"
import { fold, type Span } from "../../Text/PlainText.ts"
import type { DateSetting } from "../../Text/Times/DateAtoms.ts"
import { dateOfDay } from "../../Text/Times/Days.ts"
import { agreement } from "../../Text/Times/SecondOpinion.ts"
import { type TimeMention, timeMentions } from "../../Text/Times/TimeMentions.ts"
import { type ActTime, actTimeOf, isExactClock } from "../Acts.ts"
import type { Clause, ReadSentence } from "../Clauses.ts"
import { isOfMeeting, type StandingMeeting } from "./MeetingWish.ts"
import { completedTime, dayAfterLength, shiftedTime, type TimeContext } from "./RelativeTimes.ts"
import { correctionIn } from "./TimeDoubts.ts"

/** Words that take the time behind them out of what is offered. */
const excluders: { readonly [L in Language]: ReadonlySet<string> } = {
  "pt-BR": new Set(["nao", "nem", "menos", "exceto", "salvo", "nunca", "tirando"]),
  en: new Set(["not", "except", "never", "nor", "excluding", "barring", "cannot"]),
  es: new Set(["no", "ni", "menos", "excepto", "salvo", "nunca"])
}
/** The largest number of words between such a word and the time. */
const widestExclusion = 2

const actTime = (mention: TimeMention): ActTime => ({
  text: mention.text,
  days: mention.dayChoices.map(dateOfDay),
  first: mention.days === undefined ? null : dateOfDay(mention.days.first),
  last: mention.days === undefined ? null : dateOfDay(mention.days.last),
  minutes: mention.clock,
  untilMinute: mention.clockUntil ?? null,
  zone: mention.zone ?? null,
  isPast: mention.isPast || mention.isRecurring,
  relation: mention.dateRelation ?? mention.clockRelation ?? null
})

/** The place, time and language in which a reply was written. */
export interface ReadingSetting {
  /** The lead's local date, as `YYYY-MM-DD`. */
  readonly today: string
  readonly figures: DateSetting["figures"]
  readonly language: Language
  /** The meeting that was agreed on. */
  readonly standing?: StandingMeeting
}

export interface ClauseTime extends ActTime {
  /** Whether a word before it takes it out of what is offered: "not on Wednesday". */
  readonly isExcluded: boolean
  /** Whether a second reader of times takes the same words for another time. */
  readonly isDoubtful: boolean
  /** True if it replaces another time in the same clause: "three instead of two". */
  readonly isReplacement: boolean
}

/** Words before a time that another one replaces: "at ten instead of nine". Folded. */
const replaced: { readonly [L in Language]: ReadonlyArray<string> } = {
  "pt-BR": ["em vez de", "em vez das", "ao inves de", "ao inves das", "no lugar de", "no lugar das"],
  en: ["instead of", "rather than", "in place of"],
  es: ["en vez de", "en lugar de"]
}
/** Small words that may stand between them and the time. */
const mostSmallWords = 3

const wordsIn = (folded: string): ReadonlyArray<string> => folded.split(/[^\p{L}]+/u).filter((word) => word !== "")

/** Whether words before a time take it out of what is offered. `earlier` is where the time before it ends. */
const isExcludedIn = (folded: string, from: number, earlier: number, language: Language): boolean => {
  if (
    wordsIn(folded.slice(0, from))
      .slice(-widestExclusion - 1)
      .some((word) => excluders[language].has(word))
  )
    return true
  // "Instead of two, three": only the first is replaced.
  const words = wordsIn(folded.slice(earlier, from))
  return replaced[language].some((phrase) => {
    const size = phrase.split(" ").length
    return Array.from({ length: mostSmallWords }, (_, gap) => words.slice(-size - gap, words.length - gap)).some(
      (before) => before.join(" ") === phrase
    )
  })
}

/** Whether a text has a word that denies. */
export const denies = (text: string, language: Language): boolean =>
  wordsIn(fold(text)).some((word) => excluders[language].has(word))

/** Marks the time of a clause that replaces another one of it, if the clause denies nothing else. */
const withReplacements = (
  times: ReadonlyArray<ClauseTime>,
  folded: string,
  language: Language
): ReadonlyArray<ClauseTime> => {
  const [replacement, ...others] = times.filter((time) => isExactClock(time) && !time.isExcluded)
  return others.length === 0 &&
    times.some(({ isExcluded }) => isExcluded) &&
    replaced[language].some((phrase) => folded.includes(phrase)) &&
    !denies(folded, language)
    ? times.map((time) => (time === replacement ? { ...time, isReplacement: true } : time))
    : times
}

/** Reads the times of one reply. What was read once is remembered, since several acts ask for the times of a clause. */
export interface TimeReader {
  readonly setting: ReadingSetting
  /** The times in a folded text. */
  readonly mentionsIn: (folded: string) => ReadonlyArray<TimeMention>
  /** The times that a clause names by itself. */
  readonly mentionsOf: (clause: Clause, sentence: ReadSentence) => ReadonlyArray<TimeMention>
  /** The times that a clause names, by itself or by another time. */
  readonly timesOf: (clause: Clause, sentence: ReadSentence, lastDay: string | undefined) => ReadonlyArray<ClauseTime>
  /** Where a folded sentence corrects what was said before. */
  readonly correctionOf: (sentence: ReadSentence) => Span | undefined
  /** The day on which a length of time is over that a sentence names in words such as "for three weeks". */
  readonly endOfLength: (sentence: ReadSentence) => ActTime | null
  /** The last single day that a sentence names. */
  readonly lastDayIn: (sentence: ReadSentence) => string | undefined
}

/** A function that computes the value of a key once. */
const remembered = <K, V>(compute: (key: K) => V): ((key: K) => V) => {
  const values = new Map<K, { readonly value: V }>()
  return (key) => {
    const entry = values.get(key) ?? { value: compute(key) }
    values.set(key, entry)
    return entry.value
  }
}

export const timeReader = (setting: ReadingSetting): TimeReader => {
  const mentionsIn = remembered((folded: string) => timeMentions(folded, setting))
  const foldedOf = remembered(fold)
  // The clauses of a sentence that names no time name none.
  const mentionsOf = (clause: Clause, sentence: ReadSentence): ReadonlyArray<TimeMention> => {
    const inSentence = mentionsIn(foldedOf(sentence.text))
    return inSentence.length === 0 ? inSentence : mentionsIn(foldedOf(clause.text))
  }
  const correctionOf = remembered(({ text }: ReadSentence) => correctionIn(foldedOf(text), setting.language))
  const times = new Map<Clause, ReadonlyArray<ClauseTime>>()
  const readTimes = (
    clause: Clause,
    sentence: ReadSentence,
    lastDay: string | undefined
  ): ReadonlyArray<ClauseTime> => {
    // Only the meeting that was agreed on lets words such as "an hour later" name a time.
    if (setting.standing === undefined && mentionsOf(clause, sentence).length === 0) return []
    const context: TimeContext = { language: setting.language, standing: setting.standing, lastDay }
    const [folded, foldedSentence] = [foldedOf(clause.text), foldedOf(sentence.text)]
    const clocks = mentionsOf(clause, sentence).filter(
      ({ clock, clockUntil }) => clock.length > 0 && clockUntil === undefined
    )
    const shifted = shiftedTime(folded, context, clocks.length === 1 ? clocks[0]?.clock[0] : undefined)
    // "At four, no wait, half past four": the first is taken back.
    const correction = correctionOf(sentence)
    const start = Math.max(0, foldedSentence.indexOf(folded))
    const isCorrected =
      correction !== undefined &&
      mentionsIn(foldedSentence).some(({ clock, from }) => clock.length > 0 && from >= correction.to)
    const named = withReplacements(
      mentionsOf(clause, sentence).map((mention, index, all) => ({
        ...completedTime(actTime(mention), foldedSentence, context),
        isExcluded:
          isExcludedIn(folded, mention.from, all[index - 1]?.to ?? 0, setting.language) ||
          (isCorrected && start + mention.from < correction.from),
        isDoubtful: mention.clock.length > 0 && agreement(clause.text, mention, setting) === "disagrees",
        isReplacement: false
      })),
      folded,
      setting.language
    )
    // "An hour later" is no time of day, and "Tuesday's call, an hour later" names the meeting that is moved.
    const isOther = (time: ActTime): boolean =>
      time.days.length > 0 && (setting.standing === undefined || !isOfMeeting(time, setting.standing))
    return shifted === undefined || (!shifted.isByDays && named.some(isOther))
      ? named
      : [{ ...shifted.time, isExcluded: false, isDoubtful: false, isReplacement: false }]
  }
  return {
    setting,
    mentionsIn,
    mentionsOf,
    correctionOf,
    timesOf: (clause, sentence, lastDay) => {
      const earlier = times.get(clause)
      if (earlier !== undefined) return earlier
      const read = readTimes(clause, sentence, lastDay)
      times.set(clause, read)
      return read
    },
    endOfLength: ({ text }) => {
      const folded = foldedOf(text)
      const day = mentionsIn(folded).length > 0 ? undefined : dayAfterLength(folded, setting.today)
      return day === undefined ? null : actTimeOf(folded.slice(0, 200), { first: day, last: day, relation: "from" })
    },
    lastDayIn: ({ text }) =>
      mentionsIn(foldedOf(text))
        .flatMap(({ dayChoices, days, grain }) => {
          // "Until Wednesday 9" names a day too, to which "that day" goes back.
          const named =
            dayChoices.length === 0 && grain === "day" && days?.first === days?.last ? days?.first : undefined
          const [day = named] = dayChoices.length < 2 ? dayChoices : []
          return day === undefined ? [] : [dateOfDay(day)]
        })
        .at(-1)
  }
}
