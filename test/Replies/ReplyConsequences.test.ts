import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { LeadId, LeadStatus, PipelineState } from "../../src/Services/Leads/Ids.ts"
import { MeetingId } from "../../src/Services/Meetings/Ids.ts"
import { type Act, ActKind } from "../../src/Services/Replies/Acts.ts"
import { replyConsequences, responseAt } from "../../src/Services/Replies/Consequences/ReplyConsequences.ts"
import type { ReplyReading } from "../../src/Services/Replies/ReplyReading.ts"
import type { Consequence, ReplySituation } from "../../src/Services/Replies/ReplySituation.ts"
import { act, exactTime, likely, readingWith } from "./support/acts.ts"

/** A Tuesday, 11:00 in São Paulo. */
const now = Date.parse("2026-03-03T14:00:00Z")
const leadId = LeadId.make(7)

interface Variation extends Partial<Omit<ReplySituation, "reading" | "lead" | "settings">> {
  readonly lead?: Partial<ReplySituation["lead"]>
  readonly settings?: Partial<ReplySituation["settings"]>
  readonly read?: Partial<ReplyReading>
}

const situation = (acts: ReadonlyArray<Act>, { lead, read, settings, ...more }: Variation = {}): ReplySituation => {
  const reading = readingWith(acts, read)
  return {
    reading,
    lead: { leadId, status: "Cold", pipeline: "in_pipeline", isUnsubscribed: false, isTakenOver: false, ...lead },
    meeting: undefined,
    bookableAt: undefined,
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
    questions: reading.questions.map((text) => ({ text, isKnown: false })),
    isSenderProven: true,
    isAnsweredOften: false,
    ...more
  }
}

const instant = (millis: number): string => new Date(millis).toISOString().slice(0, 16)

const spokenTouch = (at: number | undefined): string =>
  at === undefined ? "-" : at === responseAt(leadId, now) ? "respond" : instant(at)

/** A consequence in a few words. */
const inShort = (consequence: Consequence): string => {
  switch (consequence._tag) {
    case "BeginAnew":
      return "restart"
    case "SetStatus":
      return `=${consequence.status}`
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
      return `ask${consequence.owed === "objection" ? "!" : consequence.owed === "document" ? "+" : ""} ${consequence.question}`
    case "RegisterReferral":
      return `refer ${consequence.contact.email ?? consequence.contact.phone ?? "-"}`
    case "BookMeeting":
      return `book ${instant(consequence.startsAt)} to ${instant(consequence.endsAt)}`
    case "HoldingLine":
      return `hold ${spokenTouch(consequence.at)}`
    case "CallOffMeeting":
      return `off ${spokenTouch(consequence.touchAt)}`
    case "MoveMeeting":
      return `move to ${instant(consequence.startsAt)}`
  }
}

const consequencesInShort = (acts: ReadonlyArray<Act>, more?: Variation): ReadonlyArray<string> =>
  replyConsequences(situation(acts, more)).map(inShort)

const confirmed = ["restart", "=Confirmed"]
const interested = ["restart", "=Interested", "notify lead_became_interested", "mail lead_became_interested"]
const held = ["notify held_lead_replied", "mail held_lead_replied"]
/** Thursday 15:00 in São Paulo. */
const thursday = { date: "2026-03-05", time: "15:00" }
const met: Variation = {
  lead: { status: "Interested" },
  meeting: { meetingId: MeetingId.make(3), startsAt: Date.parse("2026-03-05T18:00:00Z"), local: thursday }
}
const friday = Date.parse("2026-03-06T13:00:00Z")
/** A mail in the lead's name that answers none of ours, from a server that does not vouch for it. */
const unproven: Variation = { isSenderProven: false }
const bia = { name: "Bia Lima", email: "bia@x.example", phone: null }
const asks = act("asks", { text: "Qual o prazo?", isQuestion: true })
const supplier = act("objects", { objection: "supplier" })
const offered = act("proposes", { time: exactTime("2026-03-06", [600]) })
const automatic = act("is_away", { isAutomatic: true, source: "rules" })

const table: ReadonlyArray<
  readonly [what: string, acts: ReadonlyArray<Act>, more: Variation, consequences: ReadonlyArray<string>]
> = [
  ["thanks alone: the cadence goes on", [act("thanks")], {}, confirmed],
  ["interested", [act("is_interested")], {}, [...interested, "respond"]],
  [
    "interested, without notices",
    [act("is_interested")],
    { settings: { notify_on_interested: false, notify_on_interested_via_email: false } },
    ["restart", "=Interested", "respond"]
  ],
  ["interested after a sale", [act("is_interested")], { lead: { status: "Closed" } }, ["restart", "respond"]],
  ["interested with a question", [act("is_interested"), asks], {}, [...interested, "ask Qual o prazo?", "respond"]],
  ["answered often", [act("is_interested")], { isAnsweredOften: true }, [...interested, "review answered_often"]],
  ["asks what no one has answered", [asks], {}, [...confirmed, "ask Qual o prazo?", "respond"]],
  [
    "asks two things, one of them known",
    [asks, act("asks", { text: "Quanto custa?" })],
    {
      questions: [
        { text: "Qual o prazo?", isKnown: false },
        { text: "Quanto custa?", isKnown: true }
      ]
    },
    [...confirmed, "ask Qual o prazo?", "respond"]
  ],
  [
    "interested, in the owner's hands",
    [act("is_interested")],
    { lead: { pipeline: "user_controlled", isTakenOver: true } },
    interested
  ],
  ["refuses", [act("refuses")], {}, ["restart", "=NotInterested", "stop not_interested other"]],
  [
    "has a supplier, and says no more",
    [supplier],
    {},
    ["restart", "=NotInterested", "stop not_interested has_supplier"]
  ],
  ["refuses, perhaps: a person decides", [likely("refuses")], {}, [...confirmed, "review reply_unclear"]],
  ["refuses and asks: no end", [act("refuses"), asks], {}, [...confirmed, "ask Qual o prazo?", "respond"]],
  [
    "refuses on a condition: no end",
    [act("refuses"), act("sets_condition", { text: "Com 20 % eu fecho" })],
    {},
    [...confirmed, "ask! Com 20 % eu fecho", "respond"]
  ],
  [
    "asks why to change supplier: no end",
    [act("objects", { objection: "supplier", isQuestion: true }), asks],
    {},
    [...confirmed, "ask Qual o prazo?", "respond"]
  ],
  [
    "finds it expensive: the door is open",
    [act("objects", { objection: "price", text: "Está salgado" })],
    {},
    [...confirmed, "ask! Está salgado", "respond"]
  ],
  [
    "finds it expensive again: a person decides",
    [act("objects", { objection: "price", text: "Está salgado" })],
    { isObjectionRepeated: true },
    [...confirmed, "ask! Está salgado", "review objection_again", "hold respond"]
  ],
  [
    "later, in April",
    [act("defers")],
    { read: { returnDate: "2026-04-01" } },
    [...confirmed, "touch 2026-04-01T11:00"]
  ],
  [
    "later, on a Saturday: on Monday then",
    [act("defers")],
    { read: { returnDate: "2026-04-04" }, lead: { status: "Interested" } },
    ["restart", "touch 2026-04-06T11:00"]
  ],
  ["later, without a day: after 90 days", [act("defers")], {}, [...confirmed, "touch 2026-06-01T14:00"]],
  [
    "a bad moment is a deferral",
    [act("objects", { objection: "timing" })],
    {},
    [...confirmed, "touch 2026-06-01T14:00"]
  ],
  ["a person is away", [act("is_away")], { read: { returnDate: "2026-03-13" } }, ["wait 2026-03-16T11:00"]],
  ["a machine says so", [automatic, act("is_away")], { read: { returnDate: "2026-03-13" } }, ["wait 2026-03-16T11:00"]],
  ["a machine that says anything else", [automatic], { criterion: "preço" }, []],
  [
    "away, but asks: a reply like any other",
    [act("is_interested"), asks, act("is_away")],
    { read: { returnDate: "2026-03-13" } },
    [...interested, "ask Qual o prazo?", "respond"]
  ],
  [
    "proposes a time that can be booked",
    [offered],
    { bookableAt: friday },
    [...interested, "book 2026-03-06T13:00 to 2026-03-06T13:30"]
  ],
  ["proposes a time that cannot be booked", [offered], {}, [...interested, "respond"]],
  ["wants a meeting", [act("wants_meeting")], {}, [...interested, "respond"]],
  ["wants a call", [act("wants_call")], {}, [...interested, "review wants_call", "hold respond"]],
  [
    "wants a call, and calls are on",
    [act("wants_call")],
    { callAt: friday },
    [...interested, "touch 2026-03-06T13:00"]
  ],
  [
    "asks where its address comes from",
    [act("demands_data", { text: "Where did you get my address?" })],
    {},
    [...confirmed, "respond"]
  ],
  [
    "asks where its address comes from, and refuses: a person decides",
    [act("refuses"), act("demands_data", { text: "Where did you get my address?" })],
    {},
    ["restart", "=NotInterested", "review legal_request"]
  ],
  [
    "demands its data",
    [act("demands_data", { text: "Under the GDPR, where did you get my address?" })],
    {},
    [...confirmed, "review legal_request"]
  ],
  [
    "wants a call at a time",
    [act("wants_call"), offered],
    { bookableAt: friday },
    [...interested, "book 2026-03-06T13:00 to 2026-03-06T13:30"]
  ],
  ["wants a person", [act("wants_human")], {}, [...confirmed, "review wants_person", "hold respond"]],
  ["is a customer", [act("is_customer")], {}, [...confirmed, "review existing_customer"]],
  [
    "refers to another person",
    [act("refers_to", { contact: bia })],
    {},
    [...confirmed, "refer bia@x.example", "respond"]
  ],
  [
    "wants to be called on a number: that names no third person",
    [act("refers_to", { contact: bia }), act("wants_call")],
    {},
    [...confirmed, "review wants_call", "hold respond"]
  ],
  ["is the wrong person", [act("wrong_person")], {}, ["restart", "=Unqualified", "stop wrong_person -"]],
  ["is the wrong person, perhaps", [likely("wrong_person")], {}, ["restart", "=Unqualified", "review reply_unclear"]],
  ["passes it on", [act("forwards")], {}, ["restart", "=Gatekeeper", "respond"]],
  [
    "wants no more messages",
    [act("stops")],
    {},
    ["restart", "=NotInterested", "unsubscribe", "notify lead_unsubscribed"]
  ],
  [
    "wants no more messages, perhaps: a person decides",
    [likely("stops")],
    {},
    [...confirmed, "review opt_out_unclear"]
  ],
  [
    "wants no more messages, on legal grounds",
    [act("stops"), act("demands_data")],
    {},
    ["restart", "=NotInterested", "review legal_request", "unsubscribe", "notify lead_unsubscribed"]
  ],
  ["threatens legal steps", [act("threatens_law")], {}, [...confirmed, "review legal_request"]],
  [
    "wants no more messages, and was unsubscribed before",
    [act("stops")],
    { lead: { status: "NotInterested", pipeline: "finished", isUnsubscribed: true } },
    ["restart", "unsubscribe"]
  ],
  [
    "refuses, and the owner wants to see such replies",
    [act("refuses")],
    { criterion: "preço" },
    ["restart", "=NotInterested", "review human_review_criteria"]
  ],
  [
    "writes in another language",
    [likely("unclear")],
    { isOtherLanguage: true },
    [...confirmed, "review other_language"]
  ],
  ["cannot be understood", [act("unclear")], { read: { confidence: 0.3 } }, [...confirmed, "review reply_unclear"]],
  [
    "cannot be understood, in review already",
    [act("unclear")],
    { read: { confidence: 0.3 }, lead: { pipeline: "pending_review", status: "Confirmed" } },
    ["restart", ...held]
  ],
  ["comes back when it was finished", [offered], { lead: { pipeline: "finished" }, bookableAt: friday }, interested],
  [
    "asks in the owner's hands",
    [asks],
    {
      lead: { pipeline: "user_controlled", status: "Interested", isTakenOver: true },
      settings: { notify_on_interested_via_email: false }
    },
    ["restart", "notify held_lead_replied"]
  ],
  ["confirms the meeting", [act("confirms", { time: exactTime("2026-03-05", [900]) })], met, ["restart", "respond"]],
  [
    "confirms the meeting, and names another appointment",
    [act("confirms"), act("mentions", { time: exactTime("2026-03-04", [1200]) })],
    met,
    ["restart", "respond"]
  ],
  ["calls the meeting off", [act("calls_off")], met, ["restart", "off respond"]],
  [
    "calls the meeting off, perhaps: a person decides",
    [likely("calls_off")],
    met,
    ["restart", "review meeting_unclear"]
  ],
  [
    "calls the meeting off and confirms it: a person decides",
    [act("calls_off"), act("confirms")],
    met,
    ["restart", "review meeting_unclear"]
  ],
  [
    "calls off another appointment",
    [act("calls_off", { time: exactTime("2026-03-09", [840]) }), act("confirms")],
    met,
    ["restart", "respond"]
  ],
  ["cannot come then", [act("cannot", { time: exactTime("2026-03-05", [900]) })], met, ["restart", "off respond"]],
  [
    "cannot come on another day",
    [act("cannot", { time: exactTime("2026-03-09", [900]) })],
    met,
    ["restart", "respond"]
  ],
  [
    "wants another time, and names one",
    [act("wants_to_move", { time: exactTime("2026-03-06", [600]) })],
    { ...met, bookableAt: friday },
    ["restart", "move to 2026-03-06T13:00"]
  ],
  [
    "wants another time, and names none: the agreed one is kept until there is one",
    [act("wants_to_move")],
    met,
    ["restart", "notify lead_wants_other_time", "respond"]
  ],
  [
    "names another time without a word on the agreed one: a person decides",
    [offered],
    { ...met, bookableAt: friday },
    ["restart", "review meeting_unclear", "hold respond"]
  ],
  ["refuses after booking", [act("refuses")], met, ["restart", "=NotInterested", "off -", "stop not_interested other"]],
  [
    "wants no more messages after booking",
    [act("stops")],
    met,
    ["restart", "=NotInterested", "off -", "unsubscribe", "notify lead_unsubscribed"]
  ],
  ["unproven, interested", [act("is_interested")], unproven, [...interested, "respond"]],
  ["unproven, asks", [asks], unproven, [...confirmed, "ask Qual o prazo?", "respond"]],
  ["unproven, books", [offered], { ...unproven, bookableAt: friday }, [...interested, "review sender_unproven"]],
  ["unproven, refers", [act("refers_to", { contact: bia })], unproven, [...confirmed, "review sender_unproven"]],
  ["unproven, refuses", [act("refuses")], unproven, ["restart", "review sender_unproven"]],
  ["unproven, later", [act("defers")], unproven, [...confirmed, "review sender_unproven"]],
  [
    "unproven, calls the meeting off",
    [act("calls_off")],
    { ...met, ...unproven },
    ["restart", "review sender_unproven"]
  ],
  [
    "unproven, wants no more messages",
    [act("stops")],
    unproven,
    ["restart", "=NotInterested", "unsubscribe", "notify lead_unsubscribed"]
  ],
  ["a failed delivery", [], { read: { class: "bounce" } }, []]
]

describe("consequences of a reply that", () => {
  for (const [what, acts, more, consequences] of table) {
    it(what, () => {
      assert.deepStrictEqual(consequencesInShort(acts, more), consequences)
    })
  }
})

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

const anyTime = fc.option(
  fc.record({
    day: fc.constantFrom("2026-03-04", "2026-03-05", "2026-03-06"),
    minutes: fc.constantFrom<ReadonlyArray<number>>([], [600], [900])
  }),
  { nil: null }
)
const anyAct = fc
  .record({
    kind: fc.constantFrom(...ActKind.literals),
    isCertain: fc.boolean(),
    isQuestion: fc.boolean(),
    objection: fc.constantFrom("price", "supplier", "timing", "need", "trust"),
    time: anyTime,
    hasContact: fc.boolean()
  })
  .map(({ hasContact, isCertain, isQuestion, kind, objection, time }) =>
    act(kind, {
      isCertain,
      isQuestion,
      certainty: isCertain ? 0.95 : 0.6,
      objection: kind === "objects" ? objection : null,
      contact: hasContact ? bia : null,
      time: time === null ? null : exactTime(time.day, time.minutes)
    })
  )
const anySituation = fc.record({
  acts: fc.array(anyAct, { minLength: 1, maxLength: 5 }),
  confidence: fc.constantFrom(0, 0.49, 0.5, 1),
  lead: fc.record({
    status: fc.constantFrom(...LeadStatus.literals),
    pipeline: fc.constantFrom(...PipelineState.literals),
    isUnsubscribed: fc.boolean()
  }),
  criterion: fc.constantFrom(undefined, "preço"),
  meeting: fc.constantFrom(undefined, met.meeting),
  bookableAt: fc.constantFrom(undefined, friday),
  isSenderProven: fc.boolean()
})

it("whatever a person writes is answered, booked, waited for or ended, or the owner hears of it", () => {
  const visible = new Set([
    "TouchAt",
    "BookMeeting",
    "Stop",
    "FlagForReview",
    "Notify",
    "CallOffMeeting",
    "MoveMeeting",
    "Unsubscribe",
    "WaitUntil"
  ])
  fc.assert(
    fc.property(anySituation, ({ acts, bookableAt, confidence, criterion, isSenderProven, lead, meeting }) => {
      const given = situation(acts, { lead, criterion, meeting, bookableAt, isSenderProven, read: { confidence } })
      const { class: replyClass } = given.reading
      if (["out_of_office", "auto_reply", "bounce"].includes(replyClass)) return
      const says = acts.some(({ kind }) => kind !== "thanks" && kind !== "mentions" && kind !== "is_away")
      if (!says) return
      const tags = replyConsequences(given).map(({ _tag }) => _tag)
      assert.isTrue(
        tags.some((tag) => visible.has(tag)),
        JSON.stringify({ kinds: acts.map(({ kind }) => kind), lead, tags })
      )
    }),
    { seed: 7, numRuns: 5_000 }
  )
})

it("whatever was read: only certain acts end, book, move or call off, and no one who is not worked is contacted", () => {
  fc.assert(
    fc.property(anySituation, ({ acts, bookableAt, confidence, criterion, isSenderProven, lead, meeting }) => {
      const given = situation(acts, { lead, criterion, meeting, bookableAt, isSenderProven, read: { confidence } })
      const steps = replyConsequences(given)
      const tags = new Set(steps.map(({ _tag }) => _tag))
      const isCertain = (...kinds: ReadonlyArray<Act["kind"]>): boolean =>
        acts.some((each) => kinds.includes(each.kind) && each.isCertain)
      const isStated = acts.some(({ isQuestion, kind }) => kind === "objects" && !isQuestion)
      if (tags.has("Unsubscribe")) assert.isTrue(isCertain("stops"))
      if (tags.has("Stop")) {
        const ends = isCertain("refuses", "wrong_person") || isStated
        assert.isTrue(ends, JSON.stringify(acts.map(({ kind }) => kind)))
      }
      if (tags.has("CallOffMeeting")) {
        assert.isTrue(
          isCertain("calls_off", "cannot", "refuses", "stops") ||
            isStated ||
            acts.some(({ kind }) => kind === "wants_to_move")
        )
      }
      if (tags.has("BookMeeting") || tags.has("MoveMeeting")) assert.isDefined(bookableAt)
      if (tags.has("BookMeeting")) assert.isUndefined(meeting)
      if (!isSenderProven && !isCertain("stops")) {
        for (const tag of ["BookMeeting", "MoveMeeting", "CallOffMeeting", "Stop", "RegisterReferral"] as const) {
          assert.isFalse(tags.has(tag), tag)
        }
      }
      if (lead.pipeline !== "in_pipeline" || lead.isUnsubscribed) {
        if (!(meeting !== undefined && tags.has("CallOffMeeting"))) assert.isFalse(tags.has("Stop"))
        for (const tag of ["FlagForReview", "TouchAt", "WaitUntil", "BookMeeting"] as const) {
          assert.isFalse(tags.has(tag), tag)
        }
      }
      if (lead.status === "Closed") assert.isFalse(tags.has("SetStatus"))
      if (tags.has("FlagForReview")) {
        assert.isFalse(tags.has("TouchAt") || tags.has("Stop") || tags.has("BookMeeting"))
      }
    }),
    { seed: 7, numRuns: 5_000 }
  )
})
