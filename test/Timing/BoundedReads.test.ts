import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { makeReplyEffects } from "../../src/Layers/Replies/ReplyEffects.ts"
import { TimingPostgres } from "../../src/Layers/Timing/TimingPostgres.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { Timing } from "../../src/Services/Timing/Timing.ts"
import { handle, ReplyServices, receiveChat } from "../Replies/support/replies.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"

const count = 20_000

/** A year of many mails and chats to leads, with hardly any reply. */
const year = (accountId: number, leadId: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const at = sql`instant() - n * interval '25 minutes'`
    yield* sql`
      insert into email_message (account_id, lead_id, direction, message_type, status, message_id, from_address, to_address,
        subject, body_text, occurred_at, created_at)
      select ${accountId}, ${leadId}, 'outbound', 'follow_up', 'sent', '<y' || n || '@y>', 'a@y.example', 'b@y.example',
        's', 'b', ${at}, ${at}
      from generate_series(1, ${count}) n`
    yield* sql`
      insert into chatapp_message (account_id, lead_id, direction, kind, message_type, status, phone, body, occurred_at,
        created_at)
      select ${accountId}, ${leadId}, 'outbound', 'text', 'follow_up', 'sent', '+5511987654321', 'b', ${at}, ${at}
      from generate_series(1, ${count}) n`
    yield* sql`analyze email_message, chatapp_message`
  })

/** How many rows and index entries of messages an effect reads, in a separate transaction. */
const readBy = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const unit = yield* UnitOfWork
    const read = sql<{ readonly rows: number }>`
      select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::float8 as rows from pg_stat_xact_user_tables
      where relname in ('email_message', 'chatapp_message')`
    return yield* unit.write(
      Effect.gen(function* () {
        yield* effect
        return (yield* read)[0]?.rows ?? Number.NaN
      }).pipe(Effect.orDie)
    )
  })

layer(TimingPostgres.pipe(Layer.provideMerge(ReplyServices)), { excludeTestServices: true })(
  "of a year of messages",
  (it) => {
    it.effect("the first chat and the times of replies are found without reading it", () =>
      Effect.gen(function* () {
        const caller = yield* makeAccount()
        const me = as(caller)
        const lead = yield* me(insertLead())
        const other = yield* me(insertLead())
        yield* year(caller.accountId, lead)
        const reply = yield* me(receiveChat(other, "Bom dia, quanto custa?"))
        const timing = yield* Timing
        const { tellOfFirstChat } = yield* makeReplyEffects
        const facts = {
          ...reply,
          channel: "chatapp" as const,
          leadEmail: null,
          leadName: "Bia",
          company: null,
          country: null,
          said: "Bom dia",
          fromAddress: null,
          accountLanguage: "pt-BR" as const,
          accountTimeZone: "America/Sao_Paulo",
          judgedQuestions: []
        }
        assert.isBelow(yield* me(readBy(tellOfFirstChat(facts))), 100)
        assert.isBelow(yield* me(readBy(timing.ofLead(lead))), 200)
        yield* handle(reply)
      })
    )
  }
)
