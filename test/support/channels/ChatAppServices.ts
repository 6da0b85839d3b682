import { SqlClient } from "@effect/sql/SqlClient"
import { Context, Effect, Layer, Logger, LogLevel, Option } from "effect"
import { ChatAppConfigured } from "../../../src/Layers/ChatApp/ChatAppConfigured.ts"
import { ChatAppSettings, type ChatAppSettingsShape } from "../../../src/Layers/ChatApp/ChatAppSettings.ts"
import { ChatAppLinesPostgres } from "../../../src/Layers/ChatApp/Lines/ChatAppLinesPostgres.ts"
import { ChatAppInboxPostgres } from "../../../src/Layers/ChatApp/Receiving/ChatAppInbox.ts"
import { ChatAppMessagesPostgres } from "../../../src/Layers/ChatApp/Sending/ChatAppMessagesPostgres.ts"
import { ChatAppOutboxPostgres } from "../../../src/Layers/ChatApp/Sending/ChatAppOutbox.ts"
import { ChatAppSandboxLive } from "../../../src/Layers/ChatApp/sandbox/ChatAppSandboxInbound.ts"
import { AccountEventsPostgres } from "../../../src/Layers/Events/AccountEventsPostgres.ts"
import { CustomerFilesPostgres } from "../../../src/Layers/Files/CustomerFilesPostgres.ts"
import { JobsPostgres } from "../../../src/Layers/Jobs/JobsPostgres.ts"
import { LeadsPostgres } from "../../../src/Layers/Leads/LeadsPostgres.ts"
import { SendGuardPostgres } from "../../../src/Layers/Outreach/SendGuardPostgres.ts"
import { TouchLedgerPostgres } from "../../../src/Layers/Outreach/TouchLedgerPostgres.ts"
import { migrateEngine } from "../../../src/Layers/Platform/Jobs/EngineSchema.ts"
import { TaskQueuePostgres } from "../../../src/Layers/Platform/Jobs/TaskQueue.ts"
import { OutboundHttpNode } from "../../../src/Layers/Platform/Outbound/OutboundHttp.ts"
import { OutboundPolicy } from "../../../src/Layers/Platform/Outbound/OutboundPolicy.ts"
import { PersonalDataOfRooms } from "../../../src/Layers/Platform/PersonalData.ts"
import { DatabaseLayer, DatabaseLocation } from "../../../src/Layers/Platform/Postgres/Database.ts"
import {
  ChatApp,
  type LineSnapshot,
  type OutgoingChatAppMessage,
  type SendOutcome
} from "../../../src/Services/ChatApp/ChatApp.ts"
import { emptyProfile } from "../../../src/Services/ChatApp/ChatAppModel.ts"
import { Caller } from "../../../src/Services/Core/Calls/Caller.ts"
import type { LeadId } from "../../../src/Services/Leads/Ids.ts"
import { EarlyServices } from "../EarlyServices.ts"
import { TestDatabaseLocation } from "../TestDatabase.ts"
import { TestSettings } from "../TestSettings.ts"

export const sandboxSettings: ChatAppSettingsShape = {
  credentials: Option.none(),
  apiUrl: "http://127.0.0.1:1",
  dialogUrl: "https://signup.example/dialog",
  prices: { marketing: "0.35", utility: "0.04", authentication: "0.04", service: "0" },
  opening: { template: "prospecting_opening", category: "marketing" }
}

const LoopbackAllowed = Layer.effect(
  OutboundPolicy,
  Effect.map(OutboundPolicy, (policy) => ({ ...policy, allowLoopback: true }))
)

/** Enough sessions for many sends at once. */
const Location = Layer.map(TestDatabaseLocation, (context) =>
  Context.add(context, DatabaseLocation, { ...Context.get(context, DatabaseLocation), poolSize: 16 })
)

const Foundation = Layer.mergeAll(
  Layer.provide(LeadsPostgres, Layer.succeed(PersonalDataOfRooms, [])),
  JobsPostgres,
  CustomerFilesPostgres,
  SendGuardPostgres,
  TouchLedgerPostgres,
  AccountEventsPostgres,
  OutboundHttpNode.pipe(Layer.provide(LoopbackAllowed))
).pipe(
  Layer.provideMerge(TaskQueuePostgres),
  Layer.provideMerge(TestSettings),
  Layer.provideMerge(Layer.effectDiscard(migrateEngine)),
  Layer.provideMerge(EarlyServices),
  Layer.provideMerge(DatabaseLayer),
  Layer.provideMerge(Location),
  Layer.merge(Logger.minimumLogLevel(LogLevel.None))
)

const Domain = ChatAppSandboxLive.pipe(
  Layer.provideMerge(
    Layer.mergeAll(ChatAppOutboxPostgres, ChatAppInboxPostgres, ChatAppLinesPostgres, ChatAppMessagesPostgres)
  )
)

/** The messaging app with the provider of the settings, without an engine. */
export const chatAppServices = (settings: ChatAppSettingsShape = sandboxSettings) =>
  Domain.pipe(
    Layer.provideMerge(ChatAppConfigured),
    Layer.provideMerge(Layer.succeed(ChatAppSettings, settings)),
    Layer.provideMerge(Foundation)
  )

/** The messages that a fake provider was asked to send, and its answers. */
export class Provider extends Context.Tag("Provider")<
  Provider,
  {
    readonly sent: Array<OutgoingChatAppMessage>
    answer: (message: OutgoingChatAppMessage) => Effect.Effect<SendOutcome>
    /** Its state of every line. */
    snapshot: ReturnType<ChatApp["Type"]["snapshot"]>
  }
>() {}

let accepted = 0
export const accept: Effect.Effect<SendOutcome> = Effect.sync(() => ({
  _tag: "Accepted",
  providerMessageId: `wamid.test.${++accepted}`
}))

export const healthyLine: LineSnapshot = {
  phone: "+15550100000",
  displayName: null,
  quality: "green",
  messagingLimit: null,
  isBlocked: false,
  health: null,
  profile: emptyProfile,
  providerAccountId: null
}

const FakeChatApp = Layer.effect(
  ChatApp,
  Effect.map(Provider, (provider) =>
    ChatApp.of({
      mode: "live",
      prices: sandboxSettings.prices,
      opening: sandboxSettings.opening,
      send: (message) =>
        Effect.suspend(() => {
          provider.sent.push(message)
          return provider.answer(message)
        }),
      lookUp: () => Effect.succeed({ _tag: "Unknowable" }),
      dedicatedNumbers: () => ["900001"],
      signupUrl: () => Option.none(),
      connectOwnNumber: () => Effect.dieMessage("not used"),
      activate: () => Effect.suspend(() => provider.snapshot),
      snapshot: () => Effect.suspend(() => provider.snapshot),
      updateProfile: () => Effect.void,
      setPicture: () => Effect.void,
      openMedia: () => Effect.dieMessage("not used")
    })
  )
)

/** The messaging app with a fake provider that the test controls and that cannot look up messages. */
export const ChatAppWithFake = Domain.pipe(
  Layer.provideMerge(FakeChatApp),
  Layer.provideMerge(
    Layer.sync(Provider, () => Provider.of({ sent: [], answer: () => accept, snapshot: Effect.succeed(healthyLine) }))
  ),
  Layer.provideMerge(Foundation)
)

let lines = 0

/** Gives the caller a live line. Returns the number's id at the provider. */
export const insertLine = (lineId?: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    const id = lineId ?? `7000${++lines}`
    yield* sql`
      insert into chatapp_line (account_id, status, uses_own_number, phone, provider_line_id)
      values (${accountId}, 'live', false, '+15550100000', ${id})`
    yield* sql`insert into chatapp_provider_line (provider_line_id, account_id) values (${id}, ${accountId})`
    return id
  }).pipe(Effect.orDie)

interface MessageColumns {
  readonly message_type?: string
  readonly kind?: string
  readonly body?: string
  readonly [column: string]: string | number | null | undefined
}

/** Inserts a queued outbound message. By default a first contact. Returns its id. */
export const queueMessage = (leadId: LeadId, columns: MessageColumns = {}) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    const row = {
      account_id: accountId,
      lead_id: leadId,
      direction: "outbound",
      kind: "text",
      message_type: "first_contact",
      status: "queued",
      phone: "+5511987654321",
      body: "Podemos conversar?",
      ...columns
    }
    const rows = yield* sql<{ readonly id: number }>`
      insert into chatapp_message ${sql.insert(row)} returning chatapp_message_id as id`
    return rows[0]?.id ?? 0
  }).pipe(Effect.orDie)

/** Inserts a message that the lead wrote this many seconds ago. */
export const insertInbound = (leadId: LeadId, phone: string, secondsAgo: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    yield* sql`
      insert into chatapp_message (account_id, lead_id, direction, kind, status, phone, body, occurred_at, created_at)
      values (${accountId}, ${leadId}, 'inbound', 'text', 'received', ${phone}, 'Oi',
        instant() - make_interval(secs => ${secondsAgo}), instant() - make_interval(secs => ${secondsAgo}))`
  }).pipe(Effect.orDie)

/** The columns of a message's row that tests check. */
export const messageRow = (id: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    const rows = yield* sql<{
      readonly status: string
      readonly kind: string
      readonly failure_reason: string | null
      readonly cost_brl: number
      readonly provider_message_id: string | null
      readonly client_reference: string
      readonly template_name: string | null
      readonly deferred_until: string | null
      readonly body: string
      readonly phone: string
    }>`
      select status, kind, failure_reason, cost_brl, provider_message_id, client_reference, template_name,
        deferred_until, body, phone
      from chatapp_message where account_id = ${accountId} and chatapp_message_id = ${id}`
    const row = rows[0]
    if (row === undefined) throw new Error(`There is no message ${id}.`)
    return row
  }).pipe(Effect.orDie)

/** The caller's total spend. */
export const spentBrl = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  const rows = yield* sql<{ readonly spent: number }>`
    select coalesce(sum(spent_brl), 0) as spent from chatapp_spend where account_id = ${accountId}`
  return rows[0]?.spent ?? 0
}).pipe(Effect.orDie)
