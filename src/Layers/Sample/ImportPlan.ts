import { atHour, ownersZone, workdays } from "./People/Workdays.ts"
import { type SampleCampaign, sampleCampaigns } from "./SampleLeads.ts"

/** The size of an account's invented past. */
export interface HistorySize {
  readonly days: number
  /** Leads that were contacted in that period, in all campaigns. */
  readonly workedLeads: number
  /** The leads imported last, which are not contacted yet. */
  readonly waitingLeads: number
  /** Leads that the platform acquires per day, 0 by default. */
  readonly acquiredPerDay?: number
}

/** Leads that are imported together, with the time of each lead's first touch. */
export interface ImportBatch {
  readonly campaign: SampleCampaign
  readonly number: number
  /** The position of the first lead in the campaign. */
  readonly from: number
  readonly count: number
  /** Unix milliseconds, like `firstTouches`. */
  readonly importedAt: number
  readonly firstTouches: ReadonlyArray<number>
}

/**
 * The share of each campaign in the contacted leads, and when its batches are imported, as shares of the whole time.
 */
const campaignPaces: ReadonlyArray<{
  readonly share: number
  readonly batchStarts: readonly [number, ...ReadonlyArray<number>]
}> = [
  { share: 0.34, batchStarts: [0, 0.25, 0.5, 0.75] },
  { share: 0.22, batchStarts: [0.3, 0.65] },
  { share: 0.14, batchStarts: [0.4, 0.75] },
  { share: 0.17, batchStarts: [0.1, 0.55] },
  { share: 0.13, batchStarts: [0.2, 0.6] }
]

/** The waiting leads are spread over this many working days. */
const waitingWorkdays = 60
const day = 86_400_000

/** `count` times from `from` to `to`, evenly distributed over working days between 9:00 and 17:30. */
const spreadOverWorkdays = (count: number, from: number, to: number): ReadonlyArray<number> => {
  const mornings = workdays(from, to)
  const perDay = Math.ceil(count / Math.max(1, mornings.length))
  return Array.from({ length: count }, (_, index) => {
    const morning = mornings[Math.floor(index / perDay)] ?? mornings.at(-1) ?? from
    const minutes = 60 + Math.floor(((index % perDay) / perDay) * 500) + ((index * 37) % 11)
    return morning + minutes * 60_000
  })
}

/** Returns which leads are imported when, and when each is contacted first, in a past that ends at `end`. */
export const importPlan = (size: HistorySize, end: number): ReadonlyArray<ImportBatch> => {
  const start = end - size.days * day
  const otherCampaigns = sampleCampaigns.reduce((sum, campaign) => sum + campaign.size, 0) - size.workedLeads
  return sampleCampaigns.flatMap((campaign, index): ReadonlyArray<ImportBatch> => {
    const { batchStarts, share } = campaignPaces[index] ?? { share: 0, batchStarts: [0] as const }
    const workedCount = Math.round(size.workedLeads * share)
    const waitingCount = Math.round(((campaign.size - workedCount) * size.waitingLeads) / otherCampaigns)
    const pastBatches = batchStarts.map((begin, place): ImportBatch => {
      const from = Math.floor((workedCount * place) / batchStarts.length)
      const count = Math.floor((workedCount * (place + 1)) / batchStarts.length) - from
      const importedAt = atHour(start + begin * size.days * day, 8, 20 + 7 * index, ownersZone)
      const until = start + (batchStarts[place + 1] ?? 1) * size.days * day
      return {
        campaign,
        number: place + 1,
        from,
        count,
        importedAt: Math.max(importedAt, start + 60_000 * (index + 1)),
        firstTouches: spreadOverWorkdays(count, importedAt, until)
      }
    })
    const lastAt = atHour(end - (3 + index) * day, 16, 5 * index, ownersZone)
    const last: ImportBatch = {
      campaign,
      number: batchStarts.length + 1,
      from: workedCount,
      count: waitingCount,
      importedAt: lastAt,
      firstTouches: spreadOverWorkdays(waitingCount, end + day / 2, end + (waitingWorkdays * 7 * day) / 5)
    }
    return [...pastBatches, last].filter(({ count }) => count > 0)
  })
}
