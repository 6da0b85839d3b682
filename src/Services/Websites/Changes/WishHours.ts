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

/** The opening hours of some days: "sábado agora é até 14h", "we close at 5pm on Fridays". */
const daysChange = (text: string, desk: ChangeDesk): Outcome | undefined => {
  const { notes, site } = desk
  const { days, rest } = daysIn(text)
  const times = timesIn(rest)
  const words = wordsOf(rest)
  const isDenied =
    words.some((word) => ["nao", "not", "don't", "dont", "no", "won't"].includes(word)) && languageNo(text)
  const isClosed =
    times.length === 0 &&
    (words.some((word) => closedAll.has(word)) ||
      (isDenied && words.some((word) => opening.has(word))) ||
      words.some((word) => ["fechamos", "cerramos", "close", "closing"].includes(word)))
  if ((times.length === 0 && !isClosed) || times.length > 2) return undefined
  const left = unexplained(
    words.filter((word) => !/^\d/.test(word)),
    (word) =>
      closing.has(word) ||
      opening.has(word) ||
      closedAll.has(word) ||
      other.has(word) ||
      isNoun(word, "hours") ||
      valueMarks.has(word) ||
      (isClosed && denied.has(word)) ||
      verbs.some(([act, list]) => act !== "remove" && list.has(word))
  )
  if (left.length > 0) return undefined
  const isAboutHours =
    words.some((word) => closing.has(word) || opening.has(word) || isNoun(word, "hours")) || days.length > 0
  if (!isAboutHours) return undefined
  const [first, second] = times
  const closes = second ?? (words.some((word) => closing.has(word)) ? first : undefined)
  const opens = second !== undefined ? first : closes === undefined ? first : undefined
  if (second === undefined && closes === undefined && !words.some((word) => opening.has(word)) && !isClosed)
    return undefined
  const [hours] = blocksOfKind(site, "Contact").flatMap(({ block }) => (block.hours === null ? [] : [block.hours]))
  const changed = changedHours(hours, { days, open: opens, close: closes, isClosed }, languageOf(site.language))
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
