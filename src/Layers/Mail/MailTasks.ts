import { Effect } from "effect"
import { MailOutbox, sweepOutbox } from "../../Services/MailOutbox.ts"
import { sendEmail } from "../../Services/OutreachTasks.ts"
import { recurring } from "../Jobs/Recurring.ts"
import { handle } from "../Jobs/TaskHandler.ts"

/** What the mail layer does outside of calls. */
export const mailTasks = [
  handle(sendEmail, (message, { attempt, maxAttempts }) =>
    Effect.flatMap(MailOutbox, (outbox) => outbox.deliver(message, { isLast: attempt >= maxAttempts }))
  ),
  handle(sweepOutbox, () => Effect.flatMap(MailOutbox, (outbox) => outbox.sweep))
]

export const mailRecurring = [recurring("sweep_mail_outbox", "17 * * * *", sweepOutbox, {})]
