import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Option } from "effect"
import { type Transient, transient } from "../../Errors.ts"
import { Accounts } from "../../Services/Accounts/Accounts.ts"
import { MeetingTimes } from "../../Services/Calendar/MeetingTimes.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { makeCounter } from "../../Services/Core/Counter.ts"
import { toMillis } from "../../Services/Core/Timestamp.ts"
import { Notifications } from "../../Services/Events/Notifications.ts"
import { passagesAbout, QuotablePassages } from "../../Services/Knowledge/QuotablePassages.ts"
import type { LeadStatus, PipelineState } from "../../Services/Leads/Ids.ts"
import { Meetings } from "../../Services/Meetings/Meetings.ts"
import { LanguageUsage } from "../../Services/Models/LanguageUsage.ts"
import { isOutage, ModelOutages } from "../../Services/Models/ModelOutages.ts"
import { LeadQuestions } from "../../Services/Outcomes/LeadQuestions.ts"
import { OutreachChannel } from "../../Services/Outreach/Ids.ts"
import { readReply } from "../../Services/Outreach/OutreachTasks.ts"
import { LeadDocuments } from "../../Services/Presentations/LeadDocuments.ts"
import { ProspectingConfig } from "../../Services/Prospecting/ProspectingConfig.ts"
import { meetingLength, replyConsequences, responseAt } from "../../Services/Replies/Consequences/ReplyConsequences.ts"
import { documentWishesIn } from "../../Services/Replies/DocumentWishes.ts"
import type { Judged } from "../../Services/Replies/Readers/ReplyJudge.ts"
import { type ReadReply, ReplyReader, readWithoutModel } from "../../Services/Replies/Readers/ReplyReader.ts"
import { inboundReplyOf, judgeTimesOf, localMeeting, zoneOfReply } from "../../Services/Replies/ReplyFacts.ts"
import { questionsOf, type ReplyClass, type ReplyReading } from "../../Services/Replies/ReplyReading.ts"
import { type AskedQuestion, answersPerDay } from "../../Services/Replies/ReplySituation.ts"
import type { InboundReply } from "../../Services/Replies/ReplyText.ts"
import { callTimeOf } from "../../Services/Replies/Times/CallWish.ts"
import { type Language, languageOf } from "../../Services/Text/Language.ts"
import { otherLanguageOf } from "../../Services/Text/OtherLanguage.ts"
import { KnowledgeAnswers } from "../../Services/Writing/Answers/KnowledgeAnswers.ts"
import { lookupsFor } from "../../Services/Writing/Answers/ObjectionAnswers.ts"
import type { JudgedQuestion } from "../../Services/Writing/WritingBrief.ts"
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
  /** The number of answers to the lead on the reply's channel in the last 24 hours. */
  readonly answer_count: number
}

const purpose = "read_reply"

/** The longest wait for an unavailable model, in seconds. A lead that answered should not wait longer. */
const longestWait = 86_400

/** The most times in a reply for which the calendar is checked. */
const mostAskedTimes = 3

/** Classes of automatic replies. */
const machineClasses: ReadonlySet<ReplyClass> = new Set(["out_of_office", "bounce", "auto_reply"])

export const repliesRead = makeCounter({
  name: "gateway_replies_read_total",
  help: "What leads wrote or said, read and acted upon, by channel.",
  label: "channel",
  known: OutreachChannel.literals
})

/** Makes the reading of replies. If the model stays unavailable, rules read the reply and a person reviews it. */
const makeReading = Effect.gen(function* () {
  const unit = yield* UnitOfWork
  const reader = yield* ReplyReader
  const usage = yield* LanguageUsage
  const outages = yield* ModelOutages
  const notifications = yield* Notifications

  /** Asks the model, outside of any transaction. */
  return (
    { accountId }: ReplyKey,
    reply: InboundReply,
    row: InboundRow,
    isLast: boolean
  ): Effect.Effect<ReadReply, Transient, Caller> =>
    Effect.catchAll(reader.read(reply, row.earlier ?? ""), (failure) =>
      Effect.gen(function* () {
        if (!isOutage(failure) || isLast || row.waited_seconds > longestWait) return readWithoutModel(reply, failure)
        yield* unit.write(
          Effect.flatMap(outages.failed(accountId), ({ isNews }) =>
            isNews ? notifications.tell({ kind: "language_model_unavailable" }) : Effect.void
          )
        )
        // The usage of a failed attempt is charged too.
        if (failure.usage !== undefined) yield* usage.add(accountId, purpose, failure.usage)
        return yield* transient(
          "language_model_unavailable",
          "The reply was not read yet.",
          failure.retryAfterSeconds ?? 2
        )
      })
    )
})

/** Makes the search for answers to a reply's questions. The model is asked outside of any transaction. */
const makeQuestionJudge = Effect.gen(function* () {
  const unit = yield* UnitOfWork
  const usage = yield* LanguageUsage
  const questions = yield* LeadQuestions
  const quotable = yield* QuotablePassages
  const knowledge = yield* KnowledgeAnswers
  return Effect.fnUntraced(function* (
    { accountId }: ReplyKey,
    { account_language, account_name, campaign_id }: InboundRow,
    language: Language,
    { ownText, reading }: Pick<ReadReply, "ownText" | "reading">
  ) {
    const questionTexts = questionsOf(reading, ownText)
    if (questionTexts.length === 0) return []
    const { acts } = reading
    const lookups = [...new Set(questionTexts.flatMap((text) => [text, ...lookupsFor(text, acts, language)]))]
    const passages = yield* unit.read(passagesAbout(quotable, { accountId, campaignId: campaign_id }, lookups))
    const findings = yield* knowledge.find({
      questions: questionTexts,
      business: {
        name: account_name,
        answers: yield* unit.read(questions.answersLike(lookups)),
        knowledge: passages
      },
      language,
      ownersLanguage: languageOf(account_language),
      reply: { acts, business: account_name, text: ownText }
    })
    if (findings.usage !== undefined) yield* usage.add(accountId, "answer_from_knowledge", findings.usage)
    return findings.judged
  })
})

/** The result of checking the times that a reply names, in Unix milliseconds. */
interface ReplyTimes {
  readonly bookableAt: number | undefined
  /** The free time that is closest to the first one. */
  readonly near: number | undefined
}

/** The requests in a reply. */
interface AskedThings {
  readonly judgedQuestions: ReadonlyArray<JudgedQuestion>
  /** The requested documents that the account does not have. */
  readonly missingDocuments: ReadonlyArray<string>
}

/** Makes the function that stores the consequences of a reply. */
const makeApplication = Effect.gen(function* () {
  const sql = yield* SqlClient
  const configs = yield* ProspectingConfig
  const meetings = yield* Meetings
  const inbound = yield* makeInboundReplies
  const effects = yield* makeReplyEffects

  /**
   * Applies all consequences in one transaction. Returns false and does nothing if another run of the task was faster.
   */
  return (
    key: ReplyKey,
    row: InboundRow,
    { ownText, reading }: ReadReply,
    { judgedQuestions, missingDocuments }: AskedThings,
    judged: Judged,
    { bookableAt, near }: ReplyTimes
  ) =>
    Effect.gen(function* () {
      const config = yield* configs.effective(row.campaign_id)
      const leads = yield* sql<LeadRow>`
        select status, pipeline_state, unsubscribed_at is not null as is_unsubscribed, is_taken_over, name,
          company, email,
          ${inbound.recentAnswers(key)} as answer_count
        from lead where account_id = ${key.accountId} and lead_id = ${key.leadId} for update`.pipe(fromSql())
      const lead = leads[0]
      if (lead === undefined || !(yield* inbound.classify(key, reading))) return false

      if (!machineClasses.has(reading.class)) yield* inbound.noteReply(key, reading.class, row.received_at)
      const reply = {
        ...key,
        leadEmail: lead.email,
        leadName: lead.name,
        company: lead.company,
        country: row.country,
        said: ownText,
        fromAddress: row.from_address,
        accountLanguage: languageOf(row.account_language),
        accountTimeZone: row.account_time_zone,
        judgedQuestions
      }
      const now = yield* Clock.currentTimeMillis
      const meeting = yield* meetings.nextWith(key.leadId)
      const askedQuestions = [
        ...judgedQuestions.map(
          ({ answer, question }): AskedQuestion => ({ text: question, isKnown: answer !== undefined })
        ),
        ...missingDocuments.map((text): AskedQuestion => ({ text, isKnown: false, isDocument: true }))
      ]
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
          meeting === undefined
            ? undefined
            : {
                meetingId: meeting.meeting_id,
                startsAt: toMillis(meeting.starts_at),
                local: localMeeting(meeting.starts_at, zoneOfReply(row))
              },
        bookableAt,
        settings: config,
        now,
        callAt:
          config.voice_calling_active && row.lead_phone !== null
            ? callTimeOf(reading, { now, soon: responseAt(key.leadId, now), zone: zoneOfReply(row), near })
            : undefined,
        isObjectionRepeated: row.earlier_objections.includes(reading.refusalReason ?? "other"),
        zone: zoneOfReply(row),
        window: { startHour: config.send_window_start_hour, endHour: config.send_window_end_hour },
        criterion: judged.met?.criterion,
        judgement: judged.met,
        disqualified: judged.disqualified,
        isSenderProven: row.is_sender_proven,
        isAnsweredOften: lead.answer_count >= answersPerDay[key.channel],
        questions: askedQuestions,
        isOtherLanguage: otherLanguageOf(ownText) !== undefined
      })
      yield* effects.carryOut(reply, consequences)
      return true
    })
})

const make = Effect.gen(function* () {
  const unit = yield* UnitOfWork
  const reader = yield* ReplyReader
  const configs = yield* ProspectingConfig
  const meetings = yield* Meetings
  const usage = yield* LanguageUsage
  const outages = yield* ModelOutages
  const inbound = yield* makeInboundReplies
  const calendar = yield* MeetingTimes
  const documents = yield* LeadDocuments
  const read = yield* makeReading
  const judgeQuestions = yield* makeQuestionJudge
  const apply = yield* makeApplication

  /** Returns the first of the proposed times that is free. The calendar is read outside of any transaction. */
  const firstFree = Effect.fnUntraced(function* (key: ReplyKey, times: ReadonlyArray<number>) {
    for (const from of times.slice(0, mostAskedTimes)) {
      if ((yield* calendar.availability({ from, to: from + meetingLength }, key.leadId)) !== "taken") return from
    }
    return undefined
  })

  return Effect.fn("Outreach.readReply")(function* (key: ReplyKey, isLast: boolean) {
    const row = yield* unit.read(inbound.read(key))
    if (row === undefined || row.is_read) return
    const reply = inboundReplyOf(row, yield* unit.read(meetings.nextWith(key.leadId)))
    const result = yield* read(key, reply, row, isLast)
    // If rules decided, no model was used.
    if (result.usage.model !== "none") {
      yield* usage.add(key.accountId, purpose, result.usage)
      if (row.is_model_out) yield* outages.answered
    }
    const { accountId } = key
    const config = yield* unit.read(configs.effective(row.campaign_id))
    const judged = yield* reader.judge({
      reviewCriteria: config.human_review_criteria,
      qualificationInstructions: config.lead_qualification_instructions,
      profile: row.lead_profile,
      reply: result.ownText,
      language: languageOf(row.account_language)
    })
    if (judged.usage !== undefined) yield* usage.add(accountId, "judge_reply", judged.usage)
    const judgedQuestions = yield* judgeQuestions(key, row, result.reading.language ?? reply.leadLanguage, result)
    const meeting = yield* unit.read(meetings.nextWith(key.leadId))
    const times = judgeTimesOf(result.reading, row, meeting, yield* Clock.currentTimeMillis)
    const bookableAt = yield* firstFree(key, times.bookable)
    const isTaken = bookableAt === undefined && times.bookable.length > 0
    const reading: ReplyReading = { ...result.reading, timeProblem: isTaken ? "taken" : (times.why ?? null) }
    const replyTimes = { bookableAt, near: times.near }
    const missingDocuments = yield* documents.missing(key.leadId, documentWishesIn(reading.acts))
    const owedAnswers = { judgedQuestions, missingDocuments }
    const isNew = yield* unit.write(apply(key, row, { ...result, reading }, owedAnswers, judged, replyTimes))
    if (isNew) yield* repliesRead.count(key.channel)
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
          Effect.provideService(
            read(reply, attempt >= maxAttempts),
            Caller,
            Caller.forTask(reply.accountId, plan, `reply-${reply.channel}-${reply.messageId}`)
          )
      })
    )
  )
})
