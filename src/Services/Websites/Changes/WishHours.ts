import { languageOf } from "../../Text/Language.ts"
import { fold } from "../../Text/PlainText.ts"
import { capitalised, within, withoutEnd } from "../Material/MaterialText.ts"
import type { ChangeDesk } from "./ChangeDesk.ts"
import { blocksOfKind } from "./ChangeTargets.ts"
import { changedHours, daysIn, timesIn } from "./OpeningHours.ts"
import { settingDetail } from "./WishContacts.ts"
import { failure, type Outcome, type Reading } from "./WishOutcome.ts"
import { unexplained, wordsOf } from "./WishTokens.ts"
import { isNoun, valueMarks, verbs, wordList } from "./WishWords.ts"

const closing = wordList("fech* clos* shut cerra* cierra* ate until till hasta encerr*")
const opening = wordList("abr* open* desde from since partir start* atend* funciona* come*")
const closedAll = wordList("fechado fechada fechados closed cerrado cerrada cerrados")
const other = wordList(
  "agora now ahora passa passamos pasa hours horas h am pm hs hrs as das de a la las every cada todo todos o os from starting partir dia dias day days semana fim fin week later early mais tarde cedo temprano until late new novo nuevo expediente vamos going business we're doors well attend* so solo only just apenas somente solamente abierto abiertos aberto aberta abertos works work trabalha* trabaja*"
)
const denied = wordList("nao no not don't dont won't never nunca mais longer anymore more mas ya ja")

/** Whether a sentence without times says that it is closed. */
const saysClosed = (text: string, words: ReadonlyArray<string>): boolean =>
  words.some((word) => closedAll.has(word) || ["fechamos", "cerramos", "close", "closing"].includes(word)) ||
  (languageNo(text) && words.some((word) => opening.has(word)))

/** What the times of a sentence are: when it opens, when it closes, or both. */
const timesOf = (
  [first, second]: ReadonlyArray<string>,
  words: ReadonlyArray<string>
): { readonly open: string | undefined; readonly close: string | undefined } | undefined => {
  if (first === undefined) return { open: undefined, close: undefined }
  if (second !== undefined) return { open: first, close: second }
  if (words.some((word) => closing.has(word))) return { open: undefined, close: first }
  return words.some((word) => opening.has(word)) ? { open: first, close: undefined } : undefined
}

/** The opening hours of some days: "sábado agora é até 14h", "we close at 5pm on Fridays". */
const daysChange = (text: string, desk: ChangeDesk): Outcome | undefined => {
  const { notes, site } = desk
  const { days, rest } = daysIn(text)
  const times = timesIn(rest)
  const words = wordsOf(rest)
  const isClosed = times.length === 0 && saysClosed(text, words)
  if ((times.length === 0 && !isClosed) || times.length > 2) return undefined
  const isOfHours = (word: string): boolean =>
    [closing, opening, closedAll, other, valueMarks].some((list) => list.has(word)) ||
    isNoun(word, "hours") ||
    (isClosed && denied.has(word)) ||
    verbs.some(([act, list]) => act !== "remove" && list.has(word))
  const isNamed =
    days.length > 0 || words.some((word) => closing.has(word) || opening.has(word) || isNoun(word, "hours"))
  const newTimes = timesOf(times, words)
  if (newTimes === undefined || !isNamed) return undefined
  if (
    unexplained(
      words.filter((word) => !/^\d/.test(word)),
      isOfHours
    ).length > 0
  )
    return undefined
  const [hours] = blocksOfKind(site, "Contact").flatMap(({ block }) => (block.hours === null ? [] : [block.hours]))
  const changed = changedHours(hours, { days, ...newTimes, isClosed }, languageOf(site.language))
  return changed === undefined || changed.length > 300
    ? failure(notes.hoursUnclear(within(hours ?? "", 160)), notes.giveHours)
    : settingDetail(desk, "hours", changed)
}

/** "No" is "in the" in Portuguese. */
const languageNo = (text: string): boolean => /\b(?:nao|not|don't|dont|won't|no (?:abr|open|atend))/.test(fold(text))

/** All hours at once: "o horário agora é …". */
export const settingHours = (
  { act, isStatement, object, value }: Reading,
  desk: ChangeDesk,
  text: string
): Outcome | undefined => {
  if (act === "remove" || act === "move") return undefined
  const nouns = unexplained(wordsOf(object), (word) => isNoun(word, "hours", "business") || other.has(word))
  const isNamed = nouns.length === 0 && wordsOf(object).some((word) => isNoun(word, "hours"))
  if (value !== undefined && isNamed && /\d/.test(value) && (timesIn(value).length > 1 || /24/.test(value)))
    return settingDetail(desk, "hours", within(capitalised(withoutEnd(value.trim(), ".;")), 300))
  return isStatement || isNamed || act !== "add" ? daysChange(text, desk) : undefined
}
