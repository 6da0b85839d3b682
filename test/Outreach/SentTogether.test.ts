import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TouchLedgerPostgres } from "../../src/Layers/Outreach/TouchLedgerPostgres.ts"
import { DatabaseLocation, DatabasePools } from "../../src/Layers/Platform/Postgres/Database.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { TouchId, TouchLedger } from "../../src/Services/Outreach/TouchLedger.ts"
import { insertLead, LeadServices } from "../support/leads/LeadServices.ts"
import { RecordedStatements } from "../support/logs/RecordedStatements.ts"
import { as, makeAccount } from "../support/TestAccount.ts"

const Services = TouchLedgerPostgres.pipe(
  Layer.provideMerge(LeadServices),
  Layer.provideMerge(RecordedStatements.layer)
)

/** A lead of an account of its own that is being written to, as the message to it. */
const message = Effect.gen(function* () {
  const sql = yield* SqlClient
  const caller = yield* makeAccount()
  const { accountId } = caller
  const leadId = yield* as(caller)(insertLead())
  const rows = yield* sql<{ readonly id: number }>`
    insert into touch (account_id, lead_id, touch_number, status) values (${accountId}, ${leadId}, 1, 'queued')
    returning touch_id as id`
  const touchId = TouchId.make(rows[0]?.id ?? 0)
  return { accountId, leadId, touchId, channel: "email", kind: "follow_up" } as const
})

layer(Services, { excludeTestServices: true })("messages of several accounts that went out together", (it) => {
  it.effect("are noted at each lead, on a cluster account by account", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const unit = yield* UnitOfWork
      const ledger = yield* TouchLedger
      const { spread } = yield* DatabasePools
      const { connection } = yield* DatabaseLocation
      const messages = [yield* message, yield* message, yield* message]
      spread.isCluster = true
      yield* unit.write(ledger.sent(messages))
      for (const { accountId } of messages) {
        const [lead] = yield* sql`
          select l.last_message_channel as channel, l.last_outbound_at is not null as is_contacted, t.status
          from lead l join touch t on t.account_id = l.account_id and t.lead_id = l.lead_id
          where l.account_id = ${accountId}`
        assert.deepStrictEqual(lead, { channel: "email", is_contacted: true, status: "done" })
      }
      const recorded = yield* RecordedStatements
      const said = (yield* recorded(connection.database ?? "")).filter((text) => /\bunnest\(.*account_id/s.test(text))
      assert.isNotEmpty(said)
      // A list of one account is said as that account.
      for (const text of said) assert.match(text, /account_id = \(\$\d+(?:::bigint\[\])+\)\[1\]/)
    })
  )
})
