import { Clock, Effect, Option, Ref } from "effect"
import { Caller } from "../../Services/Core/Caller.ts"
import { parsedUrl } from "../../Services/Core/ParsedUrl.ts"
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

const queriesAtOnce = 3
const pagesAtOnce = 6
const hitsOfQuery = 20
/** Pages of one site: an answer that rests on one alone is worth less. */
const pagesOfHost = 3
/** Of the time of a search, what is kept for putting the answer together. */
const answerShare = 0.4

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

/** Hits of several queries as one list: what stands high in many of them comes first. */
const merged = (lists: ReadonlyArray<ReadonlyArray<SearchHit>>): ReadonlyArray<SearchHit> => {
  const scored = new Map<string, { readonly hit: SearchHit; score: number }>()
  for (const list of lists) {
    for (const [rank, hit] of list.entries()) {
      const known = scored.get(keyOf(hit.url)) ?? { hit, score: 0 }
      known.score += 1 / (20 + rank)
      scored.set(keyOf(hit.url), known)
    }
  }
  return [...scored.values()].toSorted((a, b) => b.score - a.score).map(({ hit }) => hit)
}

/** One search from its plan to its checked answer, within the time and the pages of its type. */
export const makeSearch = Effect.gen(function* () {
  const web = yield* WebSearch
  const model = yield* LanguageModel
  const usage = yield* LanguageUsage
  const { next } = yield* DelimiterWord

  /** Nothing where no model is configured, or it gives nothing usable: rules go on then. */
  const asked = <A, I>(request: Omit<GenerateRequest<A, I>, "inSandbox">) =>
    Effect.gen(function* () {
      if (model.mode === "sandbox") return undefined
      const { accountId } = yield* Caller
      const answer = yield* Effect.either(
        model.generate({ ...request, inSandbox: Effect.dieMessage("The sandbox is not asked.") })
      )
      const spent = answer._tag === "Right" ? answer.right.usage : answer.left.usage
      if (spent !== undefined) yield* usage.add(accountId, request.purpose, spent)
      return answer._tag === "Right" ? answer.right.value : undefined
    })

  return Effect.fn("OnlineSearches.search")(function* (
    question: string,
    type: SearchType,
    language: Language,
    onProgress: (percent: number) => Effect.Effect<void>
  ) {
    const budget = searchBudgets[type]
    const began = yield* Clock.currentTimeMillis
    const ends = began + budget.seconds * 1000
    const reads = ends - budget.seconds * 1000 * answerShare
    const left = (until: number) => Effect.map(Clock.currentTimeMillis, (now) => Math.max(0, until - now))

    const queries: Array<string> = []
    const seen = new Set<string>()
    const perHost = new Map<string, number>()
    const pages = yield* Ref.make<ReadonlyArray<ReadPage>>([])
    let failure: WebSearchFailed | undefined

    const plan = Effect.fnUntraced(function* (round: number, count: number) {
      const read = yield* Ref.get(pages)
      const byRules =
        round === 0 ? firstQueries(question, count, language) : furtherQueries(question, read, queries, count)
      // One query is the question itself.
      if (count <= 1 && round === 0) return byRules
      const planned = yield* asked({
        prompt: planPrompt({
          question,
          asked: queries,
          found: rankPassages(question, read)
            .slice(0, 8)
            .map(({ text }) => text)
            .join("\n"),
          count,
          language,
          word: yield* next
        }),
        schema: PlannedQueries,
        maxOutputTokens: 400,
        timeout: Math.min(10_000, budget.seconds * 200),
        purpose: "plan_online_search"
      })
      const usable = planned === undefined ? [] : plannedQueries(planned.queries, queries, count)
      return usable.length === 0 ? byRules : usable
    })

    const take = (hit: SearchHit): boolean => {
      const host = hostOf(hit.url)
      const isOwn = hit.page !== undefined
      if (seen.has(keyOf(hit.url)) || (!isOwn && (perHost.get(host) ?? 0) >= pagesOfHost)) return false
      seen.add(keyOf(hit.url))
      perHost.set(host, (perHost.get(host) ?? 0) + 1)
      return true
    }

    const keep = (page: ReadPage) =>
      Ref.update(pages, (read) => (read.some(({ url }) => keyOf(url) === keyOf(page.url)) ? read : [...read, page]))

    for (let round = 0; round < budget.rounds; round += 1) {
      const share = round === 0 && budget.rounds === 2 ? Math.ceil(budget.queries / 2) : budget.queries - queries.length
      const wanted = yield* plan(round, share)
      if (wanted.length === 0) break
      queries.push(...wanted)
      const found = yield* Effect.forEach(
        wanted,
        (query) => Effect.either(web.find(query, { language, count: hitsOfQuery })),
        { concurrency: queriesAtOnce }
      ).pipe(Effect.timeoutOption(yield* left(reads)))
      const answers = Option.getOrElse(found, () => [])
      failure = answers.flatMap((answer) => (answer._tag === "Left" ? [answer.left] : []))[0] ?? failure
      const room =
        round === 0 && budget.rounds === 2
          ? Math.ceil(budget.pages * 0.6)
          : budget.pages - (yield* Ref.get(pages)).length
      const hits = merged(answers.flatMap((answer) => (answer._tag === "Right" ? [answer.right] : [])))
        .filter(take)
        .slice(0, room)
      yield* onProgress(round === 0 ? 25 : 60)
      // What is read when the time is up counts; the rest is left.
      yield* Effect.forEach(
        hits,
        ({ page, url }) => (page === undefined ? Effect.flatMap(web.open(url), keep).pipe(Effect.ignore) : keep(page)),
        { concurrency: pagesAtOnce, discard: true }
      ).pipe(Effect.timeoutOption(yield* left(reads)))
      yield* onProgress(round === 0 ? 50 : 75)
    }

    const read = yield* Ref.get(pages)
    if (read.length === 0 && failure !== undefined) return yield* failure
    const { sentences } = budget
    const rest = yield* left(ends)
    const written =
      rest < 1000
        ? undefined
        : yield* asked({
            prompt: answerPrompt({ question, pages: read, count: sentences, language, word: yield* next }),
            schema: ModelAnswer,
            maxOutputTokens: 250 * sentences,
            timeout: rest,
            purpose: "answer_online_search"
          })
    const ofModel =
      written === undefined
        ? undefined
        : checkedStatements(
            written.statements.map(({ evidence, text }) => ({
              text,
              evidence: evidence.map(({ page, quote }) => ({ page: page - 1, quote }))
            })),
            question,
            read,
            sentences
          )
    // A model that says nothing a page says leaves the pages to speak for themselves.
    const isModels = ofModel !== undefined && (ofModel.length > 0 || written?.statements.length === 0)
    const outcome: SearchOutcome = {
      statements: isModels ? ofModel : statementsByRules(question, read, sentences),
      pages: read,
      queries,
      answeredBy: isModels ? "model" : "rules"
    }
    return outcome
  })
})
