import { Context, type Effect, Schema } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import * as Task from "../Jobs/Task.ts"

/** Looks for messages whose task was lost, and queues them again. */
export const sweepOutbox = Task.make("sweep_mail_outbox", { payload: Schema.Struct({}) })

/** What is written to go out. */
export class MailOutbox extends Context.Tag("MailOutbox")<
  MailOutbox,
  {
    /**
     * One attempt to bring a queued message to its end: sent, failed, cancelled or unknown. `Transient` where another
     * attempt is due, unless it is the last one. Any number of attempts, at once or after a crash, send it once.
     */
    readonly deliver: (
      message: { readonly accountId: AccountId; readonly emailMessageId: number },
      attempt: { readonly isLast: boolean }
    ) => Effect.Effect<void, Transient>
    /** Queues the tasks of messages again that long ago should have ended; answers how many. */
    readonly sweep: Effect.Effect<number, Transient>
  }
>() {}
