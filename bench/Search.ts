import { platformArticles, searchPlatformArticles } from "../src/Services/Reference/ArticleSearch.ts"
import { scoreOfCosine } from "../src/Services/Text/PassageScore.ts"
import { fakeEmbedding } from "./support/search/FakeEmbeddings.ts"
import { heldOutPairs } from "./support/search/HeldOutPairs.ts"
import { type SearchPair, searchPairs } from "./support/search/SearchPairs.ts"
import { unseenPairs } from "./support/search/UnseenPairs.ts"

/**
 * How well articles are found: labelled pairs in three languages, by words alone and with vectors of a fake service.
 * `recall@5` and MRR without a minimum score, and the share that is answered or refused at the default `min_score`.
 */
const defaultMinimum = 0.7

const share = (part: number, whole: number): string => (whole === 0 ? "" : (part / whole).toFixed(3))

const vectors = platformArticles.map(({ text, title }) => fakeEmbedding(`${title}\n${text}`))
const meaningsOf = (query: string): ReadonlyArray<number> => {
  const queryVector = fakeEmbedding(query)
  return vectors.map((vector) =>
    scoreOfCosine(vector.reduce((sum, value, index) => sum + value * (queryVector[index] ?? 0), 0))
  )
}

const measure = (pairs: ReadonlyArray<SearchPair>, hasVectors: boolean) => {
  const answerablePairs = pairs.filter(({ topic }) => topic !== null)
  const negatives = pairs.filter(({ topic }) => topic === null)
  const search = (query: string, limit: number, minimumScore: number) =>
    searchPlatformArticles(query, {
      limit,
      minimumScore,
      ...(hasVectors ? { meanings: meaningsOf(query) } : {})
    })
  let within = 0
  let reciprocal = 0
  let answered = 0
  let wrong = 0
  for (const { query, topic } of answerablePairs) {
    const best = search(query, 10, 0)
    const place = best.findIndex(({ article }) => article.topic === topic)
    if (place >= 0 && place < 5) within += 1
    if (place >= 0) reciprocal += 1 / (place + 1)
    const results = search(query, 3, defaultMinimum)
    if (results.some(({ article }) => article.topic === topic)) answered += 1
    else {
      if (results.length > 0) wrong += 1
      if (process.argv.includes("--misses")) {
        const list = best.slice(0, 3).map(({ article, score }) => `${article.topic}:${score}`)
        console.log("missed:", query, topic, list.join(" "))
      }
    }
  }
  const refused = negatives.filter(({ query, topic }) => {
    const results = search(query, 3, defaultMinimum)
    if (results.length > 0 && process.argv.includes("--misses")) console.log("not refused:", query, topic, results[0])
    return results.length === 0
  })
  return {
    pairs: pairs.length,
    "recall@5": share(within, answerablePairs.length),
    MRR: share(reciprocal, answerablePairs.length),
    "answered at 0.7": share(answered, answerablePairs.length),
    "only wrong ones at 0.7": share(wrong, answerablePairs.length),
    "negatives refused": share(refused.length, negatives.length)
  }
}

for (const hasVectors of [false, true]) {
  const rows: { [name: string]: ReturnType<typeof measure> } = {}
  for (const kind of ["plain", "paraphrase", "typo", "code", "negative"] as const) {
    rows[kind] = measure(
      searchPairs.filter((pair) => pair.kind === kind),
      hasVectors
    )
  }
  for (const language of ["pt-BR", "en", "es"] as const) {
    rows[language] = measure(
      searchPairs.filter((pair) => pair.language === language),
      hasVectors
    )
  }
  rows["all"] = measure(searchPairs, hasVectors)
  rows["held out"] = measure(heldOutPairs, hasVectors)
  rows["unseen"] = measure(unseenPairs, hasVectors)
  console.log(hasVectors ? "words and the vectors of a fake service" : "words alone")
  console.table(rows)
}
const beginning = performance.now()
for (const { query } of searchPairs) searchPlatformArticles(query, { limit: 3, minimumScore: defaultMinimum })
console.log(`${((performance.now() - beginning) / searchPairs.length).toFixed(2)} ms a query`)
