import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Option } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { ChatAppQueue } from "../../Services/ChatApp/ChatAppQueue.ts"
import { fromMillis } from "../../Services/Core/Timestamp.ts"
import { UnitOfWork } from "../../Services/Core/UnitOfWork.ts"
import type { Task } from "../../Services/Jobs/Task.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import { MailDomain } from "../../Services/Leads/LeadEmails.ts"
import { MailQueue } from "../../Services/Mail/MailQueue.ts"
import type { Usage } from "../../Services/Models/LanguageModel.ts"
import { LanguageUsage } from "../../Services/Models/LanguageUsage.ts"
import {
  placeVoiceCall,
  sendChatAppMessage,
  sendEmail,
  sendUrgentChatAppMessage,
  sendUrgentEmail
} from "../../Services/Outreach/OutreachTasks.ts"
import { SendGuard } from "../../Services/Outreach/SendGuard.ts"
import type { Steering, WritePlan } from "../../Services/Outreach/TouchComposer.ts"
import type { TouchFacts } from "../../Services/Outreach/TouchFacts.ts"
import type { Touch } from "../../Services/Outreach/TouchTasks.ts"
import { carriedContent, sourcesOf, toldSubjects } from "../../Services/Outreach/WrittenTouch.ts"
import { VoiceQueue } from "../../Services/Voice/VoiceQueue.ts"
import type { Writing } from "../../Services/Writing/Writer.ts"
import { countTouches } from "../Leads/Sql/Schedule.ts"
import { makeGroupedWrites } from "../Platform/Postgres/GroupedWrites.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { wakeDispatcherForAll } from "../Prospecting/Sql.ts"

/** A touch with what was written for it. */
export interface WrittenOut {
  readonly touch: Touch
  readonly facts: TouchFacts
  readonly plan: WritePlan
  readonly written: Extract<Writing, { readonly _tag: "Written" }>
  readonly usage: Usage | undefined
  readonly trial: Steering["trial"]
}

/** Before what is still to be written, after everything that a person asked for. */
export const sendingPriority = 5

/** Whether a message is queued like most are: nothing of the owner's goes along, and nothing else is written down for it. */
export const isBatchable = ({ facts, plan, written }: WrittenOut): boolean =>
  facts.notice === null &&
  facts.next_touch_instructions === null &&
  plan.timing === undefined &&
  plan.kind._tag !== "meeting_cancelled" &&
  written.owes === undefined

const mostTouches = 32

/**
 * Queues the messages of several usual touches in one transaction, with a statement for each step instead of one for each
 * lead. Answers which are settled; the others (something stops the lead, somebody holds it, the group failed) are to be
 * queued one by one, each as if it had been alone from the start.
 */
export const makeQueueTouches = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const tasks = yield* TaskQueue
  const guard = yield* SendGuard
  const usage = yield* LanguageUsage
  const mails = yield* MailQueue
  const chats = yield* ChatAppQueue
  const calls = yield* VoiceQueue
  const domain = yield* MailDomain

  /** Those that were still waiting to be written. */
  const begin = (items: ReadonlyArray<WrittenOut>) =>
    Effect.gen(function* () {
      const rows = items.map(({ facts, plan, touch, trial, written }) => ({
        account_id: touch.accountId,
        touch_id: touch.touchId,
        channel: plan.channel,
        message_type: plan.messageType,
        answers: toldSubjects(facts, plan),
        carries: carriedContent(facts, plan),
        rests_on: sourcesOf(facts, plan, written.restsOn),
        trial: trial ?? null
      }))
      const begun = yield* sql<{ readonly touch_id: number }>`
        update touch t set status = 'queued', channel = w.channel, message_type = w.message_type,
          answers = array(select jsonb_array_elements_text(w.answers)), carries = w.carries, rests_on = w.rests_on,
          trial = w.trial
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as w (account_id bigint, touch_id bigint, channel text,
          message_type text, answers jsonb, carries jsonb, rests_on jsonb, trial jsonb)
        where t.account_id = any (${[...new Set(rows.map(({ account_id }) => account_id))]}::bigint[])
          and t.account_id = w.account_id and t.touch_id = w.touch_id and t.status = 'writing'
        returning t.touch_id`.pipe(fromSql())
      const waited = new Set(begun.map(({ touch_id }) => touch_id))
      return items.filter(({ touch }) => waited.has(touch.touchId))
    })

  const isAwaited = ({ plan }: WrittenOut) => plan.messageType === "response"

  /** The tasks that send what was written down under `ids`; what somebody waits for goes first. */
  const enqueueSending = <Id, Payload>(
    items: ReadonlyArray<WrittenOut>,
    ids: ReadonlyArray<Id>,
    {
      payloadOf,
      urgent,
      usual
    }: {
      readonly urgent: Task<Payload>
      readonly usual: Task<Payload>
      readonly payloadOf: (accountId: AccountId, id: Id) => Payload
    }
  ) =>
    Effect.gen(function* () {
      const queued = items.flatMap((item, place) => {
        const id = ids[place]
        return id === undefined ? [] : [{ item, payload: payloadOf(item.touch.accountId, id) }]
      })
      yield* tasks.enqueueMany(
        urgent,
        queued.filter(({ item }) => isAwaited(item)).map(({ payload }) => ({ payload }))
      )
      yield* tasks.enqueueMany(
        usual,
        queued.filter(({ item }) => !isAwaited(item)).map(({ payload }) => ({ payload, priority: sendingPriority }))
      )
    })

  const queueMails = (items: ReadonlyArray<WrittenOut>) =>
    Effect.gen(function* () {
      const ids = yield* mails.addAll(
        items.map(({ facts, plan, touch, written }) => {
          const thread = facts.thread_message_id
          return {
            ...touch,
            messageType: plan.messageType,
            handle: facts.handle,
            domain,
            toAddress: facts.email,
            subject: written.message.channel === "email" ? written.message.subject : null,
            body: written.message.body,
            inReplyTo: thread,
            references: thread === null ? [] : [...(facts.thread_references ?? []), thread].slice(-20)
          }
        })
      )
      yield* enqueueSending(items, ids, {
        urgent: sendUrgentEmail,
        usual: sendEmail,
        payloadOf: (accountId, emailMessageId) => ({ accountId, emailMessageId })
      })
    })

  const queueTexts = (items: ReadonlyArray<WrittenOut>) =>
    Effect.gen(function* () {
      const ids = yield* chats.addTexts(
        items.map(({ facts, plan, touch, written }) => ({
          ...touch,
          messageType: plan.messageType,
          phone: facts.phone,
          body: written.message.body
        }))
      )
      yield* enqueueSending(items, ids, {
        urgent: sendUrgentChatAppMessage,
        usual: sendChatAppMessage,
        payloadOf: (accountId, chatAppMessageId) => ({ accountId, chatAppMessageId })
      })
    })

  const queueCalls = (items: ReadonlyArray<WrittenOut>) =>
    Effect.gen(function* () {
      const ids = yield* calls.addAll(
        items.map(({ facts, touch, written }) => ({
          ...touch,
          phone: facts.phone,
          goal: written.message.body,
          openingLine: written.message.channel === "voice" ? written.message.openingLine : null
        }))
      )
      yield* tasks.enqueueMany(
        placeVoiceCall,
        items.flatMap(({ touch }, place) => {
          const voiceCallRequestId = ids[place]
          return voiceCallRequestId === undefined
            ? []
            : [{ payload: { accountId: touch.accountId, voiceCallRequestId } }]
        })
      )
    })

  const ofChannel = (items: ReadonlyArray<WrittenOut>, channel: WrittenOut["written"]["message"]["channel"]) =>
    items.filter(({ written }) => written.message.channel === channel)

  /** The leads before all else, as whoever changes one does. */
  const queueBatch = (items: ReadonlyArray<WrittenOut>): Effect.Effect<ReadonlySet<WrittenOut>, Transient> =>
    unit.write(
      Effect.gen(function* () {
        const blocks = yield* guard.checkFree(
          items.map(({ plan, touch }) => ({ ...touch, channel: plan.channel, isAutonomous: true }))
        )
        const free = items.filter((_, place) => {
          const block = blocks[place]
          return block !== undefined && Option.isNone(block)
        })
        if (free.length === 0) return new Set()
        // Another run of the task was faster with the others, or a reply made them pointless.
        const begun = yield* begin(free)
        const next = begun.map(({ plan, touch }) => ({
          ...touch,
          at: plan.nextTouchAt === undefined ? null : fromMillis(plan.nextTouchAt)
        }))
        yield* countTouches(sql, next)
        yield* wakeDispatcherForAll(
          sql,
          unit,
          next.filter(({ at }) => at !== null)
        )
        const [byMail, byText, byCall] = [
          ofChannel(begun, "email"),
          ofChannel(begun, "chatapp"),
          ofChannel(begun, "voice")
        ]
        if (byMail.length > 0) yield* queueMails(byMail)
        if (byText.length > 0) yield* queueTexts(byText)
        if (byCall.length > 0) yield* queueCalls(byCall)
        yield* usage.addAll(
          "write_message",
          free.flatMap(({ touch, usage }) => (usage === undefined ? [] : [{ accountId: touch.accountId, usage }]))
        )
        return new Set(free)
      })
    )

  const grouped = yield* makeGroupedWrites({
    mostItems: mostTouches,
    write: (items: ReadonlyArray<WrittenOut>) =>
      Effect.gen(function* () {
        const settled = new Set<WrittenOut>()
        const keyed = items.map((item) => ({ item, accountId: item.touch.accountId }))
        for (const part of unit.perAccount(keyed)) {
          for (const item of yield* queueBatch(part.map(({ item }) => item))) settled.add(item)
        }
        return items.map((item) => settled.has(item))
      })
  })

  return (item: WrittenOut): Effect.Effect<boolean> =>
    grouped(item).pipe(Effect.catchAllCause(() => Effect.succeed(false)))
})
