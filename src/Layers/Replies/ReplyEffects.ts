import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import { ChatAppQueue } from "../../Services/ChatApp/ChatAppQueue.ts"
import type { Caller } from "../../Services/Core/Calls/Caller.ts"
import { fromMillis } from "../../Services/Core/Timestamp.ts"
import { AccountEvents, type NewAccountEvent } from "../../Services/Events/AccountEvents.ts"
import { Notifications } from "../../Services/Events/Notifications.ts"
import { type NewsFacts, OwnerMails, type OwnerNewsKind, ownerNews } from "../../Services/Events/OwnerNotices.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import type { OperationDetails } from "../../Services/Leads/Leads.ts"
import { Leads } from "../../Services/Leads/Leads.ts"
import { Referrals } from "../../Services/Leads/Referrals.ts"
import { MailQueue } from "../../Services/Mail/MailQueue.ts"
import { MailSuppression } from "../../Services/Mail/MailSuppression.ts"
import type { MeetingId } from "../../Services/Meetings/Ids.ts"
import { callOffMeetings } from "../../Services/Meetings/LeadMeetings.ts"
import { Meetings, type MeetingView } from "../../Services/Meetings/Meetings.ts"
import { LeadQuestions } from "../../Services/Outcomes/LeadQuestions.ts"
import { PendingTouches } from "../../Services/Outreach/PendingTouches.ts"
import { composeAnswer } from "../../Services/Outreach/TouchTasks.ts"
import { suggestedActions } from "../../Services/Replies/Consequences/SuggestedActions.ts"
import { isColleague } from "../../Services/Replies/Contacts/Colleagues.ts"
import type { NamedContact } from "../../Services/Replies/Contacts/NamedContact.ts"
import type { Consequence } from "../../Services/Replies/ReplySituation.ts"
import type { Language } from "../../Services/Text/Language.ts"
import { spokenTime } from "../../Services/Text/SpokenTime.ts"
import { VoiceQueue } from "../../Services/Voice/VoiceQueue.ts"
import type { JudgedQuestion } from "../../Services/Writing/WritingBrief.ts"
import { progressOf } from "../Leads/Sql/Progress.ts"
import { deferTo, restartTouches, waitUntil } from "../Leads/Sql/Schedule.ts"
import { setStatusByReply } from "../Leads/Sql/State.ts"
import { lockAccount } from "../Platform/Postgres/AccountLock.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { wakeDispatcher } from "../Prospecting/Sql.ts"
import type { ReplyKey } from "./InboundReplies.ts"

/** A reply whose consequences are being applied. */
export interface ReplyInProgress extends ReplyKey {
  readonly leadEmail: string | null
  readonly fromAddress: string | null
  readonly leadName: string
  readonly company: string | null
  /** The stored country: a code or a name. */
  readonly country: string | null
  /** The text that the lead wrote, without quotations. */
  readonly said: string
  /** The language of the account, in whose calendar a meeting is. */
  readonly accountLanguage: Language
  readonly accountTimeZone: string
  /** The questions in the reply, with the answers found. */
  readonly judgedQuestions: ReadonlyArray<JudgedQuestion>
}

/** Facts about the lead for the notice to the owner. */
const newsOf = ({ company, leadName, said }: ReplyInProgress): NewsFacts => ({ leadName, company, said })

/** Returns the answer that is likely but not certain, for the owner to review. */
const proposalFor = ({ judgedQuestions }: ReplyInProgress, question: string): string | undefined =>
  judgedQuestions.find((judged) => judged.question === question)?.proposal?.text

const meetingWith: { readonly [L in Language]: string } = {
  "pt-BR": "Reunião com",
  en: "Meeting with",
  es: "Reunión con"
}

/** Notifies the owner in the feed. */
const makeNotices = Effect.map(Notifications, (notifications) => ({
  notify: (
    reply: ReplyInProgress,
    kind: OwnerNewsKind,
    data: { readonly [name: string]: string | number | boolean | null } = {},
    facts: Partial<NewsFacts> = {}
  ) =>
    notifications.notify({
      kind,
      message: ownerNews(kind, { ...newsOf(reply), ...facts }, reply.accountLanguage),
      data: { lead_id: reply.leadId, channel: reply.channel, ...data }
    })
}))

/** Sets when the lead is next contacted. */
const makeSchedule = Effect.map(SqlClient, (sql) => ({
  touchAt: (reply: ReplyInProgress, at: number) =>
    Effect.zipRight(deferTo(sql, reply, fromMillis(at)), wakeDispatcher(sql, reply.accountId, fromMillis(at))),
  waitUntil: (reply: ReplyInProgress, at: number) =>
    Effect.zipRight(waitUntil(sql, reply, fromMillis(at)), wakeDispatcher(sql, reply.accountId, fromMillis(at)))
}))

type ConsequenceOf<Tag extends Consequence["_tag"]> = Extract<Consequence, { readonly _tag: Tag }>

const judgementData = (judgement: ConsequenceOf<"Stop">["judgement"]) =>
  judgement === undefined ? {} : { judged: judgement.reason, decided_by: judgement.decidedBy }

/** Makes the changes to the lead itself. */
const makeLeadOperations = Effect.gen(function* () {
  const sql = yield* SqlClient
  const leads = yield* Leads
  const referrals = yield* Referrals
  const suppression = yield* MailSuppression
  const mails = yield* MailQueue
  const chats = yield* ChatAppQueue
  const voice = yield* VoiceQueue
  const touches = yield* PendingTouches

  /**
   * Cancels messages that were queued before the lead answered, except meeting notices. Returns the cancelled calls.
   */
  const keepBack = Effect.fnUntraced(function* (reply: ReplyInProgress) {
    const { accountId, leadId } = reply
    yield* mails.cancelAnswered(accountId, leadId)
    yield* chats.cancelAnswered(accountId, leadId)
    const calls = yield* voice.cancelAnswered(accountId, leadId)
    yield* touches.skipAnswered(accountId, leadId)
    return calls
  })

  const beginAnew = Effect.fnUntraced(function* (reply: ReplyInProgress, language: Language | null) {
    yield* restartTouches(sql, reply, language)
    const calls = yield* keepBack(reply)
    return calls.map(
      (id): NewAccountEvent => ({
        type: "voice_call_finished",
        data: {
          lead_id: reply.leadId,
          voice_call_request_id: id,
          status: "cancelled",
          was_picked_up: false,
          goal_achieved: false
        }
      })
    )
  })

  /** The lead is locked, and the consequences follow from its state, so a refusal would be a bug. */
  const transition = (
    reply: ReplyInProgress,
    operation: "unsubscribe" | "stop" | "flag_for_review",
    details: OperationDetails
  ) =>
    leads
      .transition(reply.leadId, operation, details)
      .pipe(Effect.catchTags({ NotFound: (error) => Effect.die(error), Refused: (error) => Effect.die(error) }))

  const unsubscribe = Effect.fnUntraced(function* (reply: ReplyInProgress) {
    yield* transition(reply, "unsubscribe", {
      actor: "lead",
      reason: "asked_in_a_reply",
      data: { channel: reply.channel }
    })
    const addresses = new Set([reply.leadEmail, reply.fromAddress])
    for (const address of addresses) {
      if (address !== null && address !== "") yield* suppression.suppress(reply.accountId, address, "unsubscribed")
    }
  })

  const registerReferral = (reply: ReplyInProgress, { email, name, phone }: NamedContact) =>
    referrals
      .register({
        referringLeadId: reply.leadId,
        name: name ?? email?.split("@")[0] ?? phone ?? "",
        email: email ?? undefined,
        phone: phone ?? undefined,
        isSameCompany: isColleague(reply.leadEmail, email),
        status: "Cold",
        firstTouchInstructions: undefined,
        actor: "platform"
      })
      .pipe(
        // A contact that cannot be registered, for example because it was erased, is not contacted.
        Effect.catchTags({ NotFound: () => Effect.void, Refused: () => Effect.void })
      )

  return {
    beginAnew,
    unsubscribe,
    registerReferral,
    stop: (reply: ReplyInProgress, { judgement, reason, refusalReason, returnDate }: ConsequenceOf<"Stop">) =>
      transition(reply, "stop", {
        actor: "platform",
        reason,
        data: {
          channel: reply.channel,
          refusal_reason: refusalReason,
          return_date: returnDate,
          ...judgementData(judgement)
        }
      }),
    flagForReview: (reply: ReplyInProgress, { criterion, judgement, reason }: ConsequenceOf<"FlagForReview">) =>
      transition(reply, "flag_for_review", {
        actor: "platform",
        reason,
        data: { channel: reply.channel, criterion: criterion ?? null, ...judgementData(judgement) }
      })
  }
})

/** Makes the changes to meetings. */
const makeMeetingEffects = Effect.gen(function* () {
  const sql = yield* SqlClient
  const meetings = yield* Meetings
  const ownerMails = yield* OwnerMails
  const notices = yield* makeNotices
  const schedule = yield* makeSchedule

  /**
   * Books the time that the lead named. If the account has another meeting then, the lead is asked for another time.
   */
  const bookMeeting = Effect.fnUntraced(function* (
    reply: ReplyInProgress,
    { endsAt, startsAt, touchAt: otherwise }: Extract<Consequence, { readonly _tag: "BookMeeting" }>
  ) {
    const [from, to] = [fromMillis(startsAt), fromMillis(endsAt)]
    // With this lock, two leads that name the same time concurrently cannot both get it.
    yield* lockAccount(sql, reply.accountId, "meetings")
    const taken = yield* sql`
      select from meeting where account_id = ${reply.accountId} and lead_id <> ${reply.leadId}
        and status in ('scheduled', 'confirmed') and starts_at < ${to} and ends_at > ${from}
      limit 1`.pipe(fromSql())
    if (taken.length > 0) return yield* schedule.touchAt(reply, otherwise)
    yield* meetings
      .book({
        leadId: reply.leadId,
        startsAt: from,
        endsAt: to,
        title: `${meetingWith[reply.accountLanguage]} ${reply.leadName}`,
        bookedThrough: reply.channel === "voice" ? "voice" : "conversation",
        externalId: `reply:${reply.channel}:${reply.messageId}`,
        announceAt: fromMillis(otherwise)
      })
      .pipe(
        Effect.catchTags({
          NotFound: (error) => Effect.die(error),
          Refused: () => schedule.touchAt(reply, otherwise)
        })
      )
  })

  const tellOfMeeting = Effect.fnUntraced(function* (
    reply: ReplyInProgress,
    kind: "lead_called_off_meeting" | "lead_moved_meeting",
    { meeting_id, starts_at }: MeetingView,
    isMailed: boolean
  ) {
    const when = spokenTime(starts_at, reply.accountTimeZone, reply.accountLanguage)
    yield* notices.notify(reply, kind, { meeting_id, starts_at }, { when })
    if (isMailed) yield* ownerMails.send(reply.accountId, kind, reply.leadId, { ...newsOf(reply), when })
  })

  /** The lead is locked and its meeting was just read, so a refusal would be a bug. */
  const callOff = (reply: ReplyInProgress, meetingId: MeetingId, touchAt: number | undefined, isMailed: boolean) =>
    meetings.cancelByLead(meetingId, { nextTouchAt: touchAt === undefined ? undefined : fromMillis(touchAt) }).pipe(
      Effect.catchTags({ NotFound: (error) => Effect.die(error), Refused: (error) => Effect.die(error) }),
      Effect.flatMap((meeting) => tellOfMeeting(reply, "lead_called_off_meeting", meeting, isMailed))
    )

  const moveMeeting = (
    reply: ReplyInProgress,
    { endsAt, isMailed, meetingId, startsAt, touchAt }: Extract<Consequence, { readonly _tag: "MoveMeeting" }>
  ) =>
    meetings
      .move(meetingId, {
        startsAt: fromMillis(startsAt),
        endsAt: fromMillis(endsAt),
        announceAt: fromMillis(touchAt),
        by: "lead"
      })
      .pipe(
        Effect.flatMap((meeting) => tellOfMeeting(reply, "lead_moved_meeting", meeting, isMailed)),
        Effect.catchTags({
          NotFound: (error) => Effect.die(error),
          // The account has no free time then, so the lead is asked for another one.
          Refused: () => callOff(reply, meetingId, touchAt, isMailed)
        })
      )

  return { book: bookMeeting, callOff, move: moveMeeting }
})

/**
 * Applies the consequences, in the caller's transaction, which has locked the lead. Events come last, because
 * transactions that append events of one account wait for each other until the commit.
 */
export const makeReplyEffects = Effect.gen(function* () {
  const sql = yield* SqlClient
  const questions = yield* LeadQuestions
  const accountEvents = yield* AccountEvents
  const ownerMails = yield* OwnerMails
  const touches = yield* PendingTouches
  const tasks = yield* TaskQueue
  const { notify } = yield* makeNotices
  const schedule = yield* makeSchedule
  const operations = yield* makeLeadOperations
  const meetings = yield* makeMeetingEffects

  /** Starts the message that announces a person's answer. */
  const holdLine = Effect.fnUntraced(function* ({ accountId, leadId }: ReplyInProgress, at: number) {
    const touch = yield* touches.holdLine(accountId, leadId)
    if (touch !== undefined) yield* tasks.enqueue(composeAnswer, touch, { runAt: fromMillis(at) })
  })

  const flagForReview = Effect.fnUntraced(function* (
    reply: ReplyInProgress,
    consequence: ConsequenceOf<"FlagForReview">
  ) {
    const { criterion = null, reason } = consequence
    yield* operations.flagForReview(reply, consequence)
    yield* notify(
      reply,
      "lead_sent_for_human_review",
      { reason, criterion },
      { suggestions: suggestedActions(reason, reply.country, reply.accountLanguage) }
    )
    const event: NewAccountEvent = { type: "lead_sent_for_human_review", data: { lead_id: reply.leadId, reason } }
    return [event]
  })

  /** Applies one effect, and returns the events for the feed. */
  const carryOut = (
    reply: ReplyInProgress,
    consequence: Consequence
  ): Effect.Effect<ReadonlyArray<NewAccountEvent>, Transient, Caller> => {
    const { channel, leadId } = reply
    switch (consequence._tag) {
      case "BeginAnew":
        return operations.beginAnew(reply, consequence.language)
      case "SetStatus":
        return setStatusByReply(sql, reply, consequence.status, channel).pipe(
          Effect.zipRight(progressOf(sql, reply)),
          Effect.map((types) => types.map((type) => ({ type, data: { lead_id: leadId, channel } })))
        )
      case "Notify":
        return Effect.as(notify(reply, consequence.kind), [])
      case "MailOwner":
        return Effect.as(ownerMails.send(reply.accountId, consequence.kind, leadId, newsOf(reply)), [])
      case "Unsubscribe":
        return Effect.as(operations.unsubscribe(reply), [])
      case "Stop":
        return Effect.as(operations.stop(reply, consequence), [])
      case "FlagForReview":
        return flagForReview(reply, consequence)
      case "TouchAt":
        return Effect.as(schedule.touchAt(reply, consequence.at), [])
      case "WaitUntil":
        return Effect.as(schedule.waitUntil(reply, consequence.at), [])
      case "HoldingLine":
        return Effect.as(holdLine(reply, consequence.at), [])
      case "AskOwner":
        return Effect.as(
          questions.ask(leadId, consequence.question, channel, {
            proposal: proposalFor(reply, consequence.question),
            owed: consequence.owed
          }),
          []
        )
      case "RegisterReferral":
        return Effect.as(operations.registerReferral(reply, consequence.contact), [])
      case "BookMeeting":
        return Effect.as(meetings.book(reply, consequence), [])
      case "CallOffMeeting":
        return Effect.as(meetings.callOff(reply, consequence.meetingId, consequence.touchAt, consequence.isMailed), [])
      case "MoveMeeting":
        return Effect.as(meetings.move(reply, consequence), [])
    }
  }

  return {
    carryOut: Effect.fnUntraced(function* (reply: ReplyInProgress, consequences: ReadonlyArray<Consequence>) {
      const told = yield* Effect.forEach(consequences, (consequence) => carryOut(reply, consequence))
      // The reply refers to a meeting that was already cancelled here. Its other meetings are cancelled too.
      if (consequences.some(({ _tag }) => _tag === "Unsubscribe")) yield* callOffMeetings(reply.leadId)
      const events = told.flat()
      if (events.length > 0) yield* accountEvents.appendMany(events)
    }),

    /** Notifies the owner once that the messaging app is in use. */
    tellOfFirstChat: Effect.fnUntraced(function* (reply: ReplyInProgress) {
      const earlier = yield* sql`
        select from chatapp_message where account_id = ${reply.accountId} and direction = 'inbound'
          and lead_id is not null and chatapp_message_id < ${reply.messageId}
        union all
        select from notification where account_id = ${reply.accountId} and kind = 'first_chatapp_message'
        limit 1`.pipe(fromSql())
      if (earlier.length === 0) yield* notify(reply, "first_chatapp_message")
    })
  }
})
