import { assert, describe, it } from "@effect/vitest"
import { Option, Redacted } from "effect"
import * as fc from "fast-check"
import { makeSealing } from "../../src/Layers/Platform/Sealing.ts"

const first = Redacted.make("the first secret, of a length that will do")
const second = Redacted.make("the second secret, of a length that will do")
const opened = (text: Option.Option<Redacted.Redacted>) => Option.map(text, Redacted.value)

describe("sealing", () => {
  it("opens what it sealed, for its owner alone", () => {
    const sealing = makeSealing([first])
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string(), fc.string(), (text, owner, other) => {
        const sealed = sealing.seal(Redacted.make(text), owner)
        assert.deepStrictEqual(opened(sealing.open(sealed, owner)), Option.some(text))
        if (other !== owner) assert.isTrue(Option.isNone(sealing.open(sealed, other)))
      })
    )
  })

  it("opens nothing that was changed, cut or sealed with another key", () => {
    const sealing = makeSealing([first])
    const sealed = Buffer.from(sealing.seal(Redacted.make("secret"), "tax 1"))
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      assert.isTrue(Option.isNone(sealing.open(changed, "tax 1")))
      assert.isTrue(Option.isNone(sealing.open(sealed.subarray(0, at), "tax 1")))
    }
    assert.isTrue(Option.isNone(makeSealing([second]).open(sealed, "tax 1")))
  })

  it("with a new key still opens what the one before sealed, and says that it is to be sealed again", () => {
    const sealed = makeSealing([first]).seal(Redacted.make("secret"), "tax 1")
    const rotated = makeSealing([second, first])
    assert.deepStrictEqual(opened(rotated.open(sealed, "tax 1")), Option.some("secret"))
    assert.isTrue(rotated.isOutdated(sealed))
    assert.isFalse(rotated.isOutdated(rotated.seal(Redacted.make("secret"), "tax 1")))
  })

  it("seals the same text differently each time", () => {
    const sealing = makeSealing([first])
    const [one, other] = [1, 2].map(() => Buffer.from(sealing.seal(Redacted.make("secret"), "x")).toString("hex"))
    assert.notStrictEqual(one, other)
  })
})
