import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck as fc } from "effect"
import { checkPicture } from "../../src/Services/ChatApp/ChatAppPicture.ts"
import { jpeg, png } from "../support/Pictures.ts"

const reasonOf = (bytes: Uint8Array) =>
  Either.match(checkPicture(bytes), { onLeft: ({ reason }) => reason, onRight: ({ mediaType }) => mediaType })

describe("the picture of a line", () => {
  it("is a square PNG or JPG of at least 192 pixels", () => {
    assert.strictEqual(reasonOf(png(192, 192)), "image/png")
    assert.strictEqual(reasonOf(jpeg(640, 640)), "image/jpeg")
    // Progressive, like most pictures from the web.
    assert.strictEqual(reasonOf(jpeg(640, 640, 0xc2)), "image/jpeg")
  })

  it("is refused by its bytes, with the reason", () => {
    assert.strictEqual(reasonOf(png(191, 191)), "picture_too_small")
    assert.strictEqual(reasonOf(png(300, 200)), "picture_not_square")
    assert.strictEqual(reasonOf(jpeg(200, 300)), "picture_not_square")
    assert.strictEqual(reasonOf(Buffer.from("GIF89a")), "picture_format_not_accepted")
    assert.strictEqual(reasonOf(Buffer.from("<svg width='500' height='500'/>")), "picture_format_not_accepted")
    assert.strictEqual(reasonOf(png(300, 300).subarray(0, 20)), "picture_format_not_accepted")
    assert.strictEqual(reasonOf(jpeg(300, 300).subarray(0, 20)), "picture_format_not_accepted")
    assert.strictEqual(reasonOf(Buffer.alloc(0)), "picture_format_not_accepted")
    const large = Buffer.concat([png(300, 300), Buffer.alloc(5 * 1024 * 1024)])
    assert.strictEqual(reasonOf(large), "picture_too_large")
    assert.strictEqual(reasonOf(large.subarray(0, 5 * 1024 * 1024 - 1)), "image/png")
  })

  it("never crashes its reader", () => {
    const jpegLike = fc
      .uint8Array({ maxLength: 200 })
      .map((bytes) => Buffer.concat([Buffer.from("ffd8ff", "hex"), bytes]))
    fc.assert(
      fc.property(fc.oneof(jpegLike, fc.uint8Array({ maxLength: 200 })), (bytes) => {
        checkPicture(bytes)
      }),
      { seed: 7, numRuns: 500 }
    )
  })
})
