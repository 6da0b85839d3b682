import { assert, describe, it } from "@effect/vitest"
import { retryAfterMillis, retryAfterSeconds } from "../../src/Layers/Platform/Outbound/RetryAfter.ts"

const now = Date.UTC(2026, 2, 1, 12, 0, 0)
const day = 24 * 60 * 60 * 1000

describe("Retry-After", () => {
  it("is seconds or an HTTP date", () => {
    for (const [header, millis] of [
      ["120", 120_000],
      [" 0 ", 0],
      ["1.5", 1500],
      ["999999999", day],
      ["Sun, 01 Mar 2026 12:01:30 GMT", 90_000],
      ["Sun, 01 Mar 2026 11:00:00 GMT", 0],
      ["Fri, 01 Mar 2036 11:00:00 GMT", day]
    ] as const) {
      assert.strictEqual(retryAfterMillis({ "retry-after": header }, now), millis, header)
    }
  })

  it("may be milliseconds in a header of its own", () => {
    assert.strictEqual(retryAfterMillis({ "retry-after-ms": "250", "retry-after": "1" }, now), 250)
    assert.strictEqual(retryAfterMillis({ "retry-after-ms": "soon", "retry-after": "1" }, now), 1000)
    assert.strictEqual(retryAfterSeconds({ "retry-after-ms": "1250" }, now), 2)
  })

  it("that is neither means nothing", () => {
    assert.isUndefined(retryAfterSeconds({}, now))
    for (const header of ["", "soon", "soon 3", "-5", "1e9", "2026-03-01", "99999999999", "5, 6"]) {
      assert.isUndefined(retryAfterMillis({ "retry-after": header }, now), header)
    }
  })
})
