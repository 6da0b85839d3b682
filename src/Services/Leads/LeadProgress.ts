import type { LeadStatus } from "./Ids.ts"

/** The statuses by which a lead progresses, in their order. A lead that passes one has passed those before it. */
export const progressStatuses = ["Confirmed", "Aware", "Interested"] as const satisfies ReadonlyArray<LeadStatus>
export type ProgressStatus = (typeof progressStatuses)[number]

/** The events of the feed for a lead that passes a status for the first time. */
export const progressEvents = { Confirmed: "lead_confirmed", Interested: "lead_became_interested" } as const
export type ProgressEvent = (typeof progressEvents)[keyof typeof progressEvents]

/** What a lead with a status has passed. */
export const passedBy = (status: LeadStatus): ReadonlyArray<ProgressStatus> => {
  const index = progressStatuses.findIndex((progress) => progress === status)
  return progressStatuses.slice(0, index + 1)
}

/** The statuses that pass a status. */
export const statusesThatPass = (status: ProgressStatus): ReadonlyArray<ProgressStatus> =>
  progressStatuses.slice(progressStatuses.indexOf(status))
