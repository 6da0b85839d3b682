import { instantAt } from "../../Core/LocalTime.ts"
import type { Language } from "../../Text/Language.ts"
import { fold, type Span } from "../../Text/PlainText.ts"
import { type Act, type ActTime, isExactClock } from "../Acts.ts"
import { bookingKinds } from "../Consequences/ContextCertainty.ts"
import { minutesOf, type StandingMeeting } from "./MeetingWish.ts"

/**
 * What makes the times that a reply proposes doubtful: another time of day that nothing explains, several that are not
 * offered as a choice, and words with which people correct themselves. A doubtful time is asked about, not booked.
 */

/** A time that no act speaks of is a mention of this certainty. */
export const unexplained = 0.5

/** Of a clock that leaves the half of the day open, either half may be meant. */
const halfDay = 720

const isSameClock = (one: ActTime, other: ActTime): boolean =>
  one.minutes.some((minute) => other.minutes.some((each) => each % halfDay === minute % halfDay))

interface TimedAct extends Act {
  readonly time: ActTime
}

const withClock = (acts: ReadonlyArray<Act>): ReadonlyArray<TimedAct> =>
  acts.flatMap((act) => (act.time !== null && isExactClock(act.time) ? [{ ...act, time: act.time }] : []))

/** Words between two times that are a choice: "às 10 ou às 11", "Tuesday at 3, 4 or 5". Folded, all three languages. */
const choiceWords: ReadonlySet<string> = new Set(
  "or and ou e o u y tambem tambien also at as a las la el on the then entao then da do de".split(" ")
)

const conjunctions: ReadonlySet<string> = new Set(["or", "and", "ou", "e", "o", "u", "y"])

/** "Either at ten, | or at three". */
const alternative = /^(?:or|ou|o|u)\s/

/** Whether two times in a text are offered next to each other. */
const isChoice = (folded: string, one: ActTime, other: ActTime): boolean => {
  if (one.zone !== null && other.zone !== null && one.zone !== other.zone) return true
  const from = folded.indexOf(one.text)
  const to = folded.indexOf(other.text, from + one.text.length)
  if (from < 0 || to < 0) return false
  const between = folded.slice(from + one.text.length, to)
  const words = between.split(/[^\p{L}]+/u).filter((word) => word !== "")
  // Two times with nothing between them are no choice: "abre às 10, então segunda 9h".
  const isJoined = /[,/]/.test(between) || words.some((word) => conjunctions.has(word))
  return isJoined && !/[.;!?]/.test(between) && words.every((word) => choiceWords.has(word))
}

/** "17:00 in Madrid, 16:00 here": the same moment in the lead's own zone. */
const isSameMoment = ({ days, minutes, zone }: ActTime, other: ActTime, ownZone: string): boolean => {
  const [here, there] = [zone ?? ownZone, other.zone ?? ownZone]
  return (
    here !== there &&
    days.some((day) =>
      minutes.some((minute) =>
        other.minutes.some((each) => instantAt(day, each, there) === instantAt(day, minute, here))
      )
    )
  )
}

const isSameDay = (one: ActTime, other: ActTime): boolean =>
  one.days.length === 0 || other.days.length === 0 || one.days.some((day) => other.days.includes(day))

/** Whether the reply proposes another time of the same day that is no choice next to this one. */
const isOneOfSeveral = (act: TimedAct, proposals: ReadonlyArray<TimedAct>, ownZone: string): boolean => {
  const folded = fold(act.text)
  return proposals.some(
    (other) =>
      isSameDay(act.time, other.time) &&
      !isSameClock(act.time, other.time) &&
      !isSameMoment(act.time, other.time, ownZone) &&
      !isSameMoment(other.time, act.time, ownZone) &&
      !alternative.test(fold(other.text)) &&
      !alternative.test(folded) &&
      !(other.text === act.text && (isChoice(folded, act.time, other.time) || isChoice(folded, other.time, act.time)))
  )
}

/** The lead's place, and the agreed meeting. */
export interface DoubtSetting {
  /** IANA time zone. */
  readonly timeZone: string
  readonly standingMeeting?: StandingMeeting
}

/** The acts, with proposals uncertain where the rest of the reply leaves open which time is meant. */
export const withTimeDoubts = (
  acts: ReadonlyArray<Act>,
  { standingMeeting, timeZone }: DoubtSetting
): ReadonlyArray<Act> => {
  // The time that the meeting is moved from is no other proposal.
  const clocks = withClock(acts).filter(
    ({ time }) => standingMeeting === undefined || !time.minutes.includes(minutesOf(standingMeeting.time))
  )
  const proposals = clocks.filter(({ kind }) => bookingKinds.has(kind))
  const open = clocks.filter(
    ({ certainty, isCertain, kind, text, time }) =>
      kind === "mentions" &&
      !isCertain &&
      certainty <= unexplained &&
      !alternative.test(fold(text)) &&
      !proposals.some((proposal) => isSameClock(proposal.time, time) || isSameMoment(proposal.time, time, timeZone))
  )
  return acts.map((act) => {
    const { time } = act
    if (!act.isCertain || !bookingKinds.has(act.kind) || time === null || !isExactClock(time)) return act
    const isDoubtful = open.length > 0 || isOneOfSeveral({ ...act, time }, proposals, timeZone)
    return isDoubtful ? { ...act, isCertain: false } : act
  })
}

/** Words with which people take back what they just said. Folded. */
const corrections: { readonly [L in Language]: ReadonlyArray<string> } = {
  "pt-BR": [
    "nao pera",
    "pera",
    "perai",
    "nao espera",
    "ih nao",
    "digo",
    "quer dizer",
    "minto",
    "corrigindo",
    "ou melhor"
  ],
  en: ["wait", "hang on", "hold on", "scratch that", "i mean", "correction", "make that", "actually no"],
  es: ["no espera", "espera", "digo", "mejor dicho", "me equivoque", "corrijo", "quise decir", "perdon"]
}

const isLetter = (letter: string): boolean => /\p{L}/u.test(letter)

/** The position of a correction in a folded text, if there is one. */
export const correctionIn = (folded: string, language: Language): Span | undefined => {
  for (const phrase of corrections[language]) {
    const from = folded.indexOf(phrase)
    const to = from + phrase.length
    if (from >= 0 && !isLetter(folded.charAt(from - 1)) && !isLetter(folded.charAt(to))) return { from, to }
  }
  return undefined
}

/** A withdrawn time is no longer a proposal and says nothing about other times. */
export const takenBack = (acts: ReadonlyArray<Act>): ReadonlyArray<Act> =>
  acts.map((act) =>
    bookingKinds.has(act.kind) && act.time !== null && isExactClock(act.time)
      ? { ...act, kind: "cannot", isCertain: false }
      : act
  )
