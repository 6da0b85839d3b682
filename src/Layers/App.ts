import { NodeContext } from "@effect/platform-node"
import { Effect, Layer, Logger, Option, Redacted } from "effect"
import { chatAppLineProvisioningJob } from "../Services/ChatAppLines.ts"
import { UploadLimit } from "../Services/CustomerFiles.ts"
import { MailDomain } from "../Services/LeadEmails.ts"
import { leadExportJob } from "../Services/LeadExports.ts"
import { leadImportJob } from "../Services/LeadImports.ts"
import { ReplyReaderLayer } from "../Services/ReplyReader.ts"
import { WriterLayer } from "../Services/Writer.ts"
import { AllTools } from "../Tools/AllTools.ts"
import { Channels, channelEndpoints } from "./Channels.ts"
import { chatAppRecurring, chatAppTaskHandlers } from "./ChatApp/ChatAppTasks.ts"
import { acquire } from "./EmbeddedPostgres.ts"
import { EmbeddingsConfigured } from "./Embeddings/Live.ts"
import { firstStart } from "./FirstStart.ts"
import { serverLayer } from "./Http/Server.ts"
import { jobEngineLayer } from "./Jobs/Engine.ts"
import { migrateEngine } from "./Jobs/EngineSchema.ts"
import { TaskQueuePostgres } from "./Jobs/TaskQueue.ts"
import { LanguageModelConfigured } from "./LanguageModel/LanguageModelConfigured.ts"
import { layer as LeadFileReaderLayer } from "./LeadFileReader.ts"
import { MailReading } from "./Mail/MailLayers.ts"
import { mailRecurring, mailTasks } from "./Mail/MailTasks.ts"
import { MetricsLive } from "./Metrics.ts"
import { OutboundHttpNode } from "./Outbound/OutboundHttp.ts"
import { OutboundPolicy } from "./Outbound/OutboundPolicy.ts"
import { TouchLoop } from "./Outreach/ClaimTouches.ts"
import { makeComposeTouchHandler } from "./Outreach/ComposeTouch.ts"
import { lostTouches } from "./Outreach/LostTouches.ts"
import { makeReadReplyHandler } from "./Outreach/ReadReply.ts"
import { AccessTokensPostgres } from "./Postgres/AccessTokens.ts"
import { AccountEventsPostgres } from "./Postgres/AccountEvents.ts"
import { AccountProfilePostgres } from "./Postgres/AccountProfile.ts"
import { AccountsPostgres } from "./Postgres/Accounts.ts"
import { returnArchivedCampaignLeadsHandler } from "./Postgres/ArchivedCampaignLeads.ts"
import { BlacklistPostgres } from "./Postgres/Blacklist.ts"
import { CampaignLookupPostgres } from "./Postgres/CampaignLookup.ts"
import { CampaignsPostgres } from "./Postgres/Campaigns.ts"
import { outcomeRecurring, outcomeTasks } from "./Postgres/CheckIns.ts"
import { ConversationsPostgres } from "./Postgres/Conversations.ts"
import { CustomerFilesPostgres } from "./Postgres/CustomerFiles.ts"
import { DatabaseLayer, DatabaseLocation, migrate } from "./Postgres/Database.ts"
import { JobsPostgres } from "./Postgres/Jobs.ts"
import { LanguageUsagePostgres } from "./Postgres/LanguageUsage.ts"
import { LeadEmailsPostgres } from "./Postgres/LeadEmails.ts"
import { LeadExportsPostgres } from "./Postgres/LeadExports.ts"
import { LeadImportsPostgres } from "./Postgres/LeadImports.ts"
import { LeadQuestionsPostgres } from "./Postgres/LeadQuestions.ts"
import { LeadSchedulePostgres } from "./Postgres/LeadSchedule.ts"
import { LeadSearchPostgres } from "./Postgres/LeadSearch.ts"
import { LeadsPostgres } from "./Postgres/Leads.ts"
import { meetingRecurring, meetingTasks } from "./Postgres/MeetingReminders.ts"
import { MeetingsPostgres } from "./Postgres/Meetings.ts"
import { conversationRecurring, conversationTasks } from "./Postgres/MessageMeanings.ts"
import { NotificationsPostgres } from "./Postgres/Notifications.ts"
import { OutcomesPostgres } from "./Postgres/Outcomes.ts"
import { ProspectingConfigPostgres } from "./Postgres/ProspectingConfig.ts"
import { ReferralsPostgres } from "./Postgres/Referrals.ts"
import { SendGuardPostgres } from "./Postgres/SendGuard.ts"
import { TimingPostgres, timingRecurring, timingTasks } from "./Postgres/Timing.ts"
import { TouchLedgerPostgres } from "./Postgres/TouchLedger.ts"
import { WebhooksPostgres } from "./Postgres/Webhooks.ts"
import { PresentationsPostgres } from "./Presentation/Presentations.ts"
import { Settings, SettingsLive } from "./Settings.ts"
import { makeIsSampled, TracingLive } from "./Tracing.ts"
import { voiceRecurring, voiceTaskHandlers } from "./Voice/VoiceTasks.ts"
import { webhookDispatcherLayer } from "./Webhooks/Dispatcher.ts"
import { webhookRetention } from "./Webhooks/Retention.ts"

/** The database that the settings name, or a server of the gateway's own. */
const LocationLive = Layer.scoped(
  DatabaseLocation,
  Effect.gen(function* () {
    const { databaseUrl, dataDir, poolSize } = yield* Settings
    if (Option.isSome(databaseUrl))
      return { connection: { connectionString: Redacted.value(databaseUrl.value) }, poolSize }
    const { database, host, port, user } = yield* acquire({ dataDir: `${dataDir}/postgres` })
    return { connection: { database, host, port, user }, poolSize }
  })
)

/** JSON lines on standard output, from the level that the settings ask for. */
const LoggingLive = Layer.unwrapEffect(
  Effect.map(Settings, ({ logLevel }) => Layer.merge(Logger.json, Logger.minimumLogLevel(logLevel)))
)

const MigratedDatabase = Layer.effectDiscard(Effect.zipRight(migrate, migrateEngine)).pipe(
  Layer.provideMerge(DatabaseLayer),
  Layer.provideMerge(LocationLive)
)

const Foundation = Layer.mergeAll(LoggingLive, TracingLive).pipe(
  Layer.provideMerge(SettingsLive),
  Layer.provideMerge(NodeContext.layer)
)

/** The database with the tables' accounts and tokens: what the operator's commands need. */
export const Operations = Layer.mergeAll(AccountsPostgres, AccessTokensPostgres).pipe(
  Layer.provideMerge(MigratedDatabase),
  Layer.provideMerge(Foundation)
)

/** What single services take from the settings. */
const Tuning = Layer.unwrapEffect(
  Effect.map(Settings, ({ mailDomain, outboundAllowLoopback, uploadLimit }) =>
    Layer.mergeAll(
      Layer.succeed(MailDomain, mailDomain),
      Layer.succeed(UploadLimit, uploadLimit),
      Layer.effect(
        OutboundPolicy,
        Effect.map(OutboundPolicy, (policy) => ({ ...policy, allowLoopback: outboundAllowLoopback }))
      )
    )
  )
)

/** What stands directly on the database, and the ways to the outside. */
const Base = Layer.mergeAll(
  JobsPostgres,
  NotificationsPostgres,
  BlacklistPostgres,
  CampaignLookupPostgres,
  LeadFileReaderLayer,
  OutboundHttpNode,
  AccountEventsPostgres
).pipe(Layer.provideMerge(Layer.merge(AccountProfilePostgres, CustomerFilesPostgres)), Layer.provideMerge(Tuning))

/** What prospecting stands on, beside the leads. */
const Outreach = Layer.mergeAll(
  SendGuardPostgres,
  TouchLedgerPostgres,
  LanguageUsagePostgres,
  ProspectingConfigPostgres,
  Layer.merge(WriterLayer, ReplyReaderLayer).pipe(Layer.provideMerge(LanguageModelConfigured))
)

/** The services that tools and background work use, on whatever queue of tasks. */
export const DomainOnQueue = Layer.mergeAll(
  LeadEmailsPostgres,
  LeadSearchPostgres,
  LeadExportsPostgres,
  LeadImportsPostgres,
  LeadSchedulePostgres,
  ReferralsPostgres,
  PresentationsPostgres,
  CampaignsPostgres,
  MeetingsPostgres,
  OutcomesPostgres,
  LeadQuestionsPostgres,
  TimingPostgres,
  ConversationsPostgres,
  WebhooksPostgres
).pipe(
  Layer.provideMerge(EmbeddingsConfigured),
  Layer.provideMerge(Channels),
  Layer.provideMerge(Outreach),
  Layer.provideMerge(LeadsPostgres),
  Layer.provideMerge(Base)
)

/** The same, with the queue that the engine works. */
export const Domain = DomainOnQueue.pipe(Layer.provideMerge(TaskQueuePostgres))

/** All that is done in the background, whoever does it. */
export const backgroundWork = Effect.gen(function* () {
  return {
    tasks: [
      yield* makeComposeTouchHandler,
      yield* makeReadReplyHandler,
      lostTouches.handler,
      ...mailTasks,
      ...chatAppTaskHandlers,
      ...voiceTaskHandlers,
      ...meetingTasks,
      ...outcomeTasks,
      ...timingTasks,
      ...conversationTasks,
      returnArchivedCampaignLeadsHandler,
      webhookRetention.handler
    ],
    jobs: [leadImportJob, leadExportJob, chatAppLineProvisioningJob],
    recurring: [
      lostTouches.recurring,
      ...mailRecurring,
      ...chatAppRecurring,
      ...voiceRecurring,
      ...meetingRecurring,
      ...outcomeRecurring,
      ...timingRecurring,
      ...conversationRecurring,
      webhookRetention.recurring
    ]
  }
})

/** Does the tasks and jobs that calls and other work leave behind. */
export const Engine = Layer.unwrapEffect(
  Effect.gen(function* () {
    const settings = yield* Settings
    const { jobConcurrency } = settings
    const isSampled = makeIsSampled(settings)
    const engine = jobEngineLayer({
      ...(yield* backgroundWork),
      concurrency: { quick: 4 * jobConcurrency, long: jobConcurrency },
      isSampled
    })
    return Layer.merge(engine, webhookDispatcherLayer({ isSampled }))
  })
)

/** What the platform does of its own accord: contact leads that are due, and read the mailbox. */
const Prospecting = Layer.merge(TouchLoop, MailReading)

/** Services and background work. */
const Workers = Engine.pipe(Layer.provideMerge(Domain), Layer.provideMerge(Operations))

/** The gateway: all tiers, listening. */
export const App = serverLayer(AllTools, channelEndpoints).pipe(
  Layer.provide(Layer.effectDiscard(firstStart)),
  Layer.provide(MetricsLive),
  Layer.provide(Prospecting),
  Layer.provide(Workers)
)
