import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { wallClock } from "../../../src/Services/Core/LocalTime.ts"
import { Timestamp } from "../../../src/Services/Core/Timestamp.ts"
import { LeadId } from "../../../src/Services/Leads/Ids.ts"
import type { Trial } from "../../../src/Services/Outreach/Adjustments.ts"
import { cadenceDays, daysToNextTouch, maximumTouches } from "../../../src/Services/Outreach/Cadence.ts"
import { planTouch, type TouchSituation } from "../../../src/Services/Outreach/TouchPlan.ts"
import type { ReplyReading } from "../../../src/Services/Replies/ReplyReading.ts"
import type { PreferredHours } from "../../../src/Services/Timing/TouchTime.ts"

const zone = "America/Sao_Paulo"
const monday = Date.parse("2026-03-02T15:00:00Z")
const sunday = Date.parse("2026-03-01T15:00:00Z")

const situation: TouchSituation = {
  leadId: LeadId.make(12),
  now: monday,
  zone,
  window: { startHour: 8, endHour: 18 },
  isContacted: false,
  isPassive: false,
  hasIdentity: true,
  hasWritten: false,
  reply: undefined,
  answer: undefined,
  hasMoreToAnswer: false,
  cancelledMeeting: undefined,
  ownerContext: undefined,
  hasInstructions: false,
  hasParkedMessage: false,
  referredBy: undefined,
  canEmail: true,
  canChat: true,
  isChatWindowOpen: false,
  mayOpenChat: true,
  canCall: false,
  preferred: null,
  touchNumber: 1
}

const reading = (replyClass: ReplyReading["class"]): ReplyReading => ({
  class: replyClass,
  confidence: 0.9,
  language: "en",
  refusalReason: null,
  question: null,
  questions: [],
  returnDate: null,
  contact: null,
  proposedMeeting: null,
  timeProblem: null,
  meetingChange: null,
  acts: [],
  decidedBy: "rules"
})

const replied = (
  replyClass: ReplyReading["class"],
  channel: "email" | "chatapp" = "email"
): Partial<TouchSituation> => ({
  isContacted: true,
  hasWritten: true,
  reply: { channel, reading: reading(replyClass), text: "Tell me more" }
})

const cancelled = { startsAt: Timestamp.make("2026-03-03T15:00:00Z"), reason: "Illness" }

describe("who named somebody else", () => {
  it("is left alone while that one is talked to; of whom no address is known is asked on as usual", () => {
    const named = (email: string | null): Partial<TouchSituation> => ({
      isContacted: true,
      hasWritten: true,
      reply: {
        channel: "email",
        text: "Fale com Beatriz.",
        reading: { ...reading("referral"), contact: { name: "Beatriz", email, phone: null } }
      }
    })
    const days = (change: Partial<TouchSituation>) => {
      const plan = planTouch({ ...situation, ...change })
      return plan.nextTouchAt === undefined ? undefined : Math.floor((plan.nextTouchAt - monday) / 86_400_000)
    }
    assert.isAtLeast(days(named("beatriz@clinica.example")) ?? 0, 44)
    assert.isAtMost(days(named(null)) ?? 99, 6)
  })
})

describe("planTouch", () => {
  const cases: ReadonlyArray<readonly [what: string, change: Partial<TouchSituation>, expected: object]> = [
    ["a new lead", {}, { _tag: "Write", channel: "email", messageType: "first_contact" }],
    ["a second touch", { isContacted: true, touchNumber: 2 }, { _tag: "Write", messageType: "follow_up" }],
    ["the preferred app", { preferred: "ChatApp" }, { channel: "chatapp" }],
    ["a preference that is closed", { preferred: "ChatApp", mayOpenChat: false }, { channel: "email" }],
    ["a third touch with calls on", { isContacted: true, touchNumber: 3, canCall: true }, { channel: "voice" }],
    ["only a phone to call", { canEmail: false, canChat: false, canCall: true }, { channel: "voice" }],
    [
      "no way at all",
      { canEmail: false, canChat: false },
      { _tag: "Skip", reason: "no_open_channel", nextTouchAt: Date.parse("2026-03-03T15:48:00Z") }
    ],
    [
      "a holiday where the lead lives",
      { window: { ...situation.window, isClosed: (_, month, day) => month === 3 && day <= 3 } },
      { _tag: "Skip", reason: "public_holiday", nextTouchAt: Date.parse("2026-03-04T11:48:00Z") }
    ],
    [
      "a holiday, to who only has a telephone to be called on",
      {
        canEmail: false,
        canChat: false,
        canCall: true,
        window: { ...situation.window, isClosed: (_, month) => month === 3 }
      },
      { _tag: "Skip", reason: "public_holiday" }
    ],
    [
      "a holiday, to a lead that wrote",
      { ...replied("question"), window: { ...situation.window, isClosed: (_, month) => month === 3 } },
      { _tag: "Write", messageType: "response" }
    ],
    ["a Sunday", { now: sunday }, { _tag: "Skip", reason: "outside_send_window" }],
    [
      "a reply on a Sunday",
      { ...replied("question"), now: sunday },
      { _tag: "Write", messageType: "response", channel: "email" }
    ],
    ["a reply on the app", replied("interested", "chatapp"), { channel: "chatapp" }],
    [
      "a reply on the app, out of reach there",
      { ...replied("interested", "chatapp"), mayOpenChat: false },
      { channel: "email" }
    ],
    [
      "a reply on the app in its window",
      { ...replied("interested", "chatapp"), isChatWindowOpen: true },
      { channel: "chatapp" }
    ],
    ["an absence note", { ...replied("out_of_office"), touchNumber: 2 }, { messageType: "follow_up" }],
    ["passive mode", { isPassive: true }, { _tag: "Skip", reason: "passive_mode" }],
    [
      "passive mode and a reply",
      { ...replied("question"), isPassive: true },
      { _tag: "Write", messageType: "response" }
    ],
    [
      "the end of the cadence",
      { isContacted: true, touchNumber: maximumTouches + 1 },
      { _tag: "Skip", reason: "cadence_ended" }
    ],
    [
      "the end of it, with instructions",
      { isContacted: true, touchNumber: maximumTouches + 1, hasInstructions: true },
      { _tag: "Write", nextTouchAt: undefined }
    ],
    [
      "the owner's message for the app",
      { isContacted: true, touchNumber: 2, hasParkedMessage: true },
      { _tag: "Write", channel: "chatapp", messageType: "follow_up", isParkedMessage: true }
    ],
    [
      "the owner's message after the end of the cadence",
      { isContacted: true, touchNumber: maximumTouches + 1, hasParkedMessage: true },
      { _tag: "Write", isParkedMessage: true, nextTouchAt: undefined }
    ],
    [
      "the owner's message on a Sunday",
      { now: sunday, hasParkedMessage: true },
      { _tag: "Skip", reason: "outside_send_window" }
    ],
    [
      "the owner's message before the owner's answer",
      { ...replied("question"), answer: { question: "Q", answer: "A" }, hasParkedMessage: true },
      { isParkedMessage: true, channel: "chatapp", nextTouchAt: monday + 5 * 60_000 }
    ],
    [
      "an answer of the owner",
      { ...replied("question"), answer: { question: "Q", answer: "A" }, now: sunday },
      { kind: { _tag: "answer_relay", question: "Q", answer: "A" } }
    ],
    [
      "a meeting that was cancelled, on a Sunday",
      { isContacted: true, touchNumber: maximumTouches + 1, now: sunday, cancelledMeeting: cancelled },
      {
        messageType: "follow_up",
        kind: {
          _tag: "meeting_cancelled",
          meeting: { startsAt: cancelled.startsAt },
          reason: "Illness"
        }
      }
    ],
    [
      "a reply after a meeting was cancelled",
      { ...replied("question"), cancelledMeeting: cancelled },
      { messageType: "response" }
    ],
    [
      "a lead that was brought back",
      { isContacted: true, ownerContext: "New prices" },
      { kind: { _tag: "re_engagement", ownerContext: "New prices" } }
    ]
  ]
  it.each(cases)("%s", (_, change, expected) => {
    assert.deepInclude(planTouch({ ...situation, ...change }), expected)
  })

  it("never writes where nothing is open, and never plans the past or a closed window", () => {
    const arbitrary = fc.record({
      now: fc.integer({ min: Date.parse("2026-01-01"), max: Date.parse("2027-01-01") }),
      touchNumber: fc.integer({ min: 1, max: 9 }),
      isContacted: fc.boolean(),
      canEmail: fc.boolean(),
      canChat: fc.boolean(),
      isChatWindowOpen: fc.boolean(),
      mayOpenChat: fc.boolean(),
      canCall: fc.boolean(),
      isPassive: fc.boolean(),
      preferred: fc.constantFrom("Email" as const, "ChatApp" as const, null)
    })
    fc.assert(
      fc.property(arbitrary, (change) => {
        const plan = planTouch({ ...situation, ...change })
        if (plan._tag === "Write") {
          const isOpen = { email: change.canEmail, chatapp: change.canChat, voice: change.canCall }[plan.channel]
          assert.isTrue(isOpen)
          if (plan.channel === "chatapp") assert.isTrue(change.isChatWindowOpen || change.mayOpenChat)
        }
        if (plan.nextTouchAt === undefined) return
        assert.isAbove(plan.nextTouchAt, change.now)
        const { hour, weekday } = wallClock(plan.nextTouchAt, zone)
        assert.isTrue(hour >= 8 && hour < 18 && weekday >= 1 && weekday <= 5)
      }),
      { seed: 11, numRuns: 1000 }
    )
  })
})

describe("the cadence", () => {
  it("is six touches over three weeks, ever further apart or the same", () => {
    assert.strictEqual(maximumTouches, 6)
    assert.strictEqual(cadenceDays.at(-1), 21)
    const gaps = cadenceDays.flatMap((_, index) => daysToNextTouch(index + 1) ?? [])
    assert.deepStrictEqual(gaps, [3, 4, 4, 5, 5])
    assert.isUndefined(daysToNextTouch(6))
  })
})

describe("what steers a touch", () => {
  const follow: TouchSituation = { ...situation, isContacted: true, touchNumber: 2 }
  const tuesdayAtTen = Date.parse("2026-03-03T13:00:00Z")
  const wantedHours: PreferredHours = {
    reason: { _tag: "Replies", source: "account", replies: 90 },
    hours: [{ weekday: 5, hour: 16, weight: 4 }]
  }
  const trial: Trial = {
    opening: "greeting",
    send_hours: "usual",
    pauses: "usual",
    channel_order: null,
    sector: null
  }
  const plan = (change: Partial<TouchSituation>) => planTouch({ ...follow, ...change })
  const local = (at: number | undefined) => {
    const { day, hour } = wallClock(at ?? 0, zone)
    return { day, hour }
  }

  it("is the best hour of the day that the cadence says, and the plan says why", () => {
    const steered = plan({ wantedHours })
    assert.deepStrictEqual(local(steered.nextTouchAt), { day: 6, hour: 16 })
    assert.deepInclude(steered.timing, { hour: 16, weekday: "friday" })
    assert.strictEqual(steered.timing?.at, steered.nextTouchAt)
    assert.isUndefined(plan({}).timing)
  })

  it("is also where a touch goes that comes outside the window", () => {
    const night = Date.parse("2026-03-06T06:00:00Z")
    const steered = plan({ wantedHours, now: night })
    assert.deepInclude(steered, { _tag: "Skip", reason: "outside_send_window" })
    assert.deepStrictEqual(local(steered.nextTouchAt), { day: 6, hour: 16 })
  })

  it("is what is tried before what all leads of the account do, and after what the lead itself does", () => {
    const morning = { ...trial, send_hours: "morning" as const }
    assert.isBelow(local(plan({ wantedHours, trial: morning }).nextTouchAt).hour, 12)
    const own: PreferredHours = { ...wantedHours, reason: { _tag: "Replies", source: "lead", replies: 6 } }
    assert.strictEqual(local(plan({ wantedHours: own, trial: morning }).nextTouchAt).hour, 16)
  })

  it("makes pauses longer or shorter, within bounds", () => {
    const days = (pauses: Trial["pauses"]) =>
      cadenceDays.slice(0, -1).map((_, index) => {
        const next = plan({ now: tuesdayAtTen, touchNumber: index + 1, trial: { ...trial, pauses } }).nextTouchAt ?? 0
        return Math.round((next - tuesdayAtTen) / 86_400_000)
      })
    const [usual, shorter, longer] = [days("usual"), days("shorter"), days("longer")]
    assert.deepStrictEqual(usual, days("usual"))
    for (const [index, pause] of usual.entries()) {
      assert.isAtMost(shorter[index] ?? 0, pause + 2)
      assert.isAtLeast(shorter[index] ?? 0, 2)
      assert.isAtLeast(longer[index] ?? 0, pause)
    }
  })

  it("puts the app first only where nobody said otherwise", () => {
    const chat = { ...trial, channel_order: "chatapp_first" as const }
    assert.deepInclude(plan({ trial: chat }), { channel: "chatapp" })
    assert.deepInclude(plan({ trial: chat, preferred: "Email" }), { channel: "email" })
    assert.deepInclude(plan({ trial: chat, mayOpenChat: false }), { channel: "email" })
    assert.deepInclude(plan({ trial: chat, ...replied("question", "email") }), { channel: "email" })
  })

  it("says how a first message begins, and no other", () => {
    assert.deepInclude(planTouch({ ...situation, trial }), { opening: "greeting" })
    assert.notProperty(plan({ trial }), "opening")
    assert.notProperty(planTouch(situation), "opening")
  })

  it("never leaves the window, whatever is wanted and tried", () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 10_000 }),
        fc.integer({ min: 1, max: 5 }),
        fc.constantFrom<Trial["pauses"]>("usual", "shorter", "longer"),
        fc.constantFrom<Trial["send_hours"]>("usual", "morning", "afternoon"),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 23 })), { maxLength: 10 }),
        (hours, touchNumber, pauses, send_hours, wanted) => {
          const now = monday + hours * 3_600_000
          const { nextTouchAt } = plan({
            now,
            touchNumber,
            trial: { ...trial, pauses, send_hours },
            wantedHours: { ...wantedHours, hours: wanted.map(([weekday, hour]) => ({ weekday, hour, weight: 1 })) }
          })
          const shown = wallClock(nextTouchAt ?? 0, zone)
          assert.isAbove(nextTouchAt ?? 0, now)
          assert.isTrue(shown.hour >= 8 && shown.hour < 18 && shown.weekday >= 1 && shown.weekday <= 5)
        }
      )
    )
  })
})
