import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { LeadId, LeadStatus, PipelineState } from "../../src/Services/Leads/Ids.ts"
import { MeetingId } from "../../src/Services/Meetings/Ids.ts"
import {
  type Consequence,
  type ReplySituation,
  replyConsequences,
  responseAt
} from "../../src/Services/Replies/ReplyConsequences.ts"
import { ReplyClass, type ReplyReading } from "../../src/Services/Replies/ReplyReading.ts"

/** A Tuesday, 11:00 in São Paulo. */
const now = Date.parse("2026-03-03T14:00:00Z")
const leadId = LeadId.make(7)

const reading = (more: Partial<ReplyReading>): ReplyReading => ({
  class: "other",
  confidence: 0.9,
  language: "pt-BR",
  refusalReason: null,
  question: null,
  returnDate: null,
  contact: null,
  proposedMeeting: null,
  meetingChange: null,
  decidedBy: "model",
  ...more
})

interface Variation extends Partial<Omit<ReplySituation, "reading" | "lead" | "settings">> {
  readonly lead?: Partial<ReplySituation["lead"]>
  readonly settings?: Partial<ReplySituation["settings"]>
}

const situation = (read: Partial<ReplyReading>, { lead, settings, ...more }: Variation = {}): ReplySituation => ({
  reading: reading(read),
  lead: { leadId, status: "Cold", pipeline: "in_pipeline", isUnsubscribed: false, isTakenOver: false, ...lead },
  meeting: undefined,
  settings: {
    notify_on_interested: true,
    notify_on_interested_via_email: true,
    notify_on_confirmed: false,
    notify_on_confirmed_via_email: false,
    ...settings
  },
  now,
  zone: "America/Sao_Paulo",
  window: { startHour: 8, endHour: 18 },
  criterion: undefined,
  question: read.question ?? null,
  isAnswerKnown: false,
  isSenderProven: true,
  isAnsweredOften: false,
  ...more
})

const instant = (millis: number): string => new Date(millis).toISOString().slice(0, 16)

const spokenTouch = (at: number | undefined): string =>
  at === undefined ? "-" : at === responseAt(leadId, now) ? "respond" : instant(at)

/** A consequence in a few words. */
const inShort = (consequence: Consequence): string => {
  switch (consequence._tag) {
    case "BeginAnew":
      return "anew"
    case "SetStatus":
      return `=${consequence.status}`
    case "Announce":
      return `!${consequence.event}`
    case "Notify":
      return `notify ${consequence.kind}`
    case "MailOwner":
      return `mail ${consequence.kind}`
    case "Unsubscribe":
      return "unsubscribe"
    case "Stop":
      return `stop ${consequence.reason} ${consequence.refusalReason ?? "-"}`
    case "FlagForReview":
      return `review ${consequence.reason}`
    case "TouchAt":
      return consequence.at === responseAt(leadId, now) ? "respond" : `touch ${instant(consequence.at)}`
    case "WaitUntil":
      return `wait ${instant(consequence.at)}`
    case "AskOwner":
      return `ask ${consequence.question}`
    case "RegisterReferral":
      return `refer ${consequence.contact.email ?? consequence.contact.phone ?? "-"}`
    case "BookMeeting":
      return `book ${instant(consequence.startsAt)} to ${instant(consequence.endsAt)}`
    case "CallOffMeeting":
      return `off ${spokenTouch(consequence.touchAt)}`
    case "MoveMeeting":
      return `move to ${instant(consequence.startsAt)}`
  }
}

const told = (read: Partial<ReplyReading>, more?: Variation): ReadonlyArray<string> =>
  replyConsequences(situation(read, more)).map(inShort)

const confirmed = ["anew", "=Confirmed", "!lead_confirmed"]
const interested = [
  "anew",
  "=Interested",
  "!lead_confirmed",
  "!lead_became_interested",
  "notify lead_became_interested",
  "mail lead_became_interested"
]
const held = ["notify held_lead_replied", "mail held_lead_replied"]
/** Thursday 15:00 in São Paulo. */
const met: Variation = {
  lead: { pipeline: "user_controlled", status: "Interested" },
  meeting: { meetingId: MeetingId.make(3), startsAt: Date.parse("2026-03-05T18:00:00Z") }
}
/** A mail in the lead's name that answers none of ours, from a server that vouches for nobody. */
const unproven: Variation = { isSenderProven: false }
const bia = { name: "Bia Lima", email: "bia@x.example", phone: null }

const table: ReadonlyArray<
  readonly [what: string, read: Partial<ReplyReading>, more: Variation, consequences: ReadonlyArray<string>]
> = [
  ["other", { class: "other" }, {}, [...confirmed, "respond"]],
  ["other, confirmed before", { class: "other" }, { lead: { status: "Aware" } }, ["anew", "respond"]],
  ["other, of a frozen lead", { class: "other" }, { lead: { status: "Frozen" } }, [...confirmed, "respond"]],
  [
    "confirmed, to be told",
    { class: "other" },
    { settings: { notify_on_confirmed: true } },
    [...confirmed, "notify lead_confirmed", "respond"]
  ],
  ["interested", { class: "interested" }, {}, [...interested, "respond"]],
  [
    "interested, not to be told",
    { class: "interested" },
    { settings: { notify_on_interested: false, notify_on_interested_via_email: false } },
    ["anew", "=Interested", "!lead_confirmed", "!lead_became_interested", "respond"]
  ],
  [
    "interested, to be told by mail alone",
    { class: "interested" },
    { settings: { notify_on_interested: false } },
    ["anew", "=Interested", "!lead_confirmed", "!lead_became_interested", "mail lead_became_interested", "respond"]
  ],
  [
    "confirmed, to be told by mail alone",
    { class: "other" },
    { settings: { notify_on_confirmed_via_email: true } },
    [...confirmed, "mail lead_confirmed", "respond"]
  ],
  ["interested already", { class: "interested" }, { lead: { status: "Interested" } }, ["anew", "respond"]],
  ["interested after a sale", { class: "interested" }, { lead: { status: "Closed" } }, ["anew", "respond"]],
  [
    "interested with a question",
    { class: "interested", question: "Atendem Recife?" },
    {},
    [...interested, "ask Atendem Recife?", "respond"]
  ],
  [
    "interested, with the owner's hands on it",
    { class: "interested" },
    { lead: { pipeline: "user_controlled" } },
    interested
  ],
  ["interested after all", { class: "interested" }, { lead: { pipeline: "finished" } }, interested],
  ["answered often", { class: "interested" }, { isAnsweredOften: true }, [...interested, "review answered_often"]],
  [
    "answered often, and leaves",
    { class: "not_interested", refusalReason: "price" },
    { isAnsweredOften: true },
    ["anew", "=NotInterested", "!lead_confirmed", "stop not_interested price"]
  ],
  [
    "answered often, and books",
    { class: "meeting_request", proposedMeeting: { date: "2026-03-05", time: "15:00", text: "quinta 15h" } },
    { isAnsweredOften: true },
    [...interested, "book 2026-03-05T18:00 to 2026-03-05T18:30"]
  ],
  [
    "not interested",
    { class: "not_interested", refusalReason: "price" },
    {},
    ["anew", "=NotInterested", "!lead_confirmed", "stop not_interested price"]
  ],
  [
    "not interested, of a lead in the owner's hands",
    { class: "not_interested", refusalReason: "price" },
    { lead: { pipeline: "user_controlled" } },
    ["anew", "=NotInterested", "!lead_confirmed", ...held]
  ],
  [
    "question without an answer",
    { class: "question", question: "Qual o prazo?" },
    {},
    [...confirmed, "ask Qual o prazo?", "touch 2026-03-06T14:00"]
  ],
  [
    "question on a Wednesday evening: three days later is a Saturday",
    { class: "question", question: "Qual o prazo?" },
    { now: Date.parse("2026-03-04T23:00:00Z") },
    [...confirmed, "ask Qual o prazo?", "touch 2026-03-09T11:00"]
  ],
  [
    "question that was answered before",
    { class: "question", question: "Qual o prazo?" },
    { isAnswerKnown: true },
    [...confirmed, "respond"]
  ],
  ["away until a Friday", { class: "out_of_office", returnDate: "2026-03-13" }, {}, ["wait 2026-03-16T11:00"]],
  [
    "away, elsewhere",
    { class: "out_of_office", returnDate: "2026-03-10" },
    { zone: "Europe/Madrid" },
    ["wait 2026-03-11T07:00"]
  ],
  ["away without a date", { class: "out_of_office" }, {}, []],
  ["away until long ago", { class: "out_of_office", returnDate: "2025-03-13" }, {}, []],
  ["away until doomsday", { class: "out_of_office", returnDate: "9999-12-31" }, {}, []],
  ["away, finished", { class: "out_of_office", returnDate: "2026-03-13" }, { lead: { pipeline: "finished" } }, []],
  ["referral", { class: "referral", contact: bia }, {}, [...confirmed, "refer bia@x.example", "respond"]],
  ["referral by name only", { class: "referral", contact: { ...bia, email: null } }, {}, [...confirmed, "respond"]],
  ["wrong person", { class: "wrong_person" }, {}, ["anew", "=Unqualified", "stop wrong_person -"]],
  [
    "wrong person who knows the right one",
    { class: "wrong_person", contact: bia },
    { lead: { status: "Aware" } },
    ["anew", "refer bia@x.example", "stop wrong_person -"]
  ],
  ["gatekeeper", { class: "gatekeeper" }, {}, ["anew", "=Gatekeeper", "!lead_confirmed", "respond"]],
  [
    "gatekeeper of an interested lead",
    { class: "gatekeeper" },
    { lead: { status: "Interested" } },
    ["anew", "respond"]
  ],
  [
    "meeting with date and time",
    { class: "meeting_request", proposedMeeting: { date: "2026-03-05", time: "15:00", text: "quinta 15h" } },
    {},
    [...interested, "book 2026-03-05T18:00 to 2026-03-05T18:30"]
  ],
  [
    "meeting without a time",
    { class: "meeting_request", proposedMeeting: { date: "2026-03-05", time: null, text: "quinta" } },
    {},
    [...interested, "respond"]
  ],
  [
    "meeting in the past",
    { class: "meeting_request", proposedMeeting: { date: "2026-03-02", time: "15:00", text: "ontem" } },
    {},
    [...interested, "respond"]
  ],
  ["meeting at no time", { class: "meeting_request" }, {}, [...interested, "respond"]],
  ["unclear", { class: "not_interested", confidence: 0.4 }, {}, [...confirmed, "review reply_unclear"]],
  ["unclear wrong person", { class: "wrong_person", confidence: 0.4 }, {}, ["anew", "review reply_unclear"]],
  ["of no class, with little doubt", { class: "other", confidence: 0.8 }, {}, [...confirmed, "respond"]],
  ["of no class, with some doubt", { class: "other", confidence: 0.69 }, {}, [...confirmed, "review reply_unclear"]],
  [
    "another class with as much doubt",
    { class: "gatekeeper", confidence: 0.69 },
    {},
    ["anew", "=Gatekeeper", "!lead_confirmed", "respond"]
  ],
  [
    "unclear, in review already",
    { class: "other", confidence: 0.1 },
    { lead: { pipeline: "pending_review", status: "Confirmed" } },
    ["anew", ...held]
  ],
  [
    "interested, and the owner wants to see such replies",
    { class: "interested" },
    { criterion: "desconto" },
    [...interested, "review human_review_criteria"]
  ],
  [
    "refused, and the owner wants to see such replies",
    { class: "not_interested", refusalReason: "price" },
    { criterion: "preço" },
    ["anew", "=NotInterested", "!lead_confirmed", "review human_review_criteria"]
  ],
  [
    "unsubscribe",
    { class: "unsubscribe", confidence: 0.1 },
    { criterion: "lista" },
    ["anew", "=NotInterested", "unsubscribe", "notify lead_unsubscribed"]
  ],
  [
    "unsubscribe of a customer",
    { class: "unsubscribe" },
    { lead: { status: "Closed", pipeline: "finished" } },
    ["anew", "unsubscribe", "notify lead_unsubscribed"]
  ],
  [
    "unsubscribe again",
    { class: "unsubscribe" },
    { lead: { status: "NotInterested", pipeline: "finished", isUnsubscribed: true } },
    ["anew", "unsubscribe"]
  ],
  [
    "interested, read after the lead unsubscribed",
    { class: "interested" },
    { lead: { status: "NotInterested", pipeline: "finished", isUnsubscribed: true } },
    ["anew", ...held]
  ],
  [
    "question of a lead in the owner's hands, with all mail off",
    { class: "question", question: "Qual o prazo?" },
    {
      lead: { pipeline: "user_controlled", status: "Interested" },
      settings: { notify_on_interested_via_email: false }
    },
    ["anew", "notify held_lead_replied"]
  ],
  [
    "to come back in April",
    { class: "not_interested", refusalReason: "timing", returnDate: "2026-04-01" },
    {},
    [...confirmed, "touch 2026-04-01T11:00"]
  ],
  [
    "to come back on a Saturday: on Monday then",
    { class: "not_interested", refusalReason: "timing", returnDate: "2026-04-04" },
    { lead: { status: "Interested" } },
    ["anew", "touch 2026-04-06T11:00"]
  ],
  [
    "not now, and no day named",
    { class: "not_interested", refusalReason: "timing" },
    {},
    ["anew", "=NotInterested", "!lead_confirmed", "stop not_interested timing"]
  ],
  [
    "refuses after booking",
    { class: "not_interested", refusalReason: "price" },
    met,
    ["anew", "=NotInterested", "off -", "stop not_interested price"]
  ],
  [
    "refuses after booking, in the owner's own hands",
    { class: "not_interested", refusalReason: "price" },
    { ...met, lead: { ...met.lead, isTakenOver: true } },
    ["anew", "=NotInterested", "off -"]
  ],
  ["cancels", { class: "other", meetingChange: "cancel" }, met, ["anew", "off respond"]],
  [
    "cannot come for now, which the reader took for a refusal",
    { class: "not_interested", refusalReason: "timing", meetingChange: "move" },
    met,
    ["anew", "off respond"]
  ],
  [
    "after booking: later, in April",
    { class: "not_interested", refusalReason: "timing", returnDate: "2026-04-01", meetingChange: "cancel" },
    met,
    ["anew", "off 2026-04-01T11:00"]
  ],
  [
    "wants another time, and names it",
    {
      class: "meeting_request",
      meetingChange: "move",
      proposedMeeting: { date: "2026-03-06", time: "10:00", text: "sexta 10h" }
    },
    met,
    ["anew", "move to 2026-03-06T13:00"]
  ],
  [
    "wants another time, and names none",
    { class: "meeting_request", meetingChange: "move" },
    met,
    ["anew", "off respond"]
  ],
  ["confirms the meeting", { class: "interested" }, met, ["anew", ...held]],
  ["unsure whether it cancels", { class: "other", confidence: 0.3, meetingChange: "cancel" }, met, ["anew", ...held]],
  [
    "unsubscribes after booking",
    { class: "unsubscribe" },
    met,
    ["anew", "=NotInterested", "off -", "unsubscribe", "notify lead_unsubscribed"]
  ],
  ["unproven, interested", { class: "interested" }, unproven, [...interested, "respond"]],
  [
    "unproven, asks",
    { class: "question", question: "Qual o prazo?" },
    unproven,
    [...confirmed, "ask Qual o prazo?", "touch 2026-03-06T14:00"]
  ],
  [
    "unproven, books",
    { class: "meeting_request", proposedMeeting: { date: "2026-03-05", time: "15:00", text: "quinta 15h" } },
    unproven,
    [...interested, "review sender_unproven"]
  ],
  ["unproven, refers", { class: "referral", contact: bia }, unproven, [...confirmed, "review sender_unproven"]],
  [
    "unproven, refuses",
    { class: "not_interested", refusalReason: "price" },
    unproven,
    ["anew", "!lead_confirmed", "review sender_unproven"]
  ],
  ["unproven, is somebody else", { class: "wrong_person" }, unproven, ["anew", "review sender_unproven"]],
  [
    "unproven, wants to hear in April",
    { class: "not_interested", refusalReason: "timing", returnDate: "2026-04-01" },
    unproven,
    [...confirmed, "review sender_unproven"]
  ],
  ["unproven, away", { class: "out_of_office", returnDate: "2026-03-13" }, unproven, []],
  [
    "unproven, cancels a meeting",
    { class: "other", meetingChange: "cancel" },
    { ...met, ...unproven },
    ["anew", ...held]
  ],
  [
    "unproven, and the owner wants to see such replies",
    { class: "not_interested", refusalReason: "price" },
    { ...unproven, criterion: "preço" },
    ["anew", "!lead_confirmed", "review sender_unproven"]
  ],
  [
    "unproven, unsubscribes",
    { class: "unsubscribe" },
    { ...met, ...unproven },
    ["anew", "=NotInterested", "off -", "unsubscribe", "notify lead_unsubscribed"]
  ],
  ["bounce", { class: "bounce" }, {}, []],
  ["auto reply", { class: "auto_reply" }, { criterion: "preço" }, []]
]

describe("consequences of a reply", () => {
  for (const [what, read, more, consequences] of table) {
    it(what, () => {
      assert.deepStrictEqual(told(read, more), consequences)
    })
  }

  it("an answer follows after three to ten minutes, the same for a lead each time", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 31 }), (id) => {
        const at = responseAt(LeadId.make(id), now)
        assert.isAtLeast(at - now, 3 * 60_000)
        assert.isAtMost(at - now, 10 * 60_000)
        assert.strictEqual(at, responseAt(LeadId.make(id), now))
      })
    )
  })

  it("whatever was read: nobody who is not worked is touched, and a closed deal stays closed", () => {
    const any = fc.record({
      read: fc.record({
        class: fc.constantFrom(...ReplyClass.literals),
        confidence: fc.constantFrom(0, 0.49, 0.5, 1),
        question: fc.constantFrom(null, "Quanto custa?"),
        returnDate: fc.constantFrom(null, "2026-03-20"),
        refusalReason: fc.constantFrom(null, "timing", "price"),
        meetingChange: fc.constantFrom(null, "cancel", "move"),
        proposedMeeting: fc.constantFrom(null, { date: "2026-03-09", time: "10:00", text: "segunda 10h" }),
        contact: fc.constantFrom(null, bia)
      }),
      lead: fc.record({
        status: fc.constantFrom(...LeadStatus.literals),
        pipeline: fc.constantFrom(...PipelineState.literals),
        isUnsubscribed: fc.boolean()
      }),
      criterion: fc.constantFrom(undefined, "preço"),
      meeting: fc.constantFrom(undefined, met.meeting)
    })
    fc.assert(
      fc.property(any, ({ criterion, lead, meeting, read }) => {
        const variation = { lead, criterion, ...(meeting === undefined ? {} : { meeting }) }
        const tags = new Set(replyConsequences(situation(read, variation)).map(({ _tag }) => _tag))
        const isOfPerson = !["bounce", "auto_reply", "out_of_office"].includes(read.class)
        // Whatever a person writes is answered, booked, waited for or ended, or the owner hears of it.
        const isSeen = ["TouchAt", "BookMeeting", "Stop", "FlagForReview", "Notify", "CallOffMeeting", "MoveMeeting"]
        if (isOfPerson && !(lead.isUnsubscribed && read.class === "unsubscribe")) {
          assert.isTrue(
            isSeen.some((tag) => [...tags].some((other) => other === tag)),
            JSON.stringify({ lead, read })
          )
        }
        // A refusal, a cancellation or a wish for another time leaves no meeting as it was.
        const isSure = read.confidence >= (read.class === "other" ? 0.7 : 0.5)
        const changes =
          read.class === "unsubscribe" ||
          (isSure && (read.class === "not_interested" || read.class === "wrong_person" || read.meetingChange !== null))
        const isReviewed = tags.has("FlagForReview")
        if (meeting !== undefined && isOfPerson && changes && !isReviewed) {
          assert.isTrue(tags.has("CallOffMeeting") || tags.has("MoveMeeting"), JSON.stringify({ lead, read }))
        }
        const isOver = meeting !== undefined && tags.has("CallOffMeeting")
        if (isOver && !lead.isUnsubscribed) assert.isFalse(tags.has("TouchAt") || tags.has("BookMeeting"))
        if (lead.pipeline !== "in_pipeline" || lead.isUnsubscribed) {
          if (!isOver) assert.isFalse(tags.has("Stop"))
          for (const tag of ["FlagForReview", "TouchAt", "WaitUntil", "AskOwner", "BookMeeting"] as const) {
            assert.isFalse(tags.has(tag), tag)
          }
        }
        if (lead.status === "Closed") assert.isFalse(tags.has("SetStatus"))
        assert.strictEqual(tags.has("Unsubscribe"), read.class === "unsubscribe")
        if (tags.has("FlagForReview"))
          assert.isFalse(tags.has("TouchAt") || tags.has("Stop") || tags.has("BookMeeting"))
      }),
      { seed: 7, numRuns: 5_000 }
    )
  })
})
