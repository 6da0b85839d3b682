/** Millionths of a real, the platform's unit for amounts. Integers are exact up to nine billion reais. */
export type Micros = number

const microsPerCent = 10_000

/** Rounds the amount to cents, the smallest unit that the platform accepts. */
export const microsOf = (brl: number): Micros => Math.round(brl * 100) * microsPerCent

/** An amount in reais with two decimals, as answers show it. */
export const brlOf = (micros: Micros): number => {
  const cents = Math.round(micros / microsPerCent)
  return cents === 0 ? 0 : cents / 100
}

export const floorToCent = (micros: Micros): Micros => Math.floor(micros / microsPerCent) * microsPerCent

/** The smallest daily budget that the platform accepts. */
export const smallestBudget: Micros = microsOf(1)
export const largestBudget: Micros = microsOf(50_000)

/** The budget that is set if this one is requested. */
export const effectiveBudget = (brl: number): Micros =>
  Math.min(largestBudget, Math.max(smallestBudget, microsOf(Math.min(brl, 1e9))))

/**
 * The daily budget that is sent to the platform: the requested one, or half of the balance if that is less, because the
 * platform may spend up to twice the budget in a day. Undefined if the balance is too low to run the campaign.
 */
export const servedBudget = (wanted: Micros, remaining: Micros): Micros | undefined => {
  const affordable = floorToCent(remaining / 2)
  return affordable < smallestBudget ? undefined : Math.min(wanted, affordable)
}
