import { randomBytes } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { AccountId, Plan } from "../../../Services/Accounts/Ids.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { receivedEmail } from "../../../Services/Events/NotificationEnds.ts"
import { Notifications } from "../../../Services/Events/Notifications.ts"
import { OwnerMails } from "../../../Services/Events/OwnerNotices.ts"
import {
  inboundNotice,
  type JudgedMail,
  judgeInboundMail,
  MailVerdict,
  verdictByRules,
  verdictPrompt
} from "../../../Services/Mail/InboundNotice.ts"
import { LanguageModel } from "../../../Services/Models/LanguageModel.ts"
import { LanguageUsage } from "../../../Services/Models/LanguageUsage.ts"
import { languageOf } from "../../../Services/Text/Language.ts"
import { handle } from "../../Platform/Jobs/TaskHandler.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"

const purpose = "judge_inbound_mail"

interface Row extends JudgedMail {
  readonly instructions: string | null
  readonly language: string
  readonly plan: Plan
}

const decide = (accountId: AccountId, { instructions, ...mail }: Row) =>
  Effect.gen(function* () {
    const byRules = verdictByRules(instructions, mail)
    const model = yield* LanguageModel
    if (instructions === null || model.mode === "sandbox") return byRules
    const usage = yield* LanguageUsage
    const answer = yield* Effect.either(
      model.generate({
        prompt: verdictPrompt(instructions, mail, `=== ${randomBytes(9).toString("base64url")} ===`),
        schema: MailVerdict,
        maxOutputTokens: 50,
        timeout: "20 seconds",
        purpose,
        inSandbox: Effect.succeed({ tell_at_once: byRules })
      })
    )
    if (answer._tag === "Right") {
      yield* usage.add(accountId, purpose, answer.right.usage)
      return answer.right.value.tell_at_once
    }
    // The owner wants to be notified at once, so rules decide while the model is unavailable.
    if (answer.left.usage !== undefined) yield* usage.add(accountId, purpose, answer.left.usage)
    return byRules
  })

/** Notifies the owner of a message once, if the instructions ask for it. */
export const judgeMail = (accountId: AccountId, emailMessageId: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const unit = yield* UnitOfWork
    const mails = yield* OwnerMails
    const notifications = yield* Notifications
    const isMail = sql`m.account_id = ${accountId} and m.email_message_id = ${emailMessageId}`
    const rows = yield* sql<Row>`
      select m.from_address as "from", m.subject, coalesce(m.reply_text, m.body_text) as text,
        m.lead_id is not null as "isOfLead", a.email_notification_instructions as instructions,
        a.language_key as language, a.plan
      from email_message m join account a on a.account_id = m.account_id
      where ${isMail} and m.direction = 'inbound' and m.judged_at is null`.pipe(fromSql())
    const row = rows[0]
    if (row === undefined) return
    const tells = yield* decide(accountId, row)
    yield* unit.write(
      Effect.gen(function* () {
        const mine = yield* sql`
          update email_message m set judged_at = instant() where ${isMail} and m.judged_at is null
          returning m.email_message_id`.pipe(fromSql())
        if (mine.length === 0 || !tells) return
        const { message, ...notice } = inboundNotice(row, languageOf(row.language))
        yield* notifications
          .notify({ kind: receivedEmail, message, data: { email_message_id: emailMessageId } })
          .pipe(Effect.provideService(Caller, Caller.forTask(accountId, row.plan, "inbound-mail")))
        yield* mails.tell(accountId, notice)
      })
    )
  })

export const judgeInboundMailTask = handle(judgeInboundMail, ({ accountId, emailMessageId }) =>
  judgeMail(accountId, emailMessageId)
)
