import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { refused } from "../../src/Errors.ts"
import { makeProspectBookings } from "../../src/Layers/Sample/People/ProspectBookings.ts"
import { makeSeededRandom } from "../../src/Layers/Simulated/SeededRandom.ts"
import { makeSimulatedClock } from "../../src/Layers/Simulated/SimulatedClock.ts"
import { AccountId } from "../../src/Services/Accounts/Ids.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { wallClock } from "../../src/Services/Core/LocalTime.ts"
import { toMillis } from "../../src/Services/Core/Timestamp.ts"
import { type SimulatedBooking, SimulatedScheduler } from "../../src/Services/Scheduler/Scheduler.ts"

const start = Date.parse("2026-03-02T12:00:00Z")
const page = "https://ondas.example/sandbox/scheduler/key?type=primeira-conversa"
const offer = `Se preferir, escolha um horário aqui: ${page}\n\nAbraço`
const timeTaken = refused("time_taken", "Another person has booked this time.", "Choose another time.")

/** A hundred people, of whom each is offered the page. The first `refusals` tries of each are refused. */
const live = (text: string, refusals = 0) =>
  Effect.gen(function* () {
    const bookings: Array<SimulatedBooking> = []
    const changes: Array<string> = []
    const later: Array<{ readonly at: number; readonly act: Effect.Effect<void, unknown> }> = []
    let tries = 0
    const scheduler = SimulatedScheduler.of({
      book: (booking) =>
        Effect.suspend(() => {
          tries += 1
          if (tries <= refusals) return Effect.fail(timeTaken)
          bookings.push(booking)
          return Effect.succeed(`uri of ${booking.email}`)
        }),
      reschedule: (uri) => Effect.sync(() => `${changes.push(`moved ${uri}`)}`),
      cancel: (uri, by) => Effect.sync(() => void changes.push(`cancelled ${uri} by ${by}`))
    })
    const random = makeSeededRandom(1)
    const clock = makeSimulatedClock(start)
    const people = yield* makeProspectBookings({ random, clock, at: (at, act) => later.push({ at, act }) }).pipe(
      Effect.provideService(SimulatedScheduler, scheduler),
      Effect.provideService(Caller, Caller.forTask(AccountId.make(1), "paid", "test"))
    )
    const hasBooked: Array<boolean> = []
    for (let index = 0; index < 100; index++) {
      tries = 0
      const contact = `person${index}@clinic.example`
      hasBooked.push(yield* people.book({ contact, name: `Person ${index}`, email: contact }, text))
    }
    for (const { act } of later) yield* act
    return { bookings, changes, later, hasBooked }
  })

it.effect("people book at the page that a message offers, in their own names, and some change it", () =>
  Effect.gen(function* () {
    const { bookings, changes, hasBooked, later } = yield* live(offer)
    assert.isTrue(bookings.length > 40 && bookings.length < 80, `${bookings.length}`)
    assert.lengthOf(
      hasBooked.filter((has) => has),
      bookings.length
    )
    for (const { email, name, startsAt, url } of bookings) {
      assert.strictEqual(url, page)
      assert.strictEqual(email, `${name.toLowerCase().replace(" ", "")}@clinic.example`)
      const { hour, weekday } = wallClock(toMillis(startsAt), "America/Sao_Paulo")
      assert.isTrue(weekday >= 1 && weekday <= 5 && hour >= 10 && hour <= 16, startsAt)
      assert.isAbove(toMillis(startsAt), start)
    }
    assert.isTrue(changes.some((change) => change.startsWith("moved")))
    assert.isTrue(changes.some((change) => change.endsWith("by invitee")))
    assert.isBelow(changes.length, bookings.length / 2)
    assert.isTrue(later.every(({ at }) => at > start))
  })
)

it.effect("a taken hour is tried an hour later, and without a free one the person writes", () =>
  Effect.gen(function* () {
    const first = yield* live(offer)
    const second = yield* live(offer, 1)
    assert.strictEqual(second.bookings.length, first.bookings.length)
    const starts = ({ bookings }: typeof first) => bookings.map(({ startsAt }) => toMillis(startsAt))
    const hour = 3_600_000
    assert.deepStrictEqual(
      starts(second),
      starts(first).map((at) => at + hour)
    )
    assert.isEmpty((yield* live(offer, 99)).bookings)
  })
)

it.effect("a message without a page leads to no booking", () =>
  Effect.gen(function* () {
    const { bookings, hasBooked } = yield* live("Qual horário é melhor?")
    assert.isEmpty(bookings)
    assert.isFalse(hasBooked.includes(true))
  })
)
