import { describe, expect, it } from "vitest"
import { linesOf } from "../../bench/checks/GatewayCalls.ts"
import { pageVerdict, WrittenPage } from "../../bench/content/BriefVerdict.ts"

/** Prompts that leave nothing open: to ask about one of them is as wrong as to publish what was not understood. */
const pages = linesOf(new URL("../../bench/content/corpus/plain-pages.jsonl", import.meta.url), WrittenPage)

/** How many are published without a question; this number may only grow. */
const leastPublished = 31

describe("plain prompts of capture pages", () => {
  it.each(pages)("$id is whole where it is published: $prompt", (page) => {
    const { invented, isPublished, missing } = pageVerdict(page)
    expect(invented).toEqual([])
    if (isPublished) expect(missing).toEqual([])
  })

  it("are published", () => {
    const publishedPages = pages.filter((page) => pageVerdict(page).isPublished)
    expect(publishedPages.length).toBeGreaterThanOrEqual(leastPublished)
  })
})
