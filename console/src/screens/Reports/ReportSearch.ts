export const periods = [7, 30, 90, 180] as const
export type Period = (typeof periods)[number]
export const defaultPeriod: Period = 30

export interface ReportSearch {
  /** The days up to today. By default 30. */
  readonly days?: Period
  readonly campaign?: string
}

/** Reads the address. What it does not know is ignored. */
export const parseReportSearch = (search: Readonly<Record<string, unknown>>): ReportSearch => {
  const days = periods.find((period) => period === Number(search["days"]))
  const campaign = Number(search["campaign"])
  return {
    ...(days === undefined || days === defaultPeriod ? {} : { days }),
    ...(Number.isInteger(campaign) && campaign > 0 ? { campaign: String(campaign) } : {})
  }
}
