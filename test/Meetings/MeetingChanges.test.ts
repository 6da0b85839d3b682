import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { eventsNow, handle, notificationsNow, receiveMail } from "../Replies/support/replies.ts"
import { afterAWhile, at, book, change, dayBefore, monday, prospect, sentTo, Timed, work } from "./timedMeetings.ts"

/** A Tuesday, two days before the meeting on Thursday at three in the afternoon. */
const tuesday = "2026-03-03T13:00:00Z"
const friday = "2026-03-06T13:00:00Z"

const meetingOf = (leadId: number) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql`
      select m.status, to_char(m.starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI') as at, m.customer_accepted_at
      from meeting m where m.lead_id = ${leadId}`
  )
const leadOf = (leadId: number) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql`select status, pipeline_state, next_touch_at is not null as is_due from lead where lead_id = ${leadId}`
  )

/** A lead whose meeting was booked and announced on Monday, and who writes on Tuesday. */
const afterBooking = (text: string, columns: { readonly [column: string]: string } = {}) =>
  Effect.gen(function* () {
    const created = yield* prospect({ name: "Ana Souza", company: "Acme", status: "Interested", ...columns })
    const { lead, me } = created
    yield* at(monday, me(book(lead)))
    yield* at(afterAWhile, work)
    const say = (words: string) => me(Effect.flatMap(receiveMail(lead, words), (reply) => handle(reply)))
    return { ...created, say, writes: at(tuesday, say(text)) }
  })

const newsOf = (accountId: number) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql<{ readonly kind: string; readonly message: string }>`
      select kind, message from notification where account_id = ${accountId} and kind like '%lead_%meeting%'
        or account_id = ${accountId} and kind = 'held_lead_replied' order by notification_id`
  )

const ends = [
  ["refuses", "Não tenho mais interesse, obrigado.", "pt-BR", "finished", "NotInterested"],
  ["cancels", "Preciso cancelar nossa reunião, surgiu um imprevisto.", "pt-BR", "in_pipeline", "Interested"],
  ["cancels", "Sorry, something came up and I can't make it on Thursday.", "en", "in_pipeline", "Interested"],
  ["wants another time", "No voy a poder el jueves, ¿podemos reprogramar?", "es", "in_pipeline", "Interested"],
  ["unsubscribes", "Não quero mais receber seus e-mails.", "pt-BR", "finished", "NotInterested"]
] as const

layer(Timed, { excludeTestServices: true })("a meeting, when the lead writes again", (it) => {
  it.effect.each(ends)("who %s is reminded of nothing: %s", ([, text, language, pipeline, status]) =>
    Effect.gen(function* () {
      const { accountId, lead, me, writes } = yield* afterBooking(text, { language })
      yield* writes
      assert.deepInclude((yield* meetingOf(lead))[0], { status: "cancelled" })
      assert.deepInclude((yield* leadOf(lead))[0], {
        pipeline_state: pipeline,
        status,
        is_due: pipeline === "in_pipeline"
      })
      const news = yield* newsOf(accountId)
      assert.strictEqual(news[0]?.kind, "lead_called_off_meeting")
      assert.include(news[0]?.message, "Ana Souza (Acme)")
      assert.include(news[0]?.message, text.slice(0, 20))
      const types = (yield* me(eventsNow)).map((event) => ("type" in event ? event.type : ""))
      assert.include(types, "meeting_cancelled")

      yield* at("2026-03-03T13:20:00Z", work)
      const sent = yield* sentTo(accountId)
      yield* at(dayBefore, work)
      yield* at("2026-03-05T17:30:00Z", work)
      assert.deepStrictEqual(yield* sentTo(accountId), sent)
      // The announcement, and the answer if the conversation continues.
      assert.lengthOf(sent, pipeline === "in_pipeline" ? 2 : 1)
      if (pipeline === "in_pipeline") assert.match(sent[1]?.text ?? "", /cancel/)
    })
  )

  it.effect("a lead that asks for another time gets it, with a confirmation and one reminder", () =>
    Effect.gen(function* () {
      const { accountId, lead, writes } = yield* afterBooking(
        "Não vou conseguir participar na quinta. Podemos remarcar para sexta às 10h?"
      )
      yield* writes
      assert.deepStrictEqual(yield* meetingOf(lead), [
        { status: "scheduled", at: "2026-03-06T13:00", customer_accepted_at: null }
      ])
      assert.deepInclude((yield* leadOf(lead))[0], { pipeline_state: "user_controlled" })
      // A move is no cancellation. The event of the move has the new time and the old one.
      const sql = yield* SqlClient
      const events = yield* sql<{
        readonly type: string
        readonly moved: boolean | null
        readonly previous: string | null
      }>`
        select event_type as type, (data ->> 'moved')::boolean as moved, data ->> 'previous_starts_at' as previous
        from account_event where account_id = ${accountId} and event_type like 'meeting_%' order by account_event_id`
      assert.deepStrictEqual(events, [
        { type: "meeting_booked", moved: false, previous: null },
        { type: "meeting_booked", moved: true, previous: "2026-03-05T18:00:00Z" }
      ])
      const [noted] = yield* sql`select notes from meeting where lead_id = ${lead}`
      assert.propertyVal(noted, "notes", "O lead pediu outro horário em vez de quinta-feira, 5 de março às 15:00.")
      const news = yield* newsOf(accountId)
      assert.include(news[0]?.message, "sexta-feira, 6 de março")
      yield* at("2026-03-03T13:20:00Z", work)
      yield* at(dayBefore, work)
      yield* at("2026-03-05T13:00:00Z", work)
      const texts = (yield* sentTo(accountId)).map(({ text }) => text)
      assert.lengthOf(texts, 3)
      for (const text of texts.slice(1)) assert.include(text, "sexta-feira, 6 de março")
      assert.include(texts[1], "foi remarcada para")
    })
  )

  it.effect("a time that another meeting takes is not given: the old one is off, and another is asked for", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId, lead, me, writes } = yield* afterBooking("Podemos remarcar para sexta às 10h?")
      yield* sql`
        insert into meeting (account_id, lead_id, title, starts_at, ends_at, booked_through)
        select account_id, lead_id, 'x', ${friday}, ${friday}::timestamptz + interval '1 hour', 'calendar' from lead
        where account_id = ${accountId} and lead_id = ${lead}`
      yield* writes
      const rows = yield* meetingOf(lead)
      assert.sameDeepMembers(
        rows.map((row) => ("status" in row ? row.status : "")),
        ["cancelled", "scheduled"]
      )
      assert.include(
        (yield* me(notificationsNow)).map((row) => ("kind" in row ? row.kind : "")),
        "lead_called_off_meeting"
      )
    })
  )

  it.effect("a lead that the owner took over by hand stays the owner's, with the meeting off", () =>
    Effect.gen(function* () {
      const { lead, me, writes } = yield* afterBooking("Preciso cancelar nossa reunião.")
      yield* at(afterAWhile, me(change(lead, "take_over")))
      yield* writes
      assert.deepInclude((yield* meetingOf(lead))[0], { status: "cancelled" })
      assert.deepInclude((yield* leadOf(lead))[0], { pipeline_state: "user_controlled", is_due: false })
    })
  )

  it.effect("a confirmation changes nothing, and the owner reads every word of it", () =>
    Effect.gen(function* () {
      const { accountId, lead, writes } = yield* afterBooking("Combinado, até quinta! Posso levar minha sócia?")
      yield* writes
      assert.deepInclude((yield* meetingOf(lead))[0], { status: "scheduled" })
      const news = yield* newsOf(accountId)
      assert.deepStrictEqual(
        news.map(({ kind }) => kind),
        ["held_lead_replied"]
      )
      assert.include(news[0]?.message, "Posso levar minha sócia?")
    })
  )
})
