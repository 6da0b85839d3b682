import { fold } from "../../../Text/PlainText.ts"

/** A calendar label: its kind, its position in the year or week, and how it is written. */
export interface TimeWord {
  readonly kind: "month" | "weekday" | "year" | "part"
  readonly index: number
  /** The words of its language and style, in order. */
  readonly style: ReadonlyArray<string>
}

const list = (words: string): ReadonlyArray<string> => words.split(" ")

const monthStyles: ReadonlyArray<ReadonlyArray<string>> = [
  list("janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"),
  list("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"),
  list("january february march april may june july august september october november december"),
  list("jan fev mar abr mai jun jul ago set out nov dez"),
  list("ene feb mar abr may jun jul ago sep oct nov dic"),
  list("jan feb mar apr may jun jul aug sep oct nov dec")
]

const weekdayStyles: ReadonlyArray<ReadonlyArray<string>> = [
  list("segunda terça quarta quinta sexta sábado domingo"),
  list("segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo"),
  list("lunes martes miércoles jueves viernes sábado domingo"),
  list("monday tuesday wednesday thursday friday saturday sunday"),
  list("seg ter qua qui sex sáb dom"),
  list("lun mar mié jue vie sáb dom"),
  list("mon tue wed thu fri sat sun"),
  list("mon tues weds thurs fri sat sun"),
  list("mon tues wed thurs fri sat sun")
]

/** The words before the number of a part of a year: quarters, weeks, semesters. */
const parts = /^(?:[qts]|w|sem|semana|week|trimestre|quarter|tri|mes|month|dia|day|semestre)\.?\s?(\d{1,2})$/
const partsBehind = /^(\d{1,2})(?:o|a|st|nd|rd|th)?\s?(?:[qt]|tri|trimestre|semestre|quarter|sem|semana|week)$/

const inStyles = (
  kind: TimeWord["kind"],
  styles: ReadonlyArray<ReadonlyArray<string>>,
  word: string
): ReadonlyArray<TimeWord> =>
  styles.flatMap((style) => {
    const index = style.findIndex((each) => fold(each) === word)
    return index < 0 ? [] : [{ kind, index, style }]
  })

/** All times that a whole label can mean. "mar" is a month and a weekday. */
export const timesOf = (label: string): ReadonlyArray<TimeWord> => {
  const word = fold(label).replace(/[.,]$/, "").replace(/º|ª|°/g, "o").trim()
  if (/^(?:19|20)\d\d$/.test(word)) return [{ kind: "year", index: Number(word), style: [] }]
  const part = parts.exec(word) ?? partsBehind.exec(word)
  if (part !== null) return [{ kind: "part", index: Number(part[1]), style: [] }]
  const bare = word.replace(/[\s/](?:de )?(?:19|20)?\d\d$/, "")
  return [...inStyles("month", monthStyles, bare), ...inStyles("weekday", weekdayStyles, bare)]
}

export const isTime = (label: string): boolean => timesOf(label).length > 0

/** Whether all labels are times of the same kind. */
export const areTimes = (labels: ReadonlyArray<string>): boolean => {
  const kinds = labels.map((label) => new Set(timesOf(label).map(({ kind }) => kind)))
  const [first] = kinds
  return first !== undefined && [...first].some((kind) => kinds.every((each) => each.has(kind)))
}

const rangeOf = (from: string, to: string): ReadonlyArray<string> => {
  for (const start of timesOf(from)) {
    const end = timesOf(to).find(
      ({ index, kind, style }) =>
        kind === start.kind && index > start.index && (kind === "part" || style === start.style || kind === "year")
    )
    if (end === undefined || end.index - start.index > 40) continue
    const places = Array.from({ length: end.index - start.index + 1 }, (_, at) => start.index + at)
    if (start.kind === "year") return places.map(String)
    if (start.kind === "part") return places.map((place) => from.replace(/\d{1,2}/, String(place)))
    return places.map((place) => start.style[place] ?? "")
  }
  return []
}

const rangeMark = /^(?:a|ao|to|ate|hasta|through|until|thru|-|–)$/

/** The labels of a range such as "Q1 to Q4" or "de janeiro a abril". Empty if there is no range. */
export const rangeIn = (text: string): ReadonlyArray<string> => {
  const words = text
    .replace(/(?<=[\p{L}\d])\s?[-–]\s?(?=[\p{L}\d])/gu, " - ")
    .split(/[\s,;:()]+/)
    .filter((word) => word !== "")
  for (let at = 1; at + 1 < words.length; at++) {
    if (!rangeMark.test(fold(words[at] ?? ""))) continue
    const [before = "", after = ""] = [words[at - 1], words[at + 1]]
    const range = rangeOf(before, after)
    if (range.length > 1) return range
    // "semana 1 a 4": the word is only written once.
    const whole = rangeOf(`${words[at - 2] ?? ""} ${before}`, `${words[at - 2] ?? ""} ${after}`)
    if (whole.length > 1) return whole
  }
  return []
}

const mostListed = 40

/** The longest run of times of one kind, such as "2021 2022 2023". Empty if there are fewer than two. */
export const listedTimes = (text: string): ReadonlyArray<string> => {
  const words = text
    .replace(/(?<=\d[ºª°]) (?=\p{L})/gu, "\u00a0")
    .split(/[ \n,;:()]+|(?<=\S)\/(?=\S)/)
    .filter((word) => word !== "" && !/^(?:e|y|and|&|-)$/.test(word))
    .slice(0, 400)
  let best: ReadonlyArray<string> = []
  for (let from = 0; from < words.length; from++) {
    let to = from
    while (to < words.length && to - from < mostListed && areTimes(words.slice(from, to + 1))) to++
    if (to - from > best.length) best = words.slice(from, to)
  }
  return best.length > 1 ? best.map((word) => word.replace("\u00a0", " ")) : []
}

const monthNumbers = list("jan ene fev feb mar abr apr mai may jun jul ago aug set sep out oct nov dez dec dic")
const monthPlaces = [0, 0, 1, 1, 2, 3, 3, 4, 4, 5, 6, 7, 7, 8, 8, 9, 9, 10, 11, 11, 11]

/** The index of a month by the first three letters of its folded name, or -1. */
export const monthOf = (name: string | undefined): number =>
  name === undefined ? -1 : (monthPlaces[monthNumbers.indexOf(name.slice(0, 3))] ?? -1)
