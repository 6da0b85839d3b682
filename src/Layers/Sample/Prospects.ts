import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Schema } from "effect"
import type { Refused, RequestRefused, Transient } from "../../Errors.ts"
import { ChatAppSandbox } from "../../Services/ChatApp/ChatAppSandbox.ts"
import { Caller } from "../../Services/Core/Caller.ts"
import { timeZoneOf } from "../../Services/Core/LocalTime.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import { MailSubscriptions } from "../../Services/Mail/MailInbox.ts"
import { languageOfLead } from "../../Services/Text/LeadLanguage.ts"
import { makeSandboxInbound } from "../Mail/sandbox/MailSandboxInbound.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { makeSandboxScripts } from "../Voice/sandbox/SandboxScript.ts"
import {
  type AnswerKind,
  answersAt,
  type Character,
  callOutcome,
  characterOf,
  nextAnswer
} from "./ProspectCharacter.ts"
import { type Answered, absenceNotice, bounceOf, letterOf, sentenceOf, type Writing } from "./ProspectLetters.ts"
import type { SeededRandom } from "./SeededRandom.ts"
import type { SimulatedClock } from "./SimulatedClock.ts"
import type { SimulatedEngine, Watcher } from "./SimulatedEngine.ts"
import type { WaitingTask } from "./SimulatedTaskQueue.ts"
import { ownersZone } from "./Workdays.ts"

/** How far an invented person is in its conversation with the account. */
interface Person {
  readonly leadId: LeadId
  readonly contact: string
  readonly character: Character
  messages: number
  turns: number
  calls: number
  said: AnswerKind | "call" | undefined
  isAnswering: boolean
  isGone: boolean
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
}

/** What went out to a lead, and what of it can be answered. */
interface Received extends LeadRow {
  readonly messageType: string | null
  readonly mailId: number | null
  readonly messageId: string | null
  readonly from: string
  readonly text: string
}

const leadColumns = `l.lead_id as "leadId", l.name, l.email, l.phone, l.company, l.state, l.country,
  l.time_zone as "timeZone", l.referred_by_lead_id is not null as "isReferred"`

const minute = 60_000

const isMailTask = Schema.is(Schema.Struct({ emailMessageId: Schema.Int }))
const isChatTask = Schema.is(Schema.Struct({ chatAppMessageId: Schema.Int }))
const isCallTask = Schema.is(Schema.Struct({ voiceCallRequestId: Schema.Int }))

/** What a person writes may be refused, as anybody's mail may: then it is as if nothing was written. */
const unlessRefused = <A, R>(effect: Effect.Effect<A, Refused | RequestRefused | Transient, R>) =>
  Effect.catchTags(effect, { Refused: () => Effect.void, RequestRefused: () => Effect.void })

/**
 * The people whom an account writes to and calls: each sees what the sandbox sent it, and answers through the sandbox's
 * own doors, or does not. The same for the same seed.
 */
export const makeProspects = (options: {
  readonly random: SeededRandom
  readonly clock: SimulatedClock
  readonly at: SimulatedEngine["at"]
  /** Of people who react to what they are sent. */
  readonly share: number
}) =>
  Effect.gen(function* () {
    const { at, clock, random, share } = options
    const sql = yield* SqlClient
    const inbound = yield* makeSandboxInbound
    const scripts = yield* makeSandboxScripts
    const chat = yield* ChatAppSandbox
    const subscriptions = yield* MailSubscriptions
    const caller = yield* Caller
    const { accountId } = caller
    const people = new Map<LeadId, Person>()
    const seen = new Set<string>()

    const personOf = (lead: LeadRow): Person => {
      const { email, isReferred, leadId, phone } = lead
      const known = people.get(leadId)
      if (known !== undefined) return known
      const contact = email ?? phone ?? `${leadId}`
      // Everybody writes as in the country that the person is in.
      const language = languageOfLead({ ...lead, language: null }, "pt-BR")
      const character = characterOf(random, contact, { isReferred, language, share })
      const state = { messages: 0, turns: 0, calls: 0, said: undefined, isAnswering: false, isGone: false }
      const person: Person = { leadId, contact, character, ...state }
      people.set(leadId, person)
      return person
    }

    const writingOf = (person: Person, lead: LeadRow): Writing => ({
      random,
      contact: person.contact,
      name: lead.name,
      email: lead.email,
      company: lead.company,
      character: person.character,
      turn: person.turns,
      now: clock.now(),
      zone: timeZoneOf(lead, ownersZone)
    })

    const answeredBy = ({ from, mailId, text }: Received, sentAt: number): Answered | undefined =>
      mailId === null ? undefined : { sandboxMailId: mailId, from, text, at: sentAt }

    const unsubscribeByButton = Effect.fnUntraced(function* (mailId: number) {
      const rows = yield* sql<{ readonly raw: Uint8Array }>`
        select raw from sandbox_mail where account_id = ${accountId} and sandbox_mail_id = ${mailId}`.pipe(fromSql())
      const head = new TextDecoder().decode(rows[0]?.raw).replace(/\r?\n[ \t]+/g, " ")
      const token = /^List-Unsubscribe:.*?<[^>]*\/u\/([^>/]+)>/im.exec(head)?.[1]
      if (token !== undefined) yield* subscriptions.unsubscribe(token)
    })

    /** Writes through the channel that the person was written to on. */
    const write = (person: Person, received: Received, kind: AnswerKind, sentAt: number) =>
      Effect.gen(function* () {
        const writing = writingOf(person, received)
        person.isAnswering = false
        person.turns += 1
        person.said = kind
        if (kind === "unsubscribe") person.isGone = true
        const answered = answeredBy(received, sentAt)
        if (answered !== undefined) return yield* inbound.deliver(accountId, letterOf(writing, kind, answered))
        const message = { from: received.phone ?? "", text: sentenceOf(writing, kind), file: undefined }
        return yield* Effect.provideService(chat.receive(message), Caller, caller)
      }).pipe(unlessRefused, Effect.asVoid)

    const answerLater = (person: Person, received: Received, kind: AnswerKind) => {
      const millis = clock.now()
      person.isAnswering = true
      const zone = timeZoneOf(received, ownersZone)
      const when = { isChat: received.mailId === null, millis, zone }
      at(answersAt(random, person.contact, person.turns, when), write(person, received, kind, millis))
    }

    /** A mail program or server answers by itself, whoever reads. */
    const machineAnswers = (person: Person, received: Received): boolean => {
      const sentAt = clock.now()
      const answered = answeredBy(received, sentAt)
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
        Effect.suspend(() => inbound.deliver(accountId, absenceNotice(writingOf(person, received), answered))).pipe(
          unlessRefused,
          Effect.asVoid
        )
      )
      return true
    }

    const reads = (received: Received) => {
      const person = personOf(received)
      const { contact } = person
      if (person.isGone) return
      person.messages += 1
      if (machineAnswers(person, received) || person.isAnswering) return
      if (person.said !== undefined || received.messageType === "user_written") {
        const kind = nextAnswer(random, contact, person.said ?? "thanks", person.turns)
        if (kind === undefined) person.said = "wrong_person"
        else answerLater(person, received, kind)
        return
      }
      const { reaction } = person.character
      if (reaction === undefined || reaction.toMessage !== person.messages) return
      if (reaction.with._tag === "Answer") return answerLater(person, received, reaction.with.kind)
      if (received.mailId === null) return answerLater(person, received, "unsubscribe")
      person.isGone = true
      const delay = random.between(minute, 9 * 60 * minute, contact, "button")
      at(clock.now() + delay, unsubscribeByButton(received.mailId))
    }

    const firstTime = (key: string): boolean => {
      if (seen.has(key)) return false
      seen.add(key)
      return true
    }

    const mailOf = (emailMessageId: number) =>
      sql<Received>`
        select ${sql.literal(leadColumns)}, m.message_type as "messageType", s.sandbox_mail_id as "mailId",
          s.message_id as "messageId", s.from_address as "from", s.body_text as text
        from sandbox_mail s join email_message m using (account_id, email_message_id)
          join lead l on l.account_id = m.account_id and l.lead_id = m.lead_id
        where s.account_id = ${accountId} and s.email_message_id = ${emailMessageId} and s.direction = 'outbound'`.pipe(
        fromSql()
      )

    const chatOf = (chatAppMessageId: number) =>
      sql<Received>`
        select ${sql.literal(leadColumns)}, m.message_type as "messageType", null::bigint as "mailId",
          null as "messageId", '' as "from", m.body as text
        from sandbox_chatapp_message s join chatapp_message m using (account_id, client_reference)
          join lead l on l.account_id = m.account_id and l.lead_id = m.lead_id
        where m.account_id = ${accountId} and m.chatapp_message_id = ${chatAppMessageId}`.pipe(fromSql())

    /** A person picks up as it is minded to: said before the telephone rings. */
    const mindCall = Effect.fnUntraced(function* (callId: number) {
      const rows = yield* sql<LeadRow>`
        select ${sql.literal(leadColumns)} from voice_call v
          join lead l on l.account_id = v.account_id and l.lead_id = v.lead_id
        where v.account_id = ${accountId} and v.voice_call_request_id = ${callId}`.pipe(fromSql())
      const lead = rows[0]
      if (lead?.phone === undefined || lead.phone === null || !firstTime(`call ${callId}`)) return
      const person = personOf(lead)
      person.calls += 1
      const outcome = callOutcome(random, person.contact, person.character, person.calls)
      if (outcome === "agrees" || outcome === "asks_to_call_later") person.said = "call"
      if (outcome === "opts_out") person.isGone = true
      yield* scripts(accountId, { phone_number: lead.phone, outcome, person_says: null })
    }, unlessRefused)

    return {
      before: ({ name, payload }: WaitingTask) =>
        name === "place_voice_call" && isCallTask(payload) ? mindCall(payload.voiceCallRequestId) : Effect.void,
      after: ({ name, payload }: WaitingTask) =>
        Effect.gen(function* () {
          if ((name === "send_email" || name === "send_urgent_email") && isMailTask(payload)) {
            const [received] = yield* mailOf(payload.emailMessageId)
            if (received !== undefined && firstTime(`mail ${payload.emailMessageId}`)) reads(received)
          } else if (
            (name === "send_chatapp_message" || name === "send_urgent_chatapp_message") &&
            isChatTask(payload)
          ) {
            const [received] = yield* chatOf(payload.chatAppMessageId)
            if (received !== undefined && firstTime(`chat ${payload.chatAppMessageId}`)) reads(received)
          }
        })
    } satisfies Watcher
  })
