import { assert, it } from "@effect/vitest"
import {
  failed,
  hasFailed,
  judgeClock,
  judgeDiskSpace,
  judgeServerVersion,
  judgeSessions,
  passed,
  resultLines,
  skipped,
  warning,
  worstOf
} from "../../src/Services/Core/Outside/CheckResult.ts"

const gibibyte = 1024 ** 3

it("a disk with little space is warned about before it is full", () => {
  for (const [free, total, status] of [
    [50, 100, "ok"],
    [9, 100, "warning"],
    [4, 20, "warning"],
    [0.9, 1, "failed"],
    [0, 0, "failed"]
  ] as const) {
    const result = judgeDiskSpace(free * gibibyte, total * gibibyte, "/data")
    assert.strictEqual(result.status, status, `${free} of ${total}`)
    assert.strictEqual(result.fix === undefined, status === "ok")
  }
})

it("a clock may be two seconds off, and with half a minute the check fails", () => {
  assert.deepStrictEqual(
    [0, 1900, -2100, 29_000, 31_000, -31_000].map((millis) => judgeClock(millis).status),
    ["ok", "ok", "warning", "warning", "failed", "failed"]
  )
  assert.include(judgeClock(-40_000).detail, "40.0 s behind")
})

it("servers before PostgreSQL 15 are refused", () => {
  assert.strictEqual(judgeServerVersion(149_999).status, "failed")
  assert.deepStrictEqual(judgeServerVersion(180_001), passed("PostgreSQL 18.1 answers."))
})

it("sessions of all programs must fit", () => {
  assert.strictEqual(judgeSessions(64, 97, 33).status, "ok")
  assert.strictEqual(judgeSessions(64, 97, 34).status, "warning")
})

it("of several results the worst counts, with the details of all that are as bad", () => {
  assert.deepStrictEqual(
    worstOf([passed("A."), failed("B.", "Mend B."), warning("C.", "Mend C."), failed("D.", "Mend B.")]),
    {
      status: "failed",
      detail: "B. D.",
      fix: "Mend B."
    }
  )
  assert.deepStrictEqual(worstOf([skipped("A."), passed("B.")]), { status: "ok", detail: "A. B." })
  assert.deepStrictEqual(worstOf([skipped("A.")]), skipped("A."))
  assert.strictEqual(worstOf([]).status, "skipped")
})

it("a problem has its fix on the next line", () => {
  const results = [
    { name: "disk", ...passed("There is space.") },
    { name: "mail.smtp", ...failed("It does not answer.", "Check SMTP_URL.") }
  ]
  assert.deepStrictEqual(resultLines(results), [
    "ok       disk       There is space.",
    "failed   mail.smtp  It does not answer.",
    "                    Fix: Check SMTP_URL."
  ])
  assert.isTrue(hasFailed(results))
  assert.isFalse(hasFailed(results.slice(0, 1)))
})
