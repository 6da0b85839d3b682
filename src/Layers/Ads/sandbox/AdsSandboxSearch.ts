import { type Entity, entities, hoursOf, type SearchPlace, type Values } from "./AdsSandboxEntities.ts"
import { holds, type Query, rowOf } from "./AdsSandboxGaql.ts"
import { regionResource } from "./AdsSandboxPlaces.ts"
import type { KeywordHour } from "./AdsSandboxServing.ts"
import { recordsOf, servedCampaign, textsIn } from "./AdsSandboxStore.ts"

const hourFields: { readonly [path: string]: (hour: KeywordHour) => unknown } = {
  "segments.date": ({ day }) => day,
  "segments.hour": ({ hour }) => hour,
  "segments.device": ({ device }) => device,
  "segments.conversion_action_name": ({ action }) => action,
  "segments.geo_target_region": ({ region }) => regionResource(region),
  "search_term_view.search_term": ({ term }) => term,
  "ad_group_criterion.age_range.type": ({ age }) => age,
  "ad_group_criterion.gender.type": ({ gender }) => gender
}

const share = (part: number, whole: number): number | undefined =>
  whole === 0 ? undefined : Math.max(0, Math.min(1, Math.round((part / whole) * 10_000) / 10_000))

const below10 = (value: number | undefined): number | undefined =>
  value === undefined ? undefined : value < 0.1 ? 0.0999 : value

const metricsOf = (hours: ReadonlyArray<KeywordHour>) => {
  const sum = (name: "impressions" | "clicks" | "costMicros" | "conversions" | "eligible" | "lostToBudget") =>
    hours.reduce((total, hour) => total + hour[name], 0)
  const eligible = sum("eligible")
  const impressions = sum("impressions")
  const lost = sum("lostToBudget")
  const values: ReadonlyArray<readonly [string, unknown]> = [
    ["metrics.impressions", `${impressions}`],
    ["metrics.clicks", `${sum("clicks")}`],
    ["metrics.cost_micros", `${sum("costMicros")}`],
    ["metrics.conversions", sum("conversions")],
    ["metrics.search_impression_share", below10(share(impressions, eligible))],
    ["metrics.search_budget_lost_impression_share", share(lost, eligible)],
    ["metrics.search_rank_lost_impression_share", share(eligible - impressions - lost, eligible)]
  ]
  return values
}

/** Each impression shows three headlines and two descriptions. Their position decides which ones. */
const assetRows = (place: SearchPlace, entity: Entity, hours: ReadonlyArray<KeywordHour>): ReadonlyArray<Values> => {
  if (entity.campaign === undefined) return []
  return recordsOf(place.world, "ad", entity.campaign.id).flatMap((ad) => {
    const own = hours.filter(({ adId }) => adId === ad.id)
    const impressions = own.reduce((total, hour) => total + hour.impressions, 0)
    const clicks = own.reduce((total, hour) => total + hour.clicks, 0)
    const rows = (fieldType: string, texts: ReadonlyArray<string>, shown: number) =>
      texts.map((text, index) => {
        const part = Math.min(1, (shown * 2 * (texts.length - index)) / (texts.length * (texts.length + 1)))
        const seen = Math.floor(impressions * part)
        const label =
          seen === 0 ? "PENDING" : seen < 500 ? "LEARNING" : part > 0.6 ? "BEST" : part > 0.3 ? "GOOD" : "LOW"
        return new Map<string, unknown>([
          ...entity.values,
          ["ad_group_ad_asset_view.field_type", fieldType],
          ["ad_group_ad_asset_view.performance_label", label],
          ["asset.text_asset.text", text],
          ["metrics.impressions", `${seen}`],
          ["metrics.clicks", `${Math.floor(clicks * part)}`]
        ])
      })
    return [
      ...rows("HEADLINE", textsIn(ad.body, "ad", "responsiveSearchAd", "headlines"), 3),
      ...rows("DESCRIPTION", textsIn(ad.body, "ad", "responsiveSearchAd", "descriptions"), 2)
    ]
  })
}

/** Returns the rows of a query. Undefined if it names a field or resource that the simulator does not know. */
export const searched = (place: SearchPlace, { from, select, where }: Query): ReadonlyArray<object> | undefined => {
  const found = entities(place, from)
  if (found === undefined) return undefined
  const ofHours = where.filter(({ field }) => field.startsWith("segments."))
  const ofEntities = where.filter(({ field }) => !field.startsWith("segments."))
  const wanted = found.filter(({ values }) =>
    ofEntities.every((condition) => holds(condition, values.get(condition.field)))
  )
  const hasMetrics = select.some((field) => field.startsWith("metrics."))
  const dates = ofHours.find(({ field }) => field === "segments.date")
  const cut = select.filter((field) => hourFields[field] !== undefined)
  const rows = wanted.flatMap((entity): ReadonlyArray<Values> => {
    if (!hasMetrics || entity.campaign === undefined) return [entity.values]
    const hours = hoursOf(
      servedCampaign(place.world, entity.campaign),
      place,
      dates?.values[0] ?? "2020-01-01",
      dates?.values[1] ?? dates?.values[0] ?? "9999-12-31"
    ).filter(entity.has)
    if (from === "ad_group_ad_asset_view") return assetRows(place, entity, hours)
    if (cut.length === 0) return [new Map([...entity.values, ...metricsOf(hours)])]
    const groups = new Map<string, Array<KeywordHour>>()
    for (const hour of hours) {
      if (hour.impressions === 0 || (select.includes("segments.conversion_action_name") && hour.conversions === 0))
        continue
      const key = JSON.stringify(cut.map((field) => hourFields[field]?.(hour)))
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [hour])
      else group.push(hour)
    }
    return [...groups.values()].map(
      (group) =>
        new Map([
          ...entity.values,
          ...cut.map((field) => [field, group[0] === undefined ? undefined : hourFields[field]?.(group[0])] as const),
          ...metricsOf(group)
        ])
    )
  })
  return rows.map((values) => rowOf(new Map(select.map((field) => [field, values.get(field)]))))
}
