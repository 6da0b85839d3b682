import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import * as fc from "fast-check"
import { AccountId } from "../../src/Services/Accounts/Ids.ts"
import { Timestamp } from "../../src/Services/Core/Timestamp.ts"
import { LeadId } from "../../src/Services/Leads/Ids.ts"
import { type Booking, bookingChange } from "../../src/Services/Scheduler/BookingRules.ts"
import { leadOfReference, leadReference } from "../../src/Services/Scheduler/LeadReference.ts"
import { isSigned, signatureOf } from "../../src/Services/Scheduler/NoticeSignature.ts"
import { eventTypeNamed, rangeOf, resourceOf } from "../../src/Services/Scheduler/SchedulerRules.ts"

const api = "https://api.scheduler.example"

describe("addresses of the scheduler's", () => {
  it("are its own host and path, to the letter", () => {
    assert.strictEqual(resourceOf("scheduled_event", api, `${api}/scheduled_events/ab-12_C`), "ab-12_C")
    assert.strictEqual(resourceOf("invitee", api, `${api}/scheduled_events/e/invitees/i`), "e")
    for (const uri of [
      "",
      "https://evil.example/scheduled_events/a",
      `${api}.evil.example/scheduled_events/a`,
      `${api}@evil.example/scheduled_events/a`,
      `http://api.scheduler.example/scheduled_events/a`,
      `${api}:8443/scheduled_events/a`,
      `${api}/scheduled_events/a/../../users/me`,
      `${api}/scheduled_events/..%2fusers`,
      `${api}/scheduled_events/a?x=1`,
      `${api}/scheduled_events/a#x`,
      `${api}/scheduled_events/`,
      `${api}/scheduled_events/${"a".repeat(400)}`,
      `${api}/event_types/a`,
      ` ${api}/scheduled_events/a`,
      `${api}/scheduled_events/a\n`
    ]) {
      assert.isUndefined(resourceOf("scheduled_event", api, uri), uri)
    }
  })
})

describe("a listing's range", () => {
  it("is today and the week after unless told, and a hundred days at most", () => {
    const usual = rangeOf("2026-03-01", undefined, undefined)
    assert.deepInclude(usual, { startDate: "2026-03-01", endDate: "2026-03-08" })
    assert.isTrue("from" in rangeOf("2026-03-01", "2026-01-01", "2026-04-10"))
    assert.deepInclude(rangeOf("2026-03-01", "2026-01-01", "2026-04-11"), { reason: "range_too_long" })
    assert.deepInclude(rangeOf("2026-03-01", undefined, "2026-02-28"), { reason: "range_reversed" })
  })
})

const type = (name: string) => ({
  uri: `${api}/event_types/${name.length}`,
  name,
  slug: null,
  duration_minutes: 30,
  scheduling_url: "https://x.example",
  is_default: false
})

describe("a type's name", () => {
  const types = ["Primeira conversa", "Demonstração", "Demonstração técnica", "Demo rápida", "Demo longa"].map(type)
  it("may be part of it, without accents, and the same name goes before a longer one", () => {
    for (const [wanted, found] of [
      ["primeira conversa", "Primeira conversa"],
      ["demonstracao", "Demonstração"],
      ["tecnica", "Demonstração técnica"],
      ["PRIM", "Primeira conversa"]
    ] as const) {
      assert.deepInclude(eventTypeNamed(wanted, types), { name: found })
    }
  })
  it("that fits several equally is refused with them, and one that fits none with all", () => {
    const tied = eventTypeNamed("demo", types.slice(3))
    assert.deepInclude(tied, { _tag: "Refused", reason: "event_type_ambiguous" })
    assert.isTrue("fields" in tied && JSON.stringify(tied.fields).includes("Demo longa"))
    assert.deepInclude(eventTypeNamed("xyz", types), { reason: "event_type_not_found" })
    assert.deepInclude(eventTypeNamed("  ", types), { reason: "event_type_not_found" })
  })
})

describe("a lead's reference", () => {
  const key = Buffer.from("a key of the account")
  it("names its lead in its account, and nobody makes one", () => {
    const [account, lead] = [AccountId.make(7), LeadId.make(1234)]
    const reference = leadReference(key, account, lead)
    assert.strictEqual(leadOfReference(key, account, reference), lead)
    assert.isUndefined(leadOfReference(key, AccountId.make(8), reference))
    assert.isUndefined(leadOfReference(Buffer.from("another"), account, reference))
    assert.isUndefined(leadOfReference(key, account, reference.replace(/^[^-]+/, "zz")))
    fc.assert(fc.property(fc.string(), (text) => leadOfReference(key, account, text) === undefined))
  })
})

describe("a notice's signature", () => {
  const key = Redacted.make("the app's key")
  const body = Buffer.from('{"event":"invitee.created"}')
  it("holds for its bytes, three minutes either way", () => {
    const header = signatureOf(key, 1_000_000, body)
    for (const [seconds, holds] of [
      [0, true],
      [180, true],
      [-180, true],
      [181, false],
      [-181, false]
    ] as const) {
      assert.strictEqual(isSigned(key, header, body, 1_000_000 + seconds), holds, `${seconds}`)
    }
    assert.isFalse(isSigned(Redacted.make("another"), header, body, 1_000_000))
    assert.isFalse(isSigned(key, header, Buffer.from(`${body.toString()} `), 1_000_000))
    for (const wrong of [undefined, "", "t=1,v1=", header.slice(0, -1), header.replace("t=", "t=1")]) {
      assert.isFalse(isSigned(key, wrong, body, 1_000_000), wrong)
    }
  })
})

/** A scheduler where one person books, moves and calls off; each state can be read again at any later time. */
interface World {
  readonly bookings: Map<string, Booking>
  last: string
  clock: number
}

const at = (minute: number): Timestamp =>
  Timestamp.make(new Date(Date.UTC(2026, 0, 5, 12, minute)).toISOString().replace(".000", ""))

describe("what a booking means", () => {
  it("leaves one meeting as the scheduler has it, in whichever order and however often its news is heard", () => {
    const step = fc.oneof(fc.constant("move" as const), fc.constant("cancel" as const), fc.nat(6))
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const world: World = { bookings: new Map(), last: "0", clock: 1 }
        const booking = (id: string, startsAt: Timestamp, oldInvitee?: string): Booking => ({
          inviteeUri: id,
          eventUri: id,
          isActive: true,
          newInvitee: undefined,
          oldInvitee,
          startsAt,
          endsAt: Timestamp.make(startsAt.replace("T12", "T13")),
          isCancelledByInvitee: true,
          cancelReason: undefined,
          version: `${world.clock}`.padStart(4, "0")
        })
        world.bookings.set("0", booking("0", at(0)))
        const meetings = new Map<
          string,
          { starts_at: Timestamp; ends_at: Timestamp; status: "scheduled" | "cancelled" }
        >()
        let booked = 0
        const hear = (id: string): void => {
          const found = world.bookings.get(id)
          if (found === undefined) return
          if (found.newInvitee !== undefined) hear(found.newInvitee)
          const own = meetings.get(id)
          let before = found.oldInvitee
          while (before !== undefined && !meetings.has(before)) before = world.bookings.get(before)?.oldInvitee
          const old = before === undefined ? undefined : meetings.get(before)
          const meeting = { starts_at: found.startsAt, ends_at: found.endsAt, status: "scheduled" as const }
          switch (bookingChange(found, { own, old })) {
            case "nothing":
              return
            case "book":
              booked += 1
              meetings.set(id, meeting)
              return
            case "follow":
              meetings.set(id, meeting)
              return
            case "follow_old":
              meetings.delete(before ?? "")
              meetings.set(id, meeting)
              return
            case "cancel":
              meetings.set(id, { ...meeting, status: "cancelled" })
              return
            case "cancel_old":
              meetings.set(before ?? "", { ...meeting, status: "cancelled" })
          }
        }
        for (const each of steps) {
          world.clock += 1
          const last = world.bookings.get(world.last)
          if (last === undefined) return
          if (each === "move" && last.isActive) {
            const next = `${world.clock}`
            world.bookings.set(world.last, { ...last, isActive: false, newInvitee: next })
            world.bookings.set(next, booking(next, at(world.clock), world.last))
            world.last = next
          } else if (each === "cancel" && last.isActive) {
            world.bookings.set(world.last, { ...last, isActive: false })
          } else if (typeof each === "number") {
            hear([...world.bookings.keys()][each % world.bookings.size] ?? "")
          }
        }
        const final = world.bookings.get(world.last)
        for (const id of world.bookings.keys()) hear(id)
        const standing = [...meetings.values()].filter(({ status }) => status === "scheduled")
        assert.isAtMost(meetings.size, 1)
        assert.isAtMost(booked, 1)
        assert.lengthOf(standing, final?.isActive === true ? 1 : 0)
        if (final?.isActive === true) assert.strictEqual(standing[0]?.starts_at, final.startsAt)
      }),
      { numRuns: 300 }
    )
  })
})
