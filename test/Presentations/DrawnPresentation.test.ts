import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { FairSemaphore } from "../../src/Layers/Platform/Fairness/FairSemaphore.ts"
import { makeDrawing, turnsOfDrawing } from "../../src/Layers/Presentations/DrawnPresentation.ts"
import { loadTypeface } from "../../src/Layers/Presentations/PdfCanvas.ts"
import { presentationPdf } from "../../src/Layers/Presentations/PresentationPdf.ts"
import { AccountId } from "../../src/Services/Accounts/Ids.ts"
import { presentationOf } from "../../src/Services/Presentations/PresentationPages.ts"
import { presentationFacts } from "./presentationFacts.ts"

const [one, other] = [AccountId.make(1), AccountId.make(2)]
const presentation = presentationOf(presentationFacts())

it.scopedLive("a presentation is drawn elsewhere, to the same bytes", () =>
  Effect.gen(function* () {
    const draw = yield* makeDrawing
    // What runs on this loop goes on: it has many turns while one presentation is drawn.
    let loops = 0
    const counting = yield* Effect.fork(
      Effect.forever(
        Effect.zipRight(
          Effect.sync(() => loops++),
          Effect.sleep(0)
        )
      )
    )
    const bytes = yield* draw(one, presentation)
    yield* Fiber.interrupt(counting)
    assert.isAbove(loops, 1)
    const here = yield* Effect.flatMap(loadTypeface, (typeface) => presentationPdf(presentation, typeface))
    assert.isTrue(Buffer.from(bytes).equals(Buffer.from(here)))
  })
)

it.scopedLive("an account that asks for many does not keep another waiting, and is refused beyond a number", () =>
  Effect.gen(function* () {
    const draw = yield* makeDrawing
    let drawn = 0
    let refused = 0
    const ask = draw(one, presentation).pipe(
      Effect.tap(() => drawn++),
      Effect.tapError(() => Effect.sync(() => refused++))
    )
    const many = yield* Effect.forkAll(Array.from({ length: 120 }, () => Effect.exit(ask)))
    yield* draw(other, presentation)
    assert.isBelow(drawn, 100)
    assert.strictEqual(refused, 19)
    yield* Fiber.interrupt(many)
  })
)

it("of the two threads an account has one while another asks", () => {
  const turns = new FairSemaphore(turnsOfDrawing)
  const begun: Array<AccountId> = []
  const enter = (account: AccountId) =>
    turns.enter(
      account,
      () => begun.push(account),
      () => assert.fail("refused")
    )
  const places = [enter(one), enter(one), enter(other)]
  assert.deepStrictEqual(begun, [one, other])
  for (const place of places) turns.leave(place)
})
