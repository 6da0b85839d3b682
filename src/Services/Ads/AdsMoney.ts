/** Millionths of a real, as the ads platform counts: whole numbers, safe up to nine thousand million reais. */
export type Micros = number

const microsPerCent = 10_000

/** The amount to the nearest cent, which is the smallest unit that the platform takes. */
export const microsOf = (brl: number): Micros => Math.round(brl * 100) * microsPerCent

/** Reais with two digits, as answers show them. */
export const brlOf = (micros: Micros): number => {
  const cents = Math.round(micros / microsPerCent)
  return cents === 0 ? 0 : cents / 100
}

export const floorToCent = (micros: Micros): Micros => Math.floor(micros / microsPerCent) * microsPerCent

/** The smallest daily budget that the platform accepts. */
export const smallestBudget: Micros = microsOf(1)
export const largestBudget: Micros = microsOf(50_000)

/** The budget that is set where this one is asked for. */
export const effectiveBudget = (brl: number): Micros =>
  Math.min(largestBudget, Math.max(smallestBudget, microsOf(Math.min(brl, 1e9))))

/**
 * The budget that a campaign is served by: the wanted one, or half of what is left where that is less, since the
 * platform may spend up to twice the budget in a day. Undefined where too little is left to be served at all.
 */
export const servedBudget = (wanted: Micros, remaining: Micros): Micros | undefined => {
  const affordable = floorToCent(remaining / 2)
  return affordable < smallestBudget ? undefined : Math.min(wanted, affordable)
}
