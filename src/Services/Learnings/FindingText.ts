import { Schema } from "effect"
import type { Language } from "../Text/Language.ts"
import { regionName } from "../Text/Places/RegionName.ts"
import type { ComparedKind, Finding } from "./Findings.ts"
import { rateOf, type Share, wilson } from "./Proportions.ts"
import { wording } from "./Wording.ts"

const count = Schema.Int
const pct = Schema.Number

const Rate = Schema.Struct({
  replies: count,
  sample_size: count,
  rate_pct: pct,
  interval_low_pct: pct.annotations({ description: "Of the 95 % interval by Wilson." }),
  interval_high_pct: pct
})

/** The numbers behind a learning. */
export const LearningSummary = Schema.Struct({
  group: Schema.NullOr(Schema.String).annotations({ description: "The group; null if no group differs." }),
  sample_size: count.annotations({ description: "E-mails, leads or refusals that it is based on." }),
  rate: Schema.NullOr(Rate).annotations({ description: "The group's own; of refusals the share of this reason." }),
  others: Schema.NullOr(Rate).annotations({ description: "Everything else of its kind, for comparison." }),
  probability_of_chance: Schema.NullOr(Schema.Number).annotations({
    description: "The probability of such a difference by chance, corrected for all comparisons."
  }),
  groups: Schema.Array(Schema.Struct({ group: Schema.String, ...Rate.fields })).annotations({
    description: "All groups, the largest first, if none differs."
  })
})
export type LearningSummary = typeof LearningSummary.Type

const percent = (rate: number): number => Math.round(rate * 1000) / 10

const rateView = (share: Share) => {
  const { high, low } = wilson(share)
  return {
    replies: share.hits,
    sample_size: share.tries,
    rate_pct: percent(rateOf(share)),
    interval_low_pct: percent(low),
    interval_high_pct: percent(high)
  }
}

const twoDigits = (hour: number): string => `${hour}`.padStart(2, "0")

const joiner: { readonly [L in Language]: string } = { "pt-BR": "e", en: "and", es: "y las" }

/** A group's name in the account's language. */
const nameOf = (kind: ComparedKind, group: string, language: Language): string => {
  const words = wording[language]
  switch (kind) {
    case "reply_day":
      return words.weekdays[Number(group)] ?? group
    case "reply_hour":
      return `${twoDigits(Number(group))}:00 ${joiner[language]} ${twoDigits((Number(group) + 1) % 24)}:00`
    case "message_type":
      return words.messageTypes[group] ?? group
    case "opening":
      return words.openings[group] ?? group
    case "region":
      return regionName(group)
    case "sector":
      return group
  }
}

/** The name of a group without a sentence around it. */
const labelOf = (kind: ComparedKind, group: string, language: Language): string => {
  switch (kind) {
    case "reply_day": {
      const name = new Date(Date.UTC(2023, 0, 1 + Number(group)))
      return name.toLocaleDateString(language, { weekday: "long", timeZone: "UTC" })
    }
    case "reply_hour":
      return `${twoDigits(Number(group))}:00–${twoDigits((Number(group) + 1) % 24)}:00`
    case "opening":
      return wording[language].openingLabels[group] ?? group
    default:
      return nameOf(kind, group, language)
  }
}

export const summaryOf = (finding: Finding, language: Language): LearningSummary => {
  const nothing = { group: null, rate: null, others: null, probability_of_chance: null, groups: [] }
  switch (finding._tag) {
    case "Difference":
      return {
        ...nothing,
        group: labelOf(finding.kind, finding.group, language),
        sample_size: finding.share.tries + finding.others.tries,
        rate: rateView(finding.share),
        others: rateView(finding.others),
        probability_of_chance: Math.round(finding.probability * 1e6) / 1e6
      }
    case "NoDifference":
      return {
        ...nothing,
        sample_size: finding.all.tries,
        rate: rateView(finding.all),
        groups: finding.groups.map((group) => ({
          group: labelOf(finding.kind, group.group, language),
          ...rateView(group)
        }))
      }
    case "Refusals":
      return {
        ...nothing,
        group: wording[language].refusals[finding.reason],
        sample_size: finding.refusals,
        rate: rateView({ hits: finding.leads, tries: finding.refusals })
      }
  }
}

/** A finding as a text for the account's owner, in the account's language. */
export const contentOf = (finding: Finding, language: Language): string => {
  const words = wording[language]
  const whole = (value: number): string => value.toLocaleString(language)
  const share = (rate: number): string =>
    `${(Math.round(rate * 1000) / 10).toLocaleString(language, { maximumFractionDigits: 1 })}${language === "es" ? " " : ""}%`
  const fraction = ({ hits, tries }: Share, unit: string): string =>
    `${whole(hits)} ${words.of} ${whole(tries)} ${unit}`
  switch (finding._tag) {
    case "Difference": {
      const { others, subject, unit } = words.kinds[finding.kind]
      const { high, low } = wilson(finding.share)
      const claim = `${subject(nameOf(finding.kind, finding.group, language))} ${finding.isHigher ? words.higher : words.lower}`
      const ownRate = `${share(rateOf(finding.share))} (${fraction(finding.share, unit)})`
      const compared = `${share(rateOf(finding.others))} ${others} (${fraction(finding.others, unit)})`
      return `${claim}: ${ownRate} ${words.comparedWith} ${compared}. ${words.interval(share(low), share(high))}`
    }
    case "NoDifference": {
      const { none, unit } = words.kinds[finding.kind]
      const { hits, tries } = finding.all
      const numbers = { hits: whole(hits), isOne: hits === 1, tries: whole(tries), rate: share(rateOf(finding.all)) }
      return words.nothing(none, numbers, unit)
    }
    case "Refusals": {
      const { leads, reason, refusals } = finding
      return words.refused(
        {
          leads: whole(leads),
          isOne: leads === 1,
          isOnly: refusals === 1,
          share: share(leads / refusals),
          all: whole(refusals)
        },
        words.refusals[reason]
      )
    }
  }
}
