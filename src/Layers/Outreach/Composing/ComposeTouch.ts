import { Clock, Effect, Either } from "effect"
import type { Transient } from "../../../Errors.ts"
import { MeetingTimes } from "../../../Services/Calendar/MeetingTimes.ts"
import { ChatAppOpenings } from "../../../Services/ChatApp/ChatAppOpenings.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { LanguageUsage } from "../../../Services/Models/LanguageUsage.ts"
import { ModelOutages } from "../../../Services/Models/ModelOutages.ts"
import { BookingLinks } from "../../../Services/Outreach/BookingLinks.ts"
import {
  type Steering,
  TouchComposer,
  type TouchNeeds,
  type WritePlan
} from "../../../Services/Outreach/TouchComposer.ts"
import { hasShownInterest, type TouchFacts } from "../../../Services/Outreach/TouchFacts.ts"
import { composeAnswer, composeTouch, type Touch } from "../../../Services/Outreach/TouchTasks.ts"
import { LeadDocuments } from "../../../Services/Presentations/LeadDocuments.ts"
import type { EffectiveConfiguration } from "../../../Services/Prospecting/EffectiveConfiguration.ts"
import { ProspectingConfig } from "../../../Services/Prospecting/ProspectingConfig.ts"
import { handle, type TaskInfo } from "../../Platform/Jobs/TaskHandler.ts"
import { makeEndTouches } from "../EndTouches.ts"
import { makeParkedDelivery } from "../ParkedDelivery.ts"
import { callerOf, makeQueueTouches } from "../QueueTouches.ts"
import { canChat, parkedMessages } from "./TouchBrief.ts"
import { makeTouchFacts } from "./TouchFacts.ts"
import { makeSteering } from "./TouchSteeringFacts.ts"
import { type Attempt, makeUnwrittenTouches } from "./UnwrittenTouches.ts"

/** A touch that will send a message, with all decisions about it. */
interface PlannedTouch {
  readonly touch: Touch
  readonly facts: TouchFacts
  readonly config: EffectiveConfiguration
  readonly mayOpenChat: boolean
  readonly steering: Steering
  readonly plan: WritePlan
}

/** Decides whether, why and on which channel a lead is contacted now. */
const makePlanTouch = Effect.gen(function* () {
  const unit = yield* UnitOfWork
  const configs = yield* ProspectingConfig
  const composer = yield* TouchComposer
  const openings = yield* ChatAppOpenings
  const steeringOf = yield* makeSteering

  /** Returns whether paid openings on the messaging app are allowed and within the spending caps. */
  const mayOpen = ({ accountId }: Touch, facts: TouchFacts, config: EffectiveConfiguration) =>
    !config.allow_template_chatapp_messages || facts.is_chat_window_open || !canChat(facts)
      ? Effect.succeed(config.allow_template_chatapp_messages)
      : openings.areAffordable(accountId)

  return (touch: Touch, facts: TouchFacts) =>
    Effect.gen(function* () {
      const config = yield* configs.effectiveOutsideTransaction(facts.campaign_id)
      const mayOpenChat = yield* unit.read(mayOpen(touch, facts, config))
      const steering = yield* unit.read(steeringOf(touch, facts, { config, mayOpenChat }))
      const now = yield* Clock.currentTimeMillis
      const plan = composer.plan(touch, facts, { config, mayOpenChat, now, steering })
      return { config, mayOpenChat, steering, plan }
    })
})

/** Writes the message of a planned touch. */
const makeWriteTouch = Effect.gen(function* () {
  const unit = yield* UnitOfWork
  const composer = yield* TouchComposer
  const bookingLinks = yield* BookingLinks
  const times = yield* MeetingTimes
  const leadDocuments = yield* LeadDocuments

  /** Returns the documents that the lead asks for. A presentation may have to be generated first. */
  const documentsFor = ({ touch }: PlannedTouch, { documentWishes }: TouchNeeds) =>
    documentWishes.length === 0
      ? Effect.succeed(undefined)
      : leadDocuments
          .handOver(touch.leadId, documentWishes)
          .pipe(Effect.map((reply) => (reply.documents.length + reply.missing.length === 0 ? undefined : reply)))

  /** The facts, plus free times if the lead wants to meet. */
  const withFreeTimes = ({ facts, touch }: PlannedTouch, needs: TouchNeeds) =>
    Effect.gen(function* () {
      if (needs.times === undefined) return facts
      const at = yield* unit.read(times.proposalsFor({ leadId: touch.leadId, ...needs.times }))
      yield* unit.write(times.adviseCalendar)
      return at.length === 0 ? facts : { ...facts, free_times: at }
    })

  return (planned: PlannedTouch) =>
    Effect.gen(function* () {
      const { config, plan, touch } = planned
      const needs = composer.needs(planned.facts, config, plan)
      const facts = yield* withFreeTimes(planned, needs)
      const bookingLink = needs.takesLink ? yield* bookingLinks.of(touch.leadId) : undefined
      const documents = yield* documentsFor(planned, needs)
      return yield* composer.write(touch, facts, config, plan, { bookingLink, documents })
    })
})

/** Plans, writes and queues a touch, or ends it. */
const makeCompose = Effect.gen(function* () {
  const unit = yield* UnitOfWork
  const usage = yield* LanguageUsage
  const outages = yield* ModelOutages
  const factsOf = yield* makeTouchFacts
  const planTouch = yield* makePlanTouch
  const writeTouch = yield* makeWriteTouch
  const queueTouch = yield* makeQueueTouches
  const { withFiles } = yield* makeParkedDelivery
  const { skip } = yield* makeEndTouches
  const { askForReview, modelFailed, putBeforeOwner } = yield* makeUnwrittenTouches

  /** Queues the owner's messages unchanged. */
  const queueParked = ({ facts, mayOpenChat, plan, touch }: PlannedTouch, { isLast }: Attempt) =>
    Effect.gen(function* () {
      const parked = parkedMessages(facts, mayOpenChat)
      const ready = yield* withFiles(parked, isLast)
      const { accountId } = touch
      yield* queueTouch({ touch, accountId, facts, plan, content: { _tag: "Parked", parked, ready } })
    })

  const writeAndQueue = (planned: PlannedTouch, attempt: Attempt) =>
    Effect.gen(function* () {
      const { facts, plan, steering, touch } = planned
      const { accountId } = touch
      const writing = yield* Effect.either(writeTouch(planned))
      if (Either.isLeft(writing)) {
        return yield* writing.left._tag === "Transient"
          ? writing.left
          : modelFailed(touch, facts, writing.left, attempt)
      }
      if (facts.is_model_out) yield* outages.answered
      const written = writing.right
      if (written._tag === "NeedsReview") {
        if (written.usage !== undefined) yield* usage.add(accountId, "write_message", written.usage)
        return yield* askForReview(touch, facts, written.reason)
      }
      const content = { _tag: "Written" as const, written }
      yield* queueTouch({ touch, accountId, facts, plan, content, usage: written.usage, trial: steering.trial })
    })

  const compose = (touch: Touch, facts: TouchFacts, attempt: Attempt): Effect.Effect<void, Transient, Caller> =>
    Effect.gen(function* () {
      const { config, mayOpenChat, plan, steering } = yield* planTouch(touch, facts)
      if (plan._tag === "Skip") {
        const isOwners = plan.reason === "cadence_ended" && hasShownInterest(facts)
        return yield* isOwners ? putBeforeOwner(touch) : unit.write(skip(touch, plan))
      }
      const planned = { touch, facts, config, mayOpenChat, steering, plan }
      return yield* plan.isParkedMessage ? queueParked(planned, attempt) : writeAndQueue(planned, attempt)
    })

  return (touch: Touch, attempt: Attempt): Effect.Effect<void, Transient> =>
    Effect.gen(function* () {
      const facts = yield* factsOf(touch)
      if (facts === undefined) return
      yield* Effect.provideService(compose(touch, facts, attempt), Caller, callerOf(touch, facts))
    })
})

/** The handlers of `composeTouch` and `composeAnswer`, which act for the lead's account. */
export const makeComposeHandlers = Effect.map(makeCompose, (compose) => {
  const run = (touch: Touch, { attempt, maxAttempts }: TaskInfo) =>
    compose(touch, { attempt, isLast: attempt >= maxAttempts })
  return { touch: handle(composeTouch, run), answer: handle(composeAnswer, run) }
})
export const makeComposeTouchHandler = Effect.map(makeComposeHandlers, ({ touch }) => touch)
