import { Clock, Effect, Either } from "effect"
import { refused, type Transient, transient } from "../../Errors.ts"
import { MeetingTimes } from "../../Services/Calendar/MeetingTimes.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { nextInWindow } from "../../Services/Core/LocalTime.ts"
import { fromMillis, toMillis } from "../../Services/Core/Timestamp.ts"
import { passagesAbout, QuotablePassages } from "../../Services/Knowledge/QuotablePassages.ts"
import { LanguageModel, type LanguageModelFailed, type Usage } from "../../Services/Models/LanguageModel.ts"
import { LanguageUsage } from "../../Services/Models/LanguageUsage.ts"
import { isOutage } from "../../Services/Models/ModelOutages.ts"
import { LeadQuestions } from "../../Services/Outcomes/LeadQuestions.ts"
import { BookingLinks } from "../../Services/Outreach/BookingLinks.ts"
import { TouchComposer, type TouchNeeds } from "../../Services/Outreach/TouchComposer.ts"
import type { SkipReason } from "../../Services/Outreach/TouchPlan.ts"
import { LeadDocuments } from "../../Services/Presentations/LeadDocuments.ts"
import type { EffectiveConfiguration } from "../../Services/Prospecting/EffectiveConfiguration.ts"
import { missingIdentity } from "../../Services/Prospecting/OutreachIdentity.ts"
import { meetingLength, replyConsequences } from "../../Services/Replies/Consequences/ReplyConsequences.ts"
import { documentWishesIn } from "../../Services/Replies/DocumentWishes.ts"
import { type ReadReply, ReplyReader, readWithoutModel } from "../../Services/Replies/Readers/ReplyReader.ts"
import { inboundReplyOf, judgeTimesOf, localMeeting } from "../../Services/Replies/ReplyFacts.ts"
import { questionsOf } from "../../Services/Replies/ReplyReading.ts"
import { type AskedQuestion, answersPerDay } from "../../Services/Replies/ReplySituation.ts"
import { effectTexts } from "../../Services/Simulation/EffectTexts.ts"
import { LeadOpening, openingByRule, openingPrompt } from "../../Services/Simulation/LeadOpening.ts"
import {
  applyConsequences,
  sentForReview,
  simulatedMeetingId,
  subjectOf
} from "../../Services/Simulation/SimulatedLead.ts"
import {
  languageOfSimulated,
  lastWritten,
  recentAnswers,
  replyFactsOf,
  type SimulatingAccount,
  type SimulationSoFar,
  type TurnPurpose,
  timeOf,
  touchFactsOf,
  withEffect,
  withMessage,
  zoneOfSimulated
} from "../../Services/Simulation/SimulatedTurn.ts"
import type { SimulationChannel } from "../../Services/Simulation/Simulation.ts"
import { type Language, languageOf } from "../../Services/Text/Language.ts"
import { otherLanguageOf } from "../../Services/Text/OtherLanguage.ts"
import { DelimiterWord } from "../../Services/Text/PromptDelimiter.ts"
import { KnowledgeAnswers } from "../../Services/Writing/Answers/KnowledgeAnswers.ts"
import { answerTo } from "../../Services/Writing/Answers/KnownAnswers.ts"
import { lookupsFor } from "../../Services/Writing/Answers/ObjectionAnswers.ts"
import type { KnownAnswer } from "../../Services/Writing/WritingBrief.ts"
import { callTimeOfSimulated, firstWindow, profileTextOf, repeatsObjection, wasHeldBefore } from "./SimulatedReplies.ts"

/** The circumstances of a turn. */
export interface Setting {
  readonly account: SimulatingAccount
  readonly config: EffectiveConfiguration
  readonly channel: SimulationChannel
}

const purpose = "simulate"

/** The most times in a reply for which the calendar is checked, as in prospecting. */
const mostAskedTimes = 3

const identityMissing = (missing: ReadonlyArray<string>) =>
  refused(
    "identity_missing",
    "No one is contacted before the business and the sender have names.",
    "Set the business's name with set_business and the sender's with update_email_settings, or name a campaign that has both.",
    { missing }
  )

const makeTurnServices = Effect.all({
  unit: UnitOfWork,
  composer: TouchComposer,
  reader: ReplyReader,
  model: LanguageModel,
  usages: LanguageUsage,
  questions: LeadQuestions,
  quotable: QuotablePassages,
  knowledge: KnowledgeAnswers
})
type TurnServices = Effect.Effect.Success<typeof makeTurnServices>

/** Charges the model's usage to the account, as everywhere else. */
const payFor = ({ usages }: TurnServices, usage: Usage | undefined) =>
  usage === undefined || usage.model === "sandbox" || usage.model === "none"
    ? Effect.void
    : Effect.flatMap(Caller, ({ accountId }) => usages.add(accountId, purpose, usage))

const failAfter = (services: TurnServices, failure: LanguageModelFailed) =>
  Effect.zipRight(
    payFor(services, failure.usage),
    transient(
      "language_model_unavailable",
      "The language model gave no usable answer, so this turn was not stored.",
      failure.retryAfterSeconds ?? 30
    )
  )

/** Returns the answers that the agent may give to any lead. The answer to the lead's question comes first. */
const answersFor = Effect.fnUntraced(function* ({ questions, unit }: TurnServices, question: string | null) {
  const entries = yield* unit.read(questions.faq)
  const valid = entries
    .filter(({ is_valid }) => is_valid)
    .map(
      ({ answer_id, answer_text, question_text }): KnownAnswer => ({
        question: question_text,
        answer: answer_text,
        answerId: answer_id
      })
    )
  const matchingAnswer = question === null ? undefined : answerTo(question, valid)
  return matchingAnswer === undefined ? valid : [matchingAnswer, ...valid.filter((answer) => answer !== matchingAnswer)]
})

/** Runs the agent's turn at `at`. Returns a message, or the reason for none. */
const runAgentTurn = (
  services: TurnServices,
  simulation: SimulationSoFar,
  { account, channel, config }: Setting,
  at: number,
  purpose: TurnPurpose = "touch"
): Effect.Effect<SimulationSoFar, Transient, Caller> =>
  Effect.gen(function* () {
    const { composer } = services
    const { accountId } = yield* Caller
    const leadQuestion = simulation.messages.findLast(({ author }) => author === "lead")?.reading?.question ?? null
    const facts = touchFactsOf(simulation, {
      account,
      answers: yield* answersFor(services, leadQuestion),
      at,
      channel,
      hasCalendar: yield* services.unit.read(Effect.flatMap(MeetingTimes, ({ hasCalendar }) => hasCalendar)),
      purpose
    })
    const subject = { accountId, leadId: subjectOf(simulation.profile) }
    const mayOpenChat = config.allow_template_chatapp_messages
    const plan = composer.plan(subject, facts, { config, mayOpenChat, now: at })
    const { why } = effectTexts(languageOf(account.language_key))
    const staySilent = (reason: SkipReason | "would_call"): SimulationSoFar => ({
      ...withEffect(simulation, "touch_skipped", why[reason], at),
      silent_reason: reason
    })
    if (plan._tag === "Skip") return staySilent(plan.reason)
    const isSent = (url: string): boolean =>
      simulation.messages.some(({ author, body }) => author === "agent" && body.includes(url))
    const { bookingLink, documents, freeTimes } = yield* lookedUp(
      services,
      simulation,
      account,
      composer.needs(facts, config, plan)
    )
    const informed = freeTimes.length === 0 ? facts : { ...facts, free_times: freeTimes }
    const writing = yield* Effect.either(
      composer.write(subject, informed, config, plan, { isSent, bookingLink, documents })
    )
    const review = (reason: string, detail: string): SimulationSoFar => ({
      ...withEffect(simulation, "sent_for_review", detail, at),
      state: sentForReview(simulation.state),
      silent_reason: reason
    })
    if (Either.isLeft(writing)) {
      const failure = writing.left
      if (failure._tag === "Transient") return yield* failure
      if (isOutage(failure)) return yield* failAfter(services, failure)
      yield* payFor(services, failure.usage)
      return review(`language_model_${failure.reason}`, why.language_model)
    }
    const { right } = writing
    yield* payFor(services, right.usage)
    if (right._tag === "NeedsReview") return review(right.reason, why[right.reason])
    if (right.message.channel === "voice") return staySilent("would_call")
    const withAgentMessage = withMessage(simulation, {
      channel: right.message.channel,
      author: "agent",
      message_type: plan.messageType,
      subject: right.message.channel === "email" ? right.message.subject : null,
      body: right.message.body,
      at: fromMillis(at),
      reading: null,
      rests_on: right.considered ?? []
    })
    const state =
      purpose !== "touch"
        ? withAgentMessage.state
        : {
            ...withAgentMessage.state,
            touch_count: withAgentMessage.state.touch_count + 1,
            next_touch_at: plan.nextTouchAt === undefined ? null : fromMillis(plan.nextTouchAt)
          }
    let answered: SimulationSoFar = { ...withAgentMessage, state, silent_reason: null }
    for (const { question } of right.owes) answered = withEffect(answered, "owner_asked", question, at)
    return answered
  })

/** Returns the first of the proposed times that is free, by the same calendar and meetings as in prospecting. */
const firstFree = Effect.fnUntraced(function* (simulation: SimulationSoFar, times: ReadonlyArray<number>) {
  const calendar = yield* MeetingTimes
  for (const from of times.slice(0, mostAskedTimes)) {
    const period = { from, to: from + meetingLength }
    if ((yield* calendar.availability(period, subjectOf(simulation.profile))) !== "taken") return from
  }
  return undefined
})

/**
 * Looks up what prospecting looks up before it writes. A presentation and a booking page are represented by their
 * addresses.
 */
const lookedUp = Effect.fnUntraced(function* (
  { unit }: TurnServices,
  simulation: SimulationSoFar,
  account: SimulatingAccount,
  needs: TouchNeeds
) {
  // These services belong to later rooms, so they are looked up when a turn runs.
  const calendar = yield* MeetingTimes
  const bookingLinks = yield* BookingLinks
  const documents = yield* LeadDocuments
  const leadId = subjectOf(simulation.profile)
  const freeTimes = needs.times === undefined ? [] : yield* unit.read(calendar.proposalsFor({ leadId, ...needs.times }))
  const documentMatch =
    needs.documentWishes.length === 0
      ? undefined
      : yield* documents.preview(
          { campaignId: simulation.campaign_id, language: languageOfSimulated(simulation, account) },
          needs.documentWishes
        )
  const isNothing = documentMatch === undefined || documentMatch.documents.length + documentMatch.missing.length === 0
  return {
    freeTimes,
    bookingLink: needs.takesLink ? yield* unit.read(bookingLinks.page) : undefined,
    documents: isNothing ? undefined : documentMatch
  }
})

/** A message with which the lead opens the conversation. */
const openingOf = Effect.fnUntraced(function* (
  services: TurnServices,
  simulation: SimulationSoFar,
  { account, config }: Setting
) {
  const { profile } = simulation
  const { next } = yield* DelimiterWord
  const language = languageOfSimulated(simulation, account)
  const business = config.identity.businessName ?? account.name
  const { usage, value } = yield* services.model
    .generate({
      prompt: openingPrompt(profile, { business, language, word: yield* next }),
      schema: LeadOpening,
      maxOutputTokens: 300,
      timeout: "30 seconds",
      purpose: "simulate_lead",
      inSandbox: Effect.succeed({ message: openingByRule(language, business, profile) })
    })
    .pipe(Effect.catchAll((failure) => failAfter(services, failure)))
  yield* payFor(services, usage)
  const message = value.message.trim().slice(0, 2000)
  return message === "" ? openingByRule(language, business, profile) : message
})

/**
 * Refuses a simulation if the account has no identity. Prospecting would skip it, because the lead could not know who
 * writes.
 */
const checkIdentity = ({ identity }: EffectiveConfiguration) => {
  const missing = missingIdentity(identity)
  return missing.length === 0 ? Effect.void : Effect.fail(identityMissing(missing))
}

/** Returns the lead's questions, and whether the account's answers or files cover them. */
const askedQuestions = Effect.fnUntraced(function* (
  services: TurnServices,
  { campaign_id: campaignId }: SimulationSoFar,
  { account, config }: Setting,
  language: Language,
  { ownText, reading }: ReadReply
) {
  const { acts } = reading
  const wishes = documentWishesIn(acts)
  const documents = yield* LeadDocuments
  const missing = wishes.length === 0 ? [] : (yield* documents.preview({ campaignId, language }, wishes)).missing
  const missingDocuments = missing.map((text): AskedQuestion => ({ text, isKnown: false, isDocument: true }))
  const questionTexts = questionsOf(reading, ownText)
  if (questionTexts.length === 0) return missingDocuments
  const lookups = [...new Set(questionTexts.flatMap((text) => [text, ...lookupsFor(text, acts, language)]))]
  const { knowledge, quotable, questions, unit } = services
  const { accountId } = yield* Caller
  const passages = yield* unit.read(passagesAbout(quotable, { accountId, campaignId }, lookups))
  const { judged, usage } = yield* knowledge.find({
    questions: questionTexts,
    business: {
      name: config.identity.businessName ?? account.name,
      answers: yield* unit.read(questions.answersLike(lookups)),
      knowledge: passages
    },
    language,
    ownersLanguage: languageOf(account.language_key),
    reply: { acts, business: config.identity.businessName ?? account.name, text: ownText }
  })
  yield* payFor(services, usage)
  const leadQuestions = judged.map(
    ({ answer, question }): AskedQuestion => ({ text: question, isKnown: answer !== undefined })
  )
  return [...leadQuestions, ...missingDocuments]
})

/** Makes the turns of a simulation. They read what prospecting reads, and write nothing except the model's usage. */
export const makeTurns = Effect.gen(function* () {
  const services = yield* makeTurnServices
  const { reader } = services
  const pay = (usage: Usage | undefined) => payFor(services, usage)
  const failWithOutage = (failure: LanguageModelFailed) => failAfter(services, failure)
  const agentTurn = (simulation: SimulationSoFar, setting: Setting, at: number, purpose?: TurnPurpose) =>
    runAgentTurn(services, simulation, setting, at, purpose)

  /** Returns the lead's message, its consequences, and the agent's next message. */
  const leadTurn = (
    simulation: SimulationSoFar,
    setting: Setting,
    { subject, text }: { readonly text: string; readonly subject: string | undefined }
  ): Effect.Effect<SimulationSoFar, Transient, Caller> =>
    Effect.gen(function* () {
      const { account, channel, config } = setting
      const now = timeOf(simulation, yield* Clock.currentTimeMillis)
      const at = fromMillis(now)
      const { meeting } = simulation.state
      const facts = replyFactsOf(simulation, account, { text, subject: subject ?? null, channel, at })
      const reply = inboundReplyOf(facts, meeting ?? undefined)
      const read = yield* Effect.catchAll(reader.read(reply, lastWritten(simulation)), (failure) =>
        isOutage(failure) ? failWithOutage(failure) : Effect.succeed(readWithoutModel(reply, failure))
      )
      yield* pay(read.usage)
      const { ownText } = read
      const language = read.reading.language ?? languageOfSimulated(simulation, account)
      const questions = yield* askedQuestions(services, simulation, setting, language, read)
      const ahead = meeting === null || toMillis(meeting.starts_at) <= now ? undefined : meeting
      const times = judgeTimesOf(read.reading, facts, ahead, now)
      const bookableAt = yield* firstFree(simulation, times.bookable)
      const isTaken = bookableAt === undefined && times.bookable.length > 0
      const reading = { ...read.reading, timeProblem: isTaken ? ("taken" as const) : (times.why ?? null) }
      const judgedReply = yield* reader.judge({
        reviewCriteria: config.human_review_criteria,
        qualificationInstructions: config.lead_qualification_instructions,
        profile: profileTextOf(simulation),
        reply: ownText,
        language: languageOf(account.language_key)
      })
      yield* pay(judgedReply.usage)
      const consequences = replyConsequences({
        reading,
        lead: {
          leadId: subjectOf(simulation.profile),
          status: simulation.state.status,
          pipeline: simulation.state.pipeline_state,
          isUnsubscribed: simulation.state.is_unsubscribed,
          isTakenOver: false
        },
        meeting:
          ahead === undefined
            ? undefined
            : {
                meetingId: simulatedMeetingId,
                startsAt: toMillis(ahead.starts_at),
                local: localMeeting(ahead.starts_at, zoneOfSimulated(simulation, account))
              },
        bookableAt,
        settings: config,
        now,
        zone: zoneOfSimulated(simulation, account),
        window: { startHour: config.send_window_start_hour, endHour: config.send_window_end_hour },
        criterion: judgedReply.met?.criterion,
        judgement: judgedReply.met,
        disqualified: judgedReply.disqualified,
        questions,
        isOtherLanguage: otherLanguageOf(ownText) !== undefined,
        isAnsweredOften: recentAnswers(simulation, channel, now) >= answersPerDay[channel],
        isSenderProven: true,
        isObjectionRepeated: repeatsObjection(simulation, reading),
        callAt: callTimeOfSimulated(simulation, setting, reading, { now, near: times.near })
      })
      const withLeadMessage = withMessage(simulation, {
        channel,
        author: "lead",
        message_type: null,
        subject: channel === "email" ? (subject ?? null) : null,
        body: text,
        at,
        reading,
        rests_on: []
      })
      const { effects, isMeetingNew, isTouchSet, state } = applyConsequences(simulation.state, consequences, {
        now,
        language: languageOf(account.language_key)
      })
      const afterReply: SimulationSoFar = {
        ...withLeadMessage,
        state,
        effects: [...withLeadMessage.effects, ...effects],
        silent_reason: state.pipeline_state === "in_pipeline" ? "nothing_to_answer" : `lead_${state.pipeline_state}`
      }
      if (isMeetingNew) return yield* agentTurn(afterReply, setting, now + 5 * 60_000, "notice")
      const holdingLine = consequences.find((step) => step._tag === "HoldingLine")
      if (holdingLine !== undefined && !wasHeldBefore(simulation)) {
        const afterLine = yield* agentTurn(afterReply, setting, holdingLine.at, "holding_line")
        return { ...afterLine, silent_reason: afterReply.silent_reason }
      }
      if (!isTouchSet || state.next_touch_at === null || state.pipeline_state !== "in_pipeline") return afterReply
      return yield* agentTurn(afterReply, setting, Math.max(now, toMillis(state.next_touch_at)))
    })

  return {
    checkIdentity,

    /** The first message of the agent, in the next hour of its send window. */
    firstContact: (simulation: SimulationSoFar, setting: Setting) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const { window, zone } = firstWindow(simulation, setting, now)
        return agentTurn(simulation, setting, nextInWindow(now, zone, window))
      }),

    leadTurn,

    opening: (simulation: SimulationSoFar, setting: Setting) => openingOf(services, simulation, setting)
  }
})
