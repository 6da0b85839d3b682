import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { claimTouches } from "../../src/Layers/Outreach/ClaimTouches.ts"
import { sandboxLinePrefix } from "../../src/Services/ChatApp/ChatAppRules.ts"
import type { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { Timestamp } from "../../src/Services/Core/Timestamp.ts"
import type { LeadId } from "../../src/Services/Leads/Ids.ts"
import { type Leads } from "../../src/Services/Leads/Leads.ts"
import { Meetings } from "../../src/Services/Meetings/Meetings.ts"
import { handle, receiveChat, receiveMail } from "../Replies/support/replies.ts"
import { insertLine } from "../support/channels/ChatAppServices.ts"

import {
  afterAWhile,
  at,
  book,
  change,
  dayBefore,
  monday,
  moveTo,
  prospect,
  sentTo,
  Timed,
  work,
  write
} from "./timedMeetings.ts"

const languages = [
  [
    "pt-BR",
    "Perfeito. Podemos conversar na quinta-feira às 15h?",
    "quinta-feira, 5 de março",
    "está marcada",
    "lembrar"
  ],
  ["en", "Great, can we talk on Thursday at 3 pm?", "Thursday, March 5", "is set for", "reminder"],
  ["es", "Perfecto. ¿Podemos hablar el jueves a las 15h?", "jueves 5 de marzo", "quedó agendada", "recuerdo"]
] as const

layer(Timed, { excludeTestServices: true })("notices of a meeting", (it) => {
  it.effect.each(languages)(
    "a lead that books in its mail is told so and reminded, in %s",
    ([language, text, day, booked, reminded]) =>
      Effect.gen(function* () {
        const { accountId, lead, me } = yield* prospect({ language })
        yield* at(monday, me(Effect.flatMap(receiveMail(lead, text), (reply) => handle(reply))))
        yield* at("2026-03-02T12:02:00Z", work)
        assert.lengthOf(yield* sentTo(accountId), 0)
        yield* at(afterAWhile, work)
        yield* at("2026-03-04T17:59:00Z", work)
        const [firstMessage, ...others] = yield* sentTo(accountId)
        assert.lengthOf(others, 0)
        assert.include(firstMessage?.text, day)
        assert.include(firstMessage?.text, "15:00")
        assert.include(firstMessage?.text, booked)
        yield* at(dayBefore, work)
        yield* at("2026-03-05T17:30:00Z", work)
        const [, reminder, ...more] = yield* sentTo(accountId)
        assert.lengthOf(more, 0)
        assert.include(reminder?.text, day)
        assert.include(reminder?.text, "15:00")
        assert.include(reminder?.text, reminded)
        const sql = yield* SqlClient
        const threads = yield* sql`
        select message_type, in_reply_to is not null as is_answer from email_message
        where lead_id = ${lead} and direction = 'outbound' order by email_message_id`
        assert.deepStrictEqual(threads, [
          { message_type: "response", is_answer: true },
          { message_type: "direct", is_answer: true }
        ])
        const state = yield* sql`select pipeline_state, touch_count, next_touch_at from lead where lead_id = ${lead}`
        assert.deepStrictEqual(state, [{ pipeline_state: "user_controlled", touch_count: 0, next_touch_at: null }])
      })
  )

  it.effect("says how long it takes and how they talk, with the invitation named for the lead", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      for (const [language, phone, length, way, title] of [
        ["en", "+14155550101", "It'll take 30 minutes.", "we'll call you on +14155550101", "Meeting: "],
        ["es", null, "Duración: 30 minutos.", "¿A qué número podemos llamar?", "Reunión: "],
        ["pt-BR", "+5511987654322", "Duração: 30 minutos.", "ligamos para o número +5511987654322", "Reunião: "]
      ] as const) {
        const { accountId, lead, me } = yield* prospect({ language, phone, name: "Marta" })
        yield* at(monday, me(book(lead, {})))
        yield* at(afterAWhile, work)
        const [notice] = yield* sentTo(accountId)
        assert.include(notice?.text, length)
        assert.include(notice?.text, way)
        const [mail] = yield* sql<{ readonly invitation: string | null }>`
          select invitation from email_message where lead_id = ${lead} and direction = 'outbound'`
        const lines = (mail?.invitation ?? "").replaceAll("\r\n ", "")
        assert.match(lines, new RegExp(`SUMMARY:${title}.+Marta`))
        if (phone !== null) assert.include(lines, `LOCATION:${phone}`)
      }
    })
  )

  it.effect("a message in between delays no notice, and the answer uses the lead's channel", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId, lead, me } = yield* prospect({ phone: "+5511987654321", preferred_channel: "Email" })
      yield* me(insertLine(`${sandboxLinePrefix}${accountId}`))
      const say = (text: string) =>
        me(
          Effect.gen(function* () {
            const reply = yield* receiveChat(lead, text)
            yield* sql`update chatapp_message set occurred_at = instant() where chatapp_message_id = ${reply.messageId}`
            yield* handle(reply)
          })
        )
      yield* at(monday, say("Podemos conversar na quinta-feira às 15h?"))
      yield* at(afterAWhile, Effect.zipRight(claimTouches, write))
      yield* at("2026-03-02T12:16:00Z", say("Ótimo, até lá!"))
      yield* at("2026-03-02T12:17:00Z", work)
      const sent = yield* sentTo(accountId)
      assert.deepStrictEqual(
        sent.map(({ channel }) => channel),
        ["chatapp"]
      )
      assert.include(sent[0]?.text, "15:00")
    })
  )

  it.effect("has the link to join, in the lead's own time zone", () =>
    Effect.gen(function* () {
      const { accountId, lead, me } = yield* prospect({ time_zone: "America/Manaus", language: "pt-BR" })
      yield* at(monday, me(book(lead, { meetingUrl: "https://meet.example/abc" })))
      yield* at(afterAWhile, work)
      const [notice] = yield* sentTo(accountId)
      assert.include(notice?.text, "https://meet.example/abc")
      assert.include(notice?.text, "14:00")
    })
  )

  it.effect("a lead that booked elsewhere only gets a reminder", () =>
    Effect.gen(function* () {
      const { accountId, lead, me } = yield* prospect()
      yield* at(monday, me(book(lead, { bookedThrough: "calendar", announceAt: undefined })))
      yield* at(afterAWhile, work)
      assert.lengthOf(yield* sentTo(accountId), 0)
      yield* at(dayBefore, work)
      assert.lengthOf(yield* sentTo(accountId), 1)
    })
  )

  it.effect("a reminder waits for the send window, unless that opens too late", () =>
    Effect.gen(function* () {
      const early = yield* prospect()
      const sunday = yield* prospect()
      const seven = { startsAt: Timestamp.make("2026-03-05T10:00:00Z"), endsAt: Timestamp.make("2026-03-05T11:00:00Z") }
      const onSunday = {
        startsAt: Timestamp.make("2026-03-08T18:00:00Z"),
        endsAt: Timestamp.make("2026-03-08T19:00:00Z")
      }
      yield* at(monday, early.me(book(early.lead, { ...seven, announceAt: undefined })))
      yield* at(monday, sunday.me(book(sunday.lead, { ...onSunday, announceAt: undefined })))
      yield* at("2026-03-04T10:00:00Z", work)
      yield* at("2026-03-04T10:59:00Z", work)
      assert.lengthOf(yield* sentTo(early.accountId), 0)
      yield* at("2026-03-04T11:00:00Z", work)
      yield* at("2026-03-04T12:00:00Z", work)
      assert.lengthOf(yield* sentTo(early.accountId), 1)
      yield* at("2026-03-07T18:00:00Z", work)
      assert.lengthOf(yield* sentTo(sunday.accountId), 1)
    })
  )

  it.effect("who learnt of the meeting within a day is reminded an hour before, and who just did is not", () =>
    Effect.gen(function* () {
      const early = yield* prospect()
      const late = yield* prospect()
      yield* at(
        "2026-03-05T12:00:00Z",
        early.me(book(early.lead, { announceAt: Timestamp.make("2026-03-05T12:05:00Z") }))
      )
      yield* at(
        "2026-03-05T15:30:00Z",
        late.me(book(late.lead, { announceAt: Timestamp.make("2026-03-05T15:35:00Z") }))
      )
      for (const time of ["12:05", "15:35", "16:59"]) yield* at(`2026-03-05T${time}:00Z`, work)
      assert.lengthOf(yield* sentTo(early.accountId), 1)
      for (const time of ["17:00", "17:30", "18:30"]) yield* at(`2026-03-05T${time}:00Z`, work)
      assert.lengthOf(yield* sentTo(early.accountId), 2)
      assert.lengthOf(yield* sentTo(late.accountId), 1)
    })
  )

  it.effect("a moved meeting is confirmed and reminded of with its new time, at any moment", () =>
    Effect.gen(function* () {
      const { accountId, lead, me } = yield* prospect({ language: "en" })
      const friday = "2026-03-06T16:00:00Z"
      yield* at(monday, me(book(lead)))
      yield* at(afterAWhile, Effect.zipRight(claimTouches, moveTo(lead, "2026-03-05T19:00:00Z")))
      yield* at(afterAWhile, Effect.zipRight(work, work))
      yield* at(dayBefore, Effect.zipRight(claimTouches, Effect.zipRight(write, moveTo(lead, friday))))
      yield* at("2026-03-04T18:10:00Z", Effect.zipRight(work, work))
      yield* at("2026-03-05T15:59:00Z", work)
      const texts = (yield* sentTo(accountId)).map(({ text }) => text)
      assert.lengthOf(texts, 2)
      assert.include(texts[0], "is set for Thursday, March 5 at 16:00")
      assert.include(texts[1], "is now set for Friday, March 6 at 13:00")
      yield* at("2026-03-05T16:00:00Z", work)
      yield* at("2026-03-05T18:00:00Z", work)
      const all = (yield* sentTo(accountId)).map(({ text }) => text)
      assert.lengthOf(all, 3)
      assert.include(all[2], "reminder")
      assert.include(all[2], "Friday, March 6 at 13:00")
    })
  )

  const cancel = (leadId: LeadId) =>
    Effect.gen(function* () {
      const meetings = yield* Meetings
      const unit = yield* UnitOfWork
      const { meetings: all } = yield* meetings.list({ leadId, includeCancelled: false, includePast: false })
      yield* Effect.forEach(all, ({ meeting_id }) =>
        unit.write(
          meetings.cancel(meeting_id, {
            nextTouchAt: Timestamp.make("2099-01-01T00:00:00Z"),
            reason: undefined,
            additionalInstructions: undefined
          })
        )
      )
    })

  const hold = (leadId: LeadId) =>
    Effect.flatMap(SqlClient, (sql) => sql`update meeting set status = 'held' where lead_id = ${leadId}`)

  type End = (leadId: LeadId) => Effect.Effect<unknown, unknown, Caller | Leads | Meetings | SqlClient | UnitOfWork>
  const ends: ReadonlyArray<readonly [state: string, end: End]> = [
    ["cancelled", cancel],
    ["held", hold],
    ["of a lead that unsubscribed", (leadId) => change(leadId, "unsubscribe")],
    ["of a lead that was stopped", (leadId) => change(leadId, "stop")]
  ]

  it.effect.each(ends)("no lead is reminded of a meeting that is %s", ([, end]) =>
    Effect.gen(function* () {
      const { accountId, lead, me } = yield* prospect()
      yield* at(monday, me(book(lead)))
      yield* at(afterAWhile, work)
      yield* at("2026-03-03T12:00:00Z", me(end(lead)))
      yield* at(dayBefore, work)
      yield* at("2026-03-05T17:30:00Z", work)
      assert.lengthOf(yield* sentTo(accountId), 1)
    })
  )

  it.effect("a person who takes the lead over confirms the meeting, and the lead is reminded all the same", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId, lead, me } = yield* prospect()
      yield* at(monday, me(book(lead)))
      yield* at("2026-03-02T12:01:00Z", me(change(lead, "take_over")))
      yield* at(afterAWhile, work)
      assert.lengthOf(yield* sentTo(accountId), 0)
      assert.deepStrictEqual(yield* sql`select status, reason from touch where lead_id = ${lead}`, [
        { status: "skipped", reason: "user_controlled" }
      ])
      yield* at(dayBefore, work)
      assert.lengthOf(yield* sentTo(accountId), 1)
    })
  )

  it.effect("a lead with a confirmed time gets the next one too, even if it was taken over in between", () =>
    Effect.gen(function* () {
      const { accountId, lead, me } = yield* prospect()
      yield* at(monday, me(book(lead)))
      yield* at(afterAWhile, work)
      assert.lengthOf(yield* sentTo(accountId), 1)
      yield* at(dayBefore, me(change(lead, "take_over")))
      yield* at(dayBefore, moveTo(lead, "2026-03-06T16:00:00Z"))
      yield* at(dayBefore, Effect.zipRight(work, work))
      assert.lengthOf(yield* sentTo(accountId), 2)
    })
  )

  it.effect("an owner who handed the lead back does not delay notices of the next meeting", () =>
    Effect.gen(function* () {
      const { accountId, lead, me } = yield* prospect()
      yield* at(monday, me(Effect.zipRight(change(lead, "take_over"), change(lead, "recover"))))
      yield* at(monday, me(book(lead)))
      yield* at(afterAWhile, work)
      assert.lengthOf(yield* sentTo(accountId), 1)
    })
  )
})
