import { languageOf } from "../../../Text/Language.ts"
import { capitalised, within, withoutEnd } from "../../Material/MaterialText.ts"
import { type EditDesk, failure, type Outcome } from "../EditDesk.ts"
import { changedHours, type Days, daysIn, timesIn } from "../OpeningHours.ts"
import { type Clause, rawText, unexplained, withTokens } from "../Reading/EditClause.ts"
import { has, hasDigit, isWord, type Token, tokensOf } from "../Reading/EditTokens.ts"
import { blocksOfKind } from "../SiteSections.ts"
import { setDetail } from "./ContactEdits.ts"

const untilWords: ReadonlySet<string> = new Set(["ate", "until", "till", "til", "hasta", "finish"])
const noon: ReadonlySet<string> = new Set(["noon", "midday", "mediodia", "meio-dia"])
const evening: ReadonlySet<string> = new Set(["noite", "noche", "evening", "tarde", "afternoon", "pm"])
const morning: ReadonlySet<string> = new Set(["manha", "manana", "morning", "madrugada"])

/** The times of day in the tokens, including the words after them: "9 da noite" becomes 21h. */
const spokenTimes = (
  tokens: ReadonlyArray<Token>
): { readonly times: ReadonlyArray<string>; readonly used: ReadonlySet<Token> } => {
  const times: Array<string> = []
  const used = new Set<Token>()
  tokens.forEach((token, at) => {
    const next = tokens[at + 1]
    if (isWord(token) && (noon.has(token.word) || (token.word === "meio" && next?.word === "dia"))) {
      times.push("12h")
      used.add(token)
      if (token.word === "meio" && next !== undefined) used.add(next)
      return
    }
    if (token.kind !== "time" && token.kind !== "number") return
    const [time] = timesIn(token.text)
    if (time === undefined) return
    used.add(token)
    const behind = tokens
      .slice(at + 1, at + 4)
      .find((each) => isWord(each) && (evening.has(each.word) || morning.has(each.word)))
    const isNear =
      behind !== undefined &&
      tokens.slice(at + 1, tokens.indexOf(behind)).every((each) => isWord(each) && has(each, "function"))
    const hour = Number(/^\d{1,2}/.exec(time)?.[0])
    if (behind === undefined || !isNear) {
      times.push(time)
      return
    }
    used.add(behind)
    const isLate = evening.has(behind.word) && hour < 12
    const minutes = /[:h.](\d{2})/.exec(time)?.[1]
    times.push(`${isLate ? hour + 12 : hour}h${minutes ?? ""}`)
  })
  return { times, used }
}

interface SpokenHours {
  readonly days: Days
  readonly open: string | undefined
  readonly close: string | undefined
  readonly isClosed: boolean
}

/** Decides whether the times of a clause are for opening, closing, or both. */
const timesOf = (
  [first, second]: ReadonlyArray<string>,
  clause: Clause
): Pick<SpokenHours, "open" | "close"> | undefined => {
  if (first === undefined) return { open: undefined, close: undefined }
  if (second !== undefined) return { open: first, close: second }
  const isClosing = clause.tokens.some((token) => isWord(token) && has(token, "closeverb"))
  const isOpening = clause.tokens.some(
    (token) => isWord(token) && (has(token, "openverb") || ["from", "desde", "partir"].includes(token.word))
  )
  if (isClosing) return { open: undefined, close: first }
  return isOpening ? { open: first, close: undefined } : undefined
}

/** True for a negated verb of opening, or a word for "closed" without a time. */
const saysClosed = (clause: Clause): boolean => {
  const { tokens } = clause
  const isDenied = tokens.some((token) => isWord(token) && has(token, "negation"))
  const opens = tokens.some((token) => isWord(token) && has(token, "openverb"))
  return isDenied
    ? opens
    : tokens.some(
        (token) => isWord(token) && (has(token, "closedword") || /^(?:fech|cerr|cierr|clos)/.test(token.word))
      )
}

/** The tokens of a clause that `daysIn` reads as days. */
const dayTokens = (clause: Clause): ReadonlySet<Token> => {
  const used = new Set<Token>()
  clause.tokens.forEach((token, at) => {
    if (!isWord(token)) return
    if (daysIn(token.text).days.length > 0) used.add(token)
    const [before, behind] = [clause.tokens[at - 1], clause.tokens[at + 1]]
    const isBetween =
      before !== undefined &&
      behind !== undefined &&
      daysIn(before.text).days.length > 0 &&
      daysIn(behind.text).days.length > 0
    if (isBetween && ["to", "through", "thru", "ate", "until", "hasta", "a"].includes(token.word)) used.add(token)
  })
  return used
}

/** The hours that a clause gives for some days. Undefined if one of its words says something else. */
const spokenHours = (clause: Clause): SpokenHours | undefined => {
  const days = dayTokens(clause)
  const { times, used } = spokenTimes(clause.tokens.filter((token) => !days.has(token)))
  const rest = withTokens(
    clause,
    clause.tokens.filter((token) => !days.has(token) && !used.has(token))
  )
  const isClosed = times.length === 0 && saysClosed(rest)
  if ((times.length === 0 && !isClosed) || times.length > 2) return undefined
  const newTimes = timesOf(times, rest)
  if (newTimes === undefined) return undefined
  const left = unexplained(
    rest,
    "hours",
    "openverb",
    "closeverb",
    "closedword",
    "hourswords",
    "now",
    "set",
    "change",
    "copula",
    "valuemark",
    "subject",
    "business",
    "only",
    "polite",
    (token) => isWord(token) && isClosed && has(token, "negation", "anymore")
  )
  const { days: named } = daysIn(clause.text)
  const isOfHours =
    named.length > 0 ||
    rest.tokens.some(
      (token) =>
        isWord(token) && (has(token, "hours", "openverb") || (has(token, "closeverb") && !untilWords.has(token.word)))
    )
  return left.length > 0 || !isOfHours ? undefined : { days: named, ...newTimes, isClosed }
}

/** Rewrites spoken times in opening hours as clock times. */
const plainTimes = (hours: string): string => {
  const tokens = tokensOf(hours)
  const { times, used } = spokenTimes(tokens)
  const isSpoken = [...used].some((token) => isWord(token))
  if (!isSpoken) return hours
  let text = ""
  let from = 0
  let next = 0
  for (const token of tokens) {
    if (!used.has(token) || (isWord(token) && !noon.has(token.word) && token.word !== "meio")) continue
    const behind = [...used].filter((each) => isWord(each) && each.start > token.end && each.start - token.end < 12)[0]
    const end =
      behind !== undefined && !noon.has(behind.word) && behind.word !== "meio" && hasDigit(token)
        ? behind.end
        : token.word === "meio"
          ? (behind?.end ?? token.end)
          : token.end
    text += hours.slice(from, token.start) + (times[next] ?? token.text)
    from = end
    next++
  }
  return text + hours.slice(from)
}

/** True for words that introduce opening hours. */
const isHeading = (tokens: ReadonlyArray<Token>): boolean =>
  tokens.some((token) => isWord(token) && has(token, "hours")) &&
  tokens.every(
    (token) =>
      token.kind === "mark" ||
      (isWord(token) && has(token, "hours", "function", "now", "set", "change", "copula", "business", "valuemark"))
  )

/** Reads opening hours that are written in full: "Horário: de segunda a sábado, das 6h às 20h". */
const wholeHours = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const { tokens } = clause
  const begin = tokens.findIndex(
    (_, at) => at > 0 && isHeading(tokens.slice(0, at)) && !isHeading(tokens.slice(0, at + 1))
  )
  if (begin < 0) return undefined
  const isFrom = ["de", "from", "desde"].includes(tokens[begin - 1]?.word ?? "")
  const value = withoutEnd(rawText(desk.prompt, tokens.slice(isFrom ? begin - 1 : begin)), ".;").trim()
  const { days, rest } = daysIn(value)
  const isAlways = value.includes("24")
  return days.length > 0 && (timesIn(rest).length > 1 || isAlways)
    ? setDetail(desk, "hours", within(capitalised(value), 300))
    : undefined
}

/** Sets the opening hours of some days, or of all. */
export const settingHours = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const { notes, site } = desk
  if (clause.verb !== undefined && has(clause.verb, "remove") && !has(clause.verb, "set")) return undefined
  const whole = wholeHours(clause, desk)
  if (whole !== undefined) return whole
  const spoken = spokenHours(clause)
  if (spoken === undefined) return undefined
  const [hours] = blocksOfKind(site, "Contact").flatMap(({ block }) => (block.hours === null ? [] : [block.hours]))
  // Without other hours on the site, a change for one day would imply that the business is closed on all others.
  if (hours === undefined && (spoken.open === undefined || spoken.close === undefined))
    return failure(notes.hoursUnclear(""), notes.giveHours)
  const changed = changedHours(hours === undefined ? undefined : plainTimes(hours), spoken, languageOf(site.language))
  return changed === undefined || changed.length > 300
    ? failure(notes.hoursUnclear(within(hours ?? "", 160)), notes.giveHours)
    : setDetail(desk, "hours", changed)
}

/** Removes opening days: "Tira o domingo", "not working Saturdays any more". */
export const closingDays = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const isRemoval = clause.verb !== undefined && has(clause.verb, "remove")
  if (!isRemoval) return undefined
  const days = dayTokens(clause)
  const left = unexplained(clause, (token) => days.has(token), "hours", "hourswords")
  if (days.size === 0 || left.length > 0) return undefined
  const [hours] = blocksOfKind(desk.site, "Contact").flatMap(({ block }) => (block.hours === null ? [] : [block.hours]))
  const { days: named } = daysIn(clause.text)
  if (hours === undefined || !named.every((day) => daysIn(hours).days.includes(day))) return undefined
  const changed = changedHours(
    plainTimes(hours),
    { days: named, open: undefined, close: undefined, isClosed: true },
    languageOf(desk.site.language)
  )
  return changed === undefined
    ? failure(desk.notes.hoursUnclear(within(hours, 160)), desk.notes.giveHours)
    : setDetail(desk, "hours", changed)
}
