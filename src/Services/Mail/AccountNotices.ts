import { Context, type Effect, type Option } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { CustomerFileView } from "../Files/CustomerFiles.ts"

/** A file of the account's that goes along; one that is removed before the message leaves does not. */
export type NoticeFile = Pick<CustomerFileView, "customer_file_id" | "file_name" | "media_type" | "size_bytes">

/** Mail of the platform to people of the account itself, not to its leads. */
export class AccountNotices extends Context.Tag("AccountNotices")<
  AccountNotices,
  {
    /**
     * Queues a message in the transaction of the caller; answers which it is. It is none where the address may not be
     * written to: a lead's own, unless the person there asked for just this message, one on the suppression list, or one
     * whose reader stopped such mail. It is none too beyond the limits of mail to strangers, unless the caller has
     * reserved the mail (`StrangerMails`).
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
    /** Takes back what is queued for the address. */
    readonly withdraw: (accountId: AccountId, address: string) => Effect.Effect<void, Transient>
  }
>() {}
