import { Schema } from "effect"
import { Language } from "../../Text/Language.ts"
import { clip, fold } from "../../Text/PlainText.ts"
import { dateOfDay } from "../../Text/Times/Days.ts"
import { type TimeMention, timeMentions } from "../../Text/Times/TimeMentions.ts"
import { type Act, ActKind, type ActTime, Objection } from "../Acts.ts"
import type { NamedContact } from "../Contacts/NamedContact.ts"
import { emailsIn, phonesIn } from "../Contacts/NamedContacts.ts"
import { figuresOf } from "../ReplyActs.ts"
import type { InboundReply, PreparedReply } from "../ReplyText.ts"

/** One act, as a language model reports it. */
const ModelAct = Schema.Struct({
  kind: ActKind,
  /** The words of the reply that do it. */
  quote: Schema.String,
  certainty: Schema.Number,
  is_question: Schema.Boolean,
  objection: Schema.NullOr(Objection),
  date: Schema.NullOr(Schema.String),
  time: Schema.NullOr(Schema.String),
  contact_name: Schema.NullOr(Schema.String),
  contact_email: Schema.NullOr(Schema.String),
  contact_phone: Schema.NullOr(Schema.String)
})
type ModelAct = typeof ModelAct.Type

/** A language model's reading of a reply. */
export const ModelReading = Schema.Struct({ language: Schema.NullOr(Language), acts: Schema.Array(ModelAct) })
export type ModelReading = typeof ModelReading.Type

const clockOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`

/** Acts in the form in which a model would report them. */
export const asModelReading = (acts: ReadonlyArray<Act>, language: Language | null): ModelReading => ({
  language,
  acts: acts.map(({ certainty, contact, isQuestion, kind, objection, text, time }) => ({
    kind,
    quote: text,
    certainty,
    is_question: isQuestion,
    objection,
    date: time?.days[0] ?? null,
    time: time?.minutes[0] === undefined ? null : clockOf(time.minutes[0]),
    contact_name: contact?.name ?? null,
    contact_email: contact?.email ?? null,
    contact_phone: contact?.phone ?? null
  }))
})

const mostActs = 40
const longestQuote = 500

const isDay = (text: string | null): text is string => {
  if (text === null || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const millis = Date.parse(`${text}T00:00:00Z`)
  // A day such as 30 February parses as another one, and so does not come back as it was.
  return !Number.isNaN(millis) && new Date(millis).toISOString().slice(0, 10) === text
}

const minutesOf = (text: string | null): number | undefined => {
  const [, hours = "", minutes = ""] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text ?? "") ?? []
  return hours === "" ? undefined : Number(hours) * 60 + Number(minutes)
}

/** The contact that the model reports, as far as it is written in the reply. */
const writtenContact = (act: ModelAct, reply: InboundReply, own: string): NamedContact | null => {
  const name = clip(act.contact_name?.trim() ?? "", 120)
  const email = emailsIn(own).find(
    (address) => address === act.contact_email?.trim().toLowerCase() && !reply.ownContacts.includes(address)
  )
  const digits = act.contact_phone?.replace(/\D/g, "") ?? ""
  const phone = phonesIn(own, reply.country).find(
    (number) => digits.length >= 8 && number.endsWith(digits.slice(-8)) && !reply.ownContacts.includes(number)
  )
  const isWritten = name !== "" && fold(own).includes(fold(name))
  return !isWritten && email === undefined && phone === undefined
    ? null
    : { name: isWritten ? name : null, email: email ?? null, phone: phone ?? null }
}

interface CheckedTime {
  readonly time: ActTime | null
  /** Whether the grammar of times reads the same in the quoted words. */
  readonly isConfirmed: boolean
}

const spanOf = (
  mention: TimeMention | undefined
): Pick<ActTime, "first" | "last" | "untilMinute" | "isPast" | "zone" | "relation"> => ({
  first: mention?.days === undefined ? null : dateOfDay(mention.days.first),
  last: mention?.days === undefined ? null : dateOfDay(mention.days.last),
  untilMinute: mention?.clockUntil ?? null,
  isPast: mention?.isPast === true || mention?.isRecurring === true,
  zone: mention?.zone ?? null,
  relation: mention?.dateRelation ?? mention?.clockRelation ?? null
})

/** The model's time, held against what the grammar reads in the same words. */
const checkedTime = (act: ModelAct, mentions: ReadonlyArray<TimeMention>): CheckedTime => {
  const day = isDay(act.date) ? act.date : undefined
  const minutes = minutesOf(act.time)
  if (day === undefined && minutes === undefined) {
    const [mention] = mentions
    if (mention === undefined) return { time: null, isConfirmed: true }
    return {
      time: { text: mention.text, days: mention.dayChoices.map(dateOfDay), minutes: mention.clock, ...spanOf(mention) },
      isConfirmed: false
    }
  }
  const agreeing = mentions.find(
    ({ clock, dayChoices }) =>
      (day === undefined || dayChoices.map(dateOfDay).includes(day)) &&
      (minutes === undefined || clock.includes(minutes))
  )
  const mention = agreeing ?? mentions[0]
  const time: ActTime = {
    text: mention?.text ?? act.quote.slice(0, 200),
    days: day === undefined ? (agreeing?.dayChoices.map(dateOfDay) ?? []) : [day],
    minutes: minutes === undefined ? [] : [minutes],
    ...spanOf(agreeing)
  }
  return { time, isConfirmed: agreeing !== undefined }
}

/** From here on a model's word is taken as certain, where nothing contradicts it. */
const certainFrom = 0.85

/** The acts that a model reports, without what it made up: quotes, people and days that the reply does not have. */
export const checkedActs = (
  reading: ModelReading,
  reply: InboundReply,
  prepared: PreparedReply
): ReadonlyArray<Act> => {
  const language = prepared.language ?? reply.leadLanguage
  const setting = { today: prepared.today, figures: figuresOf(reply, language), language }
  return reading.acts.slice(0, mostActs).flatMap((act): ReadonlyArray<Act> => {
    const quote = clip(act.quote.trim(), longestQuote)
    const folded = fold(quote).replace(/\s+/g, " ").trim()
    if (folded === "" || !prepared.folded.replace(/\s+/g, " ").includes(folded)) return []
    const certainty = Number.isFinite(act.certainty) ? Math.min(1, Math.max(0, act.certainty)) : 0
    const { isConfirmed, time } = checkedTime(act, timeMentions(fold(quote), setting))
    return [
      {
        kind: act.kind,
        text: quote,
        certainty,
        isCertain: certainty >= certainFrom && isConfirmed,
        source: "model",
        time,
        isQuestion: act.is_question,
        objection: act.kind === "objects" ? (act.objection ?? "need") : null,
        contact: writtenContact(act, reply, prepared.own),
        isAutomatic: false
      }
    ]
  })
}
