import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Schema } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { ChatAppInbox, ChatAppOutbox, fetchChatAppMedia } from "../../Services/ChatApp/ChatAppMessages.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import * as Task from "../../Services/Jobs/Task.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import { chatAppSendKey, sendChatAppMessage, sendUrgentChatAppMessage } from "../../Services/Outreach/OutreachTasks.ts"
import { recurring } from "../Platform/Jobs/Recurring.ts"
import { handle, type TaskInfo } from "../Platform/Jobs/TaskHandler.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { simulatedStateHandler } from "./sandbox/ChatAppSandboxInbound.ts"

const send = (message: { readonly accountId: AccountId; readonly chatAppMessageId: number }, info: TaskInfo) =>
  Effect.flatMap(ChatAppOutbox, (outbox) => outbox.deliver(message, { isLast: info.attempt >= info.maxAttempts }))

const sendHandlers = [handle(sendChatAppMessage, send), handle(sendUrgentChatAppMessage, send)]

const mediaHandler = handle(fetchChatAppMedia, (message, { attempt, maxAttempts }) =>
  Effect.flatMap(ChatAppInbox, (inbox) => inbox.fetchMedia(message, { isLast: attempt >= maxAttempts }))
)

const sweepOutbox = Task.make("sweep_chatapp_outbox", { payload: Schema.Struct({}), maxAttempts: 3 })

/**
 * Queues messages again whose task was lost: sends that never ended, and messages that have waited too long without a
 * reason. A message that follows one with an unknown outcome waits for a day.
 */
const sweep = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const tasks = yield* TaskQueue
  const stuck = yield* unit
    .acrossAccounts(sql<{
      readonly accountId: AccountId
      readonly chatAppMessageId: number
    }>`
    select account_id as "accountId", chatapp_message_id as "chatAppMessageId" from chatapp_message
    where status = 'sending' and sending_at < instant() - interval '10 minutes' and uses_test_clock(account_id)
    order by sending_at limit 1000`)
    .pipe(fromSql())
  const forgotten = yield* unit
    .acrossAccounts(sql<{
      readonly accountId: AccountId
      readonly chatAppMessageId: number
    }>`
    select m.account_id as "accountId", m.chatapp_message_id as "chatAppMessageId" from chatapp_message m
    where m.status = 'queued' and m.created_at < instant() - interval '1 day'
      and (m.deferred_until is null or m.deferred_until < instant() - interval '1 hour')
      and uses_test_clock(m.account_id)
    order by m.created_at limit 1000`)
    .pipe(fromSql())
  // It is unknown whether the text arrived, and its file is of little use without it.
  yield* unit
    .acrossAccounts(sql`
    update chatapp_message m set status = 'cancelled', failure_reason = 'text_outcome_unknown' from chatapp_message f
    where m.status = 'queued' and m.created_at < instant() - interval '1 day' and uses_test_clock(m.account_id)
      and f.account_id = m.account_id and f.chatapp_message_id = m.follows_message_id and f.status = 'unknown'`)
    .pipe(fromSql())
  yield* tasks.enqueueMany(
    sendChatAppMessage,
    [...stuck, ...forgotten].map((payload) => ({
      payload,
      jobKey: chatAppSendKey(payload.accountId, payload.chatAppMessageId)
    }))
  )
})

/** The background tasks of the messaging app. */
export const chatAppTaskHandlers = [
  ...sendHandlers,
  mediaHandler,
  simulatedStateHandler,
  handle(sweepOutbox, () => sweep)
]

export const chatAppRecurring = [recurring("sweep_chatapp_outbox", "*/10 * * * *", sweepOutbox, {})]
