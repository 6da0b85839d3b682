import { Context, type Effect, Schema } from "effect"
import type { NotFound, Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import { LeadId } from "../Leads/Ids.ts"
import { fold } from "../Text/PlainText.ts"

export const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const
export const Weekday = Schema.Literal(...weekdays)
export type Weekday = typeof Weekday.Type

/** Whose replies the hours are based on. */
export const TimingSource = Schema.Literal("lead", "sector", "account", "platform")
export type TimingSource = typeof TimingSource.Type

const Hour = Schema.Int.pipe(Schema.between(0, 23))

export const LeadTiming = Schema.Struct({
  lead_id: LeadId,
  time_zone: Schema.String.annotations({ description: "The lead's time zone, which all hours are in." }),
  source: TimingSource.annotations({
    description:
      "Whose replies this is based on: the lead's own, else those of its sector, of the whole account, or of the platform."
  }),
  is_default: Schema.Boolean.annotations({
    description: "True if even the platform has too few replies; the answer is then general experience."
  }),
  reply_count: Schema.Int.annotations({ description: "Replies that this is based on." }),
  best_times: Schema.Array(
    Schema.Struct({
      weekday: Weekday,
      hours: Schema.Array(Hour).annotations({ description: "Up to three hours of the day, the best one first." })
    })
  ).annotations({ description: "From Monday on; days without any reply are left out." }),
  reply_times: Schema.Array(Schema.Struct({ weekday: Weekday, hour: Hour, reply_count: Schema.Int })).annotations({
    description: "How many replies came at which hour of which day."
  }),
  average_response_minutes: Schema.NullOr(Schema.Number).annotations({
    description: "From a message to the first reply to it; null where there were none."
  })
})
export type LeadTiming = typeof LeadTiming.Type

export class Timing extends Context.Tag("Timing")<
  Timing,
  {
    readonly ofLead: (leadId: LeadId) => Effect.Effect<LeadTiming, NotFound | Transient, Caller>
    /** Returns the hours in which leads like this one reply most, or undefined without enough replies. */
    readonly hours: (lead: TimedLead) => Effect.Effect<BestHours | undefined, Transient>
  }
>() {}

/** The facts about a lead that determine its hours. */
export interface TimedLead {
  readonly accountId: AccountId
  readonly leadId: LeadId
  readonly cnae: string | null
  readonly industry: string | null
  /** Whether the lead ever wrote. Otherwise it has no replies to evaluate. */
  readonly hasWritten: boolean
}

export interface BestHours {
  readonly source: TimingSource
  readonly replies: number
  readonly hours: ReadonlyArray<ReplyHour>
}

interface Sector {
  /** Lower-case letters without accents, digits unchanged. */
  readonly cnae: string | null
  readonly industry: string | null
}

const divisionOf = (cnae: string | null): string => (cnae ?? "").replace(/\D/g, "").slice(0, 2)

/** Whether two leads are in the same sector: the same division of the classification, or the same industry text. */
export const isSameSector = (one: Sector, other: Sector): boolean =>
  (divisionOf(one.cnae) !== "" && divisionOf(one.cnae) === divisionOf(other.cnae)) ||
  (one.industry !== null && other.industry !== null && fold(one.industry) === fold(other.industry))

/**
 * Replies in one hour of one weekday (0 is Sunday), with the total response time of the first replies to a message.
 */
export interface ReplyHour {
  readonly weekday: number
  readonly hour: number
  readonly replies: number
  readonly responses: number
  readonly responseSeconds: number
}

/** How many replies, and of how many leads, a level needs. */
export const enough: {
  readonly [S in "lead" | "sector" | "account"]: { readonly replies: number; readonly leads: number }
} = {
  lead: { replies: 5, leads: 1 },
  sector: { replies: 20, leads: 5 },
  account: { replies: 30, leads: 10 }
}
/** With these minimums, the totals reveal nothing about a single account. */
export const enoughOnPlatform = { replies: 500, accounts: 5, accountsPerHour: 3 }

const hoursPerDay = 3
const hour = (weekday: number, of: number, weight: number): ReplyHour => ({
  weekday,
  hour: of,
  replies: weight,
  responses: 0,
  responseSeconds: 0
})

/** When business people tend to reply: mid-week, in the late morning and early afternoon. */
export const builtIn: ReadonlyArray<ReplyHour> = [1, 2, 3, 4, 5].flatMap((weekday) => [
  hour(weekday, 10, 3),
  hour(weekday, weekday === 1 ? 11 : 9, 2),
  hour(weekday, weekday === 5 ? 11 : 14, 1)
])

const fromMonday = [1, 2, 3, 4, 5, 6, 0]
const nameOf = (weekday: number): Weekday => weekdays[weekday] ?? "sunday"

/** The timing that a level's replies suggest. Of equally good hours, the earlier one comes first. */
export const timingOf = (
  hours: ReadonlyArray<ReplyHour>
): Pick<LeadTiming, "reply_count" | "best_times" | "reply_times" | "average_response_minutes"> => {
  const byDay = fromMonday.map((weekday) => ({
    weekday,
    hours: hours.filter((one) => one.weekday === weekday).sort((a, b) => a.hour - b.hour)
  }))
  const responses = hours.reduce((total, one) => total + one.responses, 0)
  const seconds = hours.reduce((total, one) => total + one.responseSeconds, 0)
  return {
    reply_count: hours.reduce((total, { replies }) => total + replies, 0),
    best_times: byDay.flatMap((day) =>
      day.hours.length === 0
        ? []
        : [
            {
              weekday: nameOf(day.weekday),
              hours: day.hours
                .toSorted((a, b) => b.replies - a.replies || a.hour - b.hour)
                .slice(0, hoursPerDay)
                .map((one) => one.hour)
            }
          ]
    ),
    reply_times: byDay.flatMap((day) =>
      day.hours.map((one) => ({ weekday: nameOf(day.weekday), hour: one.hour, reply_count: one.replies }))
    ),
    average_response_minutes: responses === 0 ? null : Math.round(seconds / responses / 6) / 10
  }
}
