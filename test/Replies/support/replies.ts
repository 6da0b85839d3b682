import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { AccountsPostgres } from "../../../src/Layers/Accounts/AccountsPostgres.ts"
import { AccountEventsPostgres } from "../../../src/Layers/Events/AccountEventsPostgres.ts"
import { ReferralsPostgres } from "../../../src/Layers/Leads/Registration/ReferralsPostgres.ts"
import { MailSuppressionPostgres } from "../../../src/Layers/Mail/MailSuppression.ts"
import { AccountNoticesPostgres } from "../../../src/Layers/Mail/Outbox/AccountNoticesPostgres.ts"
import { OwnerMailsPostgres } from "../../../src/Layers/Mail/Outbox/OwnerMails.ts"
import { MeetingsPostgres } from "../../../src/Layers/Meetings/MeetingsPostgres.ts"
import { LanguageUsagePostgres } from "../../../src/Layers/Models/LanguageUsagePostgres.ts"
import { ModelOutagesPostgres } from "../../../src/Layers/Models/ModelOutagesPostgres.ts"
import { sandboxLanguageModel } from "../../../src/Layers/Models/sandbox/LanguageModelSandbox.ts"
import { LeadQuestionsPostgres } from "../../../src/Layers/Outcomes/LeadQuestionsPostgres.ts"
import { ProspectingConfigPostgres } from "../../../src/Layers/Prospecting/ProspectingConfigPostgres.ts"
import { makeReadReplyHandler } from "../../../src/Layers/Replies/ReadReply.ts"
import { Caller } from "../../../src/Services/Core/Calls/Caller.ts"
import { MailDomain } from "../../../src/Services/Leads/Email/LeadEmails.ts"
import type { LeadId } from "../../../src/Services/Leads/Ids.ts"
import { LanguageModel } from "../../../src/Services/Models/LanguageModel.ts"
import { ReplyReader, ReplyReaderLayer } from "../../../src/Services/Replies/Readers/ReplyReader.ts"
import { KnowledgeAnswersLayer } from "../../../src/Services/Writing/Answers/KnowledgeAnswers.ts"
import { LeadServices } from "../../support/leads/LeadServices.ts"
import { TestSettings } from "../../support/TestSettings.ts"

/** Everything that the handler uses, but for the reader of replies. */
const ReplyBase = Layer.mergeAll(
  AccountsPostgres,
  LanguageUsagePostgres,
  ModelOutagesPostgres,
  ProspectingConfigPostgres,
  ReferralsPostgres,
  MeetingsPostgres,
  MailSuppressionPostgres,
  OwnerMailsPostgres.pipe(Layer.provide(AccountNoticesPostgres), Layer.provide(TestSettings)),
  LeadQuestionsPostgres
).pipe(
  Layer.provideMerge(AccountEventsPostgres),
  Layer.provideMerge(Layer.succeed(MailDomain, "mail.example")),
  Layer.provideMerge(LeadServices)
)

/** The same with the reader in sandbox. */
export const ReplyServices = Layer.merge(ReplyReaderLayer, KnowledgeAnswersLayer).pipe(
  Layer.provide(Layer.succeed(LanguageModel, sandboxLanguageModel)),
  Layer.provideMerge(ReplyBase)
)

export interface Reply {
  readonly accountId: number
  readonly leadId: LeadId
  readonly channel: "email" | "chatapp" | "voice"
  readonly messageId: number
}

let messages = 0

/** A mail of the lead's, as the inbox stores it. */
export const receiveMail = (
  leadId: LeadId,
  text: string,
  columns: { readonly [column: string]: string | boolean } = {}
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    const row = {
      account_id: accountId,
      lead_id: leadId,
      direction: "inbound",
      status: "received",
      message_id: `<inbound${++messages}@client.example>`,
      from_address: `lead${leadId}@client.example`,
      to_address: "account@mail.example",
      subject: "Re: Energia solar",
      body_text: text,
      is_sender_proven: true,
      ...columns
    }
    const rows = yield* sql<{ readonly id: number }>`
      insert into email_message ${sql.insert(row)} returning email_message_id as id`
    return { accountId, leadId, channel: "email", messageId: rows[0]?.id ?? 0 } satisfies Reply
  }).pipe(Effect.orDie)

export const receiveChat = (leadId: LeadId, text: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    const rows = yield* sql<{ readonly id: number }>`
      insert into chatapp_message (account_id, lead_id, direction, kind, status, phone, body, provider_message_id)
      values (${accountId}, ${leadId}, 'inbound', 'text', 'received', '+5511987654321', ${text},
        ${`wamid.${++messages}`})
      returning chatapp_message_id as id`
    return { accountId, leadId, channel: "chatapp", messageId: rows[0]?.id ?? 0 } satisfies Reply
  }).pipe(Effect.orDie)

/** A finished call, in which the person said `text`. */
export const receiveCall = (leadId: LeadId, text: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    const transcript = [
      { role: "agent", text: "Bom dia, tudo bem? Pare de enviar mensagens.", at_seconds: 0 },
      { role: "person", text, at_seconds: 4 }
    ]
    const rows = yield* sql<{ readonly id: number }>`
      insert into voice_call (account_id, lead_id, kind, phone, goal, status, transcript, created_at, finished_at)
      values (${accountId}, ${leadId}, 'prospecting', '+5511987654321', 'Agendar', 'completed',
        ${JSON.stringify(transcript)}::jsonb, instant(), instant())
      returning voice_call_request_id as id`
    return { accountId, leadId, channel: "voice", messageId: rows[0]?.id ?? 0 } satisfies Reply
  }).pipe(Effect.orDie)

/** One attempt of the task, as the job engine makes it. */
export const handle = (reply: Reply, attempt = 1) =>
  Effect.flatMap(makeReadReplyHandler, (handler) => handler.run({ ...reply }, { id: "1", attempt, maxAttempts: 25 }))

/** The handler with another model behind the reader. */
export const handleWith = (model: Layer.Layer<LanguageModel>, reply: Reply, attempt = 1) =>
  Effect.flatMap(Layer.build(Layer.provide(ReplyReaderLayer, model)), (context) =>
    Effect.provide(
      Effect.flatMap(ReplyReader, (reader) => Effect.provideService(handle(reply, attempt), ReplyReader, reader)),
      context
    )
  ).pipe(Effect.scoped)

const rowsOf = (query: (sql: SqlClient, accountId: number) => Effect.Effect<ReadonlyArray<object>, unknown>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    return yield* query(sql, accountId)
  }).pipe(Effect.orDie)

export const leadNow = (leadId: LeadId) =>
  Effect.map(
    rowsOf(
      (sql, accountId) => sql`
        select status, pipeline_state, touch_count, language, next_touch_at is not null as is_scheduled,
          unsubscribed_at is not null as is_unsubscribed
        from lead where account_id = ${accountId} and lead_id = ${leadId}`
    ),
    (rows) => rows[0]
  )

/** Seconds from the server's time to the lead's next touch. */
export const secondsToTouch = (leadId: LeadId) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const rows = yield* sql<{ readonly seconds: number | null }>`
      select extract(epoch from next_touch_at - instant())::float8 as seconds from lead where lead_id = ${leadId}`
    return rows[0]?.seconds ?? Number.NaN
  }).pipe(Effect.orDie)

export const eventsNow = rowsOf(
  (sql, accountId) => sql`
    select event_type as type, data - 'lead_name' - 'campaign_id' as data from account_event
    where account_id = ${accountId} order by account_event_id`
)

export const notificationsNow = rowsOf(
  (sql, accountId) => sql`
    select kind, data from notification where account_id = ${accountId} order by notification_id`
)

/** Everything of the account that a reply could change. */
export const everything = rowsOf(
  (sql, accountId) => sql`
    select (select json_agg(l order by lead_id) from lead l where account_id = ${accountId}) as leads,
      (select json_agg(m order by email_message_id) from email_message m where account_id = ${accountId}) as mails,
      (select json_agg(c order by chatapp_message_id) from chatapp_message c where account_id = ${accountId}) as chats,
      (select json_agg(t order by touch_id) from touch t where account_id = ${accountId}) as touches,
      (select json_agg(e order by account_event_id) from account_event e where account_id = ${accountId}) as events,
      (select json_agg(n order by notification_id) from notification n where account_id = ${accountId}) as notes,
      (select json_agg(h order by lead_lifecycle_event_id) from lead_lifecycle_event h
        where account_id = ${accountId}) as history,
      (select json_agg(q order by open_question_id) from open_question q where account_id = ${accountId}) as questions,
      (select json_agg(s order by email) from email_suppression s where account_id = ${accountId}) as suppressed,
      (select json_agg(u) from language_usage u where account_id = ${accountId}) as usage`
)
