import { SqlClient } from "@effect/sql/SqlClient"
import { Duration, Effect, Layer, Logger, LogLevel, Option } from "effect"
import { BlacklistPostgres } from "../../../src/Layers/Blacklist/BlacklistPostgres.ts"
import { AccountEventsPostgres } from "../../../src/Layers/Events/AccountEventsPostgres.ts"
import { NotificationsPostgres } from "../../../src/Layers/Events/NotificationsPostgres.ts"
import { CustomerFilesPostgres } from "../../../src/Layers/Files/CustomerFilesPostgres.ts"
import { LeadsPostgres } from "../../../src/Layers/Leads/LeadsPostgres.ts"
import { MailInboxPostgres } from "../../../src/Layers/Mail/Inbox/MailInboxPostgres.ts"
import { MailSettings, type MailSettingsShape } from "../../../src/Layers/Mail/MailSettings.ts"
import { MailOutboxPostgres } from "../../../src/Layers/Mail/Outbox/MailOutboxPostgres.ts"
import { MailSubscriptionsPostgres } from "../../../src/Layers/Mail/Pages/MailSubscriptions.ts"
import { SandboxMail } from "../../../src/Layers/Mail/sandbox/MailSandbox.ts"
import { SendGuardPostgres } from "../../../src/Layers/Outreach/SendGuardPostgres.ts"
import { TouchLedgerPostgres } from "../../../src/Layers/Outreach/TouchLedgerPostgres.ts"
import { migrateEngine } from "../../../src/Layers/Platform/Jobs/EngineSchema.ts"
import { TaskQueuePostgres } from "../../../src/Layers/Platform/Jobs/TaskQueue.ts"
import { PersonalDataOfRooms } from "../../../src/Layers/Platform/PersonalData.ts"
import { SenderIdentityPostgres } from "../../../src/Layers/SenderDomains/SenderIdentityPostgres.ts"
import { Caller } from "../../../src/Services/Core/Calls/Caller.ts"
import { MailDomain } from "../../../src/Services/Leads/Email/LeadEmails.ts"
import type { LeadId } from "../../../src/Services/Leads/Ids.ts"
import { Mail, type OutgoingMail } from "../../../src/Services/Mail/Mail.ts"
import { SealingOfTests } from "../SealingOfTests.ts"
import { TestDatabase } from "../TestDatabase.ts"
import { TestSettings } from "../TestSettings.ts"
import { noMailSettings } from "./MailFixtures.ts"

export const mailDomain = "mail.example"

/** The services that mail needs, over the test file's database, without an engine. */
export const MailFoundation = Layer.mergeAll(
  Layer.provide(LeadsPostgres, Layer.succeed(PersonalDataOfRooms, [])),
  CustomerFilesPostgres,
  AccountEventsPostgres,
  NotificationsPostgres,
  BlacklistPostgres,
  SendGuardPostgres,
  TouchLedgerPostgres,
  TaskQueuePostgres,
  Layer.provide(SenderIdentityPostgres, SealingOfTests)
).pipe(
  Layer.provideMerge(Layer.succeed(MailDomain, mailDomain)),
  Layer.provideMerge(TestSettings),
  Layer.provideMerge(Layer.effectDiscard(migrateEngine)),
  Layer.provideMerge(TestDatabase),
  Layer.merge(Logger.minimumLogLevel(LogLevel.None))
)

/** Outbox, inbox and subscriptions over a transport. */
export const mailServices = <E, R>(transport: Layer.Layer<Mail, E, R>, settings: MailSettingsShape = noMailSettings) =>
  Layer.mergeAll(MailOutboxPostgres, MailInboxPostgres, MailSubscriptionsPostgres).pipe(
    Layer.provideMerge(transport),
    Layer.provideMerge(MailFoundation),
    Layer.provideMerge(Layer.succeed(MailSettings, settings))
  )

/** Mail of a gateway without a mail server. */
export const sandboxMailServices = (settings: MailSettingsShape = noMailSettings) => mailServices(SandboxMail, settings)

type Send = Mail["Type"]["send"]

/** A fake provider that records what it received. */
export interface FakeProvider {
  readonly ledger: ReadonlyArray<OutgoingMail>
  /** How often the provider was asked whether it has a message. */
  readonly lookUps: () => number
  readonly behave: (behaviour: {
    /** `take` adds the message to the ledger. */
    readonly send?: (take: () => void) => Send
    readonly wasSent?: (messageId: string) => Option.Option<boolean>
    readonly settleTime?: Duration.Duration
  }) => void
  readonly layer: Layer.Layer<Mail>
}

export const fakeProvider = (): FakeProvider => {
  const ledger: Array<OutgoingMail> = []
  let behaviour: Parameters<FakeProvider["behave"]>[0] = {}
  let lookUps = 0
  const accept =
    (take: () => void): Send =>
    (_account, _mail, handOver) =>
      Effect.as(Effect.zipRight(handOver, Effect.sync(take)), { response: "250 Ok" })
  return {
    ledger,
    lookUps: () => lookUps,
    behave: (newBehaviour) => {
      behaviour = newBehaviour
    },
    layer: Layer.succeed(Mail, {
      mode: "live",
      concurrency: 4,
      get settleTime() {
        return behaviour.settleTime ?? Duration.zero
      },
      send: (accountId, mail, handOver) =>
        (behaviour.send ?? accept)(() => void ledger.push(mail))(accountId, mail, handOver),
      wasSent: (_account, messageId) =>
        Effect.sync(() => {
          lookUps++
          return behaviour.wasSent === undefined
            ? Option.some(ledger.some((mail) => mail.messageId === messageId))
            : behaviour.wasSent(messageId)
        })
    })
  }
}

interface EmailColumns {
  readonly [column: string]: string | number | null | ReadonlyArray<string>
}

let emails = 0

/** Inserts an outbound message to the lead. By default queued and written by the platform. */
export const queueEmail = (leadId: LeadId | null, columns: EmailColumns = {}) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    const recipients = yield* sql<{ readonly email: string | null; readonly handle: string }>`
      select l.email, a.handle from account a left join lead l on l.account_id = a.account_id and l.lead_id = ${leadId}
      where a.account_id = ${accountId}`
    const row = {
      account_id: accountId,
      lead_id: leadId,
      direction: "outbound",
      message_type: "follow_up",
      status: "queued",
      message_id: `<${++emails}.test@${mailDomain}>`,
      from_address: `${recipients[0]?.handle}@${mailDomain}`,
      to_address: recipients[0]?.email ?? "nobody@lead.example",
      subject: "Hello",
      body_text: "How are you?",
      ...columns
    }
    const rows = yield* sql<{ readonly id: number }>`
      insert into email_message ${sql.insert(row)} returning email_message_id as id`
    return { accountId, emailMessageId: rows[0]?.id ?? 0, messageId: row.message_id }
  }).pipe(Effect.orDie)

/** Inserts an open touch of the lead and returns its id. */
export const insertTouch = (leadId: LeadId) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    const rows = yield* sql<{ readonly id: number }>`
      insert into touch (account_id, lead_id, touch_number, channel, message_type, status)
      values (${accountId}, ${leadId}, 1, 'email', 'follow_up', 'queued') returning touch_id as id`
    return rows[0]?.id ?? 0
  }).pipe(Effect.orDie)

/** Some columns of a message's current row. */
export const emailRow = (emailMessageId: number) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql<{
      readonly message_id: string
      readonly status: string
      readonly failure_reason: string | null
      readonly provider_response: string | null
      readonly sent_at: string | null
      readonly occurred_at: string | null
      readonly handed_over_at: string | null
      readonly soft_bounces: number
      readonly touch: string | null
      readonly touch_reason: string | null
      readonly last_outbound_at: string | null
      readonly last_inbound_at: string | null
    }>`
      select m.message_id, m.status, m.failure_reason, m.provider_response, m.sent_at, m.occurred_at, m.handed_over_at, m.soft_bounces,
        t.status as touch, t.reason as touch_reason, l.last_outbound_at, l.last_inbound_at
      from email_message m left join touch t on t.account_id = m.account_id and t.touch_id = m.touch_id
        left join lead l on l.account_id = m.account_id and l.lead_id = m.lead_id
      where email_message_id = ${emailMessageId}`
  ).pipe(
    Effect.map((rows) => Option.getOrThrow(Option.fromNullable(rows[0]))),
    Effect.orDie
  )

/** The addresses that the account may not write to, with the reasons. */
export const suppressions = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  return yield* sql<{ readonly email: string; readonly reason: string }>`
    select email, reason from email_suppression where account_id = ${accountId} order by email`
}).pipe(Effect.orDie)
