/** The part of the day, for greetings in calls. */
export type DayPart = "morning" | "afternoon" | "evening"

export const dayPartAt = (hour: number): DayPart => (hour < 12 ? "morning" : hour < 18 ? "afternoon" : "evening")
