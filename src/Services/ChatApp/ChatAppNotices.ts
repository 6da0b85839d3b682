import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { ChatAppMessageId } from "./ChatAppMessages.ts"

/** The type of such messages among the account's. */
export const chatAppNoticeType = "account_notice"

/** Messages to people of the account itself, not to its leads: sent from its own line, by the approved opening. */
export class ChatAppNotices extends Context.Tag("ChatAppNotices")<
  ChatAppNotices,
  {
    /** Queues a message in the transaction of the caller. */
    readonly queue: (
      accountId: AccountId,
      notice: { readonly phone: string; readonly name: string; readonly text: string }
    ) => Effect.Effect<ChatAppMessageId, Transient>
    /** Takes back what is queued for the number. */
    readonly withdraw: (accountId: AccountId, phone: string) => Effect.Effect<void, Transient>
  }
>() {}
