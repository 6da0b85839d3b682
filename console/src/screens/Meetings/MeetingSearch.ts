export interface MeetingSearch {
  /** The day that is shown, as `2026-11-28`. By default the present one. */
  readonly day?: string
  readonly show?: "past" | "cancelled"
}

/** Reads the address. What it does not know is ignored. */
export const parseMeetingSearch = (search: Readonly<Record<string, unknown>>): MeetingSearch => {
  const { day, show } = search
  return {
    ...(typeof day === "string" && /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day)) ? { day } : {}),
    ...(show === "past" || show === "cancelled" ? { show } : {})
  }
}

const dayMillis = 86_400_000

export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(`${day}T12:00:00Z`) + count * dayMillis).toISOString().slice(0, 10)

/** The seven days from the Monday before or at a day. */
export const weekOf = (day: string): ReadonlyArray<string> => {
  const weekday = (new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7
  return Array.from({ length: 7 }, (_, index) => addDays(day, index - weekday))
}

/** Meetings by their day in the zone, in the order that they have. */
export const groupByDay = <Item extends { readonly starts_at: string }>(
  items: ReadonlyArray<Item>,
  dayOf: (at: Date) => string
): ReadonlyArray<readonly [string, ReadonlyArray<Item>]> => {
  const days = new Map<string, Array<Item>>()
  for (const item of items) {
    const day = dayOf(new Date(item.starts_at))
    days.set(day, [...(days.get(day) ?? []), item])
  }
  return [...days]
}
