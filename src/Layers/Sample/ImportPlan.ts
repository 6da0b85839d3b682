import { type SampleCampaign, sampleCampaigns } from "./SampleLeads.ts"
import { atHour, ownersZone, workdays } from "./Workdays.ts"

/** How much past an account is given. */
export interface HistorySize {
  readonly days: number
  /** Leads that were contacted in that time, of all campaigns together. */
  readonly workedLeads: number
  /** Leads that were brought in last, and whose turn is still to come. */
  readonly waitingLeads: number
  /** Leads that the platform finds by itself, a day; none unless told. */
  readonly acquiredPerDay?: number
}

/** Leads that are brought in at once, and when their owner has each of them contacted first. */
export interface Lot {
  readonly campaign: SampleCampaign
  readonly number: number
  /** The place of the first in the campaign. */
  readonly from: number
  readonly count: number
  /** Unix milliseconds, as are the next. */
  readonly importedAt: number
  readonly firstTouches: ReadonlyArray<number>
}

/** Of the worked leads: each campaign's share, and when its lots come, as shares of the time from the beginning. */
const paces: ReadonlyArray<{ readonly share: number; readonly lots: readonly [number, ...ReadonlyArray<number>] }> = [
  { share: 0.34, lots: [0, 0.25, 0.5, 0.75] },
  { share: 0.22, lots: [0.3, 0.65] },
  { share: 0.14, lots: [0.4, 0.75] },
  { share: 0.17, lots: [0.1, 0.55] },
  { share: 0.13, lots: [0.2, 0.6] }
]

/** Working days over which the waiting leads are spread. */
const daysToCome = 60
const day = 86_400_000

/** `count` times on working days from `from` to `to`, evenly, between nine and half past five. */
const spread = (count: number, from: number, to: number): ReadonlyArray<number> => {
  const mornings = workdays(from, to)
  const perDay = Math.ceil(count / Math.max(1, mornings.length))
  return Array.from({ length: count }, (_, index) => {
    const morning = mornings[Math.floor(index / perDay)] ?? mornings.at(-1) ?? from
    const minutes = 60 + Math.floor(((index % perDay) / perDay) * 500) + ((index * 37) % 11)
    return morning + minutes * 60_000
  })
}

/** Which leads come in when, and when they are contacted first, in a past that ends at `end`. */
export const importPlan = (size: HistorySize, end: number): ReadonlyArray<Lot> => {
  const start = end - size.days * day
  const others = sampleCampaigns.reduce((sum, campaign) => sum + campaign.size, 0) - size.workedLeads
  return sampleCampaigns.flatMap((campaign, index): ReadonlyArray<Lot> => {
    const { lots, share } = paces[index] ?? { share: 0, lots: [0] as const }
    const worked = Math.round(size.workedLeads * share)
    const waiting = Math.round(((campaign.size - worked) * size.waitingLeads) / others)
    const past = lots.map((begin, place): Lot => {
      const from = Math.floor((worked * place) / lots.length)
      const count = Math.floor((worked * (place + 1)) / lots.length) - from
      const importedAt = atHour(start + begin * size.days * day, 8, 20 + 7 * index, ownersZone)
      const until = start + (lots[place + 1] ?? 1) * size.days * day
      return {
        campaign,
        number: place + 1,
        from,
        count,
        importedAt: Math.max(importedAt, start + 60_000 * (index + 1)),
        firstTouches: spread(count, importedAt, until)
      }
    })
    const lastAt = atHour(end - (3 + index) * day, 16, 5 * index, ownersZone)
    const last: Lot = {
      campaign,
      number: lots.length + 1,
      from: worked,
      count: waiting,
      importedAt: lastAt,
      firstTouches: spread(waiting, end + day / 2, end + (daysToCome * 7 * day) / 5)
    }
    return [...past, last].filter(({ count }) => count > 0)
  })
}
