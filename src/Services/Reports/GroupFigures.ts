import { cnaeEntries } from "../Reference/Cnae.ts"
import type { Language } from "../Text/Language.ts"
import { regionName } from "../Text/Places/RegionName.ts"
import { type IndustryFunnel, type Metrics, type MetricsByStateAndIndustry, metricNames } from "./ReportModel.ts"
import { percent } from "./ReportWindow.ts"

/** The name of the group of leads without the information. */
export const unspecified: { readonly [L in Language]: string } = {
  "pt-BR": "Não informado",
  en: "Unspecified",
  es: "Sin especificar"
}

interface Sector {
  readonly cnae: string | null
  readonly industry: string | null
}

/** The name of a lead's sector: the official name of its code, else its industry as text. */
const sectorName = ({ cnae, industry }: Sector): string | null => {
  const code = cnae?.replace(/\D/g, "")
  return (code === undefined ? undefined : cnaeEntries.get(code)?.name) ?? industry
}

/** Metrics of a group without events. */
export const noMetrics: Metrics = {
  new_leads: 0,
  emails_sent: 0,
  responses: 0,
  chatapp_sent: 0,
  chatapp_responses: 0,
  aware: 0,
  interested: 0,
  confirmed_aware_interested_or_taken_over: 0,
  referrals: 0,
  meetings_booked: 0,
  meetings_cancelled: 0,
  meetings_held: 0,
  meetings_no_show: 0
}

const plus = (one: Metrics, other: Metrics): Metrics => {
  const sum = { ...noMetrics }
  for (const name of metricNames) sum[name] = one[name] + other[name]
  return sum
}

export type StateFigures = Metrics & { readonly state: string | null }
/** Figures of leads in one sector. */
export type SectorFigures = Metrics & Sector

const groupsOf = <Row extends Metrics>(
  rows: ReadonlyArray<Row>,
  nameOf: (row: Row) => string | null,
  language: Language
) => {
  const groups = new Map<string | null, Metrics>()
  for (const row of rows) {
    const name = nameOf(row)
    groups.set(name, plus(groups.get(name) ?? noMetrics, row))
  }
  return [...groups]
    .map(([name, metrics]) => ({ name: name ?? unspecified[language], is_unspecified: name === null, ...metrics }))
    .filter((group) => metricNames.some((metric) => group[metric] > 0))
    .toSorted((a, b) => b.emails_sent + b.chatapp_sent - a.emails_sent - a.chatapp_sent || (a.name < b.name ? -1 : 1))
}

/** The base of each metric for which a low rate is best. */
const baseOf: { readonly [M in keyof Metrics]?: (group: Metrics) => number } = {
  meetings_cancelled: ({ meetings_booked }) => meetings_booked,
  meetings_no_show: ({ meetings_held, meetings_no_show }) => meetings_held + meetings_no_show
}

/** A rate based on fewer meetings means little. */
const fewestMeetings = 20

/**
 * The best group for each metric, without the group of unknown leads. If a low rate is best, a group without
 * cancellations is only chosen if no group has any.
 */
const bestOf = (groups: ReturnType<typeof groupsOf<Metrics>>) =>
  metricNames.flatMap((metric) => {
    const base = baseOf[metric]
    const namedGroups = groups.filter((group) => !group.is_unspecified)
    if (!namedGroups.some((group) => group[metric] > 0)) return []
    const byName = (a: { readonly name: string }, b: { readonly name: string }) => (a.name < b.name ? -1 : 1)
    if (base === undefined) {
      const [best] = namedGroups.toSorted((a, b) => b[metric] - a[metric] || byName(a, b))
      return best === undefined ? [] : [{ metric, name: best.name, value: best[metric], rate_pct: null }]
    }
    const [best] = namedGroups
      .filter((group) => base(group) >= fewestMeetings)
      .toSorted((a, b) => a[metric] / base(a) - b[metric] / base(b) || byName(a, b))
    return best === undefined
      ? []
      : [{ metric, name: best.name, value: best[metric], rate_pct: percent(best[metric], base(best)) }]
  })

/** The same leads are in `states` and in `sectors`. Several rows may have the same name. */
export const metricsByGroup = (
  states: ReadonlyArray<StateFigures>,
  sectors: ReadonlyArray<SectorFigures>,
  { days, language }: { readonly days: number; readonly language: Language }
): MetricsByStateAndIndustry => {
  const byState = groupsOf(states, ({ state }) => (state === null ? null : regionName(state)), language)
  const byIndustry = groupsOf(sectors, sectorName, language)
  return {
    days,
    by_state: byState,
    by_industry: byIndustry,
    best_state: bestOf(byState),
    best_industry: bestOf(byIndustry)
  }
}

/** A sector's leads by their progress. */
export interface FunnelRow extends Sector {
  readonly total: number
  readonly contacted: number
  readonly replied: number
  readonly interested: number
  /** Of the contacted leads, those that replied and those that became interested. */
  readonly contacted_replied: number
  readonly contacted_interested: number
  readonly closed: number
  readonly won: number
}

const sumOfRows = (one: FunnelRow, other: FunnelRow): FunnelRow => ({
  ...one,
  total: one.total + other.total,
  contacted: one.contacted + other.contacted,
  replied: one.replied + other.replied,
  interested: one.interested + other.interested,
  contacted_replied: one.contacted_replied + other.contacted_replied,
  contacted_interested: one.contacted_interested + other.contacted_interested,
  closed: one.closed + other.closed,
  won: one.won + other.won
})

export const industryFunnel = (
  rows: ReadonlyArray<FunnelRow>,
  { isBrazilian, language }: { readonly isBrazilian: boolean; readonly language: Language }
): IndustryFunnel => {
  const groups = new Map<string, { readonly code: string | null; readonly row: FunnelRow }>()
  for (const row of rows) {
    const entry = row.cnae === null ? undefined : cnaeEntries.get(row.cnae)
    const name = (isBrazilian ? entry?.name : row.industry) ?? unspecified[language]
    const earlierRows = groups.get(name)?.row
    groups.set(name, {
      code: isBrazilian ? (entry?.code ?? null) : null,
      row: earlierRows === undefined ? row : sumOfRows(row, earlierRows)
    })
  }
  return {
    grouped_by: isBrazilian ? "cnae_division" : "industry",
    rate_base: "contacted",
    industries: [...groups]
      .map(([name, { code, row }]) => ({
        code,
        name,
        total_leads: row.total,
        contacted: row.contacted,
        replied: row.replied,
        interested: row.interested,
        closed: row.closed,
        won: row.won,
        reply_rate_pct: percent(row.contacted_replied, row.contacted),
        interest_rate_pct: percent(row.contacted_interested, row.contacted)
      }))
      .toSorted((a, b) => b.total_leads - a.total_leads || (a.name < b.name ? -1 : 1))
  }
}
