import { assert, describe, it } from "@effect/vitest"
import { searchEngines } from "../../src/Layers/WebSearch/SearchEngines.ts"
import { assertNoFaults, vendorJudge } from "../support/VendorJudge.ts"

const judges = { brave: vendorJudge("brave"), tavily: vendorJudge("tavily") }
const engines = ["brave", "tavily"] as const
const languages = ["pt-BR", "en", "es"] as const

const queries = ["robots", "how many employees does Acme Robotics have?", "ação ".repeat(120), "x".repeat(900)]

const requestOf = (engine: (typeof engines)[number], query: string, language: (typeof languages)[number]) => {
  const { credentials, request } = searchEngines[engine]
  const { json, method, path, query: parameters = {} } = request({ query, language, count: 30 })
  const search = new URLSearchParams(
    Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)])
  )
  return { method, path: `${path}?${search.toString()}`, headers: credentials("key"), body: json }
}

describe("search engines", () => {
  it.each(engines)("%s takes what is asked, however long it is", (engine) => {
    for (const query of queries)
      for (const language of languages)
        assertNoFaults(judges[engine].faultsOfRequest(requestOf(engine, query, language)))
  })

  it("are read as they answer", () => {
    const page = { title: "Acme", url: "https://acme.example/" }
    const answers = {
      brave: { type: "search", web: { type: "search", results: [{ ...page, description: "Robots" }] } },
      tavily: {
        query: "robots",
        response_time: 1.2,
        images: [],
        results: [{ ...page, content: "Robots", score: 0.9 }]
      }
    }
    for (const engine of engines) {
      const { method, path } = requestOf(engine, "robots", "en")
      assertNoFaults(judges[engine].faultsOfAnswer({ method, path }, { status: 200, body: answers[engine] }))
      assert.deepStrictEqual(searchEngines[engine].hits(answers[engine]), [page])
    }
    assert.deepStrictEqual(searchEngines.brave.hits({ type: "search" }), [])
  })
})
