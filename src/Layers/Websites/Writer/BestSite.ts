import { Effect } from "effect"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { addUsage, type Usage } from "../../../Services/Models/LanguageModel.ts"
import type { Site } from "../../../Services/Websites/Site.ts"
import {
  costOf,
  mostRepairs,
  type Review,
  type SeenSite,
  type SiteReviewer
} from "../../../Services/Websites/Writing/SiteReview.ts"

/** A written site, with a score of its texts. */
export interface Candidate {
  readonly site: Site
  readonly score: number
}

/** A repaired site and the cost of the repair; undefined if it cannot be repaired. */
export type Repaired<C extends Candidate> = { readonly candidate: C; readonly usage: Usage | undefined } | undefined

export interface BestSite<C extends Candidate> {
  readonly best: C
  /** Undefined without a review. The site with the best texts is then chosen. */
  readonly review: Review | undefined
  readonly usage: Usage | undefined
}

const sum = (...used: ReadonlyArray<Usage | undefined>): Usage | undefined =>
  used
    .filter((each) => each !== undefined)
    .reduce<Usage | undefined>((all, each) => (all === undefined ? each : addUsage(all, each)), undefined)

/**
 * Chooses the best candidate by its texts and its look, with at most two repairs of its faults. A repair is kept if the
 * site looks better after it. Among equals, the first one wins.
 */
export const bestSite = <C extends Candidate, E, R>(
  reviewer: SiteReviewer["Type"],
  candidates: readonly [C, ...ReadonlyArray<C>],
  repair: (candidate: C, seen: SeenSite) => Effect.Effect<Repaired<C>, E, R>
): Effect.Effect<BestSite<C>, E, R | Caller> =>
  Effect.gen(function* () {
    const { accountId } = yield* Caller
    const looked = yield* Effect.forEach(candidates, (candidate) =>
      Effect.map(reviewer.look(accountId, candidate.site, "home"), (seen) => ({ candidate, seen }))
    )
    let usage = sum(...looked.map(({ seen }) => seen?.usage))
    const seenAll = looked.flatMap(({ candidate, seen }) => (seen === undefined ? [] : [{ candidate, seen }]))
    const [first, ...others] = seenAll
    if (first === undefined || seenAll.length < candidates.length) {
      const best = candidates.reduce((one, other) => (other.score > one.score ? other : one))
      return { best, review: undefined, usage }
    }
    const worth = (each: { readonly candidate: C; readonly seen: SeenSite }): number =>
      each.candidate.score - costOf(each.seen)
    let best = others.reduce((one, other) => (worth(other) > worth(one) ? other : one), first)
    if (best.candidate.site.pages.length > 1) {
      const seen = yield* reviewer.look(accountId, best.candidate.site, "all")
      usage = sum(usage, seen?.usage)
      if (seen !== undefined) best = { ...best, seen }
    }
    let repairs = 0
    for (let time = 0; time < mostRepairs && best.seen.faults.length + best.seen.remarks.length > 0; time++) {
      const repaired: Repaired<C> = yield* repair(best.candidate, best.seen)
      if (repaired === undefined) break
      const seen = yield* reviewer.look(accountId, repaired.candidate.site, "all")
      usage = sum(usage, repaired.usage, seen?.usage)
      if (seen === undefined) break
      const next = { candidate: repaired.candidate, seen }
      if (worth(next) <= worth(best)) break
      best = next
      repairs++
    }
    return {
      best: best.candidate,
      review: {
        candidates: candidates.length,
        repairs,
        faults: best.seen.faults,
        isPictureSeen: best.seen.mark !== undefined
      },
      usage
    }
  })
