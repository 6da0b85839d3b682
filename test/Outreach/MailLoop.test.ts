import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { answersPerDay } from "../../src/Services/Replies/ReplySituation.ts"
import { eventsNow, handle, type Reply, ReplyServices, receiveChat, receiveMail } from "../Replies/support/replies.ts"
import { queueEmail } from "../support/channels/MailServices.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"

const text = "Tenho interesse, me conte mais."

/** A lead that was answered by mail so many times, each `hoursAgo`. */
const answered = (count: number, hoursAgo = 1, columns: { readonly [column: string]: string } = {}) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const lead = yield* insertLead({ next_touch_at: "2026-01-01T00:00:00Z" })
    yield* Effect.replicateEffect(queueEmail(lead, { message_type: "response", status: "sent", ...columns }), count)
    yield* sql`
      update email_message set created_at = instant() - make_interval(hours => ${hoursAgo}) where lead_id = ${lead}`
    return lead
  })

const isReviewedAfter = (reply: Reply) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* handle(reply)
    const rows = yield* sql<{ readonly state: string }>`
      select pipeline_state as state from lead where lead_id = ${reply.leadId}`
    assert.include(["in_pipeline", "pending_review"], rows[0]?.state)
    return rows[0]?.state === "pending_review"
  })

layer(ReplyServices, { excludeTestServices: true })("a machine that answers like a person", (it) => {
  const most = answersPerDay.email

  it.effect("is answered a few times, then a person looks at it", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const lead = yield* me(answered(most))
      assert.isTrue(yield* isReviewedAfter(yield* me(receiveMail(lead, text))))
      const events = yield* me(eventsNow)
      assert.deepStrictEqual(events.at(-1), {
        type: "lead_sent_for_human_review",
        data: { lead_id: lead, reason: "answered_often" }
      })
    })
  )

  it.effect("is told by what it was truly answered by mail within a day", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const others = [
        yield* me(answered(most - 1)),
        yield* me(answered(most, 25)),
        yield* me(answered(most, 1, { message_type: "follow_up" })),
        yield* me(answered(most, 1, { status: "cancelled" }))
      ]
      for (const lead of others) assert.isFalse(yield* isReviewedAfter(yield* me(receiveMail(lead, text))))
      const chatting = yield* me(answered(most))
      assert.isFalse(yield* isReviewedAfter(yield* me(receiveChat(chatting, text))))
    })
  )
})
