import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { NotFound, Refused, Transient } from "../../../Errors.ts"
import { ChatAppMessages } from "../../../Services/ChatApp/ChatAppMessages.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { nextInWindow, wallClock } from "../../../Services/Core/LocalTime.ts"
import { fromMillis, toMillis } from "../../../Services/Core/Timestamp.ts"
import { Notifications } from "../../../Services/Events/Notifications.ts"
import { LeadEmails } from "../../../Services/Leads/Email/LeadEmails.ts"
import { LeadId } from "../../../Services/Leads/Ids.ts"
import { LeadSearch } from "../../../Services/Leads/LeadSearch.ts"
import { Leads } from "../../../Services/Leads/Leads.ts"
import { Meetings, type MeetingView } from "../../../Services/Meetings/Meetings.ts"
import { LeadQuestions, type OpenQuestionId } from "../../../Services/Outcomes/LeadQuestions.ts"
import { Outcomes } from "../../../Services/Outcomes/Outcomes.ts"
import { detectLanguage } from "../../../Services/Text/Language.ts"
import { type LeadPlace, languageOfLead } from "../../../Services/Text/LeadLanguage.ts"
import { VoiceCalls } from "../../../Services/Voice/VoiceCalls.ts"
import { fromSql, single } from "../../Platform/Postgres/Sql.ts"
import type { SeededRandom } from "../../Simulated/SeededRandom.ts"
import type { SimulatedClock } from "../../Simulated/SimulatedClock.ts"
import type { SimulatedEngine } from "../../Simulated/SimulatedEngine.ts"
import * as Words from "./OwnersWords.ts"
import { atHour, ownersZone } from "./Workdays.ts"

const hour = 3_600_000
const day = 24 * hour

/** Runs an owner's decision through the services that tools use. If it is refused, nothing changes. */
const ifAllowed = <A, R>(effect: Effect.Effect<A, NotFound | Refused | Transient, R>) =>
  Effect.asVoid(Effect.catchTags(effect, { NotFound: () => Effect.void, Refused: () => Effect.void }))

interface OwnerOptions {
  readonly random: SeededRandom
  readonly clock: SimulatedClock
  readonly at: SimulatedEngine["at"]
}

const makeOwner = ({ at, clock, random }: OwnerOptions) =>
  Effect.gen(function* () {
    const services = yield* Effect.all({
      sql: SqlClient,
      unit: UnitOfWork,
      caller: Caller,
      leads: Leads,
      search: LeadSearch,
      meetings: Meetings,
      questions: LeadQuestions,
      outcomes: Outcomes,
      emails: LeadEmails,
      chats: ChatAppMessages,
      calls: VoiceCalls,
      notifications: Notifications
    })
    const { caller, unit } = services
    const act = <A>(effect: Effect.Effect<A, NotFound | Refused | Transient, Caller>) =>
      ifAllowed(unit.write(effect)).pipe(Effect.provideService(Caller, caller))
    const actLater = <A>(millis: number, effect: Effect.Effect<A, NotFound | Refused | Transient, Caller>) =>
      at(nextInWindow(millis, ownersZone, { startHour: 9, endHour: 18 }), act(effect))
    return { ...services, act, actLater, clock, random, contactedLeads: new Set<LeadId>() }
  })

type Owner = Effect.Effect.Success<ReturnType<typeof makeOwner>>

const answerQuestions = Effect.fnUntraced(function* ({ act, caller, questions, random, sql }: Owner, visits: number) {
  const openQuestions = yield* sql<{ readonly id: OpenQuestionId; readonly text: string }>`
    select open_question_id as id, question_text as text from open_question
    where account_id = ${caller.accountId} and status = 'open' order by open_question_id limit 20`.pipe(fromSql())
  for (const { id, text } of openQuestions) {
    // Some questions wait for a later visit.
    if (random.share("question", id, visits) < 0.3) continue
    const language = detectLanguage(text) ?? "pt-BR"
    const preparedAnswer = Words.ownersAnswers[language].find(({ about }) => about.test(text))
    if (preparedAnswer === undefined) continue
    yield* act(
      questions.answer({
        answerText: preparedAnswer.text,
        openQuestionId: id,
        questionText: undefined,
        isReusable: preparedAnswer.isReusable,
        expectedAnswerId: undefined,
        validUntil: undefined,
        requestId: undefined
      })
    )
  }
})

const decideReviews = Effect.fnUntraced(function* ({ act, leads, random }: Owner, visits: number) {
  const { leads: waiting } = yield* leads.listAwaitingReview
  for (const { lead_id: leadId } of waiting.slice(0, 20)) {
    const share = random.share("review", leadId, visits)
    if (share < 0.35) continue
    const nextTouchInstructions = random.pick(Words.reviewInstructions, "instructions", leadId)
    if (share < 0.8) yield* act(leads.transition(leadId, "return_to_pipeline", { nextTouchInstructions }))
    else if (share < 0.9) yield* act(leads.transition(leadId, "take_over"))
    else yield* act(leads.transition(leadId, "stop", { reason: "Decided after reading the answer" }))
  }
})

const registerOutcomeLater = ({ actLater, clock, outcomes, random }: Owner, { lead_id: leadId }: MeetingView): void => {
  const chance = random.share("fate", leadId)
  const reason = random.pick(Words.lossReasons, "loss", leadId)
  const register = (
    days: number,
    outcome: "won" | "lost" | "gave_up" | "negotiating" | "unresponsive",
    dealValueBrl?: number
  ) =>
    actLater(
      clock.now() + days * day,
      outcomes.register(leadId, { outcome, dealValueBrl, reason: outcome === "lost" ? reason : undefined })
    )
  const value = Math.round(random.between(24, 190, "value", leadId)) * 100
  const days = random.between(2, 16, "decision", leadId)
  if (chance < 0.34) register(days, "won", value)
  else if (chance < 0.56) {
    register(2, "negotiating")
    register(2 + days, chance < 0.46 ? "won" : "lost", chance < 0.46 ? value : undefined)
  } else if (chance < 0.8) register(days, "lost")
  else if (chance < 0.9) register(days + 6, "unresponsive")
  else register(days, "gave_up")
}

const attendMeeting = (owner: Owner, meeting: MeetingView) => {
  const { act, actLater, clock, meetings, outcomes, random } = owner
  const chance = random.share("attendance", meeting.meeting_id)
  const hasLeadAttended = chance >= 0.16
  const hasCustomerAttended = chance < 0.95
  const notes = hasLeadAttended ? random.pick(Words.attendedNotes, "notes", meeting.meeting_id) : undefined
  if (hasLeadAttended && hasCustomerAttended) registerOutcomeLater(owner, meeting)
  else if (random.share("recovery", meeting.meeting_id) < 0.7) {
    actLater(
      clock.now() + random.between(1, 30, "recovery time", meeting.meeting_id) * hour,
      outcomes.recover(meeting.lead_id, "Não conseguimos nos encontrar no horário marcado.")
    )
  }
  return act(meetings.attend(meeting.meeting_id, { hasCustomerAttended, hasLeadAttended, notes }))
}

const handleMeetings = Effect.fnUntraced(function* (owner: Owner, visits: number) {
  const { act, clock, leads, meetings, random } = owner
  const { meetings: allMeetings } = yield* meetings.list({
    leadId: undefined,
    includeCancelled: false,
    includePast: true
  })
  for (const meeting of allMeetings) {
    if (meeting.status !== "scheduled" && meeting.status !== "confirmed") continue
    const { meeting_id: id, lead_id: leadId } = meeting
    const [startsAt, endsAt] = [toMillis(meeting.starts_at), toMillis(meeting.ends_at)]
    if (endsAt <= clock.now()) yield* attendMeeting(owner, meeting)
    else if (startsAt - clock.now() < 2 * day && random.share("cancel", id) < 0.08) {
      yield* act(
        meetings.cancel(id, {
          nextTouchAt: fromMillis(clock.now() + hour),
          reason: random.pick(Words.cancelReasons, "reason", id),
          additionalInstructions: "Propor um novo horário."
        })
      )
    } else if (meeting.status === "scheduled" && random.share("confirm", id, visits) < 0.8) {
      yield* act(meetings.confirm(id))
      // Sometimes the owner takes the lead over after the meeting is agreed.
      if (random.share("take over", leadId) < 0.05) yield* act(leads.transition(leadId, "take_over"))
    }
  }
})

/** The owner writes in the same language as the platform. */
const languageFor = ({ caller, sql }: Owner, leadId: LeadId) =>
  sql<LeadPlace & { readonly language: string | null }>`
    select country, state, phone, language from lead
    where account_id = ${caller.accountId} and lead_id = ${leadId}`.pipe(
    fromSql(),
    Effect.map((rows) => languageOfLead(single(rows), "pt-BR"))
  )

/** Writes to a few interested leads that have no meeting. */
const writeByHand = Effect.fnUntraced(function* (owner: Owner, visits: number) {
  const { act, chats, contactedLeads, emails, leads, random, search } = owner
  const { leads: interested } = yield* search.search(
    { status: "Interested" },
    { sort: "last_prospecting_message", page: 0, pageSize: 50 }
  )
  for (const lead of interested) {
    const isFree = lead.pipeline_state === "in_pipeline" && !lead.is_paused && !contactedLeads.has(lead.lead_id)
    if (!isFree || random.share("by hand", lead.lead_id, visits) > 0.02) continue
    contactedLeads.add(lead.lead_id)
    if (lead.email !== null) {
      yield* act(emails.send(lead.lead_id, Words.manualMessage(lead.name, yield* languageFor(owner, lead.lead_id))))
    } else {
      yield* act(leads.transition(lead.lead_id, "take_over"))
      const text = Words.chatMessages[yield* languageFor(owner, lead.lead_id)]
      yield* act(chats.sendToLead(lead.lead_id, { text, attachment: undefined }))
    }
  }
})

/** Acknowledges notifications, and answers some of the questions about quiet leads. */
const readNotifications = Effect.fnUntraced(function* ({ act, clock, notifications, outcomes, random }: Owner) {
  const { notifications: pending } = yield* notifications.pending
  for (const { created_at, data, kind, notification_id: id } of pending) {
    if (clock.now() - toMillis(created_at) < 2 * day) continue
    yield* act(notifications.acknowledge(id))
    const leadId = data["lead_id"]
    if (kind !== "lead_check_in" || typeof leadId !== "number") continue
    const share = random.share("check-in", id)
    const quietLead = LeadId.make(leadId)
    const noDetails = { dealValueBrl: undefined, reason: undefined }
    if (share < 0.3) yield* act(outcomes.register(quietLead, { outcome: "gave_up", ...noDetails }))
    else if (share < 0.55) yield* act(outcomes.register(quietLead, { outcome: "negotiating", ...noDetails }))
    else if (share < 0.7) yield* act(outcomes.muteCheckIns(quietLead, { reason: undefined, snoozeDays: 7 }))
  }
})

/** Pauses one lead for two weeks, and has a supplier called. */
const doOccasionalTasks = Effect.fnUntraced(function* (owner: Owner, visits: number) {
  const { act, actLater, calls, clock, contactedLeads, leads, random, search } = owner
  const { leads: recent } = yield* search.search({}, { sort: "last_prospecting_message", page: 0, pageSize: 30 })
  const lead = recent.find(
    ({ lead_id: id, pipeline_state: state }) => state === "in_pipeline" && !contactedLeads.has(id)
  )
  if (lead !== undefined) {
    contactedLeads.add(lead.lead_id)
    const reason = random.pick(Words.pauseReasons, "pause", lead.lead_id)
    yield* act(leads.transition(lead.lead_id, "pause", { reason }))
    if (random.share("resume", lead.lead_id) < 0.8) {
      actLater(clock.now() + 14 * day, leads.transition(lead.lead_id, "resume"))
    }
  }
  const phone = `+5511987651${100 + Math.floor(random.share("supplier", visits) * 899)}`
  yield* act(calls.placeGoalDriven({ phone, goal: "Perguntar quando abre a nova unidade", context: null }))
})

/** Performs the owner's actions at one visit. `visits` is its number, from 1. */
const visit = (owner: Owner, visits: number): Effect.Effect<void, Transient> =>
  Effect.gen(function* () {
    yield* handleMeetings(owner, visits)
    yield* answerQuestions(owner, visits)
    yield* decideReviews(owner, visits)
    yield* writeByHand(owner, visits)
    yield* readNotifications(owner)
    if (visits % 14 === 5) yield* doOccasionalTasks(owner, visits)
  }).pipe(Effect.catchTag("NotFound", Effect.die), Effect.provideService(Caller, owner.caller))

const visitTimes = [
  [9, 12],
  [12, 38],
  [17, 21]
] as const

/**
 * Makes the simulated owner of the sample account. The owner answers questions, decides reviews, attends or misses
 * meetings, writes messages and registers outcomes. The same seed gives the same decisions.
 */
export const makeSampleOwner = (options: OwnerOptions) =>
  Effect.map(makeOwner(options), (owner) => {
    let visits = 0
    const nextVisit = Effect.suspend(() => visit(owner, (visits += 1)))
    return {
      /** Schedules a visit in the morning, at noon and in the late afternoon of each working day. */
      scheduleVisits: (start: number, end: number) => {
        for (let millis = start; millis < end; millis += day) {
          const { weekday } = wallClock(millis, ownersZone)
          if (weekday === 0 || weekday === 6) continue
          for (const [hours, minutes] of visitTimes) {
            const from = atHour(millis, hours, minutes, ownersZone)
            if (from >= start && from < end) options.at(from, nextVisit)
          }
        }
      }
    }
  })
