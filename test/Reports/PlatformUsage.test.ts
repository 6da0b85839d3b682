import { assert, describe, it } from "@effect/vitest"
import { Refused } from "../../src/Errors.ts"
import { Timestamp } from "../../src/Services/Core/Timestamp.ts"
import { type UsageInterval, usageByInterval, usageRange } from "../../src/Services/Reports/PlatformUsage.ts"

const at = (text: string) => Timestamp.make(text)

const rangeOf = (interval: UsageInterval, since?: string, until?: string, now = "2026-11-27T10:20:30Z") =>
  usageRange(
    interval,
    since === undefined ? undefined : at(since),
    until === undefined ? undefined : at(until),
    at(now)
  )

describe("a range of usage", () => {
  it.each([
    ["hour", undefined, undefined, "2026-11-26T11:00:00Z", "2026-11-27T11:00:00Z", 24],
    ["day", undefined, undefined, "2026-10-29T00:00:00Z", "2026-11-28T00:00:00Z", 30],
    ["day", "2026-11-26T15:00:00Z", undefined, "2026-11-26T00:00:00Z", "2026-11-28T00:00:00Z", 2],
    ["hour", "2026-11-26T15:10:00Z", "2026-11-26T16:00:01Z", "2026-11-26T15:00:00Z", "2026-11-26T17:00:00Z", 2],
    ["day", "2026-11-26T00:00:00Z", "2026-11-27T00:00:00Z", "2026-11-26T00:00:00Z", "2026-11-27T00:00:00Z", 1]
  ] as const)("of a %s from %s to %s has whole intervals", (interval, since, until, from, to, count) => {
    const range = rangeOf(interval, since, until)
    if (range instanceof Refused) return assert.fail(range.reason)
    assert.deepStrictEqual([range.from, range.to, range.starts.length], [at(from), at(to), count])
    assert.strictEqual(range.starts[0], range.from)
  })

  it.each([
    ["day", "2026-12-26T00:00:00Z", undefined, "range_empty"],
    ["day", "2026-01-01T00:00:00Z", undefined, "range_too_long"],
    ["hour", "2026-11-01T00:00:00Z", undefined, "range_too_long"]
  ] as const)("of a %s from %s to %s is refused: %s", (interval, since, until, reason) => {
    const range = rangeOf(interval, since, until)
    assert.strictEqual(range instanceof Refused ? range.reason : undefined, reason)
  })
})

describe("usage by interval", () => {
  const counts = {
    calls: [{ starts_at: at("2026-11-27T00:00:00Z"), calls: 3, failed_calls: 1, call_milliseconds: 9 }],
    emails: [{ starts_at: at("2026-11-26T00:00:00Z"), emails_sent: 2, emails_received: 1 }],
    chatapp: [{ starts_at: at("2026-11-27T00:00:00Z"), chatapp_sent: 4, chatapp_received: 5 }],
    voice: [{ starts_at: at("2026-11-26T00:00:00Z"), voice_calls: 1, seconds: 90 }],
    models: [{ starts_at: at("2026-11-26T00:00:00Z"), model_input_tokens: 10, model_output_tokens: 20 }],
    files: [
      { starts_at: at("2026-11-26T00:00:00Z"), bytes: 100 },
      { starts_at: at("2026-11-27T00:00:00Z"), bytes: 1 }
    ],
    bytesBefore: 1000
  }

  it("has a row for each interval, with zeros where nothing happened and all bytes so far", () => {
    const range = rangeOf("day", "2026-11-25T00:00:00Z")
    if (range instanceof Refused) return assert.fail(range.reason)
    const rows = usageByInterval(range, counts)
    const nothing = {
      ...{ calls: 0, failed_calls: 0, call_milliseconds: 0, emails_sent: 0, emails_received: 0 },
      ...{ chatapp_sent: 0, chatapp_received: 0, voice_calls: 0, voice_minutes: 0 },
      ...{ model_input_tokens: 0, model_output_tokens: 0, stored_bytes: 1000 }
    }
    assert.deepStrictEqual(
      rows.map((row) => ({ ...row })),
      [
        { ...nothing, starts_at: at("2026-11-25T00:00:00Z") },
        {
          ...nothing,
          starts_at: at("2026-11-26T00:00:00Z"),
          ...{ emails_sent: 2, emails_received: 1, voice_calls: 1, voice_minutes: 1.5 },
          ...{ model_input_tokens: 10, model_output_tokens: 20, stored_bytes: 1100 }
        },
        {
          ...nothing,
          starts_at: at("2026-11-27T00:00:00Z"),
          ...{ calls: 3, failed_calls: 1, call_milliseconds: 9, chatapp_sent: 4, chatapp_received: 5 },
          stored_bytes: 1101
        }
      ]
    )
  })

  it("has no tokens of models by hour, since they are counted by day", () => {
    const range = rangeOf("hour")
    if (range instanceof Refused) return assert.fail(range.reason)
    assert.isTrue(usageByInterval(range, counts).every((row) => row.model_input_tokens === null))
  })
})
