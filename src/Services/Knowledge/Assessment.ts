import type { Assessment, AssessmentPoint, BusinessProfile } from "./Business.ts"

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

const wordCount = (text: string | null): number => (text ?? "").split(/\s+/).filter((word) => word !== "").length

/** How far a text has come from nothing to `enough` words. */
const fullness = (text: string | null, enough: number): number => Math.min(1, wordCount(text) / enough)

const round = (value: number): number => Math.round(value * 100) / 100

/** Fewer contacted leads than these say nothing of results. */
const leastContacted = 50

/** Replies of contacted leads: what is usual, and what is good. */
const usualReplyRate = 0.03
const goodReplyRate = 0.1

const results = ({ leadsContacted, leadsInterested, leadsReplied, won }: AssessmentInputs): AssessmentPoint => {
  const base = { topic: "results", weight: 3 } as const
  if (leadsContacted < leastContacted) {
    return {
      ...base,
      // What is not known yet neither lifts nor lowers the judgement much.
      score: 0.5,
      finding: `${leadsContacted} leads were contacted: too few to judge by results.`,
      missing: `Results count from ${leastContacted} contacted leads on.`
    }
  }
  const rate = leadsReplied / leadsContacted
  const score = Math.min(1, Math.max(0, (rate - usualReplyRate / 3) / (goodReplyRate - usualReplyRate / 3)))
  const lift = leadsInterested === 0 ? 0.7 : won > 0 ? 1.15 : 1
  return {
    ...base,
    score: round(Math.min(1, score * lift)),
    finding: `${leadsReplied} of ${leadsContacted} contacted leads replied (${round(rate * 100)} %), ${leadsInterested} became interested, ${won} bought.`,
    missing:
      rate < usualReplyRate ? "Fewer reply than usual: narrow the targeting, and say sooner what the lead gains." : null
  }
}

const text = (
  topic: AssessmentPoint["topic"],
  weight: number,
  value: string | null,
  enough: number,
  missing: string
): AssessmentPoint => {
  const score = round(fullness(value, enough))
  const words = wordCount(value)
  return {
    topic,
    weight,
    score,
    finding: words === 0 ? "Nothing is said." : enough === 1 ? "It is said." : `${words} words; ${enough} say enough.`,
    missing: score < 1 ? missing : null
  }
}

const counted = (
  topic: AssessmentPoint["topic"],
  weight: number,
  count: number,
  enough: number,
  noun: string,
  missing: string
): AssessmentPoint => ({
  topic,
  weight,
  score: round(Math.min(1, count / enough)),
  finding: `${count} ${noun}; ${enough} are a good ground.`,
  missing: count < enough ? missing : null
})

/**
 * Judges the ground that prospecting stands on, from what the account says and what came of it. The probability is the
 * weighted share of what is there; without a description or a target customer it stays low whatever else there is.
 */
export const assess = (inputs: AssessmentInputs): Assessment => {
  const points: ReadonlyArray<AssessmentPoint> = [
    text("business_name", 1, inputs.business_name, 1, "Give the name that leads know the business by."),
    text(
      "business_description",
      4,
      inputs.business_description,
      60,
      "Tell what you sell, to whom, and what it changes for them."
    ),
    text("business_website", 1, inputs.business_website, 1, "Give the website: leads look it up."),
    text(
      "ideal_customer_profile",
      4,
      inputs.ideal_customer_profile,
      40,
      "Describe sector, size, place and decider of the ideal customer."
    ),
    counted(
      "paying_customer_examples",
      3,
      inputs.exampleCount,
      3,
      "paying customers named",
      "Name at least three customers that pay already."
    ),
    counted(
      "targeting",
      2,
      inputs.targetingFilters,
      2,
      "targeting filters set",
      "Set sectors and places with set_targeting."
    ),
    counted(
      "knowledge",
      2,
      inputs.passages,
      10,
      "passages of knowledge",
      "Add product texts or price lists with register_business_file."
    ),
    counted(
      "faq",
      1,
      inputs.faqAnswers,
      5,
      "answers that hold for every lead",
      "Answer the questions that leads ask most, as reusable."
    ),
    text("goal", 1, inputs.goal, 5, "Say what a conversation should end in, with set_prospecting_rules."),
    results(inputs)
  ]
  const weight = points.reduce((sum, point) => sum + point.weight, 0)
  const share = points.reduce((sum, { score, weight: part }) => sum + score * part, 0) / weight
  const scoreOf = (topic: AssessmentPoint["topic"]) => points.find((point) => point.topic === topic)?.score ?? 0
  const ground = Math.min(scoreOf("business_description"), scoreOf("ideal_customer_profile"))
  const probability = round(Math.min(share, 0.35 + 0.65 * ground))
  return {
    verdict: ground === 0 ? "not_ready" : probability >= 0.75 ? "strong" : probability >= 0.5 ? "promising" : "weak",
    results_probability: probability,
    made_by: "rules",
    points,
    missing: points
      .toSorted((a, b) => b.weight * (1 - b.score) - a.weight * (1 - a.score))
      .flatMap(({ missing }) => missing ?? [])
  }
}
