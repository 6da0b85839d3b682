import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { ChatAppMessageId } from "./ChatAppMessages.ts"

/** The message type of these notices. */
export const chatAppNoticeType = "account_notice"

/** Messages to people of the account, as opposed to its leads. They use the account's line and the approved opening. */
export class ChatAppNotices extends Context.Tag("ChatAppNotices")<
  ChatAppNotices,
  {
    /** Queues a message in the transaction of the caller. */
    readonly queue: (
      accountId: AccountId,
      notice: { readonly phone: string; readonly name: string; readonly text: string }
    ) => Effect.Effect<ChatAppMessageId, Transient>
    /** Cancels queued messages to the number. */
    readonly withdraw: (accountId: AccountId, phone: string) => Effect.Effect<void, Transient>
  }
>() {}
