import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Option } from "effect"
import { type Transient, transient } from "../../Errors.ts"
import { Accounts } from "../../Services/Accounts/Accounts.ts"
import { countryOfAccount } from "../../Services/Blacklist/Blacklist.ts"
import { Caller } from "../../Services/Core/Caller.ts"
import { timeZoneOf, wallClock } from "../../Services/Core/LocalTime.ts"
import { type Timestamp, toMillis } from "../../Services/Core/Timestamp.ts"
import { UnitOfWork } from "../../Services/Core/UnitOfWork.ts"
import { Notifications } from "../../Services/Events/Notifications.ts"
import type { LeadStatus, PipelineState } from "../../Services/Leads/Ids.ts"
import { Meetings, type MeetingView } from "../../Services/Meetings/Meetings.ts"
import type { LanguageModelFailed } from "../../Services/Models/LanguageModel.ts"
import { LanguageUsage } from "../../Services/Models/LanguageUsage.ts"
import { isOutage, ModelOutages, outageNotification } from "../../Services/Models/ModelOutages.ts"
import { LeadQuestions } from "../../Services/Outcomes/LeadQuestions.ts"
import { readReply } from "../../Services/Outreach/OutreachTasks.ts"
import { ProspectingConfig } from "../../Services/Prospecting/ProspectingConfig.ts"
import { answersPerDay, replyConsequences } from "../../Services/Replies/ReplyConsequences.ts"
import { type ReadReply, ReplyReader } from "../../Services/Replies/ReplyReader.ts"
import { questionOf } from "../../Services/Replies/ReplyReading.ts"
import { type InboundReply, prepareReply, readByRules } from "../../Services/Replies/ReplyRules.ts"
import { metCriterion } from "../../Services/Replies/ReviewCriteria.ts"
import { languageOf } from "../../Services/Text/Language.ts"
import { handle } from "../Platform/Jobs/TaskHandler.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { type InboundRow, makeInboundReplies, type ReplyKey } from "./InboundReplies.ts"
import { makeReplyEffects } from "./ReplyEffects.ts"

interface LeadRow {
  readonly status: LeadStatus
  readonly pipeline_state: PipelineState
  readonly is_unsubscribed: boolean
  readonly is_taken_over: boolean
  readonly name: string
  readonly company: string | null
  readonly email: string | null
  /** What the platform answered it on the reply's channel in the last 24 hours. */
  readonly answer_count: number
}

const purpose = "read_reply"

/** A lead that answered is not kept waiting longer for a model that is away. */
const longestWait = 86_400

/** A reading that no model made counts as unsure, so that a person looks at it; a wish to be left alone holds anyway. */
const byRulesAlone = 0.4

const zoneOf = (row: InboundRow): string =>
  timeZoneOf(
    { timeZone: row.time_zone, state: row.state, phone: row.lead_phone, country: row.country },
    row.account_time_zone
  )

/** The beginning of a meeting, as the lead's clock shows it. */
const standing = (startsAt: Timestamp, zone: string): NonNullable<InboundReply["standingMeeting"]> => {
  const { day, hour, minute, month, year } = wallClock(toMillis(startsAt), zone)
  const two = (part: number) => String(part).padStart(2, "0")
  return { date: `${year}-${two(month)}-${two(day)}`, time: `${two(hour)}:${two(minute)}` }
}

const replyOf = (row: InboundRow, meeting: MeetingView | undefined): InboundReply => ({
  text: row.text,
  ...(row.subject === null ? {} : { subject: row.subject }),
  ...(row.from_address === null ? {} : { fromAddress: row.from_address }),
  isAutoSubmitted: row.is_auto_reply,
  receivedAt: row.received_at,
  timeZone: zoneOf(row),
  country: countryOfAccount({ phone: row.account_phone, languageKey: row.account_language }),
  leadLanguage: row.lead_language ?? languageOf(row.account_language),
  ownContacts: [
    row.lead_email,
    row.lead_phone,
    row.account_email,
    row.account_phone,
    row.from_address,
    row.to_address
  ].flatMap((contact) => (contact === null || contact === "" ? [] : [contact.toLowerCase()])),
  ...(row.last_subject === null ? {} : { lastSubject: row.last_subject }),
  ...(meeting === undefined ? {} : { standingMeeting: standing(meeting.starts_at, zoneOf(row)) })
})

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const reader = yield* ReplyReader
  const configs = yield* ProspectingConfig
  const meetings = yield* Meetings
  const questions = yield* LeadQuestions
  const usage = yield* LanguageUsage
  const outages = yield* ModelOutages
  const notifications = yield* Notifications
  const inbound = yield* makeInboundReplies
  const effects = yield* makeReplyEffects

  const withoutModel = (reply: InboundReply, failure: LanguageModelFailed): ReadReply => {
    const prepared = prepareReply(reply)
    const reading = readByRules(reply, prepared)
    return {
      reading: { ...reading, confidence: Math.min(reading.confidence, byRulesAlone) },
      ownText: prepared.own,
      mode: "live",
      usage: failure.usage ?? { inputTokens: 0, outputTokens: 0, model: "none" }
    }
  }

  /** Asks the model, outside of any transaction. Where it stays away, rules read the reply and a person looks at it. */
  const read = (
    { accountId }: ReplyKey,
    reply: InboundReply,
    row: InboundRow,
    isLast: boolean
  ): Effect.Effect<ReadReply, Transient, Caller> =>
    Effect.catchAll(reader.read(reply, row.earlier ?? ""), (failure) =>
      Effect.gen(function* () {
        if (!isOutage(failure) || isLast || row.waited_seconds > longestWait) return withoutModel(reply, failure)
        yield* unit.write(
          Effect.flatMap(outages.failed(accountId), ({ isNews }) =>
            isNews ? notifications.notify(outageNotification) : Effect.void
          )
        )
        // What a failed attempt used up is paid for too.
        if (failure.usage !== undefined) yield* usage.add(accountId, purpose, failure.usage)
        return yield* transient(
          "language_model_unavailable",
          "The reply was not read yet.",
          failure.retryAfterSeconds ?? 2
        )
      })
    )

  /** Everything that the reply changes, at once; nothing where another run of the task was faster. */
  const apply = (key: ReplyKey, row: InboundRow, { ownText, reading }: ReadReply) =>
    Effect.gen(function* () {
      const config = yield* configs.effective(row.campaign_id)
      const leads = yield* sql<LeadRow>`
        select status, pipeline_state, unsubscribed_at is not null as is_unsubscribed, is_taken_over, name,
          company, email,
          ${inbound.recentAnswers(key)} as answer_count
        from lead where account_id = ${key.accountId} and lead_id = ${key.leadId} for update`.pipe(fromSql())
      const lead = leads[0]
      if (lead === undefined || !(yield* inbound.classify(key, reading))) return

      const reply = {
        ...key,
        leadEmail: lead.email,
        leadName: lead.name,
        company: lead.company,
        said: ownText,
        fromAddress: row.from_address,
        accountLanguage: languageOf(row.account_language),
        accountTimeZone: row.account_time_zone
      }
      const question = questionOf(reading, ownText)
      const meeting = yield* meetings.nextWith(key.leadId)
      if (key.channel === "chatapp" && config.notify_on_first_chatapp_message) yield* effects.tellOfFirstChat(reply)
      const consequences = replyConsequences({
        reading,
        lead: {
          leadId: key.leadId,
          status: lead.status,
          pipeline: lead.pipeline_state,
          isUnsubscribed: lead.is_unsubscribed,
          isTakenOver: lead.is_taken_over
        },
        meeting:
          meeting === undefined ? undefined : { meetingId: meeting.meeting_id, startsAt: toMillis(meeting.starts_at) },
        settings: config,
        now: yield* Clock.currentTimeMillis,
        zone: zoneOf(row),
        window: { startHour: config.send_window_start_hour, endHour: config.send_window_end_hour },
        criterion: metCriterion(config.human_review_criteria, ownText),
        isAnsweredOften: lead.answer_count >= answersPerDay[key.channel],
        question,
        isAnswerKnown: question !== null && (yield* questions.knownAnswer(question)) !== undefined
      })
      yield* effects.carryOut(reply, consequences)
    })

  return Effect.fn("Outreach.readReply")(function* (key: ReplyKey, isLast: boolean) {
    const row = yield* unit.read(inbound.read(key))
    if (row === undefined || row.is_read) return
    const reply = replyOf(row, yield* unit.read(meetings.nextWith(key.leadId)))
    const result = yield* read(key, reply, row, isLast)
    // Where rules settled it no model was asked.
    if (result.usage.model !== "none") {
      yield* usage.add(key.accountId, purpose, result.usage)
      if (row.is_model_out) yield* outages.answered
    }
    yield* unit.write(apply(key, row, result))
  })
})

/** The handler of `readReply`, on behalf of the lead's account. */
export const makeReadReplyHandler = Effect.gen(function* () {
  const read = yield* make
  const accounts = yield* Accounts
  return handle(readReply, (reply, { attempt, maxAttempts }) =>
    Effect.flatMap(
      accounts.planOf(reply.accountId),
      Option.match({
        onNone: () => Effect.void,
        onSome: (plan) =>
          Effect.provideService(read(reply, attempt >= maxAttempts), Caller, {
            accountId: reply.accountId,
            plan,
            tokenId: undefined,
            requestId: `reply-${reply.channel}-${reply.messageId}`
          })
      })
    )
  )
})
