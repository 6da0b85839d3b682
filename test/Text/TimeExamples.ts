import * as fs from "node:fs"
import * as path from "node:path"
import { Schema } from "effect"
import { offsetAt } from "../../src/Services/Core/LocalTime.ts"
import type { Language } from "../../src/Services/Text/Language.ts"
import { fold } from "../../src/Services/Text/PlainText.ts"
import { dateOfDay, dayOfDate } from "../../src/Services/Text/Times/Days.ts"
import { type TimeMention, timeMentions } from "../../src/Services/Text/Times/TimeMentions.ts"

type Range<Bound> = readonly [from: Bound | null, to: Bound | null]

const DateRange = Schema.Tuple(Schema.NullOr(Schema.String), Schema.NullOr(Schema.String))
const MinuteRange = Schema.Tuple(Schema.NullOr(Schema.Number), Schema.NullOr(Schema.Number))

const ExpectedMention = Schema.Struct({
  /** The days that a mention may be read as: one of `choices`, or inside the named bounds. */
  days: Schema.optional(
    Schema.Struct({
      choices: Schema.optional(Schema.Array(DateRange)),
      within: Schema.optional(DateRange),
      starts_within: Schema.optional(DateRange),
      ends_within: Schema.optional(DateRange)
    })
  ),
  clock: Schema.optional(
    Schema.Struct({
      /** Whatever time of day. */
      any: Schema.optional(Schema.Boolean),
      part: Schema.optional(Schema.Literal("morning", "afternoon", "evening")),
      /** Minutes since midnight; a time that is no range has equal bounds. */
      choices: Schema.optional(Schema.Array(MinuteRange)),
      /** "At 10": ten in the evening may be a reading too. */
      other_half_of_day_allowed: Schema.optional(Schema.Boolean)
    })
  ),
  zone: Schema.optional(Schema.String),
  recurring: Schema.optional(Schema.Union(Schema.Boolean, Schema.Literal("either")))
})
type ExpectedMention = typeof ExpectedMention.Type
type ExpectedDays = NonNullable<ExpectedMention["days"]>

const TimeExample = Schema.Struct({
  language: Schema.Literal("pt", "en", "es"),
  region: Schema.String,
  today: Schema.String,
  /** The examples of the final set were not looked at while the grammar was made. */
  set: Schema.Literal("open", "final"),
  text: Schema.String,
  mentions: Schema.Array(ExpectedMention)
})
export type TimeExample = typeof TimeExample.Type

const decodeExample = Schema.decodeUnknownSync(Schema.parseJson(TimeExample))

export const timeExamples: ReadonlyArray<TimeExample> = fs
  .readFileSync(path.join(import.meta.dirname, "data/times.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => decodeExample(line))

export const languageOfExample = ({ language }: TimeExample): Language => (language === "pt" ? "pt-BR" : language)

export const mentionsOf = (example: TimeExample): ReadonlyArray<TimeMention> =>
  timeMentions(fold(example.text), {
    today: example.today,
    figures: example.region === "US" ? "month" : "day",
    language: languageOfExample(example),
    isSouthern: ["BR", "AR"].includes(example.region)
  })

/** The days that a mention allows, with its relation applied: `null` where it is open. */
const daysOf = ({ dateRelation, days }: TimeMention): Range<string> | undefined => {
  if (days === undefined) return undefined
  const [first, last] = [dateOfDay(days.first), dateOfDay(days.last)]
  if (dateRelation === "after") return [dateOfDay(days.last + 1), null]
  if (dateRelation === "from") return [first, null]
  if (dateRelation === "before") return [null, dateOfDay(days.first - 1)]
  if (dateRelation === "until") return [null, last]
  return [first, last]
}

const isInside = (date: string | null, [from, to]: Range<string>): boolean =>
  date !== null && (from === null || date >= from) && (to === null || date <= to)

/** A week ends on Friday or on Sunday. */
const isSameRange = ([from, to]: Range<string>, [first, last]: Range<string>): boolean =>
  from === first &&
  (to === last ||
    (to !== null &&
      last !== null &&
      from !== null &&
      to > from &&
      dayOfDate(last) - dayOfDate(to) === 2 &&
      new Date(`${to}T00:00:00Z`).getUTCDay() === 5))

const daysFit = (mention: TimeMention, expected: ExpectedDays | undefined): boolean => {
  const range = daysOf(mention)
  if (expected === undefined) return range === undefined
  if (range === undefined) return false
  if (expected.within !== undefined) return isInside(range[0], expected.within) && isInside(range[1], expected.within)
  if (expected.starts_within !== undefined) return isInside(range[0], expected.starts_within)
  if (expected.ends_within !== undefined) return isInside(range[1], expected.ends_within)
  const { choices = [] } = expected
  if (choices.length > 1) {
    const days = choices.map(([from]) => from).sort()
    return JSON.stringify(mention.dayChoices.map(dateOfDay).sort()) === JSON.stringify(days)
  }
  return choices[0] !== undefined && isSameRange(range, choices[0]) && mention.dayChoices.length < 2
}

const parts = { morning: [360, 750], afternoon: [720, 1200], evening: [1020, 1440] } as const

const clockFits = (mention: TimeMention, expected: ExpectedMention["clock"]): boolean => {
  if (expected === undefined) return mention.clock.length === 0
  if (expected.any === true) return true
  const [first] = mention.clock
  if (first === undefined) return false
  if (expected.part !== undefined) {
    const [from, to] = parts[expected.part]
    return first >= from && (mention.clockUntil ?? first) <= to
  }
  const relation = mention.clockRelation
  const ranges = mention.clock.map(
    (minutes): Range<number> =>
      relation === "after" || relation === "from"
        ? [minutes, null]
        : relation === "before" || relation === "until"
          ? [null, minutes]
          : [minutes, mention.clockUntil ?? minutes]
  )
  const key = (range: Range<number>): string => range.map((bound) => (bound === null ? "" : bound % 1440)).join("-")
  const keys = new Set(ranges.map(key))
  const { choices = [], other_half_of_day_allowed: isOpen = false } = expected
  const accepted = choices.map(key)
  if (mention.clockUntil !== undefined && relation === undefined && !isOpen)
    return accepted.includes(key(ranges.at(-1) ?? [null, null])) || accepted.includes(key(ranges[0] ?? [null, null]))
  const isOpenRange = choices.length === 2 && choices.some(([from, to]) => from === null || from !== to)
  if (isOpenRange) return [...keys].every((one) => accepted.includes(one))
  const other = choices.map(([from, to]) =>
    key([from === null ? null : (from + 720) % 1440, to === null ? null : to === from ? (to + 720) % 1440 : to])
  )
  return (
    accepted.every((one) => keys.has(one)) &&
    [...keys].every(
      (one) => accepted.includes(one) || (isOpen && other.includes(one)) || (isOpen && mention.clockUntil !== undefined)
    )
  )
}

const zoneFits = (mention: TimeMention, expected: string | undefined, today: string): boolean => {
  if (expected === undefined || mention.zone === undefined) return expected === mention.zone
  const at = Date.parse(`${mention.days === undefined ? today : dateOfDay(mention.days.first)}T12:00:00Z`)
  return offsetAt(at, mention.zone) === offsetAt(at, expected)
}

/** What is wrong in a reading of an example, or undefined. */
export const faultOf = (example: TimeExample, mentions: ReadonlyArray<TimeMention>): string | undefined => {
  if (mentions.length !== example.mentions.length) return "count"
  for (const [index, expected] of example.mentions.entries()) {
    const mention = mentions[index]
    if (mention === undefined) return "count"
    if (!daysFit(mention, expected.days)) return "days"
    if (!clockFits(mention, expected.clock)) return "clock"
    if (!zoneFits(mention, expected.zone, example.today)) return "zone"
    if (expected.recurring !== "either" && mention.isRecurring !== (expected.recurring ?? false)) return "recurring"
  }
  return undefined
}

const clockText = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`

/** A reading in one line, for messages. */
export const summaryOf = (mentions: ReadonlyArray<TimeMention>): string =>
  mentions
    .map((mention) =>
      [
        mention.days === undefined
          ? ""
          : mention.days.first === mention.days.last
            ? dateOfDay(mention.days.first)
            : `${dateOfDay(mention.days.first)}..${dateOfDay(mention.days.last)}`,
        mention.dayChoices.length > 1 ? `(${mention.dayChoices.map(dateOfDay).join(" or ")})` : "",
        mention.clock.map(clockText).join(" or "),
        mention.clockUntil === undefined || mention.clockRelation !== undefined
          ? ""
          : `to ${clockText(mention.clockUntil)}`,
        mention.dateRelation === undefined ? "" : `day ${mention.dateRelation}`,
        mention.clockRelation ?? "",
        mention.isPast ? "past" : "",
        mention.isRecurring ? "every week" : "",
        mention.zone ?? ""
      ]
        .filter((part) => part !== "")
        .join(" ")
    )
    .join("; ")
