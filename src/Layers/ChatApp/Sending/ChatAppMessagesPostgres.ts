import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { notFound, refused } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { ChatApp } from "../../../Services/ChatApp/ChatApp.ts"
import type { CheckedAttachment } from "../../../Services/ChatApp/ChatAppAttachment.ts"
import { type ChatAppMessageId, ChatAppMessages, type SentToLead } from "../../../Services/ChatApp/ChatAppMessages.ts"
import { withParkedMessage } from "../../../Services/ChatApp/ChatAppParking.ts"
import { ChatAppQueue } from "../../../Services/ChatApp/ChatAppQueue.ts"
import { type ChatAppRecipient, chatAppRefusalOf } from "../../../Services/ChatApp/ChatAppRecipient.ts"
import { serviceWindowHours } from "../../../Services/ChatApp/ChatAppRules.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import type { Timestamp } from "../../../Services/Core/Timestamp.ts"
import { TaskQueue } from "../../../Services/Jobs/TaskQueue.ts"
import type { LeadId } from "../../../Services/Leads/Ids.ts"
import { chatAppSendKey, sendUrgentChatAppMessage } from "../../../Services/Outreach/OutreachTasks.ts"
import { countBlockOf } from "../../Blacklist/Sql.ts"
import { setInstructions } from "../../Leads/Sql/Schedule.ts"
import { outsideTransaction } from "../../Platform/Postgres/OutsideTransaction.ts"
import { fromSql, single } from "../../Platform/Postgres/Sql.ts"
import { isLineOf } from "../Lines/ChatAppLineRows.ts"

/** The most characters of everything that waits for a lead's next touch. */
const longestInstructions = 20_000

interface Recipient extends ChatAppRecipient {
  readonly nextTouchAt: Timestamp | null
  readonly instructions: string | null
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const queued = yield* ChatAppQueue
  const tasks = yield* TaskQueue
  const provider = yield* ChatApp
  const isOurs = sql.literal(isLineOf(provider.mode, "n"))

  const look = Effect.fnUntraced(function* (accountId: AccountId, leadId: LeadId) {
    const lockedLeads = yield* sql`
      select from lead where account_id = ${accountId} and lead_id = ${leadId} for update`.pipe(fromSql())
    if (lockedLeads.length === 0) return yield* notFound("lead", "lead_id", leadId)
    // A separate statement, so that it sees changes that were committed while it waited for the lock.
    const rows = yield* sql<Recipient>`
      select l.phone, l.pipeline_state as "pipelineState", l.unsubscribed_at is not null as "isUnsubscribed",
        exists (select from blacklist_match(l.account_id, null, l.phone)) as "isBlacklisted",
        exists (select from chatapp_line n where n.account_id = l.account_id and n.status = 'live' and ${isOurs})
          as "isLineLive",
        (select max(i.occurred_at) + make_interval(hours => ${serviceWindowHours}) from chatapp_message i
          where i.account_id = l.account_id and i.lead_id = l.lead_id and i.direction = 'inbound' and i.phone = l.phone
            and i.occurred_at > instant() - make_interval(hours => ${serviceWindowHours})) as "windowOpenUntil",
        l.next_touch_at as "nextTouchAt", l.next_touch_instructions as instructions
      from lead l where l.account_id = ${accountId} and l.lead_id = ${leadId}`.pipe(fromSql())
    return single(rows)
  })

  const queue = Effect.fnUntraced(function* (
    accountId: AccountId,
    leadId: LeadId,
    phone: string | null,
    message: {
      readonly text: string
      readonly media?: CheckedAttachment
      readonly follows?: ChatAppMessageId
    }
  ) {
    const { follows, media, text } = message
    const id = single(
      yield* queued.add([{ accountId, leadId, messageType: "user_written", phone, body: text, media, follows }])
    )
    // A message that follows another is queued only after that one was sent.
    if (follows === undefined) {
      yield* tasks.enqueue(
        sendUrgentChatAppMessage,
        { accountId, chatAppMessageId: id },
        { jobKey: chatAppSendKey(accountId, id), priority: -10 }
      )
    }
    return id
  })

  const answer = (
    leadId: LeadId,
    lead: Recipient,
    sent: Pick<SentToLead, "delivery" | "chatapp_message_id" | "attachment_message_id">
  ): SentToLead => ({
    lead_id: leadId,
    ...sent,
    window_open_until: lead.windowOpenUntil,
    pipeline_state: lead.pipelineState,
    next_touch_at: lead.nextTouchAt,
    next_touch_instructions: lead.instructions
  })

  return ChatAppMessages.of({
    sendToLead: Effect.fn("ChatAppMessages.sendToLead")(function* (leadId, { attachment, text }) {
      const { accountId } = yield* Caller
      const lead = yield* look(accountId, leadId)
      const refusal = chatAppRefusalOf(leadId, lead)
      if (refusal?.reason === "lead_blacklisted") {
        yield* outsideTransaction(countBlockOf(sql, accountId, { phone: lead.phone }))
      }
      if (refusal !== undefined) return yield* refusal

      if (lead.pipelineState === "user_controlled") {
        const id = yield* queue(accountId, leadId, lead.phone, { text })
        const attached =
          attachment === undefined
            ? null
            : yield* queue(accountId, leadId, lead.phone, { text: "", media: attachment, follows: id })
        return answer(leadId, lead, {
          delivery: "sent_now",
          chatapp_message_id: id,
          attachment_message_id: attached
        })
      }

      const instructions = withParkedMessage(lead.instructions, { text, attachmentUrl: attachment?.url })
      if (instructions.length > longestInstructions) {
        return yield* refused(
          "too_many_parked_messages",
          "Too much text waits for the lead's next touch already.",
          "Wait until the lead was contacted, or take it over with take_over_lead.",
          { lead_id: leadId }
        )
      }
      yield* setInstructions(sql, { accountId, leadId }, instructions)
      return answer(
        leadId,
        { ...lead, instructions },
        { delivery: "parked", chatapp_message_id: null, attachment_message_id: null }
      )
    })
  })
})

export const ChatAppMessagesPostgres = Layer.effect(ChatAppMessages, make)
