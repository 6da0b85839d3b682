/**
 * Days after the first touch on which the next ones are due: six touches over three weeks, closer together at first,
 * when a lead still remembers the last one. A reply starts another conversation, and with it the count.
 */
export const cadenceDays: ReadonlyArray<number> = [0, 3, 7, 11, 16, 21]

export const maximumTouches = cadenceDays.length

/** Days from touch `number` (the first is 1) to the next one; `undefined` after the last. */
export const daysToNextTouch = (number: number): number | undefined => {
  const next = cadenceDays[number]
  const current = cadenceDays[number - 1]
  return next === undefined || current === undefined ? undefined : next - current
}
