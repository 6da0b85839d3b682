import { SqlClient } from "@effect/sql/SqlClient"
import { Duration, Effect, Layer, Option } from "effect"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { Mail, MailNotSent, MailRejected, type OutgoingMail } from "../../../Services/Mail/Mail.ts"
import { makeGroupedWrites } from "../../Platform/Postgres/grouped/GroupedWrites.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { MailSettings } from "../MailSettings.ts"
import { composeMail, mailSigner } from "../Smtp/ComposedMail.ts"

/** Recipients that the sandbox rejects as a server would, by the text before the @ or the plus sign. */
const refusals: { readonly [local: string]: () => MailRejected | MailNotSent } = {
  "sandbox-reject": () =>
    new MailRejected({ refused: "recipient", isAddressDead: true, response: "550 5.1.1 No such user" }),
  "sandbox-defer": () => new MailNotSent({ reason: "smtp_deferred", response: "451 4.7.1 Try again later" })
}

interface Kept {
  readonly accountId: AccountId
  readonly mail: OutgoingMail
  readonly raw: Buffer
}

/**
 * The simulated mail server. It stores messages in the outbox of `sandbox_mail`, each once, even if it is sent several
 * times.
 */
export const SandboxMail = Layer.effect(
  Mail,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const unit = yield* UnitOfWork
    const { dkim } = yield* MailSettings
    const sign = mailSigner(dkim)
    const keepAll = (mails: ReadonlyArray<Kept>) => sql`
      insert into sandbox_mail (account_id, email_message_id, direction, message_id, from_address, to_address,
        subject, body_text, raw)
      select account_id, email_message_id, 'outbound', message_id, from_address, to_address, subject, body_text, raw
      from unnest(${mails.map(({ accountId }) => accountId)}::bigint[],
        ${mails.map(({ mail }) => mail.emailMessageId)}::bigint[], ${mails.map(({ mail }) => mail.messageId)}::text[],
        ${mails.map(({ mail }) => mail.from.address)}::text[], ${mails.map(({ mail }) => mail.to.address)}::text[],
        ${mails.map(({ mail }) => mail.subject)}::text[], ${mails.map(({ mail }) => mail.text)}::text[],
        ${mails.map(({ raw }) => raw)}::bytea[])
        as m (account_id, email_message_id, message_id, from_address, to_address, subject, body_text, raw)
      on conflict (account_id, message_id) where direction = 'outbound' do nothing`
    const keep = yield* makeGroupedWrites({
      name: "sandbox_mails",
      mostItems: 32,
      split: unit.perAccount,
      write: (mails: ReadonlyArray<Kept>) => keepAll(mails).pipe(Effect.as(mails.map(() => true)), fromSql())
    })

    return Mail.of({
      mode: "sandbox",
      concurrency: 32,
      settleTime: Duration.zero,

      send: Effect.fn("Mail.send")(function* (accountId, mail) {
        const refusal = refusals[/^[^@+]*/.exec(mail.to.address)?.[0] ?? ""]
        if (refusal !== undefined) return yield* Effect.fail(refusal())
        const raw = yield* Effect.flatMap(composeMail(mail), (composed) => sign(composed, mail.signing))
        yield* keep({ accountId, mail, raw })
        return { response: "250 2.0.0 Kept in the sandbox" }
      }),

      wasSent: Effect.fn("Mail.wasSent")(function* (accountId, messageId) {
        const rows = yield* sql`
          select from sandbox_mail
          where account_id = ${accountId} and message_id = ${messageId} and direction = 'outbound'`.pipe(fromSql())
        return Option.some(rows.length > 0)
      })
    })
  })
)
