import { clip, fold } from "../../Text/PlainText.ts"
import type { SentenceClassifier } from "../../Text/Sentences/SentenceClassifier.ts"
import { dateOfDay, daysAfter } from "../../Text/Times/Days.ts"
import { timeMentions } from "../../Text/Times/TimeMentions.ts"
import { type Act, type ActKind, type ActTime, actOf, isExactClock } from "../Acts.ts"
import { actsByReader } from "../ReadActs.ts"
import type { ReadingSetting } from "./ClauseTimes.ts"

/**
 * What a reply accepts of the times that the quoted mail offered: "Works for me" below an offer of one time takes it, "Thursday
 * then" takes the one on Thursday. Below an offer of several times a plain yes leaves open which one is meant.
 */

const longestQuoted = 2000

/** Older offers may be about another week. In days. */
const oldestOffer = 6

/** Acts that take an offered time. */
const accepting: ReadonlySet<ActKind> = new Set(["confirms", "proposes"])

/** Acts next to which a plain yes still takes the one time that was offered. Next to others it may be about them. */
const besidesYes: ReadonlySet<ActKind> = new Set(["confirms", "thanks", "is_interested", "wants_meeting", "forwards"])

/** The times that a quoted mail offers. */
interface Offer {
  /** Each exact time in the mail, and whether the mail proposes it with certainty. */
  readonly times: ReadonlyArray<{ readonly time: ActTime; readonly isProposed: boolean }>
  /** True if the date of the quoted mail is known. */
  readonly isDated: boolean
}

/** The lines of the quoted mail without the marks of quotation. */
const linesOf = (quoted: string): ReadonlyArray<string> =>
  clip(quoted, longestQuoted)
    .split("\n")
    .map((line) => line.replace(/^[\s>]+/, ""))

/** The day on which the quoted mail was written, by the date above it; undefined where it has none. */
const dayWritten = (lines: ReadonlyArray<string>, { figures, language, today }: ReadingSetting): string | undefined => {
  const heading = lines.find((line) => line !== "") ?? ""
  const [date] = timeMentions(fold(heading), { today, figures, language }).flatMap(({ dayChoices }) => dayChoices)
  const day = date === undefined ? undefined : dateOfDay(date)
  return day !== undefined && day <= today && day >= daysAfter(today, -oldestOffer) ? day : undefined
}

const offerIn = (quoted: string, classifier: SentenceClassifier, setting: ReadingSetting): Offer => {
  const lines = linesOf(quoted)
  const writtenOn = dayWritten(lines, setting)
  const acts = actsByReader(lines.join("\n"), classifier, { ...setting, today: writtenOn ?? setting.today })
  const times = new Map<string, Offer["times"][number]>()
  for (const { isCertain, kind, time } of acts) {
    if (time === null || time.days.length !== 1 || !isExactClock(time) || (time.first ?? "") < setting.today) continue
    const key = JSON.stringify([time.days, time.minutes])
    const isProposed = (kind === "proposes" && isCertain) || times.get(key)?.isProposed === true
    times.set(key, { time, isProposed })
  }
  return { times: [...times.values()], isDated: writtenOn !== undefined }
}

const only = <A>(values: ReadonlyArray<A>): A | undefined => (values.length === 1 ? values[0] : undefined)

const hasNoClock = ({ minutes, untilMinute }: ActTime): boolean => minutes.length === 0 && untilMinute === null

/** The offered time that an act with a day or an hour alone takes. */
const takenTime = (time: ActTime, offered: ReadonlyArray<ActTime>): ActTime | undefined => {
  if (time.isPast || time.relation !== null) return undefined
  if (hasNoClock(time)) return only(offered.filter(({ days }) => time.days.length === 1 && days[0] === time.days[0]))
  return time.days.length === 0 && time.first === null && time.untilMinute === null
    ? only(offered.filter(({ minutes }) => minutes.some((minute) => time.minutes.includes(minute))))
    : undefined
}

/** The acts of a reply with the times that it takes of those which its quoted mail offers. */
export const withOfferedTimes = (
  acts: ReadonlyArray<Act>,
  quoted: string,
  classifier: SentenceClassifier,
  setting: ReadingSetting
): ReadonlyArray<Act> => {
  const isAccepted = acts.some(({ kind }) => accepting.has(kind))
  if (quoted === "" || setting.standing !== undefined || !isAccepted) return acts
  const { isDated, times } = offerIn(quoted, classifier, setting)
  const [first, ...others] = times
  if (first === undefined) return acts
  if (acts.some(({ kind, time }) => time !== null || kind === "proposes")) {
    const offered = times.map(({ time }) => time)
    return acts.map((act) => {
      const takenOffer = act.time === null || !accepting.has(act.kind) ? undefined : takenTime(act.time, offered)
      return takenOffer === undefined ? act : { ...act, isCertain: act.isCertain && isDated, time: takenOffer }
    })
  }
  const isPlainYes = acts.every(({ kind }) => besidesYes.has(kind))
  return acts.flatMap((act): ReadonlyArray<Act> => {
    if (act.kind !== "confirms") return [act]
    const { certainty, isCertain, text } = act
    if (others.length === 0) {
      return [{ ...act, isCertain: isCertain && isDated && isPlainYes && first.isProposed, time: first.time }]
    }
    return [actOf("wants_meeting", text, { certainty, isCertain }), actOf("unclear", text, { certainty, isCertain })]
  })
}
