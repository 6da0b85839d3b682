import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { CheckedAttachment } from "../../src/Services/ChatApp/ChatAppAttachment.ts"
import { ChatAppMessages, ChatAppOutbox } from "../../src/Services/ChatApp/ChatAppMessages.ts"
import { sandboxLinePrefix } from "../../src/Services/ChatApp/ChatAppRules.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import type { LeadId } from "../../src/Services/Leads/Ids.ts"
import { Leads } from "../../src/Services/Leads/Leads.ts"
import { handle, receiveChat } from "../Replies/support/replies.ts"
import { insertInbound, insertLine } from "../support/channels/ChatAppServices.ts"
import { isCluster } from "../support/isCluster.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { localHttpServer } from "../support/servers/LocalHttpServer.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { claimTouches, composeAll, TestEngine } from "./support/touches.ts"

let phones = 0
const setUp = (columns: { readonly [column: string]: string | null } = {}) =>
  Effect.gen(function* () {
    const caller = yield* makeAccount()
    const me = as(caller)
    yield* me(insertLine(`${sandboxLinePrefix}${caller.accountId}`))
    const phone = `+55119${String(81_000_000 + ++phones)}`
    const leadId = yield* me(insertLead({ phone, time_zone: "UTC", next_touch_at: "2026-01-01T00:00:00Z", ...columns }))
    return { me, leadId, phone }
  })

const park = (leadId: LeadId, text: string, attachment?: CheckedAttachment) =>
  Effect.gen(function* () {
    const messages = yield* ChatAppMessages
    const unit = yield* UnitOfWork
    const answer = yield* unit.write(messages.sendToLead(leadId, { text, attachment }))
    assert.strictEqual(answer.delivery, "parked")
  })

const touch = Effect.zipRight(claimTouches, composeAll)

interface Sent {
  readonly id: number
  readonly status: string
  readonly kind: string
  readonly body: string
  readonly mediaName: string | null
  readonly reason: string | null
}

const chats = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  return yield* sql<Sent>`
    select chatapp_message_id as id, status, kind, body, media_name as "mediaName",
      failure_reason as reason
    from chatapp_message where account_id = ${accountId} and direction = 'outbound' order by chatapp_message_id`
})

/** Sends what is queued, as its tasks would; twice, as a task that is repeated does. */
const deliver = Effect.gen(function* () {
  const { accountId } = yield* Caller
  const outbox = yield* ChatAppOutbox
  for (const { id } of [...(yield* chats), ...(yield* chats)]) {
    yield* outbox.deliver({ accountId, chatAppMessageId: id }, { isLast: false })
  }
})

const leadRow = (leadId: LeadId) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const rows = yield* sql<{ readonly instructions: string | null; readonly touches: number }>`
      select next_touch_instructions as instructions, touch_count as touches from lead where lead_id = ${leadId}`
    return rows[0]
  })

const dueAgain = (leadId: LeadId) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql`update lead set next_touch_at = '2026-01-01T00:00:00Z' where lead_id = ${leadId}`
  )

layer(TestEngine, { excludeTestServices: true })("a message that the owner parked", (it) => {
  it.effect("reaches the lead on its next touch, word for word and once, with nothing beside it", () =>
    Effect.gen(function* () {
      const { leadId, me, phone } = yield* setUp({ next_touch_instructions: "Be brief." })
      yield* me(insertInbound(leadId, phone, 600))
      yield* me(park(leadId, 'Olá, "Ana"!\n\n  R$ 100 por mês, [proposta] em <anexo>.'))
      yield* me(park(leadId, "E mais isto."))
      yield* touch
      yield* me(deliver)
      assert.deepStrictEqual(
        (yield* me(chats)).map(({ body, kind, status }) => [kind, status, body]),
        [
          ["text", "sent", 'Olá, "Ana"!\n\n  R$ 100 por mês, [proposta] em <anexo>.'],
          ["text", "sent", "E mais isto."]
        ]
      )
      assert.deepStrictEqual(yield* leadRow(leadId), { instructions: "Be brief.", touches: 1 })
      const sql = yield* SqlClient
      assert.deepStrictEqual(yield* sql`select status, channel from touch where lead_id = ${leadId}`, [
        { status: "done", channel: "chatapp" }
      ])
      assert.isEmpty(yield* sql`select from email_message where lead_id = ${leadId}`)

      yield* dueAgain(leadId)
      yield* touch
      const after = yield* me(chats)
      assert.strictEqual(after.filter(({ body }) => body.includes("R$ 100")).length, 1)
    })
  )

  it.effect("brings its file after it, and goes without one that is no longer there", () =>
    Effect.gen(function* () {
      const { leadId, me, phone } = yield* setUp()
      yield* me(insertInbound(leadId, phone, 600))
      const server = yield* localHttpServer((request, response) =>
        request.url === "/a.pdf"
          ? response.writeHead(200, { "content-type": "application/pdf" }).end()
          : response.writeHead(404).end()
      )
      const file = (name: string): CheckedAttachment => ({
        url: `${server.url}/${name}`,
        kind: "document",
        fileName: name
      })
      yield* me(park(leadId, "Segue:", file("a.pdf")))
      yield* me(park(leadId, "E esta:", file("gone.pdf")))
      yield* touch
      yield* me(deliver)
      assert.deepStrictEqual(
        (yield* me(chats)).map(({ body, mediaName, reason, status }) => [status, body, mediaName, reason]),
        [
          ["sent", "Segue:", null, null],
          ["sent", "", "a.pdf", null],
          ["sent", "E esta:", null, null],
          ["failed", "", null, "url_answered_error"]
        ]
      )
      assert.isNull((yield* leadRow(leadId))?.instructions)
    }).pipe(Effect.scoped)
  )

  it.effect("opens the conversation where the window is closed and it fits whole", () =>
    Effect.gen(function* () {
      const { leadId, me } = yield* setUp()
      yield* me(park(leadId, "Podemos falar amanhã?"))
      yield* touch
      yield* me(deliver)
      assert.deepStrictEqual(
        (yield* me(chats)).map(({ body, kind, status }) => [kind, status, body]),
        [["template", "sent", "Podemos falar amanhã?"]]
      )
    })
  )

  it.effect("waits where it would be cut, and the touch goes on without it", () =>
    Effect.gen(function* () {
      const { leadId, me } = yield* setUp()
      const long = `${"Isto é importante. ".repeat(60)}Fim.`
      yield* me(park(leadId, long))
      yield* touch
      assert.isEmpty(yield* me(chats))
      const sql = yield* SqlClient
      const mails = yield* sql<{ readonly body: string }>`
        select body_text as body from email_message where lead_id = ${leadId}`
      assert.lengthOf(mails, 1)
      assert.notInclude(mails[0]?.body, "Isto é importante")
      assert.include((yield* leadRow(leadId))?.instructions, long)
    })
  )

  it.effect("goes out though the lead writes in between", () =>
    Effect.gen(function* () {
      const { leadId, me, phone } = yield* setUp()
      yield* me(park(leadId, "Podemos falar amanhã?"))
      yield* touch
      yield* me(insertInbound(leadId, phone, 0))
      yield* handle(yield* me(receiveChat(leadId, "Quanto custa?")))
      yield* me(deliver)
      assert.deepStrictEqual(
        (yield* me(chats)).map(({ body, kind, status }) => [kind, status, body]),
        [["text", "sent", "Podemos falar amanhã?"]]
      )
    })
  )

  it.effect("waits for another touch where the lead is paused before it left", () =>
    Effect.gen(function* () {
      const { leadId, me, phone } = yield* setUp()
      yield* me(insertInbound(leadId, phone, 600))
      yield* me(park(leadId, "Um"))
      yield* me(park(leadId, "Dois"))
      yield* touch
      const unit = yield* UnitOfWork
      const leads = yield* Leads
      yield* me(unit.write(leads.transition(leadId, "pause", { reason: "Férias" })))
      yield* me(deliver)
      assert.deepStrictEqual(
        (yield* me(chats)).map(({ status }) => status),
        ["cancelled", "cancelled"]
      )
      yield* me(unit.write(leads.transition(leadId, "resume")))
      yield* dueAgain(leadId)
      yield* touch
      yield* me(deliver)
      assert.deepStrictEqual(
        (yield* me(chats)).filter(({ status }) => status === "sent").map(({ body }) => body),
        ["Um", "Dois"]
      )
      assert.isNull((yield* leadRow(leadId))?.instructions)
    })
  )

  // On a cluster no table that is spread has a trigger.
  it.effect.skipIf(isCluster)("is not lost when it comes while a touch is being written", () =>
    Effect.gen(function* () {
      const { leadId } = yield* setUp({ phone: null })
      const sql = yield* SqlClient
      yield* claimTouches
      // As the commit of the touch finds it, after what was planned by.
      yield* sql`
        create function park_meanwhile() returns trigger language plpgsql as $$
        begin
          update lead set next_touch_instructions = 'Ask for the CFO.' where lead_id = new.lead_id;
          return new;
        end $$`
      yield* sql`
        create trigger park_meanwhile before update of status on touch for each row when (new.status = 'queued')
        execute function park_meanwhile()`
      yield* composeAll.pipe(Effect.ensuring(Effect.orDie(sql`drop trigger park_meanwhile on touch`)))
      assert.deepStrictEqual(yield* leadRow(leadId), { instructions: "Ask for the CFO.", touches: 1 })
    })
  )

  it.effect("is not replaced by other instructions", () =>
    Effect.gen(function* () {
      const { leadId, me, phone } = yield* setUp({ next_touch_instructions: "Be brief." })
      const leads = yield* Leads
      const unit = yield* UnitOfWork
      yield* me(park(leadId, "Vai na quinta?"))
      yield* me(unit.write(leads.transition(leadId, "flag_for_review")))
      yield* me(unit.write(leads.transition(leadId, "return_to_pipeline", { nextTouchInstructions: "Offer a call." })))
      yield* me(insertInbound(leadId, phone, 600))
      yield* touch
      yield* me(deliver)
      assert.deepStrictEqual(
        (yield* me(chats)).map(({ body }) => body),
        ["Vai na quinta?"]
      )
      assert.deepStrictEqual(yield* leadRow(leadId), { instructions: "Offer a call.", touches: 1 })
    })
  )
})
