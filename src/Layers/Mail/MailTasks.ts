import { Effect } from "effect"
import { MailOutbox, sweepOutbox } from "../../Services/Mail/MailOutbox.ts"
import { sendEmail } from "../../Services/Outreach/OutreachTasks.ts"
import { recurring } from "../Platform/Jobs/Recurring.ts"
import { handle } from "../Platform/Jobs/TaskHandler.ts"

/** What the mail layer does outside of calls. */
export const mailTasks = [
  handle(sendEmail, (message, { attempt, maxAttempts }) =>
    Effect.flatMap(MailOutbox, (outbox) => outbox.deliver(message, { isLast: attempt >= maxAttempts }))
  ),
  handle(sweepOutbox, () => Effect.flatMap(MailOutbox, (outbox) => outbox.sweep))
]

export const mailRecurring = [recurring("sweep_mail_outbox", "17 * * * *", sweepOutbox, {})]
