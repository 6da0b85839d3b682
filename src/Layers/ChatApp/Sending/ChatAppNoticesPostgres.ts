import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import type { ChatAppMessageId } from "../../../Services/ChatApp/ChatAppMessages.ts"
import { ChatAppNotices, chatAppNoticeType } from "../../../Services/ChatApp/ChatAppNotices.ts"
import { TaskQueue } from "../../../Services/Jobs/TaskQueue.ts"
import { chatAppSendKey, sendChatAppMessage } from "../../../Services/Outreach/OutreachTasks.ts"
import { writtenLanguage } from "../../../Services/Text/Language.ts"
import { fromSql, single } from "../../Platform/Postgres/Sql.ts"

export const ChatAppNoticesPostgres = Layer.effect(
  ChatAppNotices,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const tasks = yield* TaskQueue
    return ChatAppNotices.of({
      queue: Effect.fn("ChatAppNotices.queue")(function* (accountId, { name, phone, text }) {
        const rows = yield* sql<{ readonly id: ChatAppMessageId }>`
          insert into chatapp_message (account_id, direction, kind, message_type, status, phone, addressee, body,
            language)
          values (${accountId}, 'outbound', 'text', ${chatAppNoticeType}, 'queued', ${phone}, ${name}, ${text},
            ${writtenLanguage(text) ?? null})
          returning chatapp_message_id as id`.pipe(fromSql())
        const { id } = single(rows)
        yield* tasks.enqueue(
          sendChatAppMessage,
          { accountId, chatAppMessageId: id },
          { jobKey: chatAppSendKey(accountId, id) }
        )
        return id
      }),

      withdraw: Effect.fn("ChatAppNotices.withdraw")(function* (accountId, phone) {
        yield* sql`
          update chatapp_message set status = 'cancelled', failure_reason = 'withdrawn'
          where account_id = ${accountId} and lead_id is null and phone = ${phone} and status = 'queued'
            and direction = 'outbound' and message_type = ${chatAppNoticeType}`
      }, fromSql())
    })
  })
)
