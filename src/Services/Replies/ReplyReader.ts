import { Context, Effect, Layer, Schema } from "effect"
import type { ServiceMode } from "../Core/IntegrationModes.ts"
import { LanguageModel, type LanguageModelFailed, sandboxUsage, type Usage } from "../Models/LanguageModel.ts"
import { Language } from "../Text/Language.ts"
import { clip, fold } from "../Text/PlainText.ts"
import { DelimiterWord } from "../Text/PromptDelimiter.ts"
import { emailsIn, phonesIn } from "./NamedContacts.ts"
import { type Judged, makeReplyJudge, type OwnerJudgement } from "./ReplyJudge.ts"
import { replyReaderPrompt } from "./ReplyReaderPrompt.ts"
import { MeetingChange, type NamedContact, RefusalReason, ReplyClass, type ReplyReading } from "./ReplyReading.ts"
import {
  asksToUnsubscribe,
  type InboundReply,
  isBounce,
  type PreparedReply,
  prepareReply,
  readByRules,
  unlessOrdered
} from "./ReplyRules.ts"

export interface ReadReply {
  readonly reading: ReplyReading
  /** What its writer wrote: without the repeated mail and the signature. */
  readonly ownText: string
  readonly mode: ServiceMode
  readonly usage: Usage
}

/**
 * Says what a reply amounts to. Wishes to be left alone and failed deliveries are told by rules, before any model is
 * asked and whatever it would say. Fails only where the model could not be had for now.
 */
export class ReplyReader extends Context.Tag("ReplyReader")<
  ReplyReader,
  {
    /** `earlier` is what the lead had been sent before. */
    readonly read: (reply: InboundReply, earlier?: string) => Effect.Effect<ReadReply, LanguageModelFailed>
    /** What the owner wrote down of which replies are a person's, and which leads are wanted. */
    readonly judge: (judgement: OwnerJudgement) => Effect.Effect<Judged>
  }
>() {}

const timeout = "30 seconds"
const maxOutputTokens = 600

const ModelReading = Schema.Struct({
  class: ReplyClass,
  confidence: Schema.Number,
  language: Schema.NullOr(Language),
  refusal_reason: Schema.NullOr(RefusalReason),
  question: Schema.NullOr(Schema.String),
  return_date: Schema.NullOr(Schema.String),
  contact_name: Schema.NullOr(Schema.String),
  contact_email: Schema.NullOr(Schema.String),
  contact_phone: Schema.NullOr(Schema.String),
  meeting_date: Schema.NullOr(Schema.String),
  meeting_time: Schema.NullOr(Schema.String),
  meeting_text: Schema.NullOr(Schema.String),
  meeting_change: Schema.NullOr(MeetingChange)
})
type ModelReading = typeof ModelReading.Type

const asModelReading = (reading: ReplyReading): ModelReading => ({
  class: reading.class,
  confidence: reading.confidence,
  language: reading.language,
  refusal_reason: reading.refusalReason,
  question: reading.question,
  return_date: reading.returnDate,
  contact_name: reading.contact?.name ?? null,
  contact_email: reading.contact?.email ?? null,
  contact_phone: reading.contact?.phone ?? null,
  meeting_date: reading.proposedMeeting?.date ?? null,
  meeting_time: reading.proposedMeeting?.time ?? null,
  meeting_text: reading.proposedMeeting?.text ?? null,
  meeting_change: reading.meetingChange
})

const dayIn = (text: string | null): string | null => {
  const day = /^\d{4}-\d{2}-\d{2}$/.exec(text ?? "")?.[0]
  if (day === undefined) return null
  const millis = Date.parse(`${day}T00:00:00Z`)
  // A day such as 30 February parses as another one, and so does not come back as it was.
  return Number.isNaN(millis) || new Date(millis).toISOString().slice(0, 10) !== day ? null : day
}
const timeIn = (text: string | null): string | null => (/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text ?? "") ? text : null)

const stated = (text: string | null, length: number): string | null => {
  const trimmed = clip(text?.trim() ?? "", length)
  return trimmed === "" ? null : trimmed
}

/** The contact that the model found, as far as it really stands in the reply. */
const checkedContact = (found: ModelReading, reply: InboundReply, own: string): NamedContact | null => {
  const name = stated(found.contact_name, 120)
  const email = emailsIn(own).find(
    (address) => address === found.contact_email?.trim().toLowerCase() && !reply.ownContacts.includes(address)
  )
  const wanted = found.contact_phone?.replace(/\D/g, "") ?? ""
  const phone = phonesIn(own, reply.country).find(
    (number) => wanted.length >= 8 && number.endsWith(wanted.slice(-8)) && !reply.ownContacts.includes(number)
  )
  const isWritten = name !== null && fold(own).includes(fold(name))
  return !isWritten && email === undefined && phone === undefined
    ? null
    : { name: isWritten ? name : null, email: email ?? null, phone: phone ?? null }
}

const namesOthers: ReadonlySet<ReplyClass> = new Set(["referral", "wrong_person", "out_of_office", "gatekeeper"])

/** What the model said, without what it cannot know. */
const checkedReading = (found: ModelReading, reply: InboundReply, prepared: PreparedReply): ReplyReading => {
  const contact = namesOthers.has(found.class) ? checkedContact(found, reply, prepared.own) : null
  // A referral that names nobody is a wrong person.
  const replyClass = found.class === "referral" && contact === null ? "wrong_person" : found.class
  const date = dayIn(found.meeting_date)
  const time = timeIn(found.meeting_time)
  const meetingChange = reply.standingMeeting === undefined ? null : found.meeting_change
  return {
    class: replyClass,
    confidence: Number.isFinite(found.confidence) ? Math.min(1, Math.max(0, found.confidence)) : 0,
    language: found.language ?? prepared.language ?? null,
    refusalReason: replyClass === "not_interested" ? (found.refusal_reason ?? "other") : null,
    question: stated(found.question, 500),
    returnDate: replyClass === "out_of_office" || replyClass === "not_interested" ? dayIn(found.return_date) : null,
    contact,
    proposedMeeting:
      (replyClass === "meeting_request" || meetingChange === "move") &&
      (date !== null || time !== null || stated(found.meeting_text, 200) !== null)
        ? {
            date,
            time,
            text: stated(found.meeting_text, 200) ?? [date, time].filter((part) => part !== null).join(" ")
          }
        : null,
    meetingChange,
    decidedBy: "model"
  }
}

/** So unsure that a person should look at it. */
const unsure = 0.5

const make = Effect.gen(function* () {
  const model = yield* LanguageModel

  const askModel = (reply: InboundReply, prepared: PreparedReply, earlier: string, byRules: ReplyReading) =>
    Effect.gen(function* () {
      const { next } = yield* DelimiterWord
      const prompt = replyReaderPrompt(
        {
          subject: reply.subject ?? "",
          text: prepared.own,
          earlier,
          today: prepared.today,
          standingMeeting: reply.standingMeeting,
          language: prepared.language ?? reply.leadLanguage
        },
        yield* next
      )
      const { usage, value } = yield* model.generate({
        prompt,
        schema: ModelReading,
        maxOutputTokens,
        timeout,
        purpose: "read_reply",
        inSandbox: Effect.succeed(asModelReading(byRules))
      })
      return model.mode === "sandbox"
        ? { reading: byRules, usage }
        : { reading: unlessOrdered(checkedReading(value, reply, prepared), prepared), usage }
    })

  const judge = yield* makeReplyJudge

  return ReplyReader.of({
    judge,
    read: Effect.fn("ReplyReader.read")(function* (reply, earlier = "") {
      const prepared = prepareReply(reply)
      const byRules = readByRules(reply, prepared)
      const answer = (reading: ReplyReading, usage: Usage): ReadReply => ({
        reading,
        ownText: prepared.own,
        mode: model.mode,
        usage
      })
      const isSettled =
        isBounce(reply, prepared) ||
        asksToUnsubscribe(reply, prepared) ||
        prepared.own === "" ||
        reply.isAutoSubmitted === true
      const nothing: Usage = { ...sandboxUsage, model: model.mode === "sandbox" ? "sandbox" : "none" }
      const result = isSettled
        ? answer(byRules, nothing)
        : yield* askModel(reply, prepared, earlier, byRules).pipe(
            Effect.map(({ reading, usage }) => answer(reading, usage)),
            // What the model will not or cannot read in a useful way, rules read; a person is to look at it.
            Effect.catchIf(
              ({ reason }) => reason === "refused" || reason === "invalid_output",
              ({ usage }) =>
                Effect.succeed(
                  answer({ ...byRules, confidence: Math.min(byRules.confidence, unsure - 0.1) }, usage ?? nothing)
                )
            )
          )
      yield* Effect.annotateCurrentSpan({ class: result.reading.class, decided_by: result.reading.decidedBy })
      return result
    })
  })
})

export const ReplyReaderLayer = Layer.effect(ReplyReader, make)
