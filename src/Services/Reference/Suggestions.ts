import { Schema } from "effect"
import type { BusinessProfile } from "../Knowledge/Business.ts"
import { exampleList } from "../Knowledge/ExampleList.ts"
import type { Language } from "../Text/Language.ts"
import { fold } from "../Text/PlainText.ts"
import { CnaeLevel, cnaeEntries } from "./Cnae.ts"
import { overlaps, pathOf, type RankedCnae, rankCnae, splitProfile } from "./CnaeRanking.ts"
import { suggestionWords } from "./SuggestionWords.ts"

export const SuggestedBy = Schema.Literal("model", "rules")
export type SuggestedBy = typeof SuggestedBy.Type

export const CnaeSuggestion = Schema.Struct({
  code: Schema.String,
  formatted_code: Schema.String,
  level: CnaeLevel,
  name: Schema.String,
  path: Schema.String.annotations({ description: "Its position in the classification." }),
  reason: Schema.String
})
export type CnaeSuggestion = typeof CnaeSuggestion.Type

export const CnaeSuggestions = Schema.Struct({
  suggestions: Schema.Array(CnaeSuggestion),
  codes: Schema.String.annotations({ description: "The codes, comma-separated, as set_targeting takes them." }),
  icp_text: Schema.String.annotations({ description: "What the suggestion was made from." }),
  icp_source: Schema.Literal("given", "current", "business_description").annotations({
    description:
      "Whether it is from the call, from the account's ideal customer profile, or a replacement for a missing one."
  }),
  suggested_by: SuggestedBy,
  note: Schema.NullOr(Schema.String)
})
export type CnaeSuggestions = typeof CnaeSuggestions.Type

export const maximumSuggestions = 12

/** The suggestion for a code. Undefined if the code does not exist. */
export const suggestionOf = (code: string, reason: string): CnaeSuggestion | undefined => {
  const entry = cnaeEntries.get(code)
  return entry === undefined || entry.level === "section" ? undefined : { ...entry, path: pathOf(code), reason }
}

/** Quotes words as the text spells them, because they were compared without accents. */
const quotedFrom = (text: string) => {
  const originalWords = new Map<string, string>()
  for (const word of text.slice(0, 20_000).split(/[^\p{L}\p{M}\p{N}]+/u)) {
    const folded = fold(word)
    if (!originalWords.has(folded)) originalWords.set(folded, word.toLowerCase())
  }
  return (words: ReadonlyArray<string>): string =>
    words.map((word) => `"${originalWords.get(word) ?? word}"`).join(", ")
}

const fromRanking = (ranked: ReadonlyArray<RankedCnae>, text: string, reason: (words: string) => string) => {
  const quotedWords = quotedFrom(text)
  return ranked.flatMap(({ entry, words }) => suggestionOf(entry.code, reason(quotedWords(words))) ?? [])
}

/** Trades that the profile names, without those that it excludes. */
export const includedByRules = (icp: string, language: Language): ReadonlyArray<CnaeSuggestion> => {
  const { excludedText, targetText } = splitProfile(icp)
  const not = rankCnae(excludedText, maximumSuggestions)
  const ranked = rankCnae(targetText, maximumSuggestions * 2).filter(
    ({ entry }) => !not.some((other) => overlaps(entry.code, other.entry.code))
  )
  return fromRanking(ranked.slice(0, maximumSuggestions), targetText, suggestionWords[language].profileSays)
}

/** Trades that the profile excludes, and those that do the same as the account. */
export const excludedByRules = (
  icp: string,
  ownBusiness: string,
  language: Language
): ReadonlyArray<CnaeSuggestion> => {
  const texts = suggestionWords[language]
  const { excludedText, targetText } = splitProfile(icp)
  const included = rankCnae(targetText, maximumSuggestions)
  const excludedTrades = fromRanking(rankCnae(excludedText, maximumSuggestions), excludedText, texts.profileLeavesOut)
  const competitors = rankCnae(ownBusiness, 4).filter(
    ({ entry, score }) =>
      score >= 0.6 &&
      !included.some((other) => overlaps(entry.code, other.entry.code)) &&
      !excludedTrades.some((other) => overlaps(entry.code, other.code))
  )
  return [...excludedTrades, ...fromRanking(competitors, ownBusiness, texts.competitor)].slice(0, maximumSuggestions)
}

export const IcpSuggestion = Schema.Struct({
  icp: Schema.String.annotations({ description: "Check it, then save it with set_business." }),
  reasons: Schema.Array(Schema.String),
  suggested_by: SuggestedBy,
  missing: Schema.Array(Schema.String).annotations({ description: "What would make the suggestion better." })
})
export type IcpSuggestion = typeof IcpSuggestion.Type

/** What leads that became interested or bought have in common. */
export interface GoodLeads {
  readonly count: number
  readonly industries: ReadonlyArray<{ readonly name: string; readonly count: number }>
  readonly states: ReadonlyArray<{ readonly name: string; readonly count: number }>
  readonly jobTitles: ReadonlyArray<{ readonly name: string; readonly count: number }>
}

/** With fewer good leads, common features are chance. */
const minimumGoodLeads = 5

const firstSentence = (text: string): string => {
  const [sentence = ""] = text.trim().split(/(?<=[.!?])\s|\n/)
  return sentence.replace(/[.!?]+$/, "").slice(0, 300)
}

interface IcpTargeting {
  readonly cnae: ReadonlyArray<string>
  readonly states: ReadonlyArray<string>
  readonly minEmployees: number | null
  readonly maxEmployees: number | null
}

/** The most frequent values among the good leads, if there are enough leads. */
const provenNames = (
  { count }: GoodLeads,
  values: ReadonlyArray<{ readonly name: string; readonly count: number }>
): ReadonlyArray<string> =>
  count < minimumGoodLeads
    ? []
    : values
        .filter((value) => value.count >= 2)
        .slice(0, 3)
        .map(({ name }) => name)

/** The trades of the suggested profile, with the reason. */
const namedTrades = (
  business: BusinessProfile,
  good: GoodLeads,
  targeting: IcpTargeting,
  language: Language
): { readonly trades: ReadonlyArray<string>; readonly reason: string } => {
  const { reasons } = suggestionWords[language]
  const targetedTrades = targeting.cnae.flatMap((code) => cnaeEntries.get(code)?.name ?? []).slice(0, 4)
  if (targetedTrades.length > 0) return { trades: targetedTrades, reason: reasons.targetedTrades }
  const provenTrades = provenNames(good, good.industries)
  if (provenTrades.length > 0)
    return { trades: provenTrades, reason: reasons.provenTrades(good.count.toLocaleString(language)) }
  const ofExamples = rankCnae(business.paying_customer_examples ?? "", 3).map(({ entry }) => entry.name)
  return { trades: ofExamples, reason: reasons.exampleTrades }
}

/** A profile based on the account's description and on interested leads. Each part has a reason. */
export const icpByRules = (
  business: BusinessProfile,
  good: GoodLeads,
  targeting: IcpTargeting,
  language: Language
): IcpSuggestion => {
  const texts = suggestionWords[language]
  const reasons: Array<string> = []
  const missing: Array<string> = []
  const parts: Array<string> = []
  const examples = exampleList(business.paying_customer_examples)
  const { reason, trades } = namedTrades(business, good, targeting, language)
  if (trades.length > 0) {
    parts.push(texts.inTrades(trades.join(", "), trades.length === 1))
    reasons.push(reason)
  } else missing.push(texts.missing.trades)
  if (targeting.minEmployees !== null || targeting.maxEmployees !== null) {
    parts.push(texts.employees(targeting.minEmployees, targeting.maxEmployees))
    reasons.push(texts.reasons.size)
  }
  const states = targeting.states.length > 0 ? targeting.states : provenNames(good, good.states)
  if (states.length > 0) {
    parts.push(texts.inStates(states.join(", ")))
    reasons.push(targeting.states.length > 0 ? texts.reasons.targetedPlaces : texts.reasons.provenPlaces)
  }
  if (examples.length > 0) {
    parts.push(texts.like(examples.slice(0, 5).join(", ")))
    reasons.push(texts.reasons.examples)
  } else missing.push(texts.missing.examples)
  const offer = firstSentence(business.business_description ?? "")
  if (offer !== "") {
    parts.push(texts.needs(offer))
    reasons.push(texts.reasons.need)
  } else missing.push(texts.missing.offer)
  const titles = provenNames(good, good.jobTitles)
  const deciders = titles.length > 0 ? titles.join(", ") : texts.defaultDeciders
  reasons.push(titles.length > 0 ? texts.reasons.provenDeciders : texts.reasons.usualDeciders)
  const companies = parts.length === 0 ? texts.anyCompanies : texts.companies(parts.join(", "))
  return { icp: `${companies}. ${texts.deciders(deciders)}`, reasons, suggested_by: "rules", missing }
}
