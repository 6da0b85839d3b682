import { Effect } from "effect"
import type { NotFound, Refused, Transient } from "../../../Errors.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { fromMillis } from "../../../Services/Core/Timestamp.ts"
import { SimulatedScheduler } from "../../../Services/Scheduler/Scheduler.ts"
import { simulatedPagePath } from "../../Scheduler/sandbox/CalendlySandboxViews.ts"
import type { SeededRandom } from "../../Simulated/SeededRandom.ts"
import type { SimulatedClock } from "../../Simulated/SimulatedClock.ts"
import type { SimulatedEngine } from "../../Simulated/SimulatedEngine.ts"
import { atHour, ownersZone, workdays } from "./Workdays.ts"

const hour = 3_600_000
const day = 24 * hour

/** The share of people who use the booking link in a message. The others write which time suits them. */
const bookingShare = 0.6
const movedShare = 0.2
const cancelledShare = 0.1

/** The number of attempts, one per hour of a day, after which a person gives up on booking. */
const mostTries = 4

interface BookingPerson {
  readonly contact: string
  readonly name: string
  readonly email: string | null
}

/** The booking page that a message offers. */
const bookingPageIn = (text: string): string | undefined =>
  text.split(/\s/).find((word) => word.includes(`${simulatedPagePath}/`))

/** A refused booking has no effect. */
const ifAllowed = <A, R>(effect: Effect.Effect<A, NotFound | Refused | Transient, R>) =>
  Effect.catchTags(effect, { NotFound: () => Effect.succeed(undefined), Refused: () => Effect.succeed(undefined) })

/** Makes simulated people book, move and cancel meetings at the account's scheduling tool. */
export const makeProspectBookings = (options: {
  readonly random: SeededRandom
  readonly clock: SimulatedClock
  readonly at: SimulatedEngine["at"]
}) =>
  Effect.gen(function* () {
    const scheduler = yield* SimulatedScheduler
    const caller = yield* Caller
    const { at, clock, random } = options

    /**
     * The first try of a working day in `from` to `to` days, between 10:00 and 16:00. Each further try is an hour
     * later.
     */
    const startOf = (contact: string, [from, to]: readonly [number, number], what: string, tries: number): number => {
      const millis = clock.now() + random.between(from, to, contact, what) * day
      const [morning = millis] = workdays(millis, millis + 4 * day)
      const firstHour = 10 + Math.floor(random.share(contact, what, "hour") * 3)
      return atHour(morning, firstHour + tries, 0, ownersZone)
    }

    const changeLater = ({ contact }: BookingPerson, inviteeUri: string, startsAt: number): void => {
      const share = random.share(contact, "change of booking")
      const changedAt = clock.now() + 0.4 * (startsAt - clock.now())
      const change =
        share < movedShare
          ? Effect.suspend(() =>
              scheduler.reschedule(inviteeUri, fromMillis(startOf(contact, [4, 8], "moved booking", 0)))
            )
          : scheduler.cancel(inviteeUri, "invitee", "")
      if (share < movedShare + cancelledShare) {
        at(changedAt, change.pipe(ifAllowed, Effect.asVoid, Effect.provideService(Caller, caller)))
      }
    }

    /** Books at the page that the message offers. Returns whether the person did so. */
    const book = Effect.fnUntraced(
      function* (person: BookingPerson, text: string) {
        const { contact, email, name } = person
        const url = bookingPageIn(text)
        if (url === undefined || email === null || random.share(contact, "books") >= bookingShare) return false
        for (let tries = 0; tries < mostTries; tries++) {
          const startsAt = startOf(contact, [2, 6], "booking", tries)
          const inviteeUri = yield* ifAllowed(scheduler.book({ url, name, email, startsAt: fromMillis(startsAt) }))
          if (inviteeUri === undefined) continue
          changeLater(person, inviteeUri, startsAt)
          return true
        }
        return false
      },
      (effect) => Effect.provideService(effect, Caller, caller)
    )

    return { book }
  })
