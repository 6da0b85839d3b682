/** A run of letters or digits, or one mark, with its position in the text. */
export interface Piece {
  readonly text: string
  readonly from: number
  readonly to: number
  readonly isDigits: boolean
}

/** A clock as written: "14:30", "14h30". */
export interface WrittenClock {
  readonly hour: number
  readonly minute: number
  /** "08:00" can only be in the morning; "8:00" can be in either half of the day. */
  readonly isTwentyFourHours: boolean
  /** "10.30" can also be a number. */
  readonly isDoubtful: boolean
}

/** A date in figures. Which of the first two is the month depends on the writer's country. */
export type WrittenDate =
  | { readonly kind: "iso"; readonly year: number; readonly month: number; readonly day: number }
  | { readonly kind: "figures"; readonly first: number; readonly second: number; readonly year: number | undefined }

/** The pieces read as a date, a clock or a number. */
export interface Figures {
  readonly number: number | undefined
  /** "3rd", "1º", "2ª": its ending. */
  readonly ordinalEnding: string | undefined
  readonly clock: WrittenClock | undefined
  readonly date: WrittenDate | undefined
  /** "Q2", "H1": the part of a year. */
  readonly partOfYear: { readonly unit: "quarter" | "half-year"; readonly value: number } | undefined
}

export interface ReadFigures extends Partial<Figures> {
  /** Pieces. */
  readonly length: number
}

/** The pieces from one on, up to the first gap. */
const touchingFrom = (all: ReadonlyArray<Piece>, at: number, most: number): ReadonlyArray<Piece> => {
  let end = at + 1
  while (end < at + most && all[end] !== undefined && all[end]?.from === all[end - 1]?.to) end++
  return all.slice(at, end)
}

const isFigures = (piece: Piece | undefined, least: number, most: number): boolean =>
  piece?.isDigits === true && piece.text.length >= least && piece.text.length <= most

/** "2026-12-01". */
const isoDate = ([year, mark, month, otherMark, day]: ReadonlyArray<Piece>): ReadFigures | undefined => {
  if (year === undefined || month === undefined || day === undefined) return undefined
  if (mark?.text !== "-" || otherMark?.text !== "-") return undefined
  if (!isFigures(year, 4, 4) || !isFigures(month, 1, 2) || !isFigures(day, 1, 2)) return undefined
  return { length: 5, date: { kind: "iso", year: Number(year.text), month: Number(month.text), day: Number(day.text) } }
}

/** "3/12". With a dot it would be a clock or a number, with a hyphen a range. */
const dateWithoutYear = ([first, mark, second, behind]: ReadonlyArray<Piece>): ReadFigures | undefined => {
  if (first === undefined || second === undefined || mark?.text !== "/" || behind?.text === "%") return undefined
  if (!isFigures(first, 1, 2) || !isFigures(second, 1, 2)) return undefined
  if (first.text === "24" && second.text === "7") return undefined
  const date = { kind: "figures", first: Number(first.text), second: Number(second.text), year: undefined } as const
  return { length: 3, date }
}

/** "3/12/26", "03.12.2026", "03-12-2026". */
const dateWithYear = (pieces: ReadonlyArray<Piece>): ReadFigures | undefined => {
  const [first, mark, second, otherMark, third, ...rest] = pieces
  if (first === undefined || second === undefined || third === undefined || mark === undefined) return undefined
  if (!"/.-".includes(mark.text) || otherMark?.text !== mark.text) return undefined
  if (!isFigures(first, 1, 2) || !isFigures(second, 1, 2)) return undefined
  const isLonger = rest[0]?.text === mark.text && rest[1]?.isDigits === true
  if (isLonger || !(isFigures(third, 2, 2) || isFigures(third, 4, 4))) return undefined
  const year = third.text.length === 2 ? 2000 + Number(third.text) : Number(third.text)
  return { length: 5, date: { kind: "figures", first: Number(first.text), second: Number(second.text), year } }
}

/** Excludes "3/12/x", which is not a date. */
const dateOf = (pieces: ReadonlyArray<Piece>): ReadFigures | undefined =>
  isoDate(pieces) ?? dateWithYear(pieces) ?? (pieces[3]?.text === "/" ? undefined : dateWithoutYear(pieces))

const clock = (hours: string, minutes: string, isDoubtful: boolean): WrittenClock | undefined => {
  const [hour, minute] = [Number(hours), Number(minutes)]
  if (hour > 24 || minute > 59) return undefined
  return { hour: hour % 24, minute, isTwentyFourHours: hour > 12 || hours.startsWith("0"), isDoubtful }
}

type Mark = "spelled" | "dotted" | "colon"

/** The mark between hours and minutes: "14h30" and "14 h 30", "2.30", "14:30". */
const markBetween = (hours: Piece, mark: Piece, minutes: Piece): Mark | undefined => {
  const [before, behind] = [mark.from - hours.to, minutes.from - mark.to]
  if (mark.text === "h" && before <= 1 && behind <= 1) return "spelled"
  if (before !== 0 || behind !== 0) return undefined
  return mark.text === ":" ? "colon" : mark.text === "." ? "dotted" : undefined
}

/** "14:30", "2.30", "14h30". */
const clockOf = (all: ReadonlyArray<Piece>, at: number): ReadFigures | undefined => {
  const [hours, mark, minutes, after, afterThat] = all.slice(at, at + 5)
  if (hours === undefined || mark === undefined || minutes === undefined) return undefined
  if (!isFigures(hours, 1, 2) || !isFigures(minutes, 2, 2)) return undefined
  const kind = markBetween(hours, mark, minutes)
  // "1.500.000", "10.50%".
  const isNumber = after?.from === minutes.to && ".,%".includes(after.text) && afterThat?.from === after.to
  if (kind === undefined || (kind === "dotted" && isNumber)) return undefined
  const read = clock(hours.text, minutes.text, kind === "dotted")
  return read === undefined ? undefined : { length: 3, clock: read }
}

const ordinalEndings = new Set(["st", "nd", "rd", "th", "o", "a", "º", "ª", "°"])

/** "Q2", "H1". */
const partOfYearOf = ([letter, figure, behind]: ReadonlyArray<Piece>): ReadFigures | undefined => {
  const unit = letter?.text === "q" ? "quarter" : letter?.text === "h" ? "half-year" : undefined
  if (unit === undefined || !isFigures(figure, 1, 1)) return undefined
  const value = Number(figure?.text)
  const isWhole = behind === undefined || ".,;?!)".includes(behind.text)
  if (!isWhole || value < 1 || value > (unit === "quarter" ? 4 : 2)) return undefined
  return { length: 2, partOfYear: { unit, value } }
}

/** The figures that begin at a piece. */
export const figuresAt = (all: ReadonlyArray<Piece>, at: number): ReadFigures | undefined => {
  const piece = all[at]
  if (piece === undefined) return undefined
  const canBeFigures = piece.isDigits || piece.text === "q" || piece.text === "h"
  if (!canBeFigures) return undefined
  const touching = touchingFrom(all, at, 7)
  if (!piece.isDigits) return partOfYearOf(touching)
  const read = dateOf(touching) ?? clockOf(all, at)
  if (read !== undefined) return read
  const numbered = piece.text.length <= 4 ? { number: Number(piece.text) } : {}
  const ending = touching[1]?.text ?? ""
  return ordinalEndings.has(ending) ? { length: 2, ...numbered, ordinalEnding: ending } : { length: 1, ...numbered }
}
