import { fold } from "../../../Text/PlainText.ts"
import {
  amountsIn,
  bareLabel,
  type FoundAmount,
  isOfName,
  isYear,
  onlyAsks,
  sentenceMarks,
  splitOutside,
  withoutMarks
} from "../DrawingWords.ts"
import { isTime } from "./DrawingTimes.ts"

/** A label with its number. */
export interface Entry {
  readonly label: string
  readonly value: number
  readonly unit: string
  /** Words next to the number that are not a label but say what it counts. */
  readonly counted: string
  /** Whether the label follows its number. */
  readonly isBehind: boolean
}

const itemMarks = /[;\n]|,(?!\d)|(?<!\d)\.\s|\s\/\s/gu

/** Splits "Jan 3 and Feb 4" in two, if each part has a number. */
const partedByAnd = (part: string): ReadonlyArray<string> => {
  const pieces = part.split(/\s(?:e|and|y|&)\s/)
  return pieces.length > 1 && pieces.every((piece) => amountsIn(piece).length > 0) ? pieces : [part]
}

const bullet = /^\s*(?:[-*•–]|\d{1,2}[.)])\s+/

/** The items of an enumeration. */
export const itemsOf = (data: string): ReadonlyArray<string> =>
  splitOutside(data, itemMarks)
    .flatMap(partedByAnd)
    .map((part) => part.replace(bullet, "").replace(/\.$/, "").trim())
    .filter((part) => part !== "")

/** The rows of a text, separated by sentences, lines and semicolons. */
export const rowsOf = (data: string): ReadonlyArray<string> =>
  splitOutside(data, new RegExp(`${sentenceMarks.source}|;`, "gu"))
    .map((part) => part.replace(bullet, "").trim())
    .filter((part) => part !== "")

/** A label without brackets and marks that were left open by its number. */
export const labelOf = (text: string): string => {
  const bare = bareLabel(text)
  const open = bare.split("(").length - bare.split(")").length
  return open === 0 ? bare : bareLabel(withoutMarks(bare, "() "))
}

/** A number that is part of a label: of a range, a limit, an age or a rank. */
const isOfLabel = (text: string, { from, to, unit }: FoundAmount): boolean =>
  (/^hs?$/.test(unit) && bareLabel(text.slice(0, from)) === "" && /\d/.test(text.slice(to))) ||
  /(?:\d\s?[-–]\s?|\d\s(?:a|to|y|e|and|ate|hasta)\s)$/.test(fold(text.slice(0, from))) ||
  /^\s?[-–]\s?\d|^\s(?:a|to|até|hasta|y|e|and)\s\d|^\s?\+|^\s(?:anos?|años?|years?|yrs?|estrelas?|estrellas?|stars?|pessoas?|people|personas?)(?!\p{L})/iu.test(
    text.slice(to)
  ) ||
  /(?:mais de|mas de|over|under|ate|hasta|menos de|menor(?:es)? de|acima de|abaixo de|above|below|less than|more than|\+)\s?$/.test(
    fold(text.slice(0, from))
  )

/**
 * The numbers of an item that are values. Years and numbers inside names and labels only count if there is no other.
 */
export const valuesOf = (item: string): ReadonlyArray<FoundAmount> =>
  amountsIn(item).filter((amount) => !isOfName(item, amount) && !isYear(amount))

const separator = /[:=→]\s*$|->\s*$|\s[-–—]\s*$|\($/

/** A label up to the mark before the last number, which may itself contain numbers: "18-25: 30". */
const marked = (item: string, values: ReadonlyArray<FoundAmount>): FoundAmount | undefined => {
  const value = values.at(-1)
  return value !== undefined && separator.test(item.slice(0, value.from)) ? value : undefined
}

const valueOf = (item: string): FoundAmount | undefined => {
  const values = valuesOf(item)
  if (values.length === 1) return values[0]
  const byMark = marked(item, values)
  const others = values.slice(0, -1)
  if (byMark !== undefined && !others.some((other) => separator.test(item.slice(0, other.from)))) return byMark
  const free = values.filter((value) => !isOfLabel(item, value))
  return free.length === 1 ? free[0] : undefined
}

const placed = /^(?:(.{1,30}?)\s)?(?:in|on|em|en|no|na|nos|nas|from|during|el|los)\s(.{1,50})$/iu

/** One label with one number; undefined if it is uncertain which is which. */
export const entryOf = (item: string): Entry | undefined => {
  const value = valueOf(item)
  if (value === undefined) return undefined
  const before = labelOf(item.slice(0, value.from))
  const behind = item.slice(value.to)
  const shared = { value: value.value, unit: value.unit }
  if (before !== "") return { ...shared, label: before, counted: labelOf(behind), isBehind: false }
  const place = placed.exec(behind.trim())
  const time = place?.[2] === undefined ? "" : labelOf(place[2])
  return time !== "" && isTime(time)
    ? { ...shared, label: time, counted: labelOf(place?.[1] ?? ""), isBehind: true }
    : { ...shared, label: labelOf(behind), counted: "", isBehind: true }
}

/** The labels and numbers of a text; undefined if one is uncertain. */
export const entriesIn = (text: string): ReadonlyArray<Entry> | undefined => readAll(itemsOf(text).map(entryOf))

export const readAll = <A>(read: ReadonlyArray<A | undefined>): ReadonlyArray<A> | undefined => {
  const all = read.filter((each) => each !== undefined)
  return all.length === read.length ? all : undefined
}

/** "jan 12 fev 15 mar 9": alternating labels and numbers without marks in between. */
export const entriesInTurn = (text: string): ReadonlyArray<Entry> | undefined => {
  const values = valuesOf(text)
  const [first] = values
  if (values.length < 2 || first === undefined) return undefined
  const isBehind = labelOf(text.slice(0, first.from)) === ""
  const between = values.map((value, at) => {
    const [from, to] = isBehind ? [value.to, values[at + 1]?.from] : [values[at - 1]?.to ?? 0, value.from]
    return text.slice(from, to)
  })
  const rest = isBehind ? "" : labelOf(text.slice(values.at(-1)?.to))
  // A mark inside a label would be the end of another label.
  if (between.some((part) => labelOf(part) === "" || /[.;:,\n]\s*\S/.test(part.trim().replace(/^[,;]/, ""))))
    return undefined
  return values.map(({ unit, value }, at) => ({
    label: labelOf(between[at] ?? ""),
    value,
    unit,
    counted: at === values.length - 1 ? rest : "",
    isBehind
  }))
}

const remainder =
  /(?:^|[,;.]\s*|\s(?:e|and|y)\s)(?:(?:e|and|y)\s)?(?:o |the |el |lo |los )?(?:resto|restante|rest|remaining|remainder|demas|demás|demais)(?:\s(?:is|are|é|es|são|son|para|fica|goes to|vai para|:))*(?:\s(?:em|en|in|con|com))?\s?(\p{L}[^,;.\d]{0,40})?\.?\s*$/iu

/** Removes the separate item that assigns the rest to one label, and returns that label. */
export const withoutRemainder = (text: string): { readonly text: string; readonly rest: string | undefined } => {
  const match = remainder.exec(text)
  if (match === null) return { text, rest: undefined }
  const label = labelOf(match[1] ?? "")
  return {
    text: text.slice(0, match.index),
    rest: label === "" ? (/rest|remain/i.exec(match[0]) === null ? "" : "rest") : label
  }
}

/** Items without those that are only a request. */
export const withNumbers = (items: ReadonlyArray<string>): ReadonlyArray<string> =>
  items.filter((item) => amountsIn(item).length > 0 || !onlyAsks(item))
