import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ChatAppLines } from "../../src/Services/ChatApp/ChatAppLines.ts"
import { ChatAppOutbox } from "../../src/Services/ChatApp/ChatAppMessages.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import {
  accept,
  ChatAppWithFake,
  insertInbound,
  insertLine,
  Provider,
  queueMessage,
  spentBrl
} from "../support/channels/ChatAppServices.ts"
import { withoutFallbacks } from "../support/checks/Fallbacks.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"

let phones = 0
const newPhone = () => `+55119${70_000_000 + ++phones}`

const refusedPhones = new Set<string>()

/** An account with a message of every kind. Returns the messages to deliver. */
const accountWith = (cap: number | null) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    const unit = yield* UnitOfWork
    const lines = yield* ChatAppLines
    yield* insertLine()
    yield* unit.write(lines.setCap("daily", cap))
    const lead = (columns: { readonly [column: string]: string } = {}) => {
      const phone = newPhone()
      return Effect.map(insertLead({ name: "Ana Souza", phone, ...columns }), (leadId) => ({ leadId, phone }))
    }
    const messages: Array<number> = []
    for (let opening = 0; opening < 4; opening++) messages.push(yield* queueMessage((yield* lead()).leadId))
    const open = yield* lead()
    yield* insertInbound(open.leadId, open.phone, 60)
    // Two messages of one lead.
    for (const body of ["Sim.", "E mais."]) {
      messages.push(yield* queueMessage(open.leadId, { message_type: "response", body }))
    }
    messages.push(yield* queueMessage((yield* lead({ pipeline_state: "finished", status: "NotInterested" })).leadId))
    const blocked = yield* lead()
    yield* sql`
      insert into blacklist_entry (account_id, kind, value, reason)
      values (${accountId}, 'phone', phone_key(${blocked.phone}), 'Other')`
    messages.push(yield* queueMessage(blocked.leadId))
    // A refused message releases its price, so under a cap the result would depend on the order.
    if (cap === null) {
      const refused = yield* lead()
      refusedPhones.add(refused.phone)
      messages.push(yield* queueMessage(refused.leadId))
    }
    messages.push(yield* queueMessage((yield* lead()).leadId, { message_type: "user_written" }))
    return messages
  })

layer(ChatAppWithFake, { excludeTestServices: true })("messages of several accounts", (it) => {
  /** The results of all messages, delivered with this concurrency. */
  const deliveredBy = (concurrency: number) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const outbox = yield* ChatAppOutbox
      const provider = yield* Provider
      provider.answer = ({ to }) =>
        refusedPhones.has(to) ? Effect.succeed({ _tag: "Rejected", reason: "not_on_app", isUnreachable: true }) : accept
      const accounts = yield* Effect.forEach([null, 0.7, 0.1], (cap) =>
        Effect.gen(function* () {
          const caller = yield* makeAccount()
          return { caller, messages: yield* as(caller)(accountWith(cap)) }
        })
      )
      const before = provider.sent.length
      const all = accounts.flatMap(({ caller: { accountId }, messages }) =>
        messages.map((chatAppMessageId) => ({ accountId, chatAppMessageId }))
      )
      // Each message twice, as after a worker that was wrongly declared dead. The second attempt finds the first one's
      // claim.
      yield* Effect.forEach(
        [...all, ...all],
        (key) => outbox.deliver(key, { isLast: false }).pipe(Effect.catchTag("Transient", () => Effect.void)),
        { concurrency, discard: true }
      )
      const sent = provider.sent.slice(before)
      assert.strictEqual(new Set(sent.map(({ reference }) => reference)).size, sent.length)
      return yield* Effect.forEach(accounts, ({ caller }) =>
        Effect.gen(function* () {
          const rows = yield* sql`
            select m.status, m.kind, m.message_type, m.failure_reason, m.cost_brl, m.template_name,
              m.provider_message_id is not null as has_id, m.deferred_until is not null as waits,
              m.spend_day is not null as counts, m.phone = l.phone as is_to_lead
            from chatapp_message m join lead l using (account_id, lead_id)
            where m.account_id = ${caller.accountId} and m.direction = 'outbound'
            order by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10`
          return { rows, spent: yield* as(caller)(spentBrl) }
        })
      )
    })

  it.effect("have the same results and are sent once, one by one or in batches", () =>
    Effect.gen(function* () {
      const alone = yield* deliveredBy(1)
      assert.deepStrictEqual(
        alone.map(({ spent }) => spent > 0),
        [true, true, false]
      )
      assert.deepStrictEqual(yield* withoutFallbacks(deliveredBy(64)), alone)
    })
  )
})
