import { describe, expect, it } from "vitest"
import { linesOf } from "../../bench/checks/GatewayCalls.ts"
import { briefVerdict, lostIn, pageVerdict, WrittenBrief, WrittenPage } from "../../bench/content/BriefVerdict.ts"
import { shareOf } from "../../src/Services/Text/PlainText.ts"

const corpus = new URL("../../bench/content/corpus/", import.meta.url)

/** A tenth of the corpus, the same in each run; `npm run check:briefs` reads all of it. */
const tenth = <A extends { readonly id: string }>(lines: ReadonlyArray<A>): ReadonlyArray<A> =>
  lines.filter(({ id }) => shareOf(`tenth ${id}`) < 0.1)

const briefs = tenth(linesOf(new URL("briefs.jsonl", corpus), WrittenBrief))
const pages = tenth(linesOf(new URL("pages.jsonl", corpus), WrittenPage))

describe("briefs that owners wrote without sight of the code", () => {
  it("are enough to say something", () => {
    expect(briefs.length).toBeGreaterThan(2)
    expect(pages.length).toBeGreaterThan(2)
  })

  it.each(briefs)("$id: visitors see no invented fact, and none is lost in silence", (brief) => {
    const verdict = briefVerdict(brief)
    const { invented, isPublished } = verdict
    expect(invented).toEqual([])
    // What was not understood may be left out, and then its owner reads of it.
    if (isPublished) expect(lostIn(verdict)).toEqual([])
    // What an honest maker has to ask is asked.
    if ((brief.doubtful ?? []).length > 0) expect(isPublished).toBe(false)
  })

  it.each(pages)("$id: the page asks for what was listed, and for nothing else", (page) => {
    const { invented, missing } = pageVerdict(page)
    expect(invented).toEqual([])
    expect(missing.filter((fact) => /^(?:field|order|required|optional|choice) /.test(fact))).toEqual([])
  })
})
