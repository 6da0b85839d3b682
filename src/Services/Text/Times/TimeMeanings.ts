/** The meaning of a word or short phrase in an expression of time. */
export type TimeWord =
  | { readonly is: "number"; readonly value: number }
  | { readonly is: "ordinal"; readonly value: number }
  | { readonly is: "weekday"; readonly value: number; readonly isDoubtful?: true; readonly isEvery?: true }
  | { readonly is: "every" }
  | { readonly is: "month"; readonly value: number; readonly isDoubtful?: true }
  | { readonly is: "unit"; readonly value: Unit }
  | { readonly is: "named day"; readonly value: number }
  | { readonly is: "holiday"; readonly value: HolidayName }
  | { readonly is: "season"; readonly value: Season }
  | { readonly is: "period"; readonly value: Period }
  | { readonly is: "edge"; readonly value: "start" | "middle" | "end" }
  | { readonly is: "half"; readonly value: 1 | 2 }
  | { readonly is: "day part"; readonly from: number; readonly to: number }
  | { readonly is: "clock word"; readonly minutes: number }
  | { readonly is: "half hour" }
  | { readonly is: "quarter hour" }
  | { readonly is: "before the hour" }
  | { readonly is: "past the hour" }
  | { readonly is: "minus" }
  | { readonly is: "meridian"; readonly value: "am" | "pm" }
  /** `isLong` names are also used for durations: "2 horas de reunião". */
  | { readonly is: "hours"; readonly isLong?: true }
  | { readonly is: "minutes" }
  | { readonly is: "relation"; readonly value: Relation }
  /** Comes after its date: "12 April at the earliest". */
  | { readonly is: "relation behind"; readonly value: Relation }
  | { readonly is: "ahead" }
  | { readonly is: "from now" }
  | { readonly is: "ago" }
  | { readonly is: "range start" }
  | { readonly is: "at" }
  | { readonly is: "introduces a day" }
  | { readonly is: "small word" }
  | { readonly is: "or" }
  | { readonly is: "and" }
  | { readonly is: "to" }
  | { readonly is: "contrast" }

export type Unit =
  | "day"
  | "business day"
  | "week"
  | "weekend"
  | "fortnight"
  | "month"
  | "quarter"
  | "half-year"
  | "year"

/** How the named time relates to the intended one: "after the 10th", "until Friday". */
export type Relation = "after" | "before" | "until" | "from"

export type Period = "next" | "this" | "last" | "after next"

export type Season = "spring" | "summer" | "autumn" | "winter"

export type HolidayName =
  | "carnival"
  | "ash wednesday"
  | "good friday"
  | "easter"
  | "easter monday"
  | "corpus christi"
  | "memorial day"
  | "labor day"
  | "thanksgiving"
  | "christmas"
  | "new year"
  | "beginning of the year"
  | "year end"
  | "end of year holidays"
  | "epiphany"
