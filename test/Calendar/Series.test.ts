import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import ICAL from "ical.js"
import { instancesOf } from "../../src/Layers/Calendar/sandbox/CalendarSandboxSeries.ts"
import { localInstant } from "../../src/Services/Calendar/FreeSlots.ts"
import { fromMillis } from "../../src/Services/Core/Timestamp.ts"

const day = 86_400_000

it("series of the simulated calendar are those that another library unfolds, over a year of clock changes", () => {
  const series = fc.record({
    zone: fc.constantFrom("America/New_York", "America/Sao_Paulo", "Europe/Madrid", "America/Santiago"),
    hour: fc.integer({ min: 4, max: 22 }),
    on: fc.integer({ min: 0, max: 300 }),
    rule: fc.constantFrom(
      "FREQ=DAILY;INTERVAL=3",
      "FREQ=WEEKLY;BYDAY=MO,TH",
      "FREQ=WEEKLY;INTERVAL=2;COUNT=7",
      "FREQ=MONTHLY;BYDAY=2TU",
      "FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=5"
    )
  })
  fc.assert(
    fc.property(series, ({ hour, on, rule, zone }) => {
      const date = new Date(Date.parse("2026-01-01") + on * day).toISOString().slice(0, 10)
      const first = localInstant(date, hour, 0, zone)
      const found = instancesOf(
        {
          id: "gate1",
          start: { dateTime: fromMillis(first), timeZone: zone },
          end: { dateTime: fromMillis(first + 1_800_000), timeZone: zone },
          recurrence: [`RRULE:${rule}`]
        },
        first,
        first + 200 * day,
        "UTC"
      ).map(({ start }) => start?.dateTime)
      // On the clocks of the zone, whatever they are set to.
      const local = ICAL.Recur.fromString(rule).iterator(
        ICAL.Time.fromDateTimeString(`${date}T${`${hour}`.padStart(2, "0")}:00:00`)
      )
      const expected: Array<string> = []
      for (let next = local.next(); next; next = local.next()) {
        const at = localInstant(next.toString().slice(0, 10), hour, 0, zone)
        if (at > first + 200 * day) break
        if (at >= first) expected.push(fromMillis(at))
      }
      assert.deepStrictEqual(
        found.filter((one) => Date.parse(one ?? "") <= first + 200 * day),
        expected
      )
    }),
    { numRuns: 40 }
  )
})
