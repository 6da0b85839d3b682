/**
 * A keyword of a running campaign. Everything that the simulator shows is computed from the campaign and not stored.
 */

export interface ServedKeyword {
  readonly id: number
  readonly text: string
  readonly matchType: string
  /** The time from which its ads run, in Unix milliseconds. */
  readonly from: number
}

export interface ServedNegative {
  readonly text: string
  readonly matchType: string
  readonly from: number
}

export interface ServedAd {
  readonly id: number
  readonly headlines: ReadonlyArray<string>
  readonly from: number
  /** The time at which it was removed, in Unix milliseconds. */
  readonly until: number | undefined
}

export interface ServedCampaign {
  readonly id: number
  readonly seed: number
  readonly statuses: ReadonlyArray<{ readonly at: number; readonly status: string }>
  readonly budgets: ReadonlyArray<{ readonly at: number; readonly micros: number }>
  readonly keywords: ReadonlyArray<ServedKeyword>
  readonly negatives: ReadonlyArray<ServedNegative>
  readonly ads: ReadonlyArray<ServedAd>
  /** Periods in which far more people search than usual. */
  readonly bursts: ReadonlyArray<{ readonly from: number; readonly until: number }>
  /** Periods in which the account was suspended. */
  readonly stops: ReadonlyArray<{ readonly from: number; readonly until: number | undefined }>
  /** Clicks that a developer charged at a chosen time. */
  readonly charges: ReadonlyArray<{ readonly at: number; readonly micros: number }>
}

/** The metrics of one keyword in one hour. Every report is a sum of such rows. */
export interface KeywordHour {
  readonly day: string
  readonly hour: number
  readonly keywordId: number
  readonly adId: number
  readonly term: string
  readonly device: string
  readonly region: string
  readonly age: string
  readonly gender: string
  readonly action: string
  /** The number of searches in which the keyword's ads could have been shown. */
  readonly eligible: number
  readonly lostToBudget: number
  readonly impressions: number
  readonly clicks: number
  readonly costMicros: number
  readonly conversions: number
}

const hourMillis = 3_600_000
const dayMillis = 24 * hourMillis

/** A number from 0 to below 1 that is always the same for the same parts. */
const chance = (...parts: ReadonlyArray<number>): number => {
  let state = 0x9e3779b9
  for (const part of parts) {
    state = Math.imul(state ^ (part | 0), 0x85ebca6b)
    state ^= state >>> 13
    state = Math.imul(state, 0xc2b2ae35)
    state ^= state >>> 16
  }
  return (state >>> 0) / 4_294_967_296
}

export const numberOfText = (text: string): number => {
  let state = 0x811c9dc5
  for (let index = 0; index < text.length; index++) state = Math.imul(state ^ text.charCodeAt(index), 0x01000193)
  return state | 0
}

/** Returns how often a keyword is searched for in a month, a number derived from its text. */
export const monthlySearches = (text: string): number => {
  const words = text.split(" ").length
  const wide = words === 1 ? 3 : words === 2 ? 1.5 : 1
  return Math.round(10 ** (2.3 + 1.6 * chance(numberOfText(text.toLowerCase()), 1)) * wide)
}

/** Returns the average cost of a click at the top of the page, in micros. */
export const marketMicros = (text: string): number =>
  Math.round(60 + 400 * chance(numberOfText(text.toLowerCase()), 2)) * 10_000

/** Returns the quality score, from 1 to 10. It is higher if an ad contains the searched words. */
export const qualityOf = (text: string, ads: ReadonlyArray<{ readonly headlines: ReadonlyArray<string> }>): number => {
  const words = text
    .toLowerCase()
    .split(" ")
    .filter((word) => word.length > 3)
  const said = ads.some(({ headlines }) =>
    headlines.some((headline) => words.some((word) => headline.toLowerCase().includes(word)))
  )
  return Math.min(10, 3 + Math.floor(4 * chance(numberOfText(text.toLowerCase()), 3)) + (said ? 3 : 0))
}

const endings: ReadonlyArray<readonly [term: (text: string) => string, weight: number, converts: number]> = [
  [(text) => text, 0.4, 1],
  [(text) => `${text} preço`, 0.18, 1.6],
  [(text) => `${text} grátis`, 0.14, 0],
  [(text) => `curso de ${text}`, 0.1, 0],
  [(text) => `melhor ${text}`, 0.1, 1.3],
  [(text) => `${text} perto de mim`, 0.08, 1.8]
]

const termsOf = ({ matchType, text }: ServedKeyword) => {
  const count = matchType === "EXACT" ? 1 : matchType === "PHRASE" ? 4 : endings.length
  return endings
    .slice(0, count)
    .map(([term, weight, converts]) => ({ term: term(text.toLowerCase()), weight, converts }))
}

const excludes = ({ matchType, text }: ServedNegative, term: string): boolean => {
  const wanted = text.toLowerCase()
  if (matchType === "EXACT") return term === wanted
  if (matchType === "PHRASE") return ` ${term} `.includes(` ${wanted} `)
  const words = new Set(term.split(" "))
  return wanted.split(" ").every((word) => words.has(word))
}

const reach: { readonly [matchType: string]: number } = { EXACT: 1, PHRASE: 1.9, BROAD: 3.2 }

/** The distribution of searches over the hours of a day, relative to 24 equal shares. */
const curve = [
  0.25, 0.15, 0.1, 0.08, 0.1, 0.25, 0.55, 0.9, 1.4, 1.7, 1.75, 1.6, 1.3, 1.45, 1.65, 1.65, 1.55, 1.4, 1.25, 1.2, 1.25,
  1.15, 0.85, 0.5
]
const weekdays = [0.55, 1.15, 1.2, 1.2, 1.15, 1.05, 0.65]

const pick = <A>(items: ReadonlyArray<readonly [item: A, weight: number]>, at: number, otherwise: A): A => {
  let rest = at * items.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [item, weight] of items) {
    if (rest < weight) return item
    rest -= weight
  }
  return otherwise
}

const devices: ReadonlyArray<readonly [string, number]> = [
  ["MOBILE", 0.62],
  ["DESKTOP", 0.34],
  ["TABLET", 0.04]
]
export const regions: ReadonlyArray<readonly [string, number]> = [
  ["São Paulo", 0.42],
  ["Rio de Janeiro", 0.16],
  ["Minas Gerais", 0.14],
  ["Paraná", 0.1],
  ["Rio Grande do Sul", 0.1],
  ["Bahia", 0.08]
]
const ages: ReadonlyArray<readonly [string, number]> = [
  ["AGE_RANGE_18_24", 0.08],
  ["AGE_RANGE_25_34", 0.24],
  ["AGE_RANGE_35_44", 0.28],
  ["AGE_RANGE_45_54", 0.2],
  ["AGE_RANGE_55_64", 0.1],
  ["AGE_RANGE_65_UP", 0.04],
  ["AGE_RANGE_UNDETERMINED", 0.06]
]
const genders: ReadonlyArray<readonly [string, number]> = [
  ["FEMALE", 0.47],
  ["MALE", 0.45],
  ["UNDETERMINED", 0.08]
]
const actions: ReadonlyArray<readonly [string, number]> = [
  ["Formulário de contato", 0.7],
  ["Ligação pelo anúncio", 0.3]
]

/** Returns the share of the period in which the campaign was enabled and the account not suspended. */
const enabledShare = (campaign: ServedCampaign, from: number, to: number): number => {
  let millis = 0
  for (const [index, { at, status }] of campaign.statuses.entries()) {
    if (status !== "ENABLED") continue
    const end = campaign.statuses[index + 1]?.at ?? to
    let span = Math.max(0, Math.min(end, to) - Math.max(at, from))
    for (const stop of campaign.stops) {
      span -= Math.max(0, Math.min(end, to, stop.until ?? to) - Math.max(at, from, stop.from))
    }
    millis += Math.max(0, span)
  }
  return millis / hourMillis
}

/** Returns the limit of the day's spend. The platform may spend up to twice the highest budget of the day. */
const limitOf = (
  campaign: ServedCampaign,
  dayStart: number,
  until: number,
  dayNumber: number,
  isBurst: boolean
): number => {
  let highest = 0
  for (const [index, { at, micros }] of campaign.budgets.entries()) {
    const end = campaign.budgets[index + 1]?.at ?? Number.POSITIVE_INFINITY
    if (at < until && end > dayStart) highest = Math.max(highest, micros)
  }
  return Math.floor(highest * (isBurst ? 2 : 0.85 + 0.3 * chance(campaign.seed, campaign.id, dayNumber, 4)))
}

interface HourOfDay {
  readonly day: string
  /** The number of days since 1970. */
  readonly dayNumber: number
  readonly weekday: number
  readonly hour: number
  /** The start in Unix milliseconds. */
  readonly start: number
  readonly end: number
  /** The share of the hour in which the campaign was enabled. */
  readonly enabled: number
  readonly isBurst: boolean
  /** The most that may be spent on the day, in micros. */
  readonly limit: number
  readonly ads: ServedCampaign["ads"]
}

const hoursPerMonth = 720

/** Searches in the hour while the keyword existed and the campaign ran. */
const eligibleSearches = (
  campaign: ServedCampaign,
  keyword: ServedCampaign["keywords"][number],
  { enabled, end, hour, isBurst, start, weekday }: HourOfDay,
  roll: (what: number) => number
) => {
  const negatives = campaign.negatives.filter(({ from }) => from < start + hourMillis)
  const allTerms = termsOf(keyword)
  const terms = allTerms.filter(({ term }) => !negatives.some((negative) => excludes(negative, term)))
  const weightOf = (some: typeof terms) => some.reduce((sum, { weight }) => sum + weight, 0)
  const searches =
    (monthlySearches(keyword.text) / hoursPerMonth) *
    (reach[keyword.matchType] ?? 1) *
    (curve[hour] ?? 1) *
    (weekdays[weekday] ?? 1) *
    (0.6 + 0.8 * roll(5)) *
    (weightOf(terms) / weightOf(allTerms)) *
    (isBurst ? 200 : 1)
  const part = Math.min(1, enabled, Math.max(0, (end - keyword.from) / hourMillis))
  return { terms, eligible: terms.length === 0 ? 0 : Math.floor(Math.floor(searches + roll(6)) * part) }
}

/** Limits impressions and clicks to the budget. Once it is used up, the ad is no longer shown. */
const deliveredWithin = (leftMicros: number, most: number, mostClicks: number, cpc: number) => {
  const clicks = Math.min(mostClicks, Math.max(0, Math.floor(leftMicros / cpc)))
  if (clicks < mostClicks) return { clicks, impressions: Math.max(clicks, Math.floor((most * clicks) / mostClicks)) }
  return { clicks, impressions: cpc > leftMicros ? 0 : most }
}

/** Returns the metrics of a keyword in an hour. Undefined if no one searched for it. */
const servedKeyword = (
  campaign: ServedCampaign,
  keyword: ServedCampaign["keywords"][number],
  hourOfDay: HourOfDay,
  spent: number
): KeywordHour | undefined => {
  const { ads, day, dayNumber, hour, limit } = hourOfDay
  const key = numberOfText(keyword.text.toLowerCase())
  const roll = (what: number) => chance(campaign.seed, campaign.id, key, dayNumber * 24 + hour, what)
  const { eligible, terms } = eligibleSearches(campaign, keyword, hourOfDay, roll)
  if (eligible === 0) return undefined
  const quality = qualityOf(keyword.text, ads)
  const most = Math.floor(eligible * Math.min(0.95, 0.22 + 0.07 * quality))
  const mostClicks = Math.min(most, Math.floor(most * (0.012 + 0.009 * quality) + roll(7)))
  const cpc = Math.max(50_000, Math.round((marketMicros(keyword.text) * 8) / (quality + 2) / 10_000) * 10_000)
  const { clicks, impressions } = deliveredWithin(limit - spent, most, mostClicks, cpc)
  const term = pick(
    terms.map((each) => [each, each.weight] as const),
    roll(8),
    terms[0] ?? { term: keyword.text, weight: 1, converts: 1 }
  )
  const conversions = term.converts === 0 ? 0 : Math.floor(clicks * 0.06 * term.converts + roll(10))
  return {
    day,
    hour,
    keywordId: keyword.id,
    adId: ads[Math.floor(roll(11) * ads.length)]?.id ?? 0,
    term: term.term,
    device: pick(devices, roll(12), "MOBILE"),
    region: pick(regions, roll(13), "São Paulo"),
    age: pick(ages, roll(14), "AGE_RANGE_UNDETERMINED"),
    gender: pick(genders, roll(15), "UNDETERMINED"),
    action: pick(actions, roll(16), "Formulário de contato"),
    eligible,
    lostToBudget: most - impressions,
    impressions,
    clicks,
    costMicros: clicks * cpc,
    conversions: Math.min(clicks, conversions)
  }
}

/** Returns the costs that developers charged to the campaign in the hour. */
const chargedHours = (
  { charges, keywords: [keyword] }: ServedCampaign,
  { ads, day, end, hour, start }: HourOfDay
): ReadonlyArray<KeywordHour> =>
  keyword === undefined
    ? []
    : charges
        .filter(({ at }) => at >= start && at < end)
        .map(({ micros }) => ({
          day,
          hour,
          keywordId: keyword.id,
          adId: ads[0]?.id ?? 0,
          term: keyword.text.toLowerCase(),
          device: "MOBILE",
          region: "São Paulo",
          age: "AGE_RANGE_35_44",
          gender: "UNDETERMINED",
          action: "Formulário de contato",
          eligible: 40,
          lostToBudget: 0,
          impressions: 20,
          clicks: 1,
          costMicros: micros,
          conversions: 0
        }))

/** Returns the results of a day in the zone until `now`. Later changes do not affect them. */
export const simulateAdDay = (
  campaign: ServedCampaign,
  day: string,
  zoneMillis: number,
  now: number
): ReadonlyArray<KeywordHour> => {
  const dayStart = Date.parse(`${day}T00:00:00Z`) - zoneMillis
  const dayNumber = Math.floor((dayStart + zoneMillis) / dayMillis)
  const weekday = new Date(dayStart + zoneMillis).getUTCDay()
  const served: Array<KeywordHour> = []
  let spent = 0
  for (let hour = 0; hour < 24; hour++) {
    const start = dayStart + hour * hourMillis
    if (start >= now) break
    const end = Math.min(start + hourMillis, now)
    const isBurst = campaign.bursts.some(({ from, until }) => from < end && until > start)
    const hourOfDay: HourOfDay = {
      day,
      dayNumber,
      weekday,
      hour,
      start,
      end,
      enabled: enabledShare(campaign, start, end),
      isBurst,
      limit: limitOf(campaign, dayStart, end, dayNumber, isBurst),
      ads: campaign.ads.filter(({ from, until }) => from < end && (until === undefined || until > start))
    }
    if (hourOfDay.ads.length === 0) continue
    for (const keyword of campaign.keywords) {
      if (keyword.from >= end) continue
      const servedHour = servedKeyword(campaign, keyword, hourOfDay, spent)
      if (servedHour === undefined) continue
      spent += servedHour.costMicros
      served.push(servedHour)
    }
    served.push(...chargedHours(campaign, hourOfDay))
  }
  return served
}
