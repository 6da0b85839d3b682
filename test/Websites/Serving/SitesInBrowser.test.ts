import { assert, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { browserOf, checkSite, serveSites } from "../../../bench/sites/CheckedSite.ts"
import { siteMaterials } from "../../../bench/sites/SiteMaterials.ts"
import { findChromium } from "../../../src/Layers/Websites/Browser/Chromium.ts"

const isThere = Option.isSome(await Effect.runPromise(findChromium(Option.none())))

// All fifty are looked at by `npm run check:sites`.
it.scopedLive.skipIf(!isThere)("sites that rules compose have no fault in a browser at three widths", () =>
  Effect.gen(function* () {
    const served = yield* serveSites
    const checked = yield* Effect.forEach(
      [2, 24],
      (index) =>
        Effect.flatMap(Effect.fromNullable(siteMaterials[index]), (material) => checkSite(served, index, material)),
      { concurrency: 2 }
    ).pipe(Effect.provide(browserOf(served)))
    assert.deepStrictEqual(
      checked.flatMap(({ faults }) => faults),
      []
    )
    assert.deepStrictEqual(
      checked.map(({ pictures }) => pictures.length),
      [3, 3]
    )
  })
)
