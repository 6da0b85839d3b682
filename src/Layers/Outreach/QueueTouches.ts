import { SqlClient } from "@effect/sql/SqlClient"
import { Array, Clock, Duration, Effect, Option } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { instructionsAfter, type ParkedMessage } from "../../Services/ChatApp/ChatAppParking.ts"
import { ChatAppQueue } from "../../Services/ChatApp/ChatAppQueue.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { fromMillis } from "../../Services/Core/Timestamp.ts"
import type { Task } from "../../Services/Jobs/Task.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import { MailDomain } from "../../Services/Leads/Email/LeadEmails.ts"
import { MailQueue } from "../../Services/Mail/MailQueue.ts"
import { MailedInvitations } from "../../Services/Meetings/MailedInvitations.ts"
import type { Usage } from "../../Services/Models/LanguageModel.ts"
import { LanguageUsage } from "../../Services/Models/LanguageUsage.ts"
import { LeadQuestions } from "../../Services/Outcomes/LeadQuestions.ts"
import {
  placeVoiceCall,
  sendChatAppMessage,
  sendEmail,
  sendUrgentChatAppMessage,
  sendUrgentEmail
} from "../../Services/Outreach/OutreachTasks.ts"
import { type SendBlock, SendGuard, staysDue } from "../../Services/Outreach/SendGuard.ts"
import type { Steering, WritePlan } from "../../Services/Outreach/TouchComposer.ts"
import type { TouchFacts } from "../../Services/Outreach/TouchFacts.ts"
import type { Touch } from "../../Services/Outreach/TouchTasks.ts"
import { carriedContent, settledSubjects, sourcesOf } from "../../Services/Outreach/WrittenTouch.ts"
import { languageOf } from "../../Services/Text/Language.ts"
import { VoiceQueue } from "../../Services/Voice/VoiceQueue.ts"
import { notAppliedOf } from "../../Services/Writing/Instructions/InstructionReports.ts"
import type { Writing } from "../../Services/Writing/Writer.ts"
import type { WrittenMessage } from "../../Services/Writing/WritingBrief.ts"
import { countBlockOf } from "../Blacklist/Sql.ts"
import { countTouches, type LeadKey, lockLeads, scheduleNow, setInstructions } from "../Leads/Sql/Schedule.ts"
import { type Locking, makeGroupedTransactions } from "../Platform/Postgres/grouped/GroupedTransactions.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { wakeDispatcher, wakeDispatcherForAll } from "../Prospecting/Sql.ts"
import { makeEndTouches } from "./EndTouches.ts"
import { makeParkedDelivery, type ReadyMessage } from "./ParkedDelivery.ts"

type Written = Extract<Writing, { readonly _tag: "Written" }>

/** The content of a touch: a composed message, or messages of the owner. */
type TouchContent =
  | { readonly _tag: "Written"; readonly written: Written }
  | {
      readonly _tag: "Parked"
      readonly parked: ReadonlyArray<ParkedMessage>
      readonly ready: ReadonlyArray<ReadyMessage>
    }

/** A touch with its content. */
export interface ComposedTouch {
  readonly touch: Touch
  readonly accountId: AccountId
  readonly facts: TouchFacts
  readonly plan: WritePlan
  readonly content: TouchContent
  readonly usage?: Usage | undefined
  readonly trial?: Steering["trial"]
}

interface MessageOfTouch<Channel extends WrittenMessage["channel"]> extends ComposedTouch {
  readonly message: Extract<WrittenMessage, { readonly channel: Channel }>
}

/** Sending runs before writing other messages, and after messages that a person waits for. */
const sendingPriority = 5

const mostTouches = 32

/** Mail programs only need the first and the last references of a long conversation. */
const mostReferences = 20

const blockedRetryDelay = Duration.toMillis("1 hour")

/** A caller that acts for the lead's account. */
export const callerOf = (touch: Touch, { plan }: TouchFacts): Caller["Type"] =>
  Caller.forTask(touch.accountId, plan, `touch-${touch.touchId}`)

const asCaller =
  ({ facts, touch }: ComposedTouch) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, Caller>> =>
    Effect.provideService(effect, Caller, callerOf(touch, facts))

/** True if a person waits for the message. */
const isAwaited = ({ facts, plan }: ComposedTouch): boolean =>
  plan.messageType === "response" || facts.notice !== null || facts.is_holding_line

const nextTouchOf = ({ plan }: ComposedTouch) => (plan.nextTouchAt === undefined ? null : fromMillis(plan.nextTouchAt))

const isOfChannel = <Channel extends WrittenMessage["channel"]>(
  message: WrittenMessage,
  channel: Channel
): message is Extract<WrittenMessage, { readonly channel: Channel }> => message.channel === channel

const messagesOf = <Channel extends WrittenMessage["channel"]>(
  items: ReadonlyArray<ComposedTouch>,
  channel: Channel
): ReadonlyArray<MessageOfTouch<Channel>> =>
  items.flatMap((item) => {
    if (item.content._tag === "Parked") return []
    const { message } = item.content.written
    return isOfChannel(message, channel) ? [{ ...item, message }] : []
  })

/** Stores composed messages as queued, with the tasks that send them. */
const makeQueueMessages = Effect.gen(function* () {
  const tasks = yield* TaskQueue
  const mails = yield* MailQueue
  const chats = yield* ChatAppQueue
  const calls = yield* VoiceQueue
  const domain = yield* MailDomain
  const invitations = yield* MailedInvitations

  const enqueueSending = <Payload>(
    items: ReadonlyArray<ComposedTouch>,
    payloads: ReadonlyArray<Payload>,
    { normal, urgent }: { readonly urgent: Task<Payload>; readonly normal: Task<Payload> }
  ) =>
    Effect.gen(function* () {
      const isUrgent = items.map(isAwaited)
      yield* tasks.enqueueMany(
        urgent,
        payloads.filter((_, place) => isUrgent[place]).map((payload) => ({ payload }))
      )
      yield* tasks.enqueueMany(
        normal,
        payloads.filter((_, place) => !isUrgent[place]).map((payload) => ({ payload, priority: sendingPriority }))
      )
    })

  /** The calendar invitation of a mail that announces or cancels a meeting. */
  const invitationOf = (item: ComposedTouch) => {
    const { facts, plan, touch } = item
    const isCancelled = plan.kind._tag === "meeting_cancelled"
    if (!isCancelled && plan.kind._tag !== "meeting_booked") return Effect.succeed(undefined)
    return invitations
      .attach({
        touchId: touch.touchId,
        cancelledId: isCancelled ? facts.cancelled_meeting?.meeting_id : undefined,
        from: { name: facts.mail_display_name ?? facts.account_name, address: `${facts.handle}@${domain}` }
      })
      .pipe(asCaller(item))
  }

  const mailOf = (item: MessageOfTouch<"email">) =>
    Effect.map(invitationOf(item), (invitation) => {
      const { facts, message, plan, touch } = item
      const thread = facts.thread_message_id
      return {
        ...touch,
        invitation,
        messageType: plan.messageType,
        handle: facts.handle,
        domain,
        toAddress: facts.email,
        subject: message.subject,
        body: message.body,
        inReplyTo: thread,
        references: thread === null ? [] : [...(facts.thread_references ?? []), thread].slice(-mostReferences)
      }
    })

  const queueMails = (items: ReadonlyArray<MessageOfTouch<"email">>) =>
    Effect.gen(function* () {
      if (items.length === 0) return
      const queued = yield* mails.add(yield* Effect.forEach(items, mailOf))
      const payloads = Array.zipWith(items, queued, ({ accountId }, { id }) => ({ accountId, emailMessageId: id }))
      yield* enqueueSending(items, payloads, { urgent: sendUrgentEmail, normal: sendEmail })
    })

  const queueChats = (items: ReadonlyArray<MessageOfTouch<"chatapp">>) =>
    Effect.gen(function* () {
      if (items.length === 0) return
      const ids = yield* chats.add(
        items.map(({ facts, message, plan, touch }) => ({
          ...touch,
          messageType: plan.messageType,
          phone: facts.phone,
          body: message.body
        }))
      )
      const payloads = Array.zipWith(items, ids, ({ accountId }, id) => ({ accountId, chatAppMessageId: id }))
      yield* enqueueSending(items, payloads, { urgent: sendUrgentChatAppMessage, normal: sendChatAppMessage })
    })

  const queueCalls = (items: ReadonlyArray<MessageOfTouch<"voice">>) =>
    Effect.gen(function* () {
      if (items.length === 0) return
      const ids = yield* calls.add(
        items.map(({ facts, message: { body: goal, openingLine }, touch }) => ({
          ...touch,
          phone: facts.phone,
          goal,
          openingLine
        }))
      )
      yield* tasks.enqueueMany(
        placeVoiceCall,
        Array.zipWith(items, ids, ({ accountId }, id) => ({ payload: { accountId, voiceCallRequestId: id } }))
      )
    })

  return (items: ReadonlyArray<ComposedTouch>) =>
    Effect.gen(function* () {
      yield* queueMails(messagesOf(items, "email"))
      yield* queueChats(messagesOf(items, "chatapp"))
      yield* queueCalls(messagesOf(items, "voice"))
    })
})

const makeQueueServices = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const guard = yield* SendGuard
  const usage = yield* LanguageUsage
  const questions = yield* LeadQuestions
  const parkedDelivery = yield* makeParkedDelivery
  const queueMessages = yield* makeQueueMessages
  const { end, logTimingReason } = yield* makeEndTouches
  return { end, guard, logTimingReason, parkedDelivery, questions, queueMessages, sql, unit, usage }
})
type QueueServices = Effect.Effect.Success<typeof makeQueueServices>

const makeBlocks = ({ end, guard, sql }: QueueServices) => {
  const endBlocked = ({ facts, plan, touch }: ComposedTouch, block: SendBlock) =>
    Effect.gen(function* () {
      if (block === "blacklisted") {
        const { email, phone } = facts
        yield* countBlockOf(sql, touch.accountId, plan.channel === "email" ? { email } : { phone })
      }
      const now = yield* Clock.currentTimeMillis
      const next = staysDue(block) ? now : now + blockedRetryDelay
      yield* end(touch, "skipped", block, facts.notice === null && !facts.is_holding_line ? next : undefined)
    })

  /** Ends blocked touches, and returns the others. */
  const filterUnblocked = (items: ReadonlyArray<ComposedTouch>) =>
    Effect.gen(function* () {
      const blocks = yield* guard.check(
        items.map(({ plan, touch }) => ({ ...touch, channel: plan.channel, isAutonomous: true }))
      )
      const checkedItems = Array.zip(items, blocks)
      for (const [item, block] of checkedItems) if (Option.isSome(block)) yield* endBlocked(item, block.value)
      return checkedItems.flatMap(([item, block]) => (Option.isNone(block) ? [item] : []))
    })

  return { filterUnblocked }
}
const makeQueuedTouches = ({ logTimingReason, parkedDelivery, questions, sql, unit }: QueueServices) => {
  const unappliedOf = ({ content }: ComposedTouch) => (content._tag === "Written" ? content.written.unapplied : [])

  const rowOf = (item: ComposedTouch) => ({
    account_id: item.touch.accountId,
    touch_id: item.touch.touchId,
    channel: item.plan.channel,
    message_type: item.plan.messageType,
    answers: settledSubjects(item.facts, item.plan),
    carries: carriedContent(item.facts, item.plan, unappliedOf(item)),
    rests_on: item.content._tag === "Written" ? sourcesOf(item.facts, item.plan, item.content.written.restsOn) : [],
    not_applied: notAppliedOf(unappliedOf(item), languageOf(item.facts.account_language)),
    trial: item.trial ?? null
  })

  /** Marks open touches as queued, and returns those. */
  const markQueued = (items: ReadonlyArray<ComposedTouch>) =>
    Effect.gen(function* () {
      if (items.length === 0) return []
      const accounts = [...new Set(items.map(({ accountId }) => accountId))]
      const rows = yield* sql<{ readonly touch_id: number }>`
        update touch t set status = 'queued', channel = w.channel, message_type = w.message_type,
          answers = array(select jsonb_array_elements_text(w.answers)), carries = w.carries, rests_on = w.rests_on,
          not_applied = w.not_applied, trial = w.trial
        from jsonb_to_recordset(${JSON.stringify(items.map(rowOf))}::jsonb) as w (account_id bigint, touch_id bigint,
          channel text, message_type text, answers jsonb, carries jsonb, rests_on jsonb, not_applied jsonb, trial jsonb)
        where t.account_id = any (${accounts}::bigint[])
          and t.account_id = w.account_id and t.touch_id = w.touch_id and t.status = 'writing'
        returning t.touch_id`.pipe(fromSql())
      const queued = new Set(rows.map(({ touch_id }) => touch_id))
      return items.filter(({ touch }) => queued.has(touch.touchId))
    })

  /** Removes the messages that are now being sent from the lead's instructions. */
  const takeFromInstructions = ({ facts, touch }: ComposedTouch, delivered: ReadonlyArray<ParkedMessage>) =>
    Effect.gen(function* () {
      const rows = yield* sql<{ readonly instructions: string | null }>`
        select next_touch_instructions as instructions from lead
        where account_id = ${touch.accountId} and lead_id = ${touch.leadId}`.pipe(fromSql())
      const now = single(rows).instructions
      const plannedInstructions = facts.next_touch_instructions
      yield* setInstructions(
        sql,
        touch,
        instructionsAfter({ now, seen: plannedInstructions, delivered, areFollowed: false })
      )
    })

  /**
   * If the owner answered while the message was being written, the answer is sent soon instead of at the next touch of
   * the cadence.
   */
  const passOnNewAnswers = (items: ReadonlyArray<ComposedTouch>) =>
    Effect.forEach(
      unit.perAccount(items),
      (part) =>
        Effect.gen(function* () {
          const answered = yield* sql<LeadKey>`
            select distinct d.account_id as "accountId", d.lead_id as "leadId"
            from unnest(${part.map(({ accountId }) => accountId)}::bigint[],
                ${part.map(({ touch }) => touch.touchId)}::bigint[],
                ${part.map(({ facts, plan }) => carriedContent(facts, plan)?.answer_id ?? null)}::bigint[])
                as written (account_id, touch_id, answer_id)
              join touch t on t.account_id = written.account_id and t.touch_id = written.touch_id
              join lead_answer_delivery d on d.account_id = t.account_id and d.lead_id = t.lead_id
            where t.account_id = any (${part.map(({ accountId }) => accountId)}::bigint[])
              and d.account_id = any (${part.map(({ accountId }) => accountId)}::bigint[])
              and d.status = 'queued' and d.created_at > t.created_at
              and d.answer_id is distinct from written.answer_id`.pipe(fromSql())
          for (const { accountId, leadId } of answered) {
            yield* scheduleNow(sql, accountId, sql`select ${leadId}::bigint`)
            yield* wakeDispatcher(sql, accountId)
          }
        }),
      { discard: true }
    )

  /** Counts the touches and schedules the next ones. Meeting notices are not part of the cadence. */
  const continueCadence = (items: ReadonlyArray<ComposedTouch>) =>
    Effect.gen(function* () {
      const touches = items.filter(({ facts }) => facts.notice === null && !facts.is_holding_line)
      if (touches.length === 0) return
      const nextTouches = touches.map((item) => ({ ...item.touch, at: nextTouchOf(item) }))
      yield* countTouches(sql, nextTouches)
      yield* wakeDispatcherForAll(
        sql,
        unit,
        nextTouches.filter(({ at }) => at !== null)
      )
      yield* passOnNewAnswers(touches)
      for (const item of touches) {
        if (item.content._tag === "Parked") yield* takeFromInstructions(item, item.content.parked)
        yield* logTimingReason(item.touch, item.plan.timing)
      }
    })

  /** A message may promise an answer of the owner. The message and the question to the owner are stored together. */
  const askOwner = (item: ComposedTouch) => {
    if (item.content._tag === "Parked") return Effect.void
    return Effect.forEach(
      item.content.written.owes,
      ({ isDocument, proposal, question }) =>
        questions.ask(item.touch.leadId, question, item.plan.channel, {
          proposal,
          owed: isDocument === true ? "document" : "answer"
        }),
      { discard: true }
    ).pipe(asCaller(item))
  }

  const queueParked = ({ content, facts, plan, touch }: ComposedTouch) =>
    content._tag === "Parked" ? parkedDelivery.queue(touch, plan.messageType, facts.phone, content.ready) : Effect.void

  return { markQueued, continueCadence, askOwner, queueParked }
}
/**
 * Queues the content of touches, a batch in one transaction. A blocked touch ends here. A touch is skipped if another
 * run of its task or a reply has already handled it.
 */
export const makeQueueTouches = Effect.gen(function* () {
  const services = yield* makeQueueServices
  const { queueMessages, sql, usage } = services
  const { filterUnblocked } = makeBlocks(services)
  const { askOwner, continueCadence, markQueued, queueParked } = makeQueuedTouches(services)
  const queueAll = (
    items: ReadonlyArray<ComposedTouch>,
    locking: Locking
  ): Effect.Effect<ReadonlyArray<Option.Option<true>>, Transient> =>
    Effect.gen(function* () {
      const areLocked = yield* lockLeads(
        sql,
        items.map(({ touch }) => touch),
        locking
      )
      const lockedItems = items.filter((_, place) => areLocked[place])
      if (lockedItems.length === 0) return items.map(() => Option.none())
      const queued = yield* markQueued(yield* filterUnblocked(lockedItems))
      yield* continueCadence(queued)
      yield* Effect.forEach(queued, askOwner, { discard: true })
      yield* queueMessages(queued)
      yield* Effect.forEach(queued, queueParked, { discard: true })
      yield* usage.addAll(
        "write_message",
        lockedItems.flatMap(({ accountId, usage }) => (usage === undefined ? [] : [{ accountId, usage }]))
      )
      return areLocked.map((isLocked) => (isLocked ? Option.some(true) : Option.none()))
    })
  return yield* makeGroupedTransactions({
    name: "touches",
    mostItems: mostTouches,
    keyOf: ({ touch }: ComposedTouch) => touch.leadId,
    write: queueAll
  })
})
