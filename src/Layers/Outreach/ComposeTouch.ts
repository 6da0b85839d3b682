import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Either, Option } from "effect"
import { type Transient, transient } from "../../Errors.ts"
import { MeetingTimes } from "../../Services/Calendar/MeetingTimes.ts"
import { ChatAppOpenings } from "../../Services/ChatApp/ChatAppOpenings.ts"
import { instructionsAfter, type ParkedMessage } from "../../Services/ChatApp/ChatAppParking.ts"
import { ChatAppQueue } from "../../Services/ChatApp/ChatAppQueue.ts"
import { Caller } from "../../Services/Core/Caller.ts"
import { fromMillis } from "../../Services/Core/Timestamp.ts"
import { UnitOfWork } from "../../Services/Core/UnitOfWork.ts"
import { AccountEvents } from "../../Services/Events/AccountEvents.ts"
import { Notifications } from "../../Services/Events/Notifications.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import { MailDomain } from "../../Services/Leads/LeadEmails.ts"
import { Leads } from "../../Services/Leads/Leads.ts"
import { MailQueue } from "../../Services/Mail/MailQueue.ts"
import { MailedInvitations } from "../../Services/Meetings/MailedInvitations.ts"
import { type DueNotice, MeetingNotices } from "../../Services/Meetings/MeetingNotices.ts"
import type { LanguageModelFailed } from "../../Services/Models/LanguageModel.ts"
import { LanguageUsage } from "../../Services/Models/LanguageUsage.ts"
import { isOutage, ModelOutages } from "../../Services/Models/ModelOutages.ts"
import { LeadQuestions } from "../../Services/Outcomes/LeadQuestions.ts"
import type { Trial } from "../../Services/Outreach/Adjustments.ts"
import { BookingLinks } from "../../Services/Outreach/BookingLinks.ts"
import {
  placeVoiceCall,
  sendChatAppMessage,
  sendEmail,
  sendUrgentChatAppMessage,
  sendUrgentEmail
} from "../../Services/Outreach/OutreachTasks.ts"
import { isPassedOver, SendGuard } from "../../Services/Outreach/SendGuard.ts"
import { TouchComposer, type WritePlan } from "../../Services/Outreach/TouchComposer.ts"
import type { TouchFacts } from "../../Services/Outreach/TouchFacts.ts"
import type { TouchEnd } from "../../Services/Outreach/TouchLedger.ts"
import { composeAnswer, composeTouch, type Touch } from "../../Services/Outreach/TouchTasks.ts"
import { afterOutage, carriedContent, sourcesOf, toldSubjects } from "../../Services/Outreach/WrittenTouch.ts"
import type { EffectiveConfiguration } from "../../Services/Prospecting/EffectiveConfiguration.ts"
import { ProspectingConfig } from "../../Services/Prospecting/ProspectingConfig.ts"
import type { TouchTime } from "../../Services/Timing/TouchTime.ts"
import { VoiceQueue } from "../../Services/Voice/VoiceQueue.ts"
import type { FactSource } from "../../Services/Writing/FactSource.ts"
import type { Writing } from "../../Services/Writing/Writer.ts"
import type { WrittenMessage } from "../../Services/Writing/WritingBrief.ts"
import { recordInHistory } from "../Leads/Sql/History.ts"
import { countTouch, nextTouch } from "../Leads/Sql/Schedule.ts"
import { handle, type TaskInfo } from "../Platform/Jobs/TaskHandler.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { wakeDispatcher } from "../Prospecting/Sql.ts"
import { makeParkedDelivery } from "./ParkedDelivery.ts"
import { isBatchable, makeQueueTouches, sendingPriority } from "./QueueTouches.ts"
import { canChat, parkedMessages, timesWanted } from "./TouchBrief.ts"
import { makeTouchFacts } from "./TouchFacts.ts"
import { makeSteering } from "./TouchSteeringFacts.ts"

const hour = 3_600_000

interface Attempt {
  readonly attempt: number
  readonly isLast: boolean
}

type Written = Extract<Writing, { readonly _tag: "Written" }>

/** Makes the handler's work: decide, write, and queue, each touch to its end. */
const makeCompose = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const tasks = yield* TaskQueue
  const guard = yield* SendGuard
  const configs = yield* ProspectingConfig
  const composer = yield* TouchComposer
  const bookingLinks = yield* BookingLinks
  const questions = yield* LeadQuestions
  const usage = yield* LanguageUsage
  const outages = yield* ModelOutages
  const leads = yield* Leads
  const notifications = yield* Notifications
  const events = yield* AccountEvents
  const domain = yield* MailDomain
  const factsOf = yield* makeTouchFacts
  const queuedTogether = yield* makeQueueTouches
  const parked = yield* makeParkedDelivery
  const openings = yield* ChatAppOpenings
  const mails = yield* MailQueue
  const chats = yield* ChatAppQueue
  const calls = yield* VoiceQueue
  const meetingNotices = yield* MeetingNotices
  const steeringOf = yield* makeSteering
  const times = yield* MeetingTimes
  const invitations = yield* MailedInvitations

  /** Whether a paid opening on the messaging app is allowed, and the caps leave room for one. */
  const mayOpen = ({ accountId }: Touch, facts: TouchFacts, config: EffectiveConfiguration) =>
    !config.allow_template_chatapp_messages || facts.is_chat_window_open || !canChat(facts)
      ? Effect.succeed(config.allow_template_chatapp_messages)
      : openings.areAffordable(accountId)

  /**
   * Ends a touch that is still waiting; a reply that made it pointless has set the next one itself. A notice of a meeting
   * leaves the lead's schedule alone: what is set is when the lead is reminded instead. Of looks at a lead that end alike
   * one after another the last one is kept.
   */
  const end = (touch: Touch, touchEnd: TouchEnd, reason: string, nextTouchAt: number | undefined) => {
    const { accountId, leadId, touchId } = touch
    const next = nextTouchAt === undefined ? null : fromMillis(nextTouchAt)
    return Effect.gen(function* () {
      const [told] = yield* sql<DueNotice>`
        with ended as (
          update touch set status = ${touchEnd}, reason = ${reason}, finished_at = instant()
          where account_id = ${accountId} and touch_id = ${touchId}
            and status = 'writing'
          returning account_id, meeting_id, notice
        ), same_before as (
          delete from touch where account_id = ${accountId} and touch_id = (
            select touch_id from touch t where t.account_id = ${accountId} and t.lead_id = ${leadId}
              and t.touch_id < ${touchId} and t.meeting_id is null order by touch_id desc limit 1
          ) and status = 'skipped' and reason = ${reason} and channel is null
            and exists (select from ended where meeting_id is null)
        ), scheduled as (
          ${nextTouch(sql, touch, next)} and exists (select from ended where meeting_id is null)
        )
        select account_id as "accountId", meeting_id as "meetingId", notice from ended
        where meeting_id is not null and ${next}::timestamptz is not null`.pipe(fromSql())
      if (told !== undefined && next !== null) yield* meetingNotices.postpone(told, next)
      yield* wakeDispatcher(sql, accountId, next)
    })
  }

  /** Writes into the lead's history why its next touch is at its hour. */
  const logTimingReason = ({ accountId, leadId }: Touch, timing: TouchTime | undefined) =>
    Effect.gen(function* () {
      if (timing === undefined) return
      const { at, hour, reason, weekday } = timing
      // A reply that was faster has set another time.
      const set = yield* sql`
        select from lead where account_id = ${accountId} and lead_id = ${leadId} and next_touch_at = ${fromMillis(at)}`
      if (set.length === 0) return
      const why =
        reason._tag === "Trial"
          ? { reason: `optimizer_${reason.part}`, data: {} }
          : { reason: `best_hours_of_${reason.source}`, data: { source: reason.source, reply_count: reason.replies } }
      yield* recordInHistory(sql, {
        accountId,
        leadId,
        event: "touch_scheduled",
        actor: "platform",
        reason: why.reason,
        data: { next_touch_at: fromMillis(at), weekday, hour, ...why.data }
      })
    }).pipe(fromSql())

  /** Writes into the lead's history that a holiday where it lives has put its touch off. */
  const tellHoliday = ({ accountId, leadId }: Touch, nextTouchAt: number | undefined) =>
    nextTouchAt === undefined
      ? Effect.void
      : recordInHistory(sql, {
          accountId,
          leadId,
          event: "touch_scheduled",
          actor: "platform",
          reason: "public_holiday",
          data: { next_touch_at: fromMillis(nextTouchAt) }
        }).pipe(fromSql())

  /** The message's row, `queued`, and the task that sends it. */
  const queue = (touch: Touch, facts: TouchFacts, plan: WritePlan, message: WrittenMessage) =>
    Effect.gen(function* () {
      const { accountId, leadId, touchId } = touch
      const isAwaited = plan.messageType === "response" || facts.notice !== null
      switch (message.channel) {
        case "email": {
          const thread = facts.thread_message_id
          const isOff = plan.kind._tag === "meeting_cancelled"
          const invitation =
            plan.kind._tag === "meeting_booked" || isOff
              ? yield* invitations.attach({
                  touchId,
                  cancelledId: isOff ? facts.cancelled_meeting?.meeting_id : undefined,
                  from: { name: facts.mail_display_name ?? facts.account_name, address: `${facts.handle}@${domain}` }
                })
              : undefined
          const { id } = yield* mails.add({
            accountId,
            invitation,
            leadId,
            touchId,
            messageType: plan.messageType,
            handle: facts.handle,
            domain,
            toAddress: facts.email,
            subject: message.subject,
            body: message.body,
            inReplyTo: thread,
            references: thread === null ? [] : [...(facts.thread_references ?? []), thread].slice(-20)
          })
          return yield* isAwaited
            ? tasks.enqueue(sendUrgentEmail, { accountId, emailMessageId: id })
            : tasks.enqueue(sendEmail, { accountId, emailMessageId: id }, { priority: sendingPriority })
        }
        case "chatapp": {
          const { messageType } = plan
          const id = yield* chats.add({
            accountId,
            leadId,
            touchId,
            messageType,
            phone: facts.phone,
            body: message.body
          })
          return yield* isAwaited
            ? tasks.enqueue(sendUrgentChatAppMessage, { accountId, chatAppMessageId: id })
            : tasks.enqueue(sendChatAppMessage, { accountId, chatAppMessageId: id }, { priority: sendingPriority })
        }
        case "voice": {
          const { body: goal, openingLine } = message
          const id = yield* calls.add({ accountId, leadId, touchId, phone: facts.phone, goal, openingLine })
          return yield* tasks.enqueue(placeVoiceCall, { accountId, voiceCallRequestId: id })
        }
      }
    })

  /** What the lead's next touch is told, once `delivered` is on its way. */
  const instructionsLeft = ({ accountId, leadId }: Touch, facts: TouchFacts, delivered: ReadonlyArray<ParkedMessage>) =>
    sql<{ readonly instructions: string | null }>`
      select next_touch_instructions as instructions from lead
      where account_id = ${accountId} and lead_id = ${leadId}`.pipe(
      Effect.map((rows) =>
        instructionsAfter({
          now: single(rows).instructions,
          seen: facts.next_touch_instructions,
          delivered,
          areFollowed: false
        })
      ),
      fromSql()
    )

  /** Queues what a touch sends, by `enqueue`, if nothing stops the lead; `delivered` are messages of the owner's. */
  const commit = (
    touch: Touch,
    facts: TouchFacts,
    plan: WritePlan,
    enqueue: Effect.Effect<void, Transient, Caller>,
    {
      delivered = [],
      sources = [],
      trial
    }: {
      readonly delivered?: ReadonlyArray<ParkedMessage>
      readonly sources?: ReadonlyArray<FactSource>
      readonly trial?: Trial | undefined
    } = {}
  ) =>
    unit.write(
      Effect.gen(function* () {
        const { accountId, leadId, touchId } = touch
        const block = yield* guard.check({ accountId, leadId, channel: plan.channel, isAutonomous: true, touchId })
        if (Option.isSome(block)) {
          const now = yield* Clock.currentTimeMillis
          const again = isPassedOver(block.value) ? now : now + hour
          return yield* end(touch, "skipped", block.value, facts.notice === null ? again : undefined)
        }
        const carried = carriedContent(facts, plan)
        const waiting = yield* sql`
          update touch set status = 'queued', channel = ${plan.channel}, message_type = ${plan.messageType},
            answers = ${toldSubjects(facts, plan)}::text[], carries = ${carried === null ? null : JSON.stringify(carried)}::jsonb,
            rests_on = ${JSON.stringify(sources)}::jsonb,
            trial = ${trial === undefined ? null : JSON.stringify(trial)}::jsonb
          where account_id = ${accountId} and touch_id = ${touchId} and status = 'writing' returning touch_id`.pipe(
          fromSql()
        )
        // Another run of the task was faster, or a reply made this touch pointless.
        if (waiting.length === 0) return
        if (facts.notice !== null) return yield* enqueue
        const next = plan.nextTouchAt === undefined ? null : fromMillis(plan.nextTouchAt)
        yield* countTouch(sql, touch, { instructions: yield* instructionsLeft(touch, facts, delivered), at: next })
        yield* wakeDispatcher(sql, accountId, next)
        yield* logTimingReason(touch, plan.timing)
        yield* enqueue
      })
    )

  /** The owner's own words need no writer. */
  const deliverParked = (
    touch: Touch,
    facts: TouchFacts,
    plan: WritePlan,
    messages: ReadonlyArray<ParkedMessage>,
    isLastAttempt: boolean
  ) =>
    Effect.flatMap(parked.withFiles(messages, isLastAttempt), (ready) =>
      commit(touch, facts, plan, parked.queue(touch, plan.messageType, facts.phone, ready), { delivered: messages })
    )

  /** The message, and the task of the owner's that it promises the lead: neither is there without the other. */
  const promised = (touch: Touch, facts: TouchFacts, plan: WritePlan, { message, owes }: Written) =>
    Effect.zipRight(
      owes === undefined ? Effect.void : questions.ask(touch.leadId, owes, plan.channel),
      queue(touch, facts, plan, message)
    )

  /** What could not be written well is a person's to decide. */
  const askForReview = (touch: Touch, facts: TouchFacts, reason: string) => {
    if (facts.notice !== null) return unit.write(end(touch, "failed", reason, undefined))
    return unit
      .write(
        Effect.gen(function* () {
          const { leadId } = touch
          yield* end(touch, "skipped", reason, undefined)
          yield* leads.transition(leadId, "flag_for_review", { actor: "platform", reason })
          yield* notifications.tellOfLead(
            {
              kind: "lead_sent_for_human_review",
              leadId,
              why: reason === "answer_in_another_language" ? reason : "message_not_written"
            },
            { reason }
          )
          yield* events.append({ type: "lead_sent_for_human_review", data: { lead_id: leadId, reason } })
        })
      )
      .pipe(
        // The lead was deleted or taken over meanwhile: there is nothing left to review.
        Effect.catchTags({ NotFound: () => Effect.void, Refused: () => Effect.void })
      )
  }

  /** An outage is nobody's to decide on: the touch waits, and the account is told once. */
  const deferForOutage = (touch: Touch) =>
    unit.write(
      Effect.gen(function* () {
        const { isNews } = yield* outages.failed(touch.accountId)
        yield* end(
          touch,
          "skipped",
          "language_model_unavailable",
          afterOutage(touch.leadId, yield* Clock.currentTimeMillis)
        )
        if (isNews) yield* notifications.tell({ kind: "language_model_unavailable" })
      })
    )

  const modelFailed = (touch: Touch, facts: TouchFacts, failure: LanguageModelFailed, info: Attempt) => {
    if (isOutage(failure) && (info.attempt > 1 || info.isLast)) return deferForOutage(touch)
    return info.isLast
      ? askForReview(touch, facts, `language_model_${failure.reason}`)
      : Effect.fail(transient("language_model_unavailable", "The language model gave no usable answer.", 30))
  }

  const composeAndQueue = (touch: Touch, facts: TouchFacts, info: Attempt): Effect.Effect<void, Transient, Caller> =>
    Effect.gen(function* () {
      const config = yield* configs.effectiveApart(facts.campaign_id)
      const mayOpenChat = yield* unit.read(mayOpen(touch, facts, config))
      const steering = yield* unit.read(steeringOf(touch, facts, { config, mayOpenChat }))
      const plan = composer.plan(touch, facts, { config, mayOpenChat, now: yield* Clock.currentTimeMillis, steering })
      if (plan._tag === "Skip") {
        return yield* unit.write(
          Effect.zipRight(
            end(touch, "skipped", plan.reason, plan.nextTouchAt),
            plan.reason === "public_holiday"
              ? tellHoliday(touch, plan.nextTouchAt)
              : logTimingReason(touch, plan.timing)
          )
        )
      }

      if (plan.isParkedMessage) {
        return yield* deliverParked(touch, facts, plan, parkedMessages(facts, mayOpenChat), info.isLast)
      }
      const wanted = timesWanted(facts, plan)
      const at =
        wanted === undefined
          ? []
          : yield* unit.read(
              times.proposalsFor({
                leadId: touch.leadId,
                ...wanted,
                window: { startHour: config.send_window_start_hour, endHour: config.send_window_end_hour }
              })
            )
      const known =
        wanted === undefined || at.length === 0 ? facts : { ...facts, free_times: { at, timeZone: wanted.zone } }
      // A notice of a meeting has its time already; who is called opens no link, and an opening has no room for one.
      const takesLink =
        facts.notice === null && (plan.channel === "email" || (plan.channel === "chatapp" && facts.is_chat_window_open))
      const bookingLink = takesLink ? yield* bookingLinks.of(touch.leadId) : undefined
      const writing = yield* Effect.either(composer.write(touch, known, config, plan, { bookingLink }))
      if (Either.isLeft(writing)) {
        return yield* writing.left._tag === "Transient" ? writing.left : modelFailed(touch, facts, writing.left, info)
      }
      if (facts.is_model_out) yield* outages.answered
      if (writing.right._tag === "Written") {
        const item = { touch, facts, plan, written: writing.right, usage: writing.right.usage, trial: steering.trial }
        if (isBatchable(item) && (yield* queuedTogether(item))) return
      }
      if (writing.right.usage !== undefined) {
        yield* usage.add(touch.accountId, "write_message", writing.right.usage)
      }
      return yield* writing.right._tag === "NeedsReview"
        ? askForReview(touch, facts, writing.right.reason)
        : commit(touch, facts, plan, promised(touch, facts, plan, writing.right), {
            sources: sourcesOf(facts, plan, writing.right.restsOn),
            trial: steering.trial
          })
    })

  return (touch: Touch, info: Attempt): Effect.Effect<void, Transient> =>
    Effect.gen(function* () {
      const facts = yield* factsOf(touch)
      if (facts === undefined) return
      yield* composeAndQueue(touch, facts, info).pipe(
        Effect.provideService(Caller, Caller.forTask(touch.accountId, facts.plan, `touch-${touch.touchId}`))
      )
    })
})

/** The handlers of `composeTouch` and `composeAnswer`, on behalf of the lead's account. */
export const makeComposeHandlers = Effect.map(makeCompose, (compose) => {
  const run = (touch: Touch, { attempt, maxAttempts }: TaskInfo) =>
    compose(touch, { attempt, isLast: attempt >= maxAttempts })
  return { touch: handle(composeTouch, run), answer: handle(composeAnswer, run) }
})
export const makeComposeTouchHandler = Effect.map(makeComposeHandlers, ({ touch }) => touch)
