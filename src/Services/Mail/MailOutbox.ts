import { Context, type Effect, Schema } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import * as Task from "../Jobs/Task.ts"

/** Looks for messages whose task was lost, and queues them again. */
export const sweepOutbox = Task.make("sweep_mail_outbox", { payload: Schema.Struct({}) })

/** Sends queued messages. */
export class MailOutbox extends Context.Tag("MailOutbox")<
  MailOutbox,
  {
    /**
     * One attempt to send a queued message. It ends as sent, failed, cancelled or unknown. Fails with `Transient` if it
     * should be retried, unless it is the last attempt. The message is sent once, however many attempts run at once or
     * after a crash.
     */
    readonly deliver: (
      message: { readonly accountId: AccountId; readonly emailMessageId: number },
      attempt: { readonly isLast: boolean }
    ) => Effect.Effect<void, Transient>
    /** Queues the tasks of overdue messages again, and returns how many. */
    readonly sweep: Effect.Effect<number, Transient>
  }
>() {}
