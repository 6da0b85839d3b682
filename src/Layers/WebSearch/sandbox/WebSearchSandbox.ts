import { Effect } from "effect"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { BusinessFiles } from "../../../Services/Knowledge/BusinessFiles.ts"
import { LeadQuestions } from "../../../Services/Outcomes/LeadQuestions.ts"
import type { SearchSource } from "../../../Services/WebSearch/SearchSources.ts"
import { SearchSources } from "../../../Services/WebSearch/SearchSources.ts"
import { PageUnreadable, type ReadPage, WebSearch, WebSearchFailed } from "../../../Services/WebSearch/WebSearch.ts"

const passagesOfQuestion = 40

/** The account's knowledge: each file with the passages that match the question. */
const knowledge = Effect.map(
  BusinessFiles,
  (files): SearchSource => ({
    find: (question, count) =>
      Effect.gen(function* () {
        const { accountId } = yield* Caller
        const matches = yield* files.find({ accountId, campaignId: null }, question, passagesOfQuestion)
        const pages = new Map<number, ReadPage>()
        for (const { body, businessFileId, heading, title } of matches) {
          const page = pages.get(businessFileId)
          pages.set(businessFileId, {
            url: `knowledge://business-file/${businessFileId}`,
            title,
            date: null,
            passages: [...(page?.passages ?? []), { heading, body }]
          })
        }
        return [...pages.values()].slice(0, count)
      })
  })
)

/** The owner's answers, as one page of questions and answers. */
const answers = Effect.map(
  LeadQuestions,
  (questions): SearchSource => ({
    find: () =>
      Effect.map(questions.faq, (faq) => {
        const passages = faq
          .filter(({ is_valid }) => is_valid)
          .map(({ answer_text, question_text }) => ({ heading: question_text, body: answer_text }))
        return passages.length === 0 ? [] : [{ url: "knowledge://faq", title: "FAQ", date: null, passages }]
      })
  })
)

/** Searches the account's own material with the same steps as the web. */
export const makeWebSearchSandbox = Effect.gen(function* () {
  const sources = yield* SearchSources
  yield* sources.add(yield* knowledge)
  yield* sources.add(yield* answers)
  return WebSearch.of({
    mode: "sandbox",
    find: Effect.fn("WebSearch.find")(function* (query, { count }) {
      const pages = yield* Effect.forEach(yield* sources.all, (source) => source.find(query, count)).pipe(
        Effect.mapError(() => new WebSearchFailed({ reason: "unavailable" }))
      )
      return pages.flat().map((page) => ({ url: page.url, title: page.title, page }))
    }),
    // The hits already contain the whole text.
    open: () => Effect.fail(new PageUnreadable())
  })
})
