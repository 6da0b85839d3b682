import { Context, type Effect, type Option } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { CustomerFileView } from "../Files/CustomerFiles.ts"

/** A file of the account to attach. A file that is deleted before the message is sent is left out. */
export type NoticeFile = Pick<CustomerFileView, "customer_file_id" | "file_name" | "media_type" | "size_bytes">

/** Mail from the platform to people of the account, as opposed to its leads. */
export class AccountNotices extends Context.Tag("AccountNotices")<
  AccountNotices,
  {
    /**
     * Queues a message in the caller's transaction and returns its id. Returns none if the address may not be written
     * to: it belongs to a lead (unless that person requested this message), is suppressed, or its reader stopped such
     * mail. Also none beyond the limits for unconfirmed recipients, unless the caller reserved the mail with
     * `StrangerMails`.
     */
    readonly queue: (
      accountId: AccountId,
      notice: {
        readonly to: string
        readonly subject: string
        readonly text: string
        readonly files?: ReadonlyArray<NoticeFile>
        readonly isAskedFor?: boolean
        readonly isReserved?: boolean
      }
    ) => Effect.Effect<Option.Option<number>, Transient>
    /** Cancels queued messages to the address. */
    readonly withdraw: (accountId: AccountId, address: string) => Effect.Effect<void, Transient>
  }
>() {}
