import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Option, Schema } from "effect"
import { AccountId } from "../../../../Services/Accounts/Ids.ts"
import * as Task from "../../../../Services/Jobs/Task.ts"
import { type LetterLedger, type OperatorLetter, sendToOperators } from "../../../../Services/Support/OperatorLetter.ts"
import { oneLine, quoted } from "../../../../Services/Support/OperatorMail.ts"
import { siteOrigin } from "../../../../Services/Text/Web/SiteHost.ts"
import { handle } from "../../../Platform/Jobs/TaskHandler.ts"
import { supportEmail } from "../../../Platform/Operators/OperatorAddress.ts"
import { fromSql } from "../../../Platform/Postgres/Sql.ts"
import { Settings } from "../../../Platform/Settings.ts"

/** Mails the operators about the first open report of a site. Its owner is not informed. */
export const mailReport = Task.make("mail_website_report", {
  sends: "email",
  payload: Schema.Struct({ accountId: AccountId, reportId: Schema.Int })
})

interface MailedReport {
  readonly name: string
  readonly reason: string
  readonly message: string
  readonly contact: string | null
}

/** A letter about a report. The visitor's text is quoted, so that it cannot pass for the platform's. */
export const reportLetter = (
  { contact, message, name, reason }: MailedReport,
  { accountId, origin, reportId }: { readonly accountId: number; readonly reportId: number; readonly origin: string }
): OperatorLetter => ({
  id: `report-${accountId}-${reportId}`,
  thread: undefined,
  subject: `[report ${accountId}-${reportId}] ${reason}: ${oneLine(name)}`,
  text: `A visitor reports ${origin} of account ${accountId} (${reason}):

${quoted(message)}
${contact === null ? "" : `\nWho wants an answer:\n\n${quoted(contact)}\n`}
All reports that wait: gateway website reports
Take the site from the web: gateway website suspend ${name} --reason "…"
Close the report: gateway website close-report --account ${accountId} --report ${reportId}

Further reports of this site are not mailed until its reports are closed.`
})

/** Makes one attempt to mail. However many attempts run, in parallel or after a crash, one mail is sent. */
export const writeAboutReport = (
  accountId: AccountId,
  reportId: number,
  options: { readonly to: string; readonly isLast: boolean }
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const settings = yield* Settings
    const isReport = sql`account_id = ${accountId} and website_report_id = ${reportId}`
    const [report] = yield* sql<MailedReport>`
      select n.name, r.reason, r.message, r.contact
      from website_report r
        join website_name n on n.account_id = r.account_id and n.website_id = r.website_id and n.given_up_at is null
      where r.account_id = ${accountId} and r.website_report_id = ${reportId}`.pipe(fromSql())
    if (report === undefined) return
    const ledger: LetterLedger = {
      begin: sql<{ readonly wasHandedOver: boolean }>`
        select mail_handed_over_at is not null as "wasHandedOver" from website_report
        where ${isReport} and mail_status = 'queued'`.pipe(
        fromSql(),
        Effect.map(([row]) => row)
      ),
      handOver: sql`
        update website_report set mail_handed_over_at = instant() where ${isReport} and mail_handed_over_at is null
        returning account_id`.pipe(
        fromSql(),
        Effect.map((taken) => taken.length > 0)
      ),
      takeBack: sql`
        update website_report set mail_handed_over_at = null where ${isReport} and mail_status = 'queued'`.pipe(
        fromSql(),
        Effect.asVoid
      ),
      settle: (status) =>
        sql`update website_report set mail_status = ${status} where ${isReport} and mail_status = 'queued'`.pipe(
          fromSql(),
          Effect.asVoid
        )
    }
    const origin = siteOrigin(settings, report.name)
    yield* sendToOperators(accountId, reportLetter(report, { accountId, reportId, origin }), ledger, options)
  })

export const reportMailTask = Effect.map(Effect.orDie(supportEmail), (to) =>
  handle(mailReport, ({ accountId, reportId }, info) =>
    Option.match(to, {
      onNone: () => Effect.void,
      onSome: (address) =>
        writeAboutReport(accountId, reportId, { to: address, isLast: info.attempt >= info.maxAttempts })
    })
  )
)
