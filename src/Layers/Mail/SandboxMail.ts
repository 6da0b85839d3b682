import { SqlClient } from "@effect/sql/SqlClient"
import { Duration, Effect, Layer, Option } from "effect"
import { Mail, MailNotSent, MailRejected } from "../../Services/Mail/Mail.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { composeMail, mailSigner } from "./ComposedMail.ts"
import { MailSettings } from "./MailSettings.ts"

/** Recipients that the sandbox treats like a server would, by what stands before the @ or a plus sign. */
const refusals: { readonly [local: string]: () => MailRejected | MailNotSent } = {
  "sandbox-reject": () =>
    new MailRejected({ refused: "recipient", isAddressDead: true, response: "550 5.1.1 No such user" }),
  "sandbox-defer": () => new MailNotSent({ reason: "smtp_deferred", response: "451 4.7.1 Try again later" })
}

/**
 * Mail that leaves nobody's desk: what would be sent is kept in the outbox of `sandbox_mail`. A message is there once,
 * however often it is sent.
 */
export const SandboxMail = Layer.effect(
  Mail,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { dkim } = yield* MailSettings
    const sign = mailSigner(dkim)

    return Mail.of({
      mode: "sandbox",
      concurrency: 8,
      settleTime: Duration.zero,

      send: Effect.fn("Mail.send")(function* (accountId, mail) {
        const refusal = refusals[/^[^@+]*/.exec(mail.to.address)?.[0] ?? ""]
        if (refusal !== undefined) return yield* Effect.fail(refusal())
        const raw = yield* Effect.flatMap(composeMail(mail), (composed) => sign(composed, mail.signing))
        yield* sql`
          insert into sandbox_mail (account_id, email_message_id, direction, message_id, from_address, to_address,
            subject, body_text, raw)
          values (${accountId}, ${mail.emailMessageId}, 'outbound', ${mail.messageId}, ${mail.from.address},
            ${mail.to.address}, ${mail.subject}, ${mail.text}, ${raw})
          on conflict (account_id, message_id) where direction = 'outbound' do nothing`.pipe(fromSql())
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
