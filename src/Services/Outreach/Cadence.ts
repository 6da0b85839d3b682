/**
 * The days of touches after the first one: six touches in three weeks, with shorter pauses at first, while the lead
 * still remembers the last one. A reply starts a new conversation and a new count.
 */
export const cadenceDays: ReadonlyArray<number> = [0, 3, 7, 11, 16, 21]

export const maximumTouches = cadenceDays.length

/** Days from touch `number` (from 1) to the next one. Undefined after the last. */
export const daysToNextTouch = (number: number): number | undefined => {
  const next = cadenceDays[number]
  const current = cadenceDays[number - 1]
  return next === undefined || current === undefined ? undefined : next - current
}
