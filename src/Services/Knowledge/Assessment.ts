import type { AssessmentTopic, BusinessProfile, Judgement } from "./Business.ts"

/** What an assessment is based on. */
export interface AssessmentInputs extends BusinessProfile {
  readonly exampleCount: number
  readonly targetingFilters: number
  readonly passages: number
  readonly faqAnswers: number
  readonly openQuestions: number
  readonly goal: string | null
  readonly leads: number
  readonly leadsContacted: number
  readonly leadsReplied: number
  readonly leadsInterested: number
  readonly won: number
}

type Point = Judgement["points"][number]

const wordCount = (text: string | null): number => (text ?? "").split(/\s+/).filter((word) => word !== "").length

const round = (value: number): number => Math.round(value * 100) / 100

/** The results of fewer contacted leads prove nothing. */
const minimumContacted = 50

/** Reply rates of contacted leads: a usual one, and a good one. */
const usualReplyRate = 0.03
const goodReplyRate = 0.1

const results = ({ leadsContacted, leadsInterested, leadsReplied, won }: AssessmentInputs): Point => {
  const base = { topic: "results", weight: 3, count: leadsContacted, enough: minimumContacted } as const
  // A missing value hardly changes the judgement.
  if (leadsContacted < minimumContacted) return { ...base, score: 0.5, isMissing: true }
  const rate = leadsReplied / leadsContacted
  const score = Math.min(1, Math.max(0, (rate - usualReplyRate / 3) / (goodReplyRate - usualReplyRate / 3)))
  const lift = leadsInterested === 0 ? 0.7 : won > 0 ? 1.15 : 1
  return { ...base, score: round(Math.min(1, score * lift)), isMissing: rate < usualReplyRate }
}

/** How complete something is, from nothing to enough. */
const completeness = (topic: AssessmentTopic, weight: number, count: number, enough: number): Point => ({
  topic,
  weight,
  count,
  enough,
  score: round(Math.min(1, count / enough)),
  isMissing: count < enough
})

const text = (topic: AssessmentTopic, weight: number, value: string | null, enough: number): Point =>
  completeness(topic, weight, wordCount(value), enough)

/**
 * Judges how well prospecting is prepared, from the account's texts and results. The probability is the weighted share
 * of what exists. Without a description or a target customer it stays low in any case.
 */
export const judge = (inputs: AssessmentInputs): Judgement => {
  const points: ReadonlyArray<Point> = [
    text("business_name", 1, inputs.business_name, 1),
    text("business_description", 4, inputs.business_description, 60),
    text("business_website", 1, inputs.business_website, 1),
    text("ideal_customer_profile", 4, inputs.ideal_customer_profile, 40),
    completeness("paying_customer_examples", 3, inputs.exampleCount, 3),
    completeness("targeting", 2, inputs.targetingFilters, 2),
    completeness("knowledge", 2, inputs.passages, 10),
    completeness("faq", 1, inputs.faqAnswers, 5),
    text("goal", 1, inputs.goal, 5),
    results(inputs)
  ]
  const weight = points.reduce((sum, point) => sum + point.weight, 0)
  const share = points.reduce((sum, { score, weight: part }) => sum + score * part, 0) / weight
  const scoreOf = (topic: AssessmentTopic) => points.find((point) => point.topic === topic)?.score ?? 0
  const basis = Math.min(scoreOf("business_description"), scoreOf("ideal_customer_profile"))
  const probability = round(Math.min(share, 0.35 + 0.65 * basis))
  return {
    verdict: basis === 0 ? "not_ready" : probability >= 0.75 ? "strong" : probability >= 0.5 ? "promising" : "weak",
    results_probability: probability,
    points,
    results: {
      contacted: inputs.leadsContacted,
      replied: inputs.leadsReplied,
      interested: inputs.leadsInterested,
      won: inputs.won
    }
  }
}
