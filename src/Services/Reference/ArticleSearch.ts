import { detectLanguage, type Language } from "../Text/Language.ts"
import {
  hybridScore,
  type PreparedPassage,
  type PreparedQuery,
  preparePassage,
  prepareQuery,
  scorePassage,
  stemWeights,
  wordsFound
} from "../Text/PassageScore.ts"
import type { Article } from "./articles/Article.ts"
import { articlesEn } from "./articles/En.ts"
import { articlesEs } from "./articles/Es.ts"
import { articlesPtBr } from "./articles/PtBr.ts"

export interface PlatformArticle extends Article {
  readonly language: Language
  /** The index among the articles of its language. The same topic has the same index in each language. */
  readonly topic: number
}

const ofLanguage = (language: Language, articles: ReadonlyArray<Article>) =>
  articles.map((article, topic): PlatformArticle => ({ ...article, language, topic }))

export const platformArticles: ReadonlyArray<PlatformArticle> = [
  ...ofLanguage("pt-BR", articlesPtBr),
  ...ofLanguage("en", articlesEn),
  ...ofLanguage("es", articlesEs)
]

const prepared: ReadonlyArray<PreparedPassage> = platformArticles.map(preparePassage)
const weights = stemWeights(prepared)

/**
 * Converts raw scores, as measured on labelled pairs (see bench/Search.ts). At the default `min_score` of 0.7, an
 * article almost certainly answers the query. Between the points, the scale is linear.
 */
const scale: ReadonlyArray<readonly [raw: number, calibrated: number]> = [
  [0, 0],
  [0.3, 0.35],
  [0.36, 0.7],
  [0.45, 0.75],
  [0.7, 0.9],
  [1, 1]
]

export const calibrated = (raw: number): number => {
  for (let index = 1; index < scale.length; index++) {
    const [toRaw, to] = scale[index] ?? [1, 1]
    const [fromRaw, from] = scale[index - 1] ?? [0, 0]
    if (raw <= toRaw) return from + ((raw - fromRaw) / (toRaw - fromRaw)) * (to - from)
  }
  return 1
}

/** The score from which an article counts although it contains only one of several words. */
const sureOfOneWord = 0.45
const maximumScoreOfOneWord = 0.29

/**
 * The raw score. It is low if only one word matches: "train a dog" matches an article on trained simulations as well as
 * many good queries do.
 */
const rawScore = (query: PreparedQuery, passage: PreparedPassage): number => {
  const raw = scorePassage(query, passage)
  const isOneOfSeveral = query.terms.length > 1 && wordsFound(query, passage) <= 1
  return isOneOfSeveral && raw < sureOfOneWord ? Math.min(raw, maximumScoreOfOneWord) : raw
}

/** The factor for articles in another language, so that equally good articles in the query's language come first. */
const otherLanguage = 0.97

export interface ScoredArticle {
  readonly article: PlatformArticle
  readonly score: number
}

/**
 * Articles by relevance, best first. Of each topic, only the best language is returned. `meanings` are the similarities
 * of the embeddings to the query, 0 to 1, article by article, if a service provides them.
 */
export const searchPlatformArticles = (
  query: string,
  options: { readonly limit: number; readonly minimumScore: number; readonly meanings?: ReadonlyArray<number> }
): ReadonlyArray<ScoredArticle> => {
  const terms = prepareQuery(query, weights)
  const best = new Map<number, ScoredArticle>()
  const language = detectLanguage(query)
  for (const [index, article] of platformArticles.entries()) {
    const passage = prepared[index]
    if (passage === undefined) continue
    const byWords = calibrated(rawScore(terms, passage))
    const meaning = options.meanings?.[index]
    const score =
      (meaning === undefined ? byWords : hybridScore(byWords, meaning)) *
      (article.language === language ? 1 : otherLanguage)
    const bestOfTopic = best.get(article.topic)
    if (bestOfTopic === undefined || score > bestOfTopic.score) best.set(article.topic, { article, score })
  }
  return [...best.values()]
    .map(({ article, score }) => ({ article, score: Math.round(score * 1000) / 1000 }))
    .filter(({ score }) => score > 0 && score >= options.minimumScore)
    .sort((a, b) => b.score - a.score || a.article.topic - b.article.topic)
    .slice(0, options.limit)
}
