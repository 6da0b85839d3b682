import { Effect } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { MailOutbox, sweepOutbox } from "../../Services/Mail/MailOutbox.ts"
import { StrangerMails } from "../../Services/Mail/StrangerMails.ts"
import { sendEmail, sendUrgentEmail } from "../../Services/Outreach/OutreachTasks.ts"
import { recurring } from "../Platform/Jobs/Recurring.ts"
import { handle, type TaskInfo } from "../Platform/Jobs/TaskHandler.ts"

const deliver = (message: { readonly accountId: AccountId; readonly emailMessageId: number }, info: TaskInfo) =>
  Effect.flatMap(MailOutbox, (outbox) => outbox.deliver(message, { isLast: info.attempt >= info.maxAttempts }))

/** The background tasks of the mail room. */
export const mailTasks = [
  handle(sendEmail, deliver),
  handle(sendUrgentEmail, deliver),
  handle(sweepOutbox, () =>
    Effect.zipRight(
      Effect.flatMap(StrangerMails, (strangers) => strangers.forget),
      Effect.flatMap(MailOutbox, (outbox) => outbox.sweep)
    )
  )
]

export const mailRecurring = [recurring("sweep_mail_outbox", "17 * * * *", sweepOutbox, {})]
