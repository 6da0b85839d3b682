import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Layer, Option } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { AccountId, Plan } from "../../../Services/Accounts/Ids.ts"
import { ChatApp, type ChatAppNumber } from "../../../Services/ChatApp/ChatApp.ts"
import {
  type ChatAppEvent,
  ChatAppInbox,
  fetchChatAppMedia,
  type LineReport,
  type MarketingPreferenceReport,
  type MessageStateReport,
  type ReceivedMessage
} from "../../../Services/ChatApp/ChatAppMessages.ts"
import { isFirstSentReport, nextState, phoneSpellings } from "../../../Services/ChatApp/ChatAppRules.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { fromMillis } from "../../../Services/Core/Timestamp.ts"
import { AccountEvents } from "../../../Services/Events/AccountEvents.ts"
import { AgentConversation } from "../../../Services/Events/AgentConversation.ts"
import { CustomerFiles, UploadLimit } from "../../../Services/Files/CustomerFiles.ts"
import { TaskQueue } from "../../../Services/Jobs/TaskQueue.ts"
import type { LeadId } from "../../../Services/Leads/Ids.ts"
import { readReply } from "../../../Services/Outreach/OutreachTasks.ts"
import { TouchLedger } from "../../../Services/Outreach/TouchLedger.ts"
import { writtenLanguage } from "../../../Services/Text/Language.ts"
import { personOfPhone } from "../../Accounts/Sql.ts"
import { chatAppFailed, chatAppResumed } from "../../Leads/Sql/State.ts"
import { recordPastChange } from "../../Leads/Sql.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { type HeldMessage, type MessageOfLead, makeChatAppSettling } from "../Sending/ChatAppSettling.ts"

/** The account that owns a line. */
interface LineOwner {
  readonly accountId: AccountId
  readonly plan: Plan
}

interface Correspondent {
  readonly leadId: LeadId
  readonly phone: string
}

/** A person at the provider. At least one of the two is defined. */
interface Person {
  readonly waId: string | undefined
  readonly userId: string | undefined
}

/** The sender's address of a message: the number, or the identifier of a person who hides it. */
const addressOf = ({ userId, waId }: Person): string => (waId === undefined ? (userId ?? "") : `+${waId}`)

interface WaitingMedia extends LineOwner, ChatAppNumber {
  readonly mediaId: string
  readonly mediaName: string | null
  readonly mediaType: string
}

/** Times outside of these bounds are invalid, in Unix seconds. */
const earliest = Date.UTC(2009, 0, 1) / 1000
const latest = Date.UTC(2200, 0, 1) / 1000

const instantOf = (seconds: number | undefined) =>
  seconds === undefined || seconds < earliest || seconds > latest ? null : fromMillis(seconds * 1000)

/** True if the event is so old that reports may have finished its day. */
const isOld = (seconds: number | undefined) =>
  Effect.map(Clock.currentTimeMillis, (now) => seconds !== undefined && now - seconds * 1000 > 3_600_000)

/** True if reports count a message with this state. */
const counts = (state: string): boolean => state === "sent" || state === "delivered" || state === "read"

const makeInboxServices = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const conversation = yield* AgentConversation
  const provider = yield* ChatApp
  const files = yield* CustomerFiles
  const tasks = yield* TaskQueue
  const ledger = yield* TouchLedger
  const events = yield* AccountEvents
  const settling = yield* makeChatAppSettling
  const maximumBytes = yield* UploadLimit
  return { conversation, events, files, ledger, maximumBytes, provider, settling, sql, tasks, unit }
})
type InboxServices = Effect.Effect.Success<typeof makeInboxServices>

const makeOwners = ({ sql }: InboxServices) => {
  const as = (owner: LineOwner, requestId: string) =>
    Effect.provideService(Caller, Caller.forTask(owner.accountId, owner.plan, requestId))

  const ownerOf = (lineId: string) =>
    sql<LineOwner>`
      select n.account_id as "accountId", a.plan from chatapp_provider_line n join account a using (account_id)
      where n.provider_line_id = ${lineId}`.pipe(
      fromSql(),
      Effect.map((rows) => rows[0])
    )

  /**
   * Returns the lead with this number, or the lead whose earlier message has the provider's identifier of this person.
   */
  const leadOfPerson = Effect.fnUntraced(function* (accountId: AccountId, { userId, waId }: Person) {
    const byPhone = yield* sql<Correspondent>`
      select lead_id as "leadId", phone from lead
      where account_id = ${accountId} and phone = any(${waId === undefined ? [] : phoneSpellings(waId)}::text[])
      order by last_outbound_at desc nulls last, lead_id limit 1`.pipe(fromSql())
    if (byPhone[0] !== undefined || userId === undefined) return byPhone[0]
    const byUser = yield* sql<Correspondent>`
      select lead_id as "leadId", phone from chatapp_message
      where account_id = ${accountId} and provider_user_id = ${userId} and lead_id is not null
      order by chatapp_message_id desc limit 1`.pipe(fromSql())
    return byUser[0]
  })

  /** The lead that writes, or the recipient of the message that is answered from another number. */
  const correspondentOf = Effect.fnUntraced(function* (accountId: AccountId, message: ReceivedMessage) {
    const { replyTo, waId } = message
    const person = yield* leadOfPerson(accountId, message)
    if (person !== undefined || replyTo === undefined) return person
    const byThread = yield* sql<Correspondent>`
      select lead_id as "leadId", coalesce(${waId === undefined ? null : `+${waId}`}, phone) as phone from chatapp_message
      where account_id = ${accountId} and provider_message_id = ${replyTo} and lead_id is not null`.pipe(fromSql())
    return byThread[0]
  })

  /** SQL condition: the number belongs to a person whom the account erased, and must not be stored again. */
  const isErased = (accountId: AccountId, waId: string | undefined) =>
    sql`
      select from account a
      cross join unnest(${waId === undefined ? [] : phoneSpellings(waId)}::text[]) spelling (phone)
      join lead_tombstone t on t.account_id = a.account_id
        and t.contact_digest = contact_digest(a.tombstone_key, 'phone', spelling.phone)
      where a.account_id = ${accountId} limit 1`.pipe(
      fromSql(),
      Effect.map((rows) => rows.length > 0)
    )

  return { as, ownerOf, leadOfPerson, correspondentOf, isErased }
}
type Owners = ReturnType<typeof makeOwners>

const makeWords = ({ conversation, sql }: InboxServices, { as }: Owners) => {
  /** Makes messages of the owner or a member to the platform searchable. */
  const noteWords = Effect.fnUntraced(function* (owner: LineOwner, { body, waId }: ReceivedMessage) {
    if (waId === undefined) return
    const role = yield* personOfPhone(sql, owner.accountId, phoneSpellings(waId))
    if (role === undefined) return
    yield* conversation.note({ role, channel: "chatapp", words: body }).pipe(as(owner, "chatapp-inbound"))
  })

  return { noteWords }
}

const makeReceiving = (
  { events, ledger, provider, settling, sql, tasks }: InboxServices,
  { as, correspondentOf, isErased }: Owners,
  { noteWords }: ReturnType<typeof makeWords>
) => {
  /** Stores the message. Undefined if it is already stored. */
  const insertReceived = Effect.fnUntraced(function* (
    accountId: AccountId,
    from: Correspondent | undefined,
    message: ReceivedMessage
  ) {
    const { media } = message
    const rows = yield* sql<{ readonly id: number }>`
      insert into chatapp_message (account_id, lead_id, direction, kind, status, phone, body, reply_text, media_type,
        media_name, provider_media_id, media_status, provider_message_id, provider_user_id, language,
        occurred_at)
      values (${accountId}, ${from?.leadId ?? null}, 'inbound', ${media === undefined ? "text" : "media"}, 'received',
        ${from?.phone ?? addressOf(message)}, ${message.body}, ${message.body}, ${media?.type ?? null},
        ${media?.fileName ?? null}, ${media?.id ?? null}, ${media === undefined ? null : "pending"},
        ${message.providerMessageId}, ${message.userId ?? null},
        ${writtenLanguage(message.body) ?? null}, least(${instantOf(message.timestamp)}::timestamptz, instant()))
      on conflict (account_id, provider_message_id) where provider_message_id is not null do nothing
      returning chatapp_message_id as id`.pipe(fromSql())
    return rows[0]?.id
  })

  const receive = Effect.fnUntraced(function* (owner: LineOwner, message: ReceivedMessage) {
    const { accountId } = owner
    const from = yield* correspondentOf(accountId, message)
    if (from === undefined && (yield* isErased(accountId, message.waId))) return
    // The lead is locked before the message, as in every change of messages.
    yield* sql`
      select from lead where account_id = ${accountId} and lead_id = ${from?.leadId ?? null} for update`.pipe(fromSql())
    const sameMessages = yield* sql`
      select from chatapp_message
      where account_id = ${accountId} and provider_message_id = ${message.providerMessageId}`.pipe(fromSql())
    if (sameMessages.length > 0) return
    const id = yield* insertReceived(accountId, from, message)
    if (id === undefined) return
    if (message.media !== undefined) yield* tasks.enqueue(fetchChatAppMedia, { accountId, chatAppMessageId: id })
    if (from === undefined) return yield* noteWords(owner, message)
    const { leadId } = from
    if (yield* isOld(message.timestamp)) yield* recordPastChange(sql, { accountId, leadId })
    yield* ledger.received([{ accountId, leadId }], "chatapp")
    yield* tasks.enqueue(readReply, { accountId, leadId, channel: "chatapp" as const, messageId: id })
    yield* events
      .append({ type: "lead_replied_chatapp", data: { lead_id: leadId, chatapp_message_id: id } })
      .pipe(as(owner, "chatapp-inbound"))
  })

  /** Corrects the message's recorded price, once the provider reports it. */
  const correctPrice = Effect.fnUntraced(function* (
    message: HeldMessage,
    report: MessageStateReport,
    state: HeldMessage["status"]
  ) {
    const { accountId, chatAppMessageId: id } = message
    const { pricing } = report
    if (pricing === undefined || state === "failed" || state === "cancelled") return
    const price = pricing.isBillable ? provider.prices[pricing.category] : "0"
    if (message.costBrl !== Number(price)) yield* settling.spend.correct(accountId, id, price)
    // The price is repeated with each state.
    if (message.priceCategory === pricing.category) return
    yield* sql`
      update chatapp_message set price_category = ${pricing.category}
      where account_id = ${accountId} and chatapp_message_id = ${id}`.pipe(fromSql())
  })

  /** Finds the message that the provider reports on, by the gateway's reference or the provider's id. */
  const messageOf = Effect.fnUntraced(function* (accountId: AccountId, report: MessageStateReport) {
    const rows = yield* sql<MessageOfLead>`
      select account_id as "accountId", chatapp_message_id as "chatAppMessageId", lead_id as "leadId"
      from chatapp_message
      where account_id = ${accountId} and direction = 'outbound'
        and (provider_message_id = ${report.providerMessageId} or client_reference = ${report.reference ?? null}::uuid)
      order by (client_reference = ${report.reference ?? null}::uuid) desc nulls last limit 1`.pipe(fromSql())
    return rows[0]
  })

  const hear = Effect.fnUntraced(function* ({ accountId }: LineOwner, report: MessageStateReport) {
    const messageRow = yield* messageOf(accountId, report)
    if (messageRow === undefined) return
    const [lock = Option.none()] = yield* settling.hold([messageRow], "wait")
    const lockedMessage = Option.getOrUndefined(lock)
    if (lockedMessage === undefined) return
    const id = lockedMessage.chatAppMessageId
    if (report.userId !== undefined) {
      yield* sql`
        update chatapp_message set provider_user_id = ${report.userId}
        where account_id = ${accountId} and chatapp_message_id = ${id} and provider_user_id is null`.pipe(fromSql())
    }
    const state = nextState(lockedMessage.status, report.state)
    // The message counts as sent on a day that reports may have finished.
    const isOfPast =
      counts(lockedMessage.status) || lockedMessage.status === "failed" || (yield* isOld(report.timestamp))
    if (lockedMessage.leadId !== null && counts(lockedMessage.status) !== counts(state) && isOfPast) {
      yield* recordPastChange(sql, { accountId, leadId: lockedMessage.leadId })
    }
    if (state === "failed" && lockedMessage.status !== "failed") {
      const { isUnreachable = false, reason = "not_delivered" } = report.failure ?? {}
      return yield* settling.ended(lockedMessage, "failed", reason, {
        isUnreachable,
        providerMessageId: report.providerMessageId
      })
    }
    if (isFirstSentReport(lockedMessage.status, state) && isWithPerson(state)) {
      const { providerMessageId, timestamp } = report
      const occurredAt = instantOf(timestamp) ?? undefined
      yield* settling.left([{ message: lockedMessage, status: state, providerMessageId, occurredAt }])
    } else if (state !== lockedMessage.status) {
      yield* sql`
        update chatapp_message set status = ${state}, failure_reason = null
        where account_id = ${accountId} and chatapp_message_id = ${id}`.pipe(fromSql())
    }
    yield* correctPrice(lockedMessage, report, state)
  })

  return { receive, hear }
}

const isWithPerson = (state: string): state is "sent" | "delivered" | "read" =>
  state === "sent" || state === "delivered" || state === "read"

/** Handles events other than messages. */
const makeNews = ({ provider, sql }: InboxServices, { leadOfPerson }: Owners) => {
  /** Closes the app for a lead that stopped marketing messages, and opens it again when the lead allows them. */
  const prefer = Effect.fnUntraced(function* ({ accountId }: LineOwner, preference: MarketingPreferenceReport) {
    const person = yield* leadOfPerson(accountId, preference)
    if (person === undefined) return
    const lead = { accountId, leadId: person.leadId }
    const at = instantOf(preference.timestamp)
    yield* preference.isStopped ? chatAppFailed(sql, lead, at) : chatAppResumed(sql, lead, at)
  })

  /** Stores reports about lines. They are shown until the provider reports something else. */
  const hearOfLines = Effect.fnUntraced(function* (news: LineReport) {
    const { health, phone, providerAccountId, quality, template } = news
    if (template !== undefined && template !== provider.opening.template) return
    const owners = yield* sql<{ readonly accountId: AccountId }>`
      select account_id as "accountId" from chatapp_provider_line`.pipe(fromSql())
    yield* sql`
      update chatapp_line set health_issue = ${health?.issue ?? null}, health_fix = ${health?.fix ?? null},
        quality_rating = coalesce(${quality ?? null}, quality_rating)
      where account_id = any(${owners.map(({ accountId }) => accountId)}::bigint[])
        and provider_account_id = ${providerAccountId}
        and (${phone ?? null}::text is null or regexp_replace(phone, '\\D', '', 'g') = ${phone ?? null})`.pipe(
      fromSql()
    )
  })

  return { prefer, hearOfLines }
}

const makeMedia = ({ files, maximumBytes, provider, sql }: InboxServices, { as }: Owners) => {
  const waitingMedia = (accountId: AccountId, chatAppMessageId: number) =>
    sql<WaitingMedia>`
      select m.account_id as "accountId", a.plan, n.provider_line_id as "lineId", n.credential,
        m.provider_media_id as "mediaId", m.media_name as "mediaName", m.media_type as "mediaType"
      from chatapp_message m join account a using (account_id) join chatapp_line n using (account_id)
      where m.account_id = ${accountId} and m.chatapp_message_id = ${chatAppMessageId} and m.media_status = 'pending'
        and m.provider_media_id is not null and n.provider_line_id is not null`.pipe(
      fromSql(),
      Effect.map((rows) => rows[0])
    )

  const recordMedia = (
    accountId: AccountId,
    chatAppMessageId: number,
    found: { readonly customerFileId?: number; readonly failure?: string }
  ): Effect.Effect<void, Transient> =>
    sql`
      update chatapp_message set media_status = ${found.failure === undefined ? "stored" : "failed"},
        media_failure = ${found.failure ?? null}, customer_file_id = ${found.customerFileId ?? null}
      where account_id = ${accountId} and chatapp_message_id = ${chatAppMessageId} and media_status = 'pending'`.pipe(
      fromSql(),
      Effect.asVoid
    )

  const store = (media: WaitingMedia) =>
    Effect.gen(function* () {
      const file = yield* provider.openMedia(media, media.mediaId, maximumBytes)
      return yield* files.write({
        fileName: media.mediaName ?? file.fileName ?? media.mediaType,
        maximumBytes,
        bytes: file.bytes
      })
    }).pipe(Effect.scoped, as(media, "chatapp-media"))

  return { waitingMedia, recordMedia, store }
}
const make = Effect.gen(function* () {
  const services = yield* makeInboxServices
  const { unit } = services
  const owners = makeOwners(services)
  const { ownerOf } = owners
  const { hear, receive } = makeReceiving(services, owners, makeWords(services, owners))
  const { hearOfLines, prefer } = makeNews(services, owners)
  const { recordMedia, store, waitingMedia } = makeMedia(services, owners)
  const takeOne = (event: ChatAppEvent) =>
    unit.write(
      Effect.gen(function* () {
        if (event._tag === "LineReport") return yield* hearOfLines(event)
        const owner = yield* ownerOf(event.lineId)
        // The number belongs to no account. It was released, or another system uses it.
        if (owner === undefined) return
        switch (event._tag) {
          case "Received":
            return yield* receive(owner, event)
          case "State":
            return yield* hear(owner, event)
          case "Preference":
            return yield* prefer(owner, event)
        }
      })
    )
  return ChatAppInbox.of({
    take: Effect.fn("ChatAppInbox.take")(function* (incoming) {
      yield* Effect.forEach(incoming, takeOne, { discard: true })
    }),

    fetchMedia: Effect.fn("ChatAppInbox.fetchMedia")(function* ({ accountId, chatAppMessageId }, { isLast }) {
      const media = yield* waitingMedia(accountId, chatAppMessageId)
      if (media === undefined) return
      yield* store(media).pipe(
        Effect.flatMap((file) => recordMedia(accountId, chatAppMessageId, { customerFileId: file.customer_file_id })),
        Effect.catchAll((error) =>
          error._tag === "Refused" || isLast
            ? recordMedia(accountId, chatAppMessageId, { failure: error.reason })
            : Effect.fail(error)
        )
      )
    })
  })
})

export const ChatAppInboxPostgres = Layer.effect(ChatAppInbox, make)
