import type { AssessmentTopic, BusinessProfile, Judgement } from "./Business.ts"

/** What an assessment is made from. */
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

/** Fewer contacted leads than these say nothing of results. */
const leastContacted = 50

/** Replies of contacted leads: what is usual, and what is good. */
const usualReplyRate = 0.03
const goodReplyRate = 0.1

const results = ({ leadsContacted, leadsInterested, leadsReplied, won }: AssessmentInputs): Point => {
  const base = { topic: "results", weight: 3, count: leadsContacted, enough: leastContacted } as const
  // What is not known yet neither lifts nor lowers the judgement much.
  if (leadsContacted < leastContacted) return { ...base, score: 0.5, isMissing: true }
  const rate = leadsReplied / leadsContacted
  const score = Math.min(1, Math.max(0, (rate - usualReplyRate / 3) / (goodReplyRate - usualReplyRate / 3)))
  const lift = leadsInterested === 0 ? 0.7 : won > 0 ? 1.15 : 1
  return { ...base, score: round(Math.min(1, score * lift)), isMissing: rate < usualReplyRate }
}

/** How far something has come from nothing to enough. */
const counted = (topic: AssessmentTopic, weight: number, count: number, enough: number): Point => ({
  topic,
  weight,
  count,
  enough,
  score: round(Math.min(1, count / enough)),
  isMissing: count < enough
})

const text = (topic: AssessmentTopic, weight: number, value: string | null, enough: number): Point =>
  counted(topic, weight, wordCount(value), enough)

/**
 * Judges the ground that prospecting stands on, from what the account says and what came of it. The probability is the
 * weighted share of what is there; without a description or a target customer it stays low whatever else there is.
 */
export const judge = (inputs: AssessmentInputs): Judgement => {
  const points: ReadonlyArray<Point> = [
    text("business_name", 1, inputs.business_name, 1),
    text("business_description", 4, inputs.business_description, 60),
    text("business_website", 1, inputs.business_website, 1),
    text("ideal_customer_profile", 4, inputs.ideal_customer_profile, 40),
    counted("paying_customer_examples", 3, inputs.exampleCount, 3),
    counted("targeting", 2, inputs.targetingFilters, 2),
    counted("knowledge", 2, inputs.passages, 10),
    counted("faq", 1, inputs.faqAnswers, 5),
    text("goal", 1, inputs.goal, 5),
    results(inputs)
  ]
  const weight = points.reduce((sum, point) => sum + point.weight, 0)
  const share = points.reduce((sum, { score, weight: part }) => sum + score * part, 0) / weight
  const scoreOf = (topic: AssessmentTopic) => points.find((point) => point.topic === topic)?.score ?? 0
  const ground = Math.min(scoreOf("business_description"), scoreOf("ideal_customer_profile"))
  const probability = round(Math.min(share, 0.35 + 0.65 * ground))
  return {
    verdict: ground === 0 ? "not_ready" : probability >= 0.75 ? "strong" : probability >= 0.5 ? "promising" : "weak",
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
