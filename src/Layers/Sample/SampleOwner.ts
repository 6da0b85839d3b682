import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import { ChatAppMessages } from "../../Services/ChatApp/ChatAppMessages.ts"
import { Caller } from "../../Services/Core/Caller.ts"
import { nextInWindow, wallClock } from "../../Services/Core/LocalTime.ts"
import { fromMillis, toMillis } from "../../Services/Core/Timestamp.ts"
import { UnitOfWork } from "../../Services/Core/UnitOfWork.ts"
import { Notifications } from "../../Services/Events/Notifications.ts"
import { LeadId } from "../../Services/Leads/Ids.ts"
import { LeadEmails } from "../../Services/Leads/LeadEmails.ts"
import { LeadSearch } from "../../Services/Leads/LeadSearch.ts"
import { Leads } from "../../Services/Leads/Leads.ts"
import { Meetings, type MeetingView } from "../../Services/Meetings/Meetings.ts"
import { LeadQuestions, type OpenQuestionId } from "../../Services/Outcomes/LeadQuestions.ts"
import { Outcomes } from "../../Services/Outcomes/Outcomes.ts"
import { detectLanguage } from "../../Services/Text/Language.ts"
import { type LeadPlace, languageOfLead } from "../../Services/Text/LeadLanguage.ts"
import { VoiceCalls } from "../../Services/Voice/VoiceCalls.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import * as Words from "./OwnersWords.ts"
import type { SeededRandom } from "./SeededRandom.ts"
import type { SimulatedClock } from "./SimulatedClock.ts"
import type { SimulatedEngine } from "./SimulatedEngine.ts"
import { atHour, ownersZone } from "./Workdays.ts"

const hour = 3_600_000
const day = 24 * hour

/** What the owner decides is done by the services that tools use; one that refuses leaves things as they are. */
const ifAllowed = <A, R>(effect: Effect.Effect<A, NotFound | Refused | Transient, R>) =>
  Effect.asVoid(Effect.catchTags(effect, { NotFound: () => Effect.void, Refused: () => Effect.void }))

/**
 * Makes the owner of the sample account, who looks in now and then: answers what leads ask, decides reviews, keeps,
 * moves and misses meetings, writes by hand, tells what became of leads. The same for the same seed.
 */
export const makeSampleOwner = (options: {
  readonly random: SeededRandom
  readonly clock: SimulatedClock
  readonly at: SimulatedEngine["at"]
}) =>
  Effect.gen(function* () {
    const { at, clock, random } = options
    const sql = yield* SqlClient
    const unit = yield* UnitOfWork
    const caller = yield* Caller
    const leads = yield* Leads
    const search = yield* LeadSearch
    const meetings = yield* Meetings
    const questions = yield* LeadQuestions
    const outcomes = yield* Outcomes
    const emails = yield* LeadEmails
    const chats = yield* ChatAppMessages
    const calls = yield* VoiceCalls
    const notifications = yield* Notifications
    const written = new Set<LeadId>()
    let visits = 0

    const act = <A>(effect: Effect.Effect<A, NotFound | Refused | Transient, Caller>) =>
      ifAllowed(unit.write(effect)).pipe(Effect.provideService(Caller, caller))
    const later = <A>(millis: number, effect: Effect.Effect<A, NotFound | Refused | Transient, Caller>) =>
      at(nextInWindow(millis, ownersZone, { startHour: 9, endHour: 18 }), act(effect))

    const answerQuestions = Effect.gen(function* () {
      const open = yield* sql<{ readonly id: OpenQuestionId; readonly text: string }>`
        select open_question_id as id, question_text as text from open_question
        where account_id = ${caller.accountId} and status = 'open' order by open_question_id limit 20`.pipe(fromSql())
      for (const { id, text } of open) {
        // Some have to wait until the owner has looked them up.
        if (random.share("question", id, visits) < 0.3) continue
        const language = detectLanguage(text) ?? "pt-BR"
        const words = Words.ownersAnswers[language].find(({ about }) => about.test(text))
        if (words === undefined) continue
        yield* act(
          questions.answer({
            answerText: words.text,
            openQuestionId: id,
            questionText: undefined,
            isReusable: words.isReusable,
            expectedAnswerId: undefined,
            validUntil: undefined,
            requestId: undefined
          })
        )
      }
    })

    const decideReviews = Effect.gen(function* () {
      const { leads: waiting } = yield* leads.listAwaitingReview
      for (const { lead_id: leadId } of waiting.slice(0, 20)) {
        const share = random.share("review", leadId, visits)
        if (share < 0.35) continue
        const nextTouchInstructions = random.pick(Words.reviewInstructions, "instructions", leadId)
        if (share < 0.8) yield* act(leads.transition(leadId, "return_to_pipeline", { nextTouchInstructions }))
        else if (share < 0.9) yield* act(leads.transition(leadId, "take_over"))
        else yield* act(leads.transition(leadId, "stop", { reason: "Decided after reading the answer" }))
      }
    }).pipe(Effect.provideService(Caller, caller))

    const tellOutcome = ({ lead_id: leadId }: MeetingView) => {
      const fate = random.share("fate", leadId)
      const reason = random.pick(Words.lossReasons, "loss", leadId)
      const register = (
        days: number,
        outcome: "won" | "lost" | "gave_up" | "negotiating" | "unresponsive",
        dealValueBrl?: number
      ) =>
        later(
          clock.now() + days * day,
          outcomes.register(leadId, { outcome, dealValueBrl, reason: outcome === "lost" ? reason : undefined })
        )
      const value = Math.round(random.between(24, 190, "value", leadId)) * 100
      const days = random.between(2, 16, "decision", leadId)
      if (fate < 0.34) register(days, "won", value)
      else if (fate < 0.56) {
        register(2, "negotiating")
        register(2 + days, fate < 0.46 ? "won" : "lost", fate < 0.46 ? value : undefined)
      } else if (fate < 0.8) register(days, "lost")
      else if (fate < 0.9) register(days + 6, "unresponsive")
      else register(days, "gave_up")
    }

    const attend = (meeting: MeetingView) => {
      const fate = random.share("attendance", meeting.meeting_id)
      const hasLeadAttended = fate >= 0.16
      const hasCustomerAttended = fate < 0.95
      const notes = hasLeadAttended ? random.pick(Words.attendedNotes, "notes", meeting.meeting_id) : undefined
      if (hasLeadAttended && hasCustomerAttended) tellOutcome(meeting)
      else if (random.share("recovery", meeting.meeting_id) < 0.7) {
        later(
          clock.now() + random.between(1, 30, "recovery time", meeting.meeting_id) * hour,
          outcomes.recover(meeting.lead_id, "Não conseguimos nos encontrar no horário marcado.")
        )
      }
      return act(meetings.attend(meeting.meeting_id, { hasCustomerAttended, hasLeadAttended, notes }))
    }

    const keepMeetings = Effect.gen(function* () {
      const { meetings: known } = yield* meetings.list({
        leadId: undefined,
        includeCancelled: false,
        includePast: true
      })
      for (const meeting of known) {
        if (meeting.status !== "scheduled" && meeting.status !== "confirmed") continue
        const { meeting_id: id, lead_id: leadId } = meeting
        const [startsAt, endsAt] = [toMillis(meeting.starts_at), toMillis(meeting.ends_at)]
        if (endsAt <= clock.now()) yield* attend(meeting)
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
          // Now and then somebody looks once more at what is agreed.
          if (random.share("take over", leadId) < 0.05) yield* act(leads.transition(leadId, "take_over"))
        }
      }
    }).pipe(Effect.provideService(Caller, caller))

    /** The owner writes to leads as the platform does. */
    const languageFor = (leadId: LeadId) =>
      sql<LeadPlace & { readonly language: string | null }>`
        select country, state, phone, language from lead
        where account_id = ${caller.accountId} and lead_id = ${leadId}`.pipe(
        fromSql(),
        Effect.map((rows) => languageOfLead(single(rows), "pt-BR"))
      )

    /** Writes by hand to a few who are interested and have no meeting. */
    const writeByHand = Effect.gen(function* () {
      const { leads: interested } = yield* search.search(
        { status: "Interested" },
        { sort: "last_prospecting_message", page: 0, pageSize: 50 }
      )
      for (const lead of interested) {
        const isFree = lead.pipeline_state === "in_pipeline" && !lead.is_paused && !written.has(lead.lead_id)
        if (!isFree || random.share("by hand", lead.lead_id, visits) > 0.02) continue
        written.add(lead.lead_id)
        if (lead.email !== null) {
          yield* act(emails.send(lead.lead_id, Words.manualMessage(lead.name, yield* languageFor(lead.lead_id))))
        } else {
          yield* act(leads.transition(lead.lead_id, "take_over"))
          const text = Words.chatMessages[yield* languageFor(lead.lead_id)]
          yield* act(chats.sendToLead(lead.lead_id, { text, attachment: undefined }))
        }
      }
    }).pipe(Effect.provideService(Caller, caller))

    /** Takes note of what the platform told, and answers some of its questions about quiet leads. */
    const readNotifications = Effect.gen(function* () {
      const { notifications: pending } = yield* notifications.pending
      for (const { created_at, data, kind, notification_id: id } of pending) {
        if (clock.now() - toMillis(created_at) < 2 * day) continue
        yield* act(notifications.acknowledge(id))
        const leadId = data["lead_id"]
        if (kind !== "lead_check_in" || typeof leadId !== "number") continue
        const share = random.share("check-in", id)
        const known = LeadId.make(leadId)
        const plain = { dealValueBrl: undefined, reason: undefined }
        if (share < 0.3) yield* act(outcomes.register(known, { outcome: "gave_up", ...plain }))
        else if (share < 0.55) yield* act(outcomes.register(known, { outcome: "negotiating", ...plain }))
        else if (share < 0.7) yield* act(outcomes.muteCheckIns(known, { reason: undefined, snoozeDays: 7 }))
      }
    }).pipe(Effect.provideService(Caller, caller))

    /** Lets one lead rest for two weeks now and then, and has a number called. */
    const nowAndThen = Effect.gen(function* () {
      const { leads: recent } = yield* search.search(
        {},
        {
          sort: "last_prospecting_message",
          page: 0,
          pageSize: 30
        }
      )
      const lead = recent.find(({ lead_id: id, pipeline_state: state }) => state === "in_pipeline" && !written.has(id))
      if (lead !== undefined) {
        written.add(lead.lead_id)
        const reason = random.pick(Words.pauseReasons, "pause", lead.lead_id)
        yield* act(leads.transition(lead.lead_id, "pause", { reason }))
        if (random.share("resume", lead.lead_id) < 0.8) {
          later(clock.now() + 14 * day, leads.transition(lead.lead_id, "resume"))
        }
      }
      const phone = `+5511987651${100 + Math.floor(random.share("supplier", visits) * 899)}`
      yield* act(calls.placeGoalDriven({ phone, goal: "Perguntar quando abre a nova unidade", context: null }))
    }).pipe(Effect.provideService(Caller, caller))

    const visit: Effect.Effect<void, Transient> = Effect.gen(function* () {
      visits += 1
      yield* keepMeetings
      yield* answerQuestions
      yield* decideReviews
      yield* writeByHand
      yield* readNotifications
      if (visits % 14 === 5) yield* nowAndThen
    }).pipe(Effect.catchTag("NotFound", Effect.die))

    return {
      /** Looks in every working day in the morning, at noon and before the evening, from `start` to `end`. */
      looksIn: (start: number, end: number) => {
        for (let millis = start; millis < end; millis += day) {
          const { weekday } = wallClock(millis, ownersZone)
          if (weekday === 0 || weekday === 6) continue
          for (const [hours, minutes] of [
            [9, 12],
            [12, 38],
            [17, 21]
          ] as const) {
            const from = atHour(millis, hours, minutes, ownersZone)
            if (from >= start && from < end) at(from, visit)
          }
        }
      }
    }
  })
