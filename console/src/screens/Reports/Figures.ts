import type { AnswerOf } from "../../calls/Tools.ts"

export type Day = AnswerOf<"get_performance_trends">["trends"][number]

export const figures = {
  leads: ({ leads_generated }: Day) => leads_generated,
  sent: ({ chatapp_sent, emails_sent }: Day) => emails_sent + chatapp_sent,
  replies: ({ chatapp_replies_received, replies_received }: Day) => replies_received + chatapp_replies_received,
  confirmed: ({ confirmed }: Day) => confirmed,
  interested: ({ interested }: Day) => interested
} as const

export type Figure = keyof typeof figures

const sumOf = (days: ReadonlyArray<Day>, figure: Figure): number =>
  days.reduce((sum, day) => sum + figures[figure](day), 0)

export interface Total {
  readonly count: number
  /** The figure of the same number of days just before. */
  readonly before: number
  readonly values: ReadonlyArray<number>
}

/** The sum over the last `length` days, and over those before them, of days that are oldest first. */
export const totalOf = (days: ReadonlyArray<Day>, length: number, figure: Figure): Total => {
  const present = days.slice(-length)
  return {
    count: sumOf(present, figure),
    before: sumOf(days.slice(-2 * length, -length), figure),
    values: bucketsOf(present).map(({ days: bucket }) => sumOf(bucket, figure))
  }
}

export interface Bucket {
  readonly start: string
  readonly days: ReadonlyArray<Day>
}

/** More bars than this are too thin to distinguish. */
const mostBars = 31
const daysOfWeek = 7

/** Single days, or weeks that end with the last day if there are too many. The first week may be shorter. */
export const bucketsOf = (days: ReadonlyArray<Day>): ReadonlyArray<Bucket> => {
  const size = days.length > mostBars ? daysOfWeek : 1
  const first = days.length % size
  const starts = [...(first === 0 ? [] : [0]), ...range(first, days.length, size)]
  return starts.map((start, index) => {
    const bucket = days.slice(start, starts[index + 1] ?? days.length)
    return { start: bucket[0]?.date ?? "", days: bucket }
  })
}

const range = (from: number, to: number, step: number): ReadonlyArray<number> =>
  Array.from({ length: Math.max(0, Math.ceil((to - from) / step)) }, (_, index) => from + index * step)

export const bucketSum = ({ days }: Bucket, read: (day: Day) => number): number =>
  days.reduce((sum, day) => sum + read(day), 0)
