import { Clock, Effect, Option, Ref } from "effect"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { parsedUrl } from "../../Services/Core/Outside/ParsedUrl.ts"
import { type GenerateRequest, LanguageModel } from "../../Services/Models/LanguageModel.ts"
import { LanguageUsage } from "../../Services/Models/LanguageUsage.ts"
import type { Language } from "../../Services/Text/Language.ts"
import { DelimiterWord } from "../../Services/Text/PromptDelimiter.ts"
import type { SearchType } from "../../Services/WebSearch/Ids.ts"
import {
  answerPrompt,
  checkedStatements,
  ModelAnswer,
  rankPassages,
  type Statement,
  statementsByRules
} from "../../Services/WebSearch/SearchAnswer.ts"
import { searchBudgets } from "../../Services/WebSearch/SearchBudget.ts"
import {
  firstQueries,
  furtherQueries,
  PlannedQueries,
  plannedQueries,
  planPrompt
} from "../../Services/WebSearch/SearchPlan.ts"
import { type ReadPage, type SearchHit, WebSearch, type WebSearchFailed } from "../../Services/WebSearch/WebSearch.ts"

const concurrentQueries = 3
const concurrentPages = 6
const hitsPerQuery = 20
/** The most pages of one site. An answer that is based on a single site is worth less. */
const pagesPerHost = 3
/** The share of a search's time that is reserved for the answer. */
const answerShare = 0.4
/** The share of the pages that the first of two rounds may read. */
const firstRoundShare = 0.6
/** With less time left, no model is asked for an answer. */
const minimumAnswerMillis = 1000
const longestPlanMillis = 10_000

export interface SearchOutcome {
  readonly statements: ReadonlyArray<Statement>
  readonly pages: ReadonlyArray<ReadPage>
  readonly queries: ReadonlyArray<string>
  readonly answeredBy: "model" | "rules"
}

const keyOf = (url: string): string =>
  url
    .replace(/#.*$/s, "")
    .replace(/^https?:\/\/(?:www\.)?/i, "")
    .replace(/\/$/, "")

const hostOf = (url: string): string => parsedUrl(url)?.host ?? url

/** Merges the hits of several queries into one list. Hits that rank high in many queries come first. */
const mergedHits = (lists: ReadonlyArray<ReadonlyArray<SearchHit>>): ReadonlyArray<SearchHit> => {
  const scored = new Map<string, { readonly hit: SearchHit; score: number }>()
  for (const list of lists) {
    for (const [rank, hit] of list.entries()) {
      const entry = scored.get(keyOf(hit.url)) ?? { hit, score: 0 }
      entry.score += 1 / (20 + rank)
      scored.set(keyOf(hit.url), entry)
    }
  }
  return [...scored.values()].toSorted((a, b) => b.score - a.score).map(({ hit }) => hit)
}

/** Chooses the hits to open: each address once, and few pages per host. */
const makeHitFilter = () => {
  const openedUrls = new Set<string>()
  const pagesByHost = new Map<string, number>()
  return (hit: SearchHit): boolean => {
    const host = hostOf(hit.url)
    const pages = pagesByHost.get(host) ?? 0
    const isFull = hit.page === undefined && pages >= pagesPerHost
    if (openedUrls.has(keyOf(hit.url)) || isFull) return false
    openedUrls.add(keyOf(hit.url))
    pagesByHost.set(host, pages + 1)
    return true
  }
}

interface Question {
  readonly question: string
  readonly language: Language
  readonly budget: (typeof searchBudgets)[SearchType]
}

/** Asks the language model. The answer is undefined if there is no model, or its answer is unusable. */
const makeAskModel = Effect.gen(function* () {
  const model = yield* LanguageModel
  const usage = yield* LanguageUsage
  return <A, I>(request: Omit<GenerateRequest<A, I>, "inSandbox">) =>
    Effect.gen(function* () {
      if (model.mode === "sandbox") return undefined
      const { accountId } = yield* Caller
      const answer = yield* Effect.either(
        model.generate({ ...request, inSandbox: Effect.dieMessage("The sandbox is not asked.") })
      )
      const modelUsage = answer._tag === "Right" ? answer.right.usage : answer.left.usage
      if (modelUsage !== undefined) yield* usage.add(accountId, request.purpose, modelUsage)
      return answer._tag === "Right" ? answer.right.value : undefined
    })
})

/** Plans the queries of a round, by the model or by rules. */
const makePlan = Effect.gen(function* () {
  const askModel = yield* makeAskModel
  const { next } = yield* DelimiterWord
  return Effect.fnUntraced(function* (
    { budget, language, question }: Question,
    round: number,
    count: number,
    queries: ReadonlyArray<string>,
    pages: ReadonlyArray<ReadPage>
  ) {
    const byRules =
      round === 0 ? firstQueries(question, count, language) : furtherQueries(question, pages, queries, count)
    // A single query is the question itself.
    if (count <= 1 && round === 0) return byRules
    const plan = yield* askModel({
      prompt: planPrompt({
        question,
        queries,
        quotes: rankPassages(question, pages)
          .slice(0, 8)
          .map(({ text }) => text)
          .join("\n"),
        count,
        language,
        word: yield* next
      }),
      schema: PlannedQueries,
      maxOutputTokens: 400,
      timeout: Math.min(longestPlanMillis, budget.seconds * 200),
      purpose: "plan_online_search"
    })
    const usable = plan === undefined ? [] : plannedQueries(plan.queries, queries, count)
    return usable.length === 0 ? byRules : usable
  })
})

/** Answers the question from the pages, by the model or by rules. */
const makeAnswer = Effect.gen(function* () {
  const askModel = yield* makeAskModel
  const { next } = yield* DelimiterWord
  return Effect.fnUntraced(function* (
    { budget, language, question }: Question,
    pages: ReadonlyArray<ReadPage>,
    millisLeft: number
  ) {
    const { sentences } = budget
    const byRules = () => ({
      statements: statementsByRules(question, pages, sentences),
      answeredBy: "rules" as const
    })
    if (millisLeft < minimumAnswerMillis) return byRules()
    const answer = yield* askModel({
      prompt: answerPrompt({ question, pages, count: sentences, language, word: yield* next }),
      schema: ModelAnswer,
      maxOutputTokens: 250 * sentences,
      timeout: millisLeft,
      purpose: "answer_online_search"
    })
    if (answer === undefined) return byRules()
    const statements = checkedStatements(
      answer.statements.map(({ evidence, text }) => ({
        text,
        evidence: evidence.map(({ page, quote }) => ({ page: page - 1, quote }))
      })),
      question,
      pages,
      sentences
    )
    // If none of the model's statements is supported by a page, the pages are quoted instead.
    const isSupported = statements.length > 0 || answer.statements.length === 0
    return isSupported ? { statements, answeredBy: "model" as const } : byRules()
  })
})

const millisUntil = (end: number) => Effect.map(Clock.currentTimeMillis, (now) => Math.max(0, end - now))

/** Runs one search, from its plan to its checked answer, within the time and the pages of its type. */
export const makeSearch = Effect.gen(function* () {
  const web = yield* WebSearch
  const plan = yield* makePlan
  const answer = yield* makeAnswer

  const findHits = (queries: ReadonlyArray<string>, language: Language, readingEnds: number) =>
    Effect.gen(function* () {
      const results = yield* Effect.forEach(
        queries,
        (query) => Effect.either(web.find(query, { language, count: hitsPerQuery })),
        { concurrency: concurrentQueries }
      ).pipe(Effect.timeoutOption(yield* millisUntil(readingEnds)))
      const answers = Option.getOrElse(results, () => [])
      return {
        hits: mergedHits(answers.flatMap((each) => (each._tag === "Right" ? [each.right] : []))),
        failure: answers.flatMap((each) => (each._tag === "Left" ? [each.left] : []))[0]
      }
    })

  /** Adds the pages to `pages`. Pages that are not read in time are skipped. */
  const readPages = (hits: ReadonlyArray<SearchHit>, pages: Ref.Ref<ReadonlyArray<ReadPage>>, readingEnds: number) =>
    Effect.gen(function* () {
      const add = (page: ReadPage) =>
        Ref.update(pages, (read) => (read.some(({ url }) => keyOf(url) === keyOf(page.url)) ? read : [...read, page]))
      yield* Effect.forEach(
        hits,
        ({ page, url }) => (page === undefined ? Effect.flatMap(web.open(url), add).pipe(Effect.ignore) : add(page)),
        { concurrency: concurrentPages, discard: true }
      ).pipe(Effect.timeoutOption(yield* millisUntil(readingEnds)))
    })

  return Effect.fn("OnlineSearches.search")(function* (
    question: string,
    type: SearchType,
    language: Language,
    onProgress: (percent: number) => Effect.Effect<void>
  ) {
    const budget = searchBudgets[type]
    const searchEnds = (yield* Clock.currentTimeMillis) + budget.seconds * 1000
    const readingEnds = searchEnds - budget.seconds * 1000 * answerShare
    const isNewHit = makeHitFilter()
    const pages = yield* Ref.make<ReadonlyArray<ReadPage>>([])
    const queries: Array<string> = []
    let failure: WebSearchFailed | undefined

    for (let round = 0; round < budget.rounds; round += 1) {
      const isFirstOfTwo = round === 0 && budget.rounds === 2
      const queryCount = isFirstOfTwo ? Math.ceil(budget.queries / 2) : budget.queries - queries.length
      const readSoFar = yield* Ref.get(pages)
      const newQueries = yield* plan({ question, language, budget }, round, queryCount, queries, readSoFar)
      if (newQueries.length === 0) break
      queries.push(...newQueries)
      const results = yield* findHits(newQueries, language, readingEnds)
      failure = results.failure ?? failure
      const pageCount = isFirstOfTwo ? Math.ceil(budget.pages * firstRoundShare) : budget.pages - readSoFar.length
      yield* onProgress(round === 0 ? 25 : 60)
      yield* readPages(results.hits.filter(isNewHit).slice(0, pageCount), pages, readingEnds)
      yield* onProgress(round === 0 ? 50 : 75)
    }

    const read = yield* Ref.get(pages)
    if (read.length === 0 && failure !== undefined) return yield* failure
    const { answeredBy, statements } = yield* answer(
      { question, language, budget },
      read,
      yield* millisUntil(searchEnds)
    )
    const outcome: SearchOutcome = { statements, pages: read, queries, answeredBy }
    return outcome
  })
})
