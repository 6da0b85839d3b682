import { assert, describe, it } from "@effect/vitest"
import { searchPlatformArticles } from "../../src/Services/Reference/ArticleSearch.ts"

const relevantArticles = (query: string, minimumScore = 0.7) =>
  searchPlatformArticles(query, { limit: 3, minimumScore })

describe("what is shown at the default least score", () => {
  it.each(["how to train a dog", "quem ganhou o campeonato"])("%s: nothing for a single word of several", (query) => {
    assert.deepStrictEqual(relevantArticles(query), [])
    // It is found, but its score is below that of an answer.
    assert.isNotEmpty(relevantArticles(query, 0))
  })

  it.each([
    ["o agente consegue ler o pdf do produto", 8],
    ["por qué rechazaron filas de mi archivo", 2],
    ["avisar a mi sistema cuando responde un lead", 22]
  ])("%s: what has several of the words, and not most of them", (query, topic) => {
    assert.include(
      relevantArticles(query).map(({ article }) => article.topic),
      topic
    )
  })

  it.each(["preço do plano", "quanto custa o plano", "price of the plan", "precio del plan", "valor da mensalidade"])(
    "%s: the plans come first, and for certain",
    (query) => {
      const [best] = relevantArticles(query)
      assert.strictEqual(best?.article.topic, 26)
    }
  )
})
