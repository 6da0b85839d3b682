import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Option, Schema } from "effect"
import { type Transient, transient } from "../../Errors.ts"
import type { AccountId } from "../../Services/Account.ts"
import { AccountEvents } from "../../Services/AccountEvents.ts"
import { Accounts } from "../../Services/Accounts.ts"
import { Caller } from "../../Services/Caller.ts"
import type { EffectiveConfiguration } from "../../Services/EffectiveConfiguration.ts"
import type { LanguageModelFailed } from "../../Services/LanguageModel.ts"
import { LanguageUsage } from "../../Services/LanguageUsage.ts"
import { MailDomain } from "../../Services/LeadEmails.ts"
import type { LeadId } from "../../Services/LeadModel.ts"
import { Leads } from "../../Services/Leads.ts"
import { timeZoneOf } from "../../Services/LocalTime.ts"
import { languageOf } from "../../Services/language/Language.ts"
import { Notifications } from "../../Services/Notifications.ts"
import { placeVoiceCall, sendChatAppMessage, sendEmail } from "../../Services/OutreachTasks.ts"
import { ProspectingConfig } from "../../Services/ProspectingConfig.ts"
import { ReplyReading } from "../../Services/ReplyReading.ts"
import { SendGuard } from "../../Services/SendGuard.ts"
import { TaskQueue } from "../../Services/TaskQueue.ts"
import { fromMillis } from "../../Services/Timestamp.ts"
import type { TouchEnd, TouchId } from "../../Services/TouchLedger.ts"
import { planTouch, type TouchPlan } from "../../Services/TouchPlan.ts"
import { composeTouch } from "../../Services/TouchTasks.ts"
import { UnitOfWork } from "../../Services/UnitOfWork.ts"
import { Writer } from "../../Services/Writer.ts"
import type { WritingBrief, WrittenMessage } from "../../Services/WritingBrief.ts"
import { handle } from "../Jobs/TaskHandler.ts"
import { fromSql, single } from "../Postgres/Sql.ts"
import { makeTouchFacts, type TouchFacts } from "./TouchFacts.ts"

const decodeReading = Schema.decodeUnknownOption(ReplyReading)

interface Touch {
  readonly accountId: AccountId
  readonly leadId: LeadId
  readonly touchId: TouchId
}

type WritePlan = Extract<TouchPlan, { readonly _tag: "Write" }>

const text = (value: string | null | undefined): string | undefined =>
  value === null || value === undefined || value.trim() === "" ? undefined : value

/** Leaves members out whose value is missing. */
const given = <A extends object>(members: A): { readonly [K in keyof A]?: Exclude<A[K], undefined> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never

const planOf = (touch: Touch, facts: TouchFacts, config: EffectiveConfiguration, now: number): TouchPlan => {
  const reading = facts.reply === null ? Option.none() : decodeReading(facts.reply.classification)
  return planTouch({
    leadId: touch.leadId,
    now,
    zone: timeZoneOf({ ...facts, timeZone: facts.time_zone }, facts.account_time_zone),
    window: { startHour: config.send_window_start_hour, endHour: config.send_window_end_hour },
    isContacted: facts.is_contacted,
    isPassive: config.mode === "Passive",
    hasWritten: facts.conversation.some(({ direction }) => direction === "inbound"),
    reply:
      facts.reply !== null && Option.isSome(reading)
        ? { channel: facts.reply.channel, reading: reading.value, text: facts.reply.text }
        : undefined,
    answer: facts.answer === null ? undefined : { question: facts.answer.question, answer: facts.answer.answer },
    ownerContext: facts.owner_context ?? undefined,
    hasInstructions: text(facts.next_touch_instructions) !== undefined,
    referredBy: facts.referred_by ?? undefined,
    canEmail: facts.can_email,
    canChat: facts.can_phone && !facts.is_chat_failed && facts.is_line_live,
    isChatWindowOpen: facts.is_chat_window_open,
    mayOpenChat: config.allow_template_chatapp_messages,
    canCall: facts.can_phone && config.voice_calling_active,
    preferred: facts.preferred_channel,
    touchNumber: facts.touch_number
  })
}

const briefOf = (touch: Touch, facts: TouchFacts, config: EffectiveConfiguration, plan: WritePlan): WritingBrief => {
  const overlay = {
    email: config.email_instructions,
    chatapp: config.chatapp_instructions,
    voice: config.voice_instructions
  }[plan.channel]
  const website = text(config.business?.business_website)
  const general = [
    config.instructions,
    facts.instructions,
    facts.is_contacted ? null : facts.first_message_instructions
  ]
    .flatMap((part) => text(part) ?? [])
    .join("\n\n")
  return {
    channel: plan.channel,
    language: languageOf(facts.language ?? facts.account_language),
    kind: plan.kind,
    lead: {
      leadId: touch.leadId,
      name: facts.name,
      ...given({
        company: text(facts.company),
        jobTitle: text(facts.job_title),
        industry: text(facts.industry),
        city: text(facts.city),
        state: text(facts.state),
        country: text(facts.country),
        website: text(facts.website),
        background: text(facts.background)
      })
    },
    business: {
      name: text(config.business?.business_name) ?? facts.account_name,
      ...given({
        description: text(config.business?.business_description),
        website,
        idealCustomerProfile: text(config.business?.icp)
      }),
      answers: [],
      knowledge: []
    },
    sender: given({
      name: text(config.email_display_name) ?? facts.account_name,
      emailSignature: text(config.email_signature)
    }),
    instructions: given({
      general: text(general),
      channel: text(overlay),
      goal: text(facts.goal) ?? text(config.goal),
      strategy: text(config.strategy),
      nextTouch: text(facts.next_touch_instructions)
    }),
    links: website === undefined ? [] : [{ purpose: "website", url: website }],
    conversation: facts.conversation,
    ...(plan.channel === "email" && facts.thread_subject !== null ? { threadSubject: facts.thread_subject } : {})
  }
}

/** Makes the handler's work: decide, write, and queue, each touch to its end. */
const makeCompose = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const tasks = yield* TaskQueue
  const guard = yield* SendGuard
  const configs = yield* ProspectingConfig
  const writer = yield* Writer
  const usage = yield* LanguageUsage
  const leads = yield* Leads
  const notifications = yield* Notifications
  const events = yield* AccountEvents
  const domain = yield* MailDomain
  const factsOf = yield* makeTouchFacts

  /** Ends a touch that is still waiting; a reply that made it pointless has set the next one itself. */
  const end = (
    { accountId, leadId, touchId }: Touch,
    touchEnd: TouchEnd,
    reason: string,
    nextTouchAt: number | undefined
  ) =>
    sql`
      with ended as (
        update touch set status = ${touchEnd}, reason = ${reason}, finished_at = instant()
        where account_id = ${accountId} and touch_id = ${touchId} and status = 'writing' returning touch_id
      )
      update lead set next_touch_at = ${nextTouchAt === undefined ? null : fromMillis(nextTouchAt)}
      where account_id = ${accountId} and lead_id = ${leadId} and pipeline_state = 'in_pipeline'
        and exists (select from ended)`.pipe(fromSql(), Effect.asVoid)

  /** The message's row, `queued`, and the task that sends it. */
  const queue = (touch: Touch, facts: TouchFacts, plan: WritePlan, message: WrittenMessage) =>
    Effect.gen(function* () {
      const { accountId, leadId, touchId } = touch
      switch (message.channel) {
        case "email": {
          const { id } = single(
            yield* sql<{ readonly id: number }>`
              insert into email_message (account_id, lead_id, touch_id, direction, message_type, status, message_id,
                from_address, to_address, subject, body_text, in_reply_to, thread_references)
              values (${accountId}, ${leadId}, ${touchId}, 'outbound', ${plan.messageType}, 'queued',
                '<' || gen_random_uuid() || ${`@${domain}>`}, ${`${facts.handle}@${domain}`}, ${facts.email},
                ${message.subject}, ${message.body}, ${facts.thread_message_id},
                ${facts.thread_message_id === null ? [] : [...(facts.thread_references ?? []), facts.thread_message_id].slice(-20)}::text[])
              returning email_message_id as id`.pipe(fromSql())
          )
          return yield* tasks.enqueue(sendEmail, { accountId, emailMessageId: id })
        }
        case "chatapp": {
          const { id } = single(
            yield* sql<{ readonly id: number }>`
              insert into chatapp_message (account_id, lead_id, touch_id, direction, kind, message_type, status, phone, body)
              values (${accountId}, ${leadId}, ${touchId}, 'outbound', 'text', ${plan.messageType}, 'queued',
                ${facts.phone}, ${message.body})
              returning chatapp_message_id as id`.pipe(fromSql())
          )
          return yield* tasks.enqueue(sendChatAppMessage, { accountId, chatAppMessageId: id })
        }
        case "voice": {
          const { id } = single(
            yield* sql<{ readonly id: number }>`
              insert into voice_call (account_id, lead_id, touch_id, kind, phone, goal, opening_line, status)
              values (${accountId}, ${leadId}, ${touchId}, 'prospecting', ${facts.phone}, ${message.body},
                ${message.openingLine}, 'queued')
              returning voice_call_request_id as id`.pipe(fromSql())
          )
          return yield* tasks.enqueue(placeVoiceCall, { accountId, voiceCallRequestId: id })
        }
      }
    })

  const commit = (touch: Touch, facts: TouchFacts, plan: WritePlan, message: WrittenMessage) =>
    unit.write(
      Effect.gen(function* () {
        const { accountId, leadId, touchId } = touch
        const block = yield* guard.check({ accountId, leadId, channel: plan.channel, isAutonomous: true })
        if (Option.isSome(block)) return yield* end(touch, "skipped", block.value, undefined)
        const waiting = yield* sql`
          update touch set status = 'queued', channel = ${plan.channel}, message_type = ${plan.messageType}
          where account_id = ${accountId} and touch_id = ${touchId} and status = 'writing' returning touch_id`.pipe(
          fromSql()
        )
        // Another run of the task was faster, or a reply made this touch pointless.
        if (waiting.length === 0) return
        yield* sql`
          update lead set touch_count = touch_count + 1, next_touch_instructions = null, owner_context = null,
            next_touch_at = ${plan.nextTouchAt === undefined ? null : fromMillis(plan.nextTouchAt)}
          where account_id = ${accountId} and lead_id = ${leadId}`.pipe(fromSql())
        if (facts.answer !== null && plan.kind._tag === "answer_relay") {
          yield* sql`
            update lead_answer_delivery set status = 'delivered', delivered_at = instant()
            where account_id = ${accountId} and lead_id = ${leadId}
              and open_question_id = ${facts.answer.open_question_id} and status = 'queued'`.pipe(fromSql())
        }
        yield* queue(touch, facts, plan, message)
      })
    )

  /** What could not be written well is a person's to decide. */
  const askForReview = (touch: Touch, reason: string) =>
    unit
      .write(
        Effect.gen(function* () {
          const { leadId } = touch
          yield* end(touch, "skipped", reason, undefined)
          yield* leads.transition(leadId, "flag_for_review", { actor: "platform", reason })
          yield* notifications.notify({
            kind: "lead_sent_for_human_review",
            message: "A lead waits for your decision: the next message could not be written well.",
            data: { lead_id: leadId, reason }
          })
          yield* events.append({ type: "lead_sent_for_human_review", data: { lead_id: leadId, reason } })
        })
      )
      .pipe(
        // The lead was deleted or taken over meanwhile: there is nothing left to review.
        Effect.catchTags({ NotFound: () => Effect.void, Refused: () => Effect.void })
      )

  const modelFailed = (touch: Touch, failure: LanguageModelFailed, isLastAttempt: boolean) =>
    isLastAttempt
      ? askForReview(touch, `language_model_${failure.reason}`)
      : Effect.fail(transient("language_model_unavailable", "The language model gave no usable answer.", 30))

  return (touch: Touch, isLastAttempt: boolean): Effect.Effect<void, Transient, Caller> =>
    Effect.gen(function* () {
      const facts = yield* unit.read(factsOf(touch.accountId, touch.leadId, touch.touchId))
      if (facts === undefined) return
      const config = yield* configs.effective(facts.campaign_id)
      const plan = planOf(touch, facts, config, yield* Clock.currentTimeMillis)
      if (plan._tag === "Skip") return yield* unit.write(end(touch, "skipped", plan.reason, plan.nextTouchAt))

      const writing = yield* Effect.either(writer.write(briefOf(touch, facts, config, plan)))
      if (writing._tag === "Left") return yield* modelFailed(touch, writing.left, isLastAttempt)
      if (writing.right.usage !== undefined) {
        yield* usage.add(touch.accountId, "write_message", writing.right.usage)
      }
      return yield* writing.right._tag === "NeedsReview"
        ? askForReview(touch, writing.right.reason)
        : commit(touch, facts, plan, writing.right.message)
    })
})

/** The handler of `composeTouch`, on behalf of the lead's account. */
export const makeComposeTouchHandler = Effect.gen(function* () {
  const compose = yield* makeCompose
  const accounts = yield* Accounts
  return handle(composeTouch, (touch, { attempt, maxAttempts }) =>
    Effect.flatMap(
      accounts.planOf(touch.accountId),
      Option.match({
        onNone: () => Effect.void,
        onSome: (plan) =>
          Effect.provideService(compose(touch, attempt >= maxAttempts), Caller, {
            accountId: touch.accountId,
            plan,
            tokenId: undefined,
            requestId: `touch-${touch.touchId}`
          })
      })
    )
  )
})
