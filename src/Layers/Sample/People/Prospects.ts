import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Schema } from "effect"
import type { Refused, RequestRefused, Transient } from "../../../Errors.ts"
import { ChatAppSandbox } from "../../../Services/ChatApp/ChatAppSandbox.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import type { LeadId } from "../../../Services/Leads/Ids.ts"
import { MailSubscriptions } from "../../../Services/Mail/MailInbox.ts"
import { languageOfLead } from "../../../Services/Text/LeadLanguage.ts"
import { leadZoneOf } from "../../../Services/Zones/LeadZone.ts"
import { makeSandboxInbound } from "../../Mail/sandbox/MailSandboxInbound.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import type { SeededRandom } from "../../Simulated/SeededRandom.ts"
import type { SimulatedClock } from "../../Simulated/SimulatedClock.ts"
import type { SimulatedEngine, Watcher } from "../../Simulated/SimulatedEngine.ts"
import { makeSandboxScripts } from "../../Voice/sandbox/SandboxScript.ts"
import { makeProspectBookings } from "./ProspectBookings.ts"
import {
  type AnswerKind,
  answersAt,
  type Character,
  callOutcome,
  characterOf,
  makeReactionQuota,
  nextAnswer
} from "./ProspectCharacter.ts"
import { type AnsweredMessage, absenceNotice, bounceOf, letterOf, sentenceOf, type Writing } from "./ProspectLetters.ts"
import { ownersZone } from "./Workdays.ts"

/** A simulated person's state in the conversation with the account. */
interface Person {
  readonly leadId: LeadId
  readonly contact: string
  readonly character: Character
  messages: number
  turns: number
  calls: number
  lastAnswer: AnswerKind | "call" | undefined
  isAnswering: boolean
  isGone: boolean
  hasBooked: boolean
}

interface LeadRow {
  readonly leadId: LeadId
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
  readonly company: string | null
  readonly state: string | null
  readonly country: string | null
  readonly timeZone: string | null
  readonly isReferred: boolean
  readonly campaignId: number | null
}

/** A message that was sent to a lead, with the data for an answer. */
interface ReceivedMessage extends LeadRow {
  readonly messageType: string | null
  readonly mailId: number | null
  readonly messageId: string | null
  readonly from: string
  readonly text: string
}

const leadColumns = `l.lead_id as "leadId", l.name, l.email, l.phone, l.company, l.state, l.country,
  l.time_zone as "timeZone", l.referred_by_lead_id is not null as "isReferred", l.campaign_id as "campaignId"`

const minute = 60_000

const isMailTask = Schema.is(Schema.Struct({ emailMessageId: Schema.Int }))
const isChatTask = Schema.is(Schema.Struct({ chatAppMessageId: Schema.Int }))
const isCallTask = Schema.is(Schema.Struct({ voiceCallRequestId: Schema.Int }))

/** An answer may be refused like other mail. Then it has no effect. */
const unlessRefused = <A, R>(effect: Effect.Effect<A, Refused | RequestRefused | Transient, R>) =>
  Effect.catchTags(effect, { Refused: () => Effect.void, RequestRefused: () => Effect.void })

interface ProspectOptions {
  readonly random: SeededRandom
  readonly clock: SimulatedClock
  readonly at: SimulatedEngine["at"]
  /** The share of people who react to messages. */
  readonly share: number
}

const makePopulation = (options: ProspectOptions) =>
  Effect.map(
    Effect.all({
      sql: SqlClient,
      inbound: makeSandboxInbound,
      scripts: makeSandboxScripts,
      chat: ChatAppSandbox,
      subscriptions: MailSubscriptions,
      bookings: makeProspectBookings(options),
      caller: Caller
    }),
    (services) => ({
      ...services,
      ...options,
      reacts: makeReactionQuota(options.random, options.share),
      accountId: services.caller.accountId,
      people: new Map<LeadId, Person>()
    })
  )

/** The simulated people of an account, and the services through which they answer. */
type Population = Effect.Effect.Success<ReturnType<typeof makePopulation>>

const personOf = ({ people, random, reacts, share }: Population, lead: LeadRow): Person => {
  const { campaignId, email, isReferred, leadId, phone } = lead
  const existingPerson = people.get(leadId)
  if (existingPerson !== undefined) return existingPerson
  const contact = email ?? phone ?? `${leadId}`
  // People write in the language of their country.
  const language = languageOfLead({ ...lead, language: null }, "pt-BR")
  const character = characterOf(random, contact, {
    isReferred,
    language,
    reacts: isReferred ? undefined : () => reacts(campaignId),
    share
  })
  const person: Person = {
    leadId,
    contact,
    character,
    messages: 0,
    turns: 0,
    calls: 0,
    lastAnswer: undefined,
    isAnswering: false,
    isGone: false,
    hasBooked: false
  }
  people.set(leadId, person)
  return person
}

const writingOf = ({ clock, random }: Population, person: Person, lead: LeadRow): Writing => ({
  random,
  contact: person.contact,
  name: lead.name,
  email: lead.email,
  company: lead.company,
  character: person.character,
  turn: person.turns,
  now: clock.now(),
  zone: leadZoneOf(lead, { timeZone: ownersZone }).zone
})

const answeredMessage = ({ from, mailId, text }: ReceivedMessage, sentAt: number): AnsweredMessage | undefined =>
  mailId === null ? undefined : { sandboxMailId: mailId, from, text, at: sentAt }

const unsubscribeByHeader = Effect.fnUntraced(function* (
  { accountId, sql, subscriptions }: Population,
  mailId: number
) {
  const rows = yield* sql<{ readonly raw: Uint8Array }>`
    select raw from sandbox_mail where account_id = ${accountId} and sandbox_mail_id = ${mailId}`.pipe(fromSql())
  const headers = new TextDecoder().decode(rows[0]?.raw).replace(/\r?\n[ \t]+/g, " ")
  const token = /^List-Unsubscribe:.*?<[^>]*\/u\/([^>/]+)>/im.exec(headers)?.[1]
  if (token !== undefined) yield* subscriptions.unsubscribe(token)
})

/** Writes on the channel of the received message. */
const write = (population: Population, person: Person, received: ReceivedMessage, kind: AnswerKind, sentAt: number) =>
  Effect.gen(function* () {
    const { accountId, bookings, caller, chat, inbound } = population
    const writing = writingOf(population, person, received)
    person.isAnswering = false
    person.turns += 1
    person.lastAnswer = kind
    if (kind === "unsubscribe") person.isGone = true
    if (kind === "meeting" && !person.hasBooked) {
      person.hasBooked = yield* bookings.book({ ...received, contact: person.contact }, received.text)
      if (person.hasBooked) return
    }
    const answered = answeredMessage(received, sentAt)
    if (answered !== undefined) return yield* inbound.deliver(accountId, letterOf(writing, kind, answered))
    const message = { from: received.phone ?? "", text: sentenceOf(writing, kind), file: undefined }
    return yield* Effect.provideService(chat.receive(message), Caller, caller)
  }).pipe(unlessRefused, Effect.asVoid)

const answerLater = (population: Population, person: Person, received: ReceivedMessage, kind: AnswerKind): void => {
  const millis = population.clock.now()
  person.isAnswering = true
  const when = { isChat: received.mailId === null, millis, zone: leadZoneOf(received, { timeZone: ownersZone }).zone }
  population.at(
    answersAt(population.random, person.contact, person.turns, when),
    write(population, person, received, kind, millis)
  )
}

/** The automatic answer of a mail program or server. Returns whether there is one. */
const answerAutomatically = (population: Population, person: Person, received: ReceivedMessage): boolean => {
  const { accountId, at, clock, inbound, random } = population
  const sentAt = clock.now()
  const answered = answeredMessage(received, sentAt)
  if (answered === undefined || person.messages > 1 || person.turns > 0) return false
  const { contact } = person
  if (person.character.isDead && received.messageId !== null && received.email !== null) {
    const { messageId, email: recipient } = received
    person.isGone = true
    at(
      sentAt + random.between(20_000, 3 * minute, contact, "bounce"),
      Effect.suspend(() =>
        inbound.deliver(accountId, bounceOf({ messageId, recipient, account: received.from, now: clock.now() }))
      ).pipe(unlessRefused, Effect.asVoid)
    )
    return true
  }
  if (!person.character.isAway) return false
  at(
    sentAt + random.between(10_000, 2 * minute, contact, "absence"),
    Effect.suspend(() =>
      inbound.deliver(accountId, absenceNotice(writingOf(population, person, received), answered))
    ).pipe(unlessRefused, Effect.asVoid)
  )
  return true
}

const react = (population: Population, received: ReceivedMessage): void => {
  const { at, clock, random } = population
  const person = personOf(population, received)
  const { contact } = person
  if (person.isGone) return
  person.messages += 1
  if (answerAutomatically(population, person, received) || person.isAnswering) return
  if (person.lastAnswer !== undefined || received.messageType === "user_written") {
    const kind = nextAnswer(random, contact, person.lastAnswer ?? "thanks", person.turns)
    if (kind === undefined) person.lastAnswer = "wrong_person"
    else answerLater(population, person, received, kind)
    return
  }
  const { reaction } = person.character
  if (reaction === undefined || reaction.toMessage !== person.messages) return
  if (reaction.with._tag === "Answer") return answerLater(population, person, received, reaction.with.kind)
  if (received.mailId === null) return answerLater(population, person, received, "unsubscribe")
  person.isGone = true
  const delay = random.between(minute, 9 * 60 * minute, contact, "button")
  at(clock.now() + delay, unsubscribeByHeader(population, received.mailId))
}

const mailOf = ({ accountId, sql }: Population, emailMessageId: number) =>
  sql<ReceivedMessage>`
    select ${sql.literal(leadColumns)}, m.message_type as "messageType", s.sandbox_mail_id as "mailId",
      s.message_id as "messageId", s.from_address as "from", s.body_text as text
    from sandbox_mail s join email_message m using (account_id, email_message_id)
      join lead l on l.account_id = m.account_id and l.lead_id = m.lead_id
    where s.account_id = ${accountId} and s.email_message_id = ${emailMessageId} and s.direction = 'outbound'`.pipe(
    fromSql()
  )

const chatOf = ({ accountId, sql }: Population, chatAppMessageId: number) =>
  sql<ReceivedMessage>`
    select ${sql.literal(leadColumns)}, m.message_type as "messageType", null::bigint as "mailId",
      null as "messageId", '' as "from", m.body as text
    from sandbox_chatapp_message s join chatapp_message m using (account_id, client_reference)
      join lead l on l.account_id = m.account_id and l.lead_id = m.lead_id
    where m.account_id = ${accountId} and m.chatapp_message_id = ${chatAppMessageId}`.pipe(fromSql())

const calledLead = ({ accountId, sql }: Population, callId: number) =>
  sql<LeadRow>`
    select ${sql.literal(leadColumns)} from voice_call v
      join lead l on l.account_id = v.account_id and l.lead_id = v.lead_id
    where v.account_id = ${accountId} and v.voice_call_request_id = ${callId}`.pipe(
    fromSql(),
    Effect.map(([lead]) => lead)
  )

/** Prepares how the person will answer the call, before the sandbox places it. */
const prepareCall = Effect.fnUntraced(function* (population: Population, lead: LeadRow & { readonly phone: string }) {
  const person = personOf(population, lead)
  person.calls += 1
  const outcome = callOutcome(population.random, person.contact, person.character, person.calls)
  if (outcome === "agrees" || outcome === "asks_to_call_later") person.lastAnswer = "call"
  if (outcome === "opts_out") person.isGone = true
  yield* population.scripts(population.accountId, { phone_number: lead.phone, outcome, person_says: null })
}, unlessRefused)

/**
 * Makes the simulated people whom an account contacts. Each reads what the sandbox sent, and answers through the
 * sandbox or stays silent. The same seed gives the same answers.
 */
export const makeProspects = (options: ProspectOptions) =>
  Effect.map(makePopulation(options), (population) => {
    const handledKeys = new Set<string>()
    const isFirstTime = (key: string): boolean => {
      if (handledKeys.has(key)) return false
      handledKeys.add(key)
      return true
    }
    return {
      before: ({ name, payload }) =>
        Effect.gen(function* () {
          if (name !== "place_voice_call" || !isCallTask(payload)) return
          const lead = yield* calledLead(population, payload.voiceCallRequestId)
          if (lead === undefined || lead.phone === null || !isFirstTime(`call ${payload.voiceCallRequestId}`)) return
          yield* prepareCall(population, { ...lead, phone: lead.phone })
        }),
      after: ({ name, payload }) =>
        Effect.gen(function* () {
          if ((name === "send_email" || name === "send_urgent_email") && isMailTask(payload)) {
            const [received] = yield* mailOf(population, payload.emailMessageId)
            if (received !== undefined && isFirstTime(`mail ${payload.emailMessageId}`)) react(population, received)
          } else if (
            (name === "send_chatapp_message" || name === "send_urgent_chatapp_message") &&
            isChatTask(payload)
          ) {
            const [received] = yield* chatOf(population, payload.chatAppMessageId)
            if (received !== undefined && isFirstTime(`chat ${payload.chatAppMessageId}`)) react(population, received)
          }
        })
    } satisfies Watcher
  })
