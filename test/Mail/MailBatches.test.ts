import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { MailOutbox } from "../../src/Services/Mail/MailOutbox.ts"
import { emailRow, fakeProvider, insertTouch, mailServices, queueEmail } from "../support/channels/MailServices.ts"
import { fallbacks, withoutFallbacks } from "../support/checks/Fallbacks.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"

const provider = fakeProvider()

const queueMails = (count: number) =>
  Effect.replicateEffect(
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const leadId = yield* me(insertLead())
      return yield* me(queueEmail(leadId, { touch_id: yield* me(insertTouch(leadId)) }))
    }),
    count
  )

type Mails = Effect.Effect.Success<ReturnType<typeof queueMails>>

const deliverTogether = (mails: Mails) =>
  Effect.gen(function* () {
    const outbox = yield* MailOutbox
    yield* Effect.forEach(mails, (mail) => outbox.deliver(mail, { isLast: false }), {
      concurrency: "unbounded",
      discard: true
    })
  })

/** Every mail was sent once, and its touch is done. */
const assertSentOnce = (mails: Mails) =>
  Effect.forEach(mails, ({ emailMessageId, messageId }) =>
    Effect.gen(function* () {
      assert.deepInclude(yield* emailRow(emailMessageId), { message_id: messageId, status: "sent", touch: "done" })
      assert.lengthOf(
        provider.ledger.filter((mail) => mail.messageId === messageId),
        1
      )
    })
  )

layer(mailServices(provider.layer), { excludeTestServices: true })("mails that leave at the same time", (it) => {
  it.effect("are claimed and recorded in batches, none of which fails", () =>
    Effect.gen(function* () {
      const mails = yield* queueMails(8)
      yield* withoutFallbacks(deliverTogether(mails))
      yield* assertSentOnce(mails)
    })
  )

  it.effect("are each sent once if the SQL of batches has a fault, which is counted", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      // The planted fault: a statement that works for one mail only.
      yield* sql`
        create function refuse_batches() returns trigger language plpgsql as $$
        begin
          if (select count(*) from changed) > 1 then raise exception 'a planted fault'; end if;
          return null;
        end $$`
      yield* sql`
        create trigger refuse_batches after update on email_message referencing new table as changed
        for each statement execute function refuse_batches()`
      const mails = yield* queueMails(8)
      const before = yield* fallbacks
      yield* deliverTogether(mails).pipe(
        Effect.ensuring(Effect.orDie(sql`drop trigger refuse_batches on email_message`))
      )
      assert.isAbove((yield* fallbacks) - before, 0)
      yield* assertSentOnce(mails)
    })
  )

  it.effect("are not delayed by one that cannot be recorded", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const mails = yield* queueMails(8)
      const [bad, ...others] = mails
      yield* sql`
        alter table email_message add constraint planted_fault check (email_message_id <> ${sql.literal(
          String(bad?.emailMessageId)
        )} or status = 'queued')`
      const outbox = yield* MailOutbox
      const exits = yield* Effect.forEach(mails, (mail) => Effect.exit(outbox.deliver(mail, { isLast: false })), {
        concurrency: "unbounded"
      }).pipe(Effect.ensuring(Effect.orDie(sql`alter table email_message drop constraint planted_fault`)))
      assert.deepStrictEqual(
        exits.map(({ _tag }) => _tag),
        ["Failure", ...others.map(() => "Success" as const)]
      )
      yield* assertSentOnce(others)
    })
  )
})
